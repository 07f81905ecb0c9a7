"""Parameter studies: problems x algorithms x step-size rules x grids, stored piece by piece."""

import simulate.sweep.output  # noqa: F401 - how a study is shown

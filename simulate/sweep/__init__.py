"""Parameter studies: problems x algorithms x step-size rules x grids, stored piece by piece."""

import simulate.sweep.picture  # noqa: F401 - how a study is shown

"""What happens when an algorithm is run on a problem."""

import tdrc_theory.cli.start  # noqa: F401 - before all others

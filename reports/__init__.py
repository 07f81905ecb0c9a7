"""What is true and what happens, side by side, for a person."""

import tdrc_theory.cli.start  # noqa: F401 - before all others

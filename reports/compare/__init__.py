"""Prediction beside experience: the exact moments of a learning curve, many runs of it, and how far they differ."""

import reports.compare.output  # noqa: F401 - how a comparison is shown
from reports.compare.comparison import Comparison, Unpredicted, compare

__all__ = ["Comparison", "Unpredicted", "compare"]

"""Prediction beside experience: the exact moments of a learning curve, many runs of it, and how far they differ."""

from reports.compare.comparison import Comparison, Unpredicted, compare

__all__ = ["Comparison", "Unpredicted", "compare"]

"""From an algorithm's function: its equation in LaTeX, its expected update and G, for every dimension."""

from tdrc_theory.derive.symbolic import Letter, MatrixSum, SymbolicUpdate, derive

__all__ = ["Letter", "MatrixSum", "SymbolicUpdate", "derive"]

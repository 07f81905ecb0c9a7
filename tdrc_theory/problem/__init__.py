"""A problem, its parts and how they are read, and what follows from it alone: steps, state weights, key matrices."""

from tdrc_theory.problem.problem import END, Problem, Transition

__all__ = ["END", "Problem", "Transition"]

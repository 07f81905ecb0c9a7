"""A learner: an update of named weights, affine in them, driven by a chain and by memory that the chain drives."""

from tdrc_theory.learner.algorithm import Algorithm, Step, learner
from tdrc_theory.learner.files import load_algorithm
from tdrc_theory.learner.symbol import dot

__all__ = ["Algorithm", "Step", "dot", "learner", "load_algorithm"]

"""Kernel residual gradient: mini-batches descend the kernel loss of the Bellman error (Feng, Li and Liu 2019).

The loss of a batch of m samples is the mean over pairs of K(s_i, s_j) rho_i delta_i rho_j delta_j, for a positive
definite similarity K of states. Half of its negative gradient is the mean over j of
rho_j delta_hat_j (x_j - gamma x'_j): GTD2's direction, with the mean over i of K(s_i, s_j) rho_i delta_i as delta_hat_j
instead of h.x_j. There is no h, and no expected update of one sample, so only simulations know these algorithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.learner.algorithm import Algorithm

Array = np.ndarray[Any, np.dtype[Any]]

_USUAL = 300
"""Powers of two: features of this size have squares in the range of floats."""


def kernel_residual_gradient(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho delta_hat (x - gamma x'); delta_hat comes from the other samples of the batch."""
    return rho * delta_hat * (x - gamma * x_next), 0


def gaussian(features: Array) -> Array:
    """Return exp(-|x_i - x_j|^2 / (2 m^2)), (S, S), with m the median distance between states that differ.

    Features are (S, k); where an episode has ended they are 0, and such rows do not count in the median. The bandwidth
    is this project's choice: the paper names none.
    """
    exponent = int(np.frexp(np.abs(features).max(initial=0))[1])
    if abs(exponent) > _USUAL:  # their squares would leave the range of floats; K does not depend on the unit
        features = np.ldexp(features, -exponent)
    squares = np.square(features[:, None, :] - features[None, :, :]).sum(axis=2)
    live = features.any(axis=1)
    apart = squares[np.ix_(live, live)]
    apart = apart[apart > 0]
    return np.exp(-squares / (2 * np.median(apart))) if len(apart) else np.ones_like(squares)


def inner_product(features: Array) -> Array:
    """Return x_i.x_j, (S, S): with it the loss is |b - A w|^2, without the inverse of C."""
    return features @ features.T


class Smoothing(NamedTuple):
    """How a batch's TD errors become delta_hat.

    Attributes:
        algorithm: whose delta_hat it is.
        similarity: features (S, k) -> K (S, S).
        distinct: only pairs of different samples count, which makes the loss of a batch unbiased.
    """

    algorithm: Algorithm
    similarity: Callable[[Array], Array]
    distinct: bool


def _named(name: str) -> Algorithm:
    return Algorithm(name=name, direction=kernel_residual_gradient, source="Feng, Li and Liu 2019")


SMOOTHINGS: tuple[Smoothing, ...] = (
    Smoothing(_named("kernel-rg"), gaussian, distinct=False),
    Smoothing(_named("kernel-rg-unbiased"), gaussian, distinct=True),
    Smoothing(_named("kernel-rg-linear"), inner_product, distinct=False),
)


def smoothing_of(algorithm: Algorithm) -> Smoothing | None:
    """Return how an algorithm's delta_hat comes from its batch; None where it is h.x."""
    if algorithm.direction is not kernel_residual_gradient:
        return None
    return next(smoothing for smoothing in SMOOTHINGS if smoothing.algorithm.name == algorithm.name)


def find_learner(name: str) -> Algorithm:
    """Return an algorithm by name; simulations know these besides those of `find_algorithm`.

    Raises:
        UnknownName, BadAlgorithm: see `find_algorithm`.
    """
    for smoothing in SMOOTHINGS:
        if smoothing.algorithm.name == name:
            return smoothing.algorithm
    return find_algorithm(name)

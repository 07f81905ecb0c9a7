"""The largest constant step size at which an expected update, iterated, converges: from the roots of its polynomial."""

from __future__ import annotations

import flint

from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.precision import precision
from verify.exact.enclosure import Enclosure, root_balls


def largest_step_size(polynomial: Polynomial) -> Enclosure | None:
    """Enclose the supremum of the alpha > 0 with |1 + alpha lambda| < 1 at every root lambda; None without roots.

    |1 + alpha lambda|^2 = 1 + 2 alpha Re lambda + alpha^2 |lambda|^2, so that of one root is -2 Re lambda / |lambda|^2.

    Args:
        polynomial: exact; every root has negative real part.

    Raises:
        Unseparated: the roots could not be separated at any reasonable precision.

    >>> largest_step_size(Polynomial([2, 3, 1])).middle
    1.0
    """
    least: flint.arb | None = None
    with precision(96):
        for root in root_balls(polynomial):
            limit = -2 * root.real / (root.real**2 + root.imag**2)
            least = limit if least is None else least.min(limit)
    return None if least is None or not least.is_finite() else Enclosure.of_ball(least)

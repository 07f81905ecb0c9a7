"""The claims of the paper, a family a file. Adding one is a Claim in a family's tuple; a new family is a file and a
line here.

A claim is data: a formula (`tdrc_theory.formula`), its place, its role, and, where the paper errs, the corrected
formula and the erratum. `python -m verify.paper` judges every formula by the same judge, which does not know what is
expected of it.
"""

from tdrc_theory.claims import (
    actor_critic,
    determinant,
    fixed_points,
    limits,
    lyapunov,
    mspbe,
    quadratic,
    secondary,
    singular,
    tdcpp,
    theorem,
    updates,
)
from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.registry import named

FAMILIES = (
    mspbe,
    updates,
    determinant,
    quadratic,
    theorem,
    singular,
    fixed_points,
    lyapunov,
    tdcpp,
    actor_critic,
    limits,
    secondary,
)
CLAIMS: tuple[Claim, ...] = tuple(claim for family in FAMILIES for claim in family.CLAIMS)


def find_claim(identifier: str) -> Claim:
    """Return a claim by its id.

    Raises:
        UnknownName: there is no such claim.
    """
    return named("claim", identifier, CLAIMS, by="id")


__all__ = ["CLAIMS", "FAMILIES", "Claim", "Role", "find_claim"]

"""Small steps of the convergence proof that say a little more than they need."""

from __future__ import annotations

from tdrc_theory.formula.expression import at_least, equal, greater, implies, symbols
from tdrc_theory.papers.claim import Role
from verify.paper.facts.fact import Fact

beta, eta, lambda_c, Omega, Xi, r, u, v = symbols("beta eta lambda_c Omega Xi r u_1 v_1")

_real, _imaginary = Omega**2 - Xi, 2 * Omega * lambda_c - 4 * eta * beta * lambda_c
_root = equal(r**2, _real**2 + _imaginary**2)
"""r >= 0 is the square root in Upsilon = r + Omega^2 - Xi."""

FACTS = (
    Fact(
        id="proof.upsilon",
        title="the right side of the inequality for Omega is positive",
        source="Appendix, cases 1 and 2",
        role=Role.REMARK,
        printed=implies(_root, greater(r + _real, 0)),
        corrected=implies(equal(r**2, u**2 + v**2), at_least(r + u, 0)),
        erratum="R18",
        remark="r is the square root in Upsilon, u_1 the rest, v_1 what is squared beside u_1 under the root; where "
        "Upsilon is 0, C1 and case 2 follow all the same",
    ),
)

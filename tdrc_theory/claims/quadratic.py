"""The quadratic of an eigenvalue (eq. 14), its solutions (Box 2), and the conditions C1, C2 and C3 (Box 3)."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import Expr, I, both, equal, greater, iff, implies, less, norm2, symbols

A, C, beta, eta, lam, z, i = symbols("A C beta eta lambda z i")
b_c, b_a, l_r, l_c, Omega, Xi = symbols("b_c b_a lambda_r lambda_c Omega Xi")
u1, u2, v1, v2, r, s = symbols("u_1 u_2 v_1 v_2 r s")
MAIN = "Appendix, main proof"
_shift = eta * beta + lam
_turn = 2 * Omega * l_c - 4 * eta * beta * l_c

C1 = greater(Omega, 0)
C2 = greater(Omega**2 + Xi, 0)
C3 = greater(Omega**2 * (beta * l_r + b_a) + beta * l_c**2 * (eta * b_c + l_r), 0)
_p, _q = Omega + l_c * i, eta * (beta * (l_r + l_c * i) + b_a)


def _over(form: Expr) -> Expr:
    return z.star * form * z / norm2(z)


CLAIMS = (
    Claim(
        id="quadratic.of-an-eigenvalue",
        title="the quadratic that an eigenvalue solves",
        source=f"{MAIN}, eq. 14",
        role=Role.IDENTITY,
        printed=equal(
            _over(lam * (eta * C + _shift * I) + A * (eta * A.T + _shift * I)),
            lam**2 + (eta * beta + eta * _over(C) + _over(A)) * lam + eta * (beta * _over(A) + _over(A * A.T)),
        ),
        theorem="quadratic_of_an_eigenvalue",
    ),
    Claim(
        id="quadratic.solution",
        title="2 lambda + Omega + lambda_c i is a square root of the discriminant",
        source="Appendix, Box 2",
        role=Role.IDENTITY,
        printed=equal(
            (2 * lam + _p) ** 2 - 4 * (lam**2 + _p * lam + _q),
            Omega**2 - Xi + (2 * Omega * l_c - 4 * eta * beta * l_c) * i,
        ),
        theorem="solution_of_quadratic",
    ),
    Claim(
        id="quadratic.real-part-of-a-root",
        title="Re sqrt(x + y i) = +- sqrt(sqrt(x^2 + y^2) + x) / sqrt 2, for the root u_1 + v_1 i",
        source=MAIN,
        role=Role.IDENTITY,
        printed=equal((2 * u1**2 - (u1**2 - v1**2)) ** 2, (u1**2 - v1**2) ** 2 + (2 * u1 * v1) ** 2),
        theorem="real_part_of_a_root",
    ),
    Claim(
        id="conditions.third-in-roots",
        title="C3 in terms of the roots u_1 + v_1 i and u_2 + v_2 i",
        source="Appendix, Box 3",
        role=Role.IDENTITY,
        printed=equal(
            (u1 + u2) ** 2 * (u1 * u2 - v1 * v2)
            + (u1 + u2) * (v1 + v2) * (u1 * v2 + u2 * v1)
            - (u1 * v2 + u2 * v1) ** 2,
            u1 * u2 * ((u1 + u2) ** 2 + (v1 - v2) ** 2),
        ),
        theorem="C3_in_roots",
        remark="(Re p)^2 Re q + Re p Im p Im q - (Im q)^2 for p = -(sum of the roots) and q = their product",
    ),
    Claim(
        id="conditions.third-in-coefficients",
        title="C3 in terms of the quadratic's coefficients",
        source="Appendix, Box 3",
        role=Role.IDENTITY,
        printed=equal(
            Omega**2 * eta * (beta * l_r + b_a) + Omega * l_c * eta * beta * l_c - (eta * beta * l_c) ** 2,
            eta * (Omega**2 * (beta * l_r + b_a) + beta * l_c**2 * (eta * b_c + l_r)),
        ),
        theorem="C3_in_coefficients",
    ),
    Claim(
        id="conditions.stable-roots",
        title="both roots have negative real part if and only if C1 and C3 hold",
        source="Appendix, Box 3",
        role=Role.IDENTITY,
        printed=iff(
            both(less(u1, 0), less(u2, 0)),
            both(greater(-(u1 + u2), 0), greater(u1 * u2 * ((u1 + u2) ** 2 + (v1 - v2) ** 2), 0)),
        ),
        theorem="stable_roots",
    ),
    Claim(
        id="conditions.squared",
        title="Box 3, from the squared inequality to C3",
        source="Appendix, Box 3",
        role=Role.IDENTITY,
        printed=iff(greater((Omega**2 + Xi) ** 2, (Omega**2 - Xi) ** 2 + _turn**2), C3),
        theorem="C3_squared",
    ),
    Claim(
        id="conditions.squaring",
        title="Box 3, squaring is reversible where both sides are positive",
        source="Appendix, Box 3",
        role=Role.IDENTITY,
        printed=implies(greater(u1, 0), iff(greater(u1, r), greater(u1**2, r**2))),
        theorem="squaring",
    ),
    Claim(
        id="conditions.second-is-redundant",
        title="C2 follows from C1 and C3",
        source="Appendix, C1 to C3",
        role=Role.REMARK,
        printed=implies(C1, C3, C2),
        theorem="C2_redundant",
        remark="the paper lists it as a condition of its own",
    ),
    Claim(
        id="conditions.third-gives-second",
        title="C2 follows from C3 alone",
        source="Appendix, C1 to C3",
        role=Role.REMARK,
        printed=implies(C3, C2),
        theorem="C3_gives_C2",
        remark="not in the paper; Omega^2 C2 = Omega^4 + lambda_c^2 (Omega - 2 eta beta)^2 + 4 eta C3",
    ),
    Claim(
        id="conditions.positive-definite",
        title="lambda_r > 0 gives C1, C2 and C3",
        source=f"{MAIN}, case 1",
        role=Role.SUFFICIENT,
        printed=implies(greater(l_r, 0), greater(b_a, 0), greater(b_c, 0), both(C1, C2, C3)),
        theorem="case_1_conditions",
    ),
    Claim(
        id="conditions.bounds",
        title="beta lambda_r + b_a > 0 and eta b_c + lambda_r > 0 give C1, C2 and C3",
        source=f"{MAIN}, case 1",
        role=Role.SUFFICIENT,
        printed=implies(greater(beta * l_r + b_a, 0), greater(eta * b_c + l_r, 0), both(C1, C2, C3)),
        theorem="bounds_give_conditions",
    ),
    Claim(
        id="conditions.bound-on-beta",
        title="for lambda_r < 0 the first is beta < -b_a / lambda_r",
        source=f"{MAIN}, eq. 16",
        role=Role.IDENTITY,
        printed=implies(less(l_r, 0), equal(s * -l_r, b_a), iff(greater(beta * l_r + b_a, 0), less(beta, s))),
        theorem="bound_on_beta_at_z",
    ),
)

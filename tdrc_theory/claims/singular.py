"""Convergence for singular C (Appendix, last part of the main proof): what is printed, and the theorem that is true.

As printed, bounds at the z with lambda_r < 0 make every eigenvalue of G negative; but a singular C makes G singular.
What is true, for beta >= 0 and eta > 0: where C1 and C3 hold at every z other than 0 of range(C), the expected update
converges to the set of TD fixed points, also where next features leave range(C). The Coq theorem
`singular_C_convergence` proves what that needs: every eigenvalue of G other than 0 has negative real part, 0 is
semisimple, TD fixed points exist, and where the weights rest w is one. Its steps stand here as claims of ours: an
eigenvector's h solves Box 1's equation and lies in range(C), so that the quadratic decides; and a generalised
eigenvector of 0 is an eigenvector, by C3 at real z.
"""

from tdrc_theory.claims import quadratic
from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import (
    E,
    Expr,
    I,
    at_least,
    both,
    det,
    eigmin,
    equal,
    greater,
    hurwitz,
    iff,
    implies,
    less,
    negation,
    posdef,
    symbols,
)

A, C, C_beta, A_beta, H, G = symbols("A C C_beta A_beta H G_tdrc")
z, w, h, x, x_next, rho, gamma, zero = symbols("z w h x x' rho gamma 0")
beta, eta, lam, b_a, l_r, l_c, s = symbols("beta eta lambda b_a lambda_r lambda_c s")
SINGULAR = "Appendix, singular C"
OURS = "not in the paper: the theorem for singular C"
_C = E(x * x.T)
_A = E(rho * x * (x - gamma * x_next).T)
_kernel = equal(_C * z, zero)
_third = (eta * beta + l_r) ** 2 * (beta * l_r + b_a) + beta * l_c**2 * l_r
_root = equal(s**2 * (beta * l_r + b_a), -(beta * l_c**2 * l_r))
_negative = (less(l_r, 0), greater(beta * l_r + b_a, 0))
_singular = equal(det(C), 0)
_bounds_for_symmetric_A = (
    less(w.T * A * w, 0),
    greater(beta, 0),
    greater(s, beta),
    at_least(eigmin(A * A + s * A), 0),
    posdef(eta * beta * I + A),
)
"""A is not positive semidefinite; beta < -b_a / lambda_r and eta beta > -lambda_r at every z with lambda_r < 0."""

_rest_of_h = C_beta * h + A * w
_row_h = -eta * _rest_of_h - lam * h
_row_w = (A.T - C) * h - A * w - lam * w


def _box_1(A: Expr, C: Expr) -> Expr:
    shift = eta * beta + lam
    return lam * (eta * C + shift * I) + A * (eta * A.T + shift * I)


CLAIMS = (
    Claim(
        id="singular-C.left-kernel",
        title="C z = 0 gives z^T A = 0: singular C forces singular A",
        source=SINGULAR,
        role=Role.NECESSARY,
        printed=implies(_kernel, equal(z.T * _A, zero.T)),
        theorem="singular_C",
        remark="not in the paper; z^T x = 0 almost surely there",
    ),
    Claim(
        id="singular-C.convergence",
        title="the bounds at every z with lambda_r < 0 make G Hurwitz (stated for symmetric A, where lambda_c = 0)",
        source=SINGULAR,
        role=Role.SUFFICIENT,
        printed=implies(_singular, equal(A, A.T), *_bounds_for_symmetric_A, hurwitz(G)),
        corrected=implies(_singular, negation(hurwitz(G))),
        erratum="E6",
        theorem="singular_C_is_not_hurwitz",
        remark="no bounds do: det G = 0, since b_a and lambda_r are 0 where C z = 0; convergence to the set of TD "
        "fixed points does follow from C1 and C3 on range(C) (Coq: singular_C_convergence), but these bounds allow "
        "A^T z = 0 there, and then w may drift",
    ),
    Claim(
        id="singular-C.forms",
        title="lambda_z and b_a are 0 where C z = 0",
        source=SINGULAR,
        role=Role.REMARK,
        printed=implies(_kernel, both(equal(z.star * _A * z, 0), equal(z.star * _A * _A.T * z, 0))),
        theorem="forms_vanish_with_C",
        remark="not in the paper; the bounds say nothing of these z, since lambda_r is not below 0",
    ),
    Claim(
        id="singular-C.third-condition",
        title="C3 fails where b_c, b_a and lambda_z are 0",
        source=SINGULAR,
        role=Role.REMARK,
        printed=implies(equal(l_r, 0), equal(l_c, 0), equal(b_a, 0), equal(_third, 0)),
        theorem="third_condition_vanishes",
    ),
    Claim(
        id="singular-C.worst-case",
        title="b_c = 0 is the worst case: C1 and C3 there give them at every b_c",
        source=SINGULAR,
        role=Role.SUFFICIENT,
        printed=implies(greater(eta * beta + l_r, 0), greater(_third, 0), both(quadratic.C1, quadratic.C3)),
        theorem="b_c_0_is_the_worst_case",
        remark="whatever the sign of lambda_r",
    ),
    Claim(
        id="singular-C.bound-on-eta",
        title="the third inequality at b_c = 0 solved for eta, s being the square root",
        source=SINGULAR,
        role=Role.IDENTITY,
        printed=implies(
            *_negative,
            _root,
            greater(beta, 0),
            greater(eta * beta + l_r, 0),
            iff(greater(_third, 0), greater(eta * beta, s - l_r)),
        ),
        theorem="bound_on_eta_solved",
    ),
    Claim(
        id="singular-C.first-condition",
        title="the bound on eta gives the first condition",
        source=SINGULAR,
        role=Role.REMARK,
        printed=implies(*_negative, _root, greater(eta * beta, s - l_r), greater(eta * beta + l_r, 0)),
        theorem="bound_on_eta_gives_C1",
    ),
    Claim(
        id="singular-C.eigenvector",
        title="Box 1's matrix at lambda times h, by the two block rows of G - lambda I at (h, w)",
        source=OURS,
        role=Role.IDENTITY,
        printed=equal(_box_1(A, C) * h, eta * A * _row_w - (lam * I + A) * _row_h),
        theorem="eigenvector_in_box_1",
        remark="so an eigenvector's h solves it; a polynomial identity, so complex lambda, h and w too",
    ),
    Claim(
        id="singular-C.in-range",
        title="an eigenvector's h lies in range(C), where lambda is not -eta beta",
        source=OURS,
        role=Role.IDENTITY,
        printed=implies(equal(-eta * _rest_of_h, lam * h), equal((eta * beta + lam) * h, -eta * (C * h + A * w))),
        theorem="eigenvector_in_range",
        remark="range(A) lies in range(C), as z^T A = 0 where C z = 0",
    ),
    Claim(
        id="singular-C.off-range",
        title="Box 1's matrix from the left at w with C w = 0",
        source=OURS,
        role=Role.IDENTITY,
        printed=implies(equal(_C * w, zero), equal(w.T * _box_1(_A, _C) * z, lam * (eta * beta + lam) * w.T * z)),
        theorem="box_1_off_range",
        remark="another way to see it: where lambda is neither 0 nor -eta beta, w^T z = 0 for every such w",
    ),
    Claim(
        id="singular-C.second-row",
        title="where the block row of h is 0, that of w is A_beta^T h",
        source=OURS,
        role=Role.IDENTITY,
        printed=implies(equal(_rest_of_h, zero), equal((A.T - C) * h - A * w, A_beta.T * h)),
        theorem="second_block_row",
    ),
    Claim(
        id="singular-C.zero-is-semisimple",
        title="A A_beta^T h = 0 makes the form of A A^T + beta H at h zero",
        source=OURS,
        role=Role.IDENTITY,
        printed=equal(h.T * A * A_beta.T * h, h.T * (A * A.T + beta * H) * h),
        theorem="form_at_semisimple_zero",
        remark="C3 at real z makes that form positive on range(C), so h = 0 and G^2 has no larger kernel than G",
    ),
)

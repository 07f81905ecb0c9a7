"""Large beta, GTD2, and when an update is a gradient: the identities behind what the text says of them."""

from fractions import Fraction

from tdrc_theory.claims import quadratic
from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import (
    I,
    at_least,
    both,
    det,
    equal,
    grad,
    greater,
    hurwitz,
    implies,
    inv,
    nonsingular,
    norm2,
    symbols,
)

A, C, C_beta, A_beta, H, b, h, w = symbols("A C C_beta A_beta H b h w")
b_c, b_a, l_r = symbols("b_c b_a lambda_r")
alpha, beta, eta, lam, G_tdrc, G_gtd2, I_2d = symbols("alpha beta eta lambda G_tdrc G_gtd2 I_2d")

_descent = A_beta.T * inv(C_beta) * A

CLAIMS = (
    Claim(
        id="limits.characteristic",
        title="det(G - lambda I) by powers of beta",
        source="Section 3.1, large beta",
        role=Role.IDENTITY,
        printed=equal(
            det(G_tdrc - lam * I_2d),
            det((eta * beta + lam) * (lam * I + A) + eta * (lam * C + A * A.T)),
        ),
        theorem="characteristic_by_powers_of_beta",
        remark="Divided by (eta beta)^d it tends to det(lambda I + A) as beta grows.",
    ),
    Claim(
        id="limits.w-at-equilibrium",
        title="w's update with h at its equilibrium, beside TD's",
        source="Section 3.1, large beta",
        role=Role.IDENTITY,
        printed=equal(A_beta.T * inv(C_beta), I + (A.T - C) * inv(C_beta)),
        theorem="w_at_equilibrium",
    ),
    Claim(
        id="limits.size-of-h",
        title="the size of h at its equilibrium",
        source="Section 3, large beta",
        role=Role.IDENTITY,
        printed=equal(norm2(C_beta * h), norm2(C * h) + 2 * beta * h.T * C * h + beta**2 * norm2(h)),
        theorem="size_of_h",
    ),
    Claim(
        id="limits.gtd2-characteristic",
        title="det(G - lambda I) of GTD2",
        source="Appendix, prediction details, the range of eta",
        role=Role.IDENTITY,
        printed=equal(det(G_gtd2 - lam * I_2d), det(lam**2 * I + eta * lam * C + eta * A * A.T)),
        theorem="gtd2_characteristic",
    ),
    Claim(
        id="limits.td-potential",
        title="the gradient of the only candidate for an objective of TD",
        source="Section 2, TD and objectives",
        role=Role.IDENTITY,
        printed=equal(grad(Fraction(1, 2) * w.T * A * w - b.T * w), H * w - b),
        theorem="td_potential_gradient",
    ),
    Claim(
        id="limits.tdrc-asymmetry",
        title="how far TDRC's update is from a gradient",
        source="Section 3.1, TDRC and gradients",
        role=Role.IDENTITY,
        printed=equal(
            _descent - A.T * inv(C_beta) * A_beta,
            beta * (inv(C_beta) * A - A.T * inv(C_beta)),
        ),
        theorem="tdrc_asymmetry",
    ),
    Claim(
        id="limits.two-parts-of-the-noise",
        title="the squared norm of a sum is at most the sum of the squared norms",
        source="Appendix, Main Proof, noise bound",
        role=Role.SUFFICIENT,
        printed=at_least(norm2(h) + norm2(w), norm2(h + w)),
        corrected=equal(2 * norm2(h) + 2 * norm2(w) - norm2(h + w), norm2(h - w)),
        erratum="E15",
        theorem="two_parts_of_the_noise",
        remark="so twice the sum is a bound",
    ),
    Claim(
        id="limits.gtd2",
        title="GTD2 converges at every eta > 0",
        source="Appendix, prediction details, the range of eta",
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A), nonsingular(C), hurwitz(G_gtd2)),
        theorem="gtd2_convergence",
    ),
    Claim(
        id="limits.eta-relaxed",
        title="for beta > 0, C1 and C3 hold where eta is only at its bound",
        source="Section 3.1, below Theorem 3.1",
        role=Role.SUFFICIENT,
        printed=implies(
            greater(beta, 0),
            greater(beta * l_r + b_a, 0),
            at_least(eta * b_c + l_r, 0),
            both(quadratic.C1, quadratic.C3),
        ),
        theorem="bound_on_eta_relaxed",
        remark="so the theorem's condition on eta can be relaxed, as the text expects",
    ),
    Claim(
        id="limits.td",
        title="where TD stops it is at a TD fixed point",
        source="Section 2, below the off-policy update",
        role=Role.IDENTITY,
        printed=implies(equal(w + alpha * (b - A * w), w), equal(A * w, b)),
        theorem="td_stops_at_its_fixed_point",
    ),
)

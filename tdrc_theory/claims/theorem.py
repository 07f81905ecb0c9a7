"""Theorem 3.1 (convergence of TDRC), its note, the substitution behind its bounds, and what is necessary."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import (
    I,
    at_least,
    at_most,
    both,
    det,
    eigmax,
    eigmin,
    equal,
    greater,
    hurwitz,
    iff,
    implies,
    inv,
    less,
    negation,
    nonsingular,
    posdef,
    symbols,
)

A, C, H, A_beta, C_beta, beta, eta, eta_0, G, G_tdc = symbols("A C H A_beta C_beta beta eta eta_0 G_tdrc G_tdc")
b, h, w, zero = symbols("b h w 0")
THEOREM = "Theorem 3.1"
SUBSTITUTION = "Appendix, main proof, eqs. 18 and 19"
_beta_printed = less(beta, -eigmax(inv(H) * A * A.T))
_beta_corrected = less(beta * eigmax(-inv(A * A.T) * H), 1)
_beta_at_most = at_most(beta * eigmax(-inv(A * A.T) * H), 1)
_eta = greater(eta, -eigmin(inv(C) * H))
_at_rest = (equal(eta_0 * (b - C_beta * h - A * w), zero), equal(A * w, b + (A.T - C) * h))
"""The expected updates of h and w are 0, for any eta >= 0: where the weights converge to, from there at the latest."""

_not_definite = negation(posdef(A))

CLAIMS = (
    Claim(
        id="theorem-3.1.case-i",
        title="case (i): A positive definite",
        source=THEOREM,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A_beta), nonsingular(C), posdef(A), *_at_rest, equal(A * w, b)),
        corrected=implies(posdef(A), hurwitz(G)),
        erratum="E8",
        theorem="case_i",
        refutation="eta_0_refuted",
        remark="eta = 0 is printed as allowed, but then h never moves, and w rests where A w is b shifted by what h "
        "is; C need not be nonsingular here",
    ),
    Claim(
        id="theorem-3.1.case-ii",
        title="case (ii): bounds on beta and eta",
        source=THEOREM,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A_beta), nonsingular(C), _beta_printed, _eta, hurwitz(G)),
        theorem="case_ii_as_printed",
        remark="true, but by E2 its hypothesis can only be met where H is negative definite",
    ),
    Claim(
        id="theorem-3.1.case-ii-wide",
        title="case (ii) with the right bound on beta",
        source=THEOREM,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A), nonsingular(C), _beta_corrected, _eta, hurwitz(G)),
        theorem="case_ii",
        remark="what the proof shows: sufficient for every nonsingular A and C",
    ),
    Claim(
        id="theorem-3.1.case-ii-at-the-bound",
        title="case (ii) with beta at its bound, where A + beta I is nonsingular",
        source=THEOREM,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A), nonsingular(C), nonsingular(A_beta), _beta_at_most, _eta, hurwitz(G)),
        theorem="case_ii_at_the_bound",
        remark="not in the paper; eta must stay above its own bound: with both at theirs a root may be imaginary",
    ),
    Claim(
        id="theorem-3.1.note-beta",
        title="the note: where A is not positive definite the bound on beta is positive",
        source=THEOREM,
        role=Role.REMARK,
        printed=implies(nonsingular(A), nonsingular(C), _not_definite, greater(-eigmax(inv(H) * A * A.T), 0)),
        corrected=implies(nonsingular(A), iff(greater(-eigmax(inv(H) * A * A.T), 0), posdef(-H))),
        erratum="E2",
        theorem="note_on_beta",
        remark="exactly where H is negative definite; for indefinite H it is negative, so that no beta meets case (ii)",
    ),
    Claim(
        id="theorem-3.1.note-eta",
        title="the note: where A is not positive definite the bound on eta is positive",
        source=THEOREM,
        role=Role.REMARK,
        printed=implies(nonsingular(C), _not_definite, greater(-eigmin(inv(C) * H), 0)),
        corrected=implies(nonsingular(C), _not_definite, at_least(-eigmin(inv(C) * H), 0)),
        erratum="E2",
        theorem="note_on_eta",
        remark="it is 0 where H is singular and positive semidefinite",
    ),
    Claim(
        id="theorem-3.1.note-indefinite",
        title="the printed bound on beta is met only where H is negative definite and A nonsingular",
        source=THEOREM,
        role=Role.REMARK,
        printed=implies(_beta_printed, both(posdef(-H), nonsingular(A))),
        theorem="printed_bound_on_beta",
        remark="not in the paper; so case (ii) as printed makes A nonsingular, as case (i) does, without asking for it",
    ),
    Claim(
        id="bounds.beta",
        title="beta lambda_r + b_a > 0 at every z, as a bound by an eigenvalue",
        source=SUBSTITUTION,
        role=Role.IDENTITY,
        printed=implies(nonsingular(A), _not_definite, iff(posdef(A * A.T + beta * H), _beta_printed)),
        corrected=implies(nonsingular(A), iff(posdef(A * A.T + beta * H), _beta_corrected)),
        erratum="E2",
        theorem="beta_bound",
        remark="H^(1/2) is not real, and the quotient has no minimum, where H is indefinite",
    ),
    Claim(
        id="bounds.eta",
        title="eta b_c + lambda_r > 0 at every z, as a bound by an eigenvalue",
        source=SUBSTITUTION,
        role=Role.IDENTITY,
        printed=implies(nonsingular(C), iff(posdef(eta * C + H), _eta)),
        theorem="eta_bound",
    ),
    Claim(
        id="bounds.tdc",
        title="TDC converges under the same condition on eta",
        source="Section 3.1, below Theorem 3.1",
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A), nonsingular(C), _eta, hurwitz(G_tdc)),
        theorem="tdc_convergence",
    ),
    Claim(
        id="forms.b_c",
        title="b_c is greater than zero at every z",
        source="Appendix, main proof",
        role=Role.REMARK,
        printed=implies(nonsingular(C), posdef(C)),
        theorem="b_c_positive",
    ),
    Claim(
        id="forms.b_a",
        title="b_a is greater than zero at every z",
        source="Appendix, main proof",
        role=Role.REMARK,
        printed=implies(nonsingular(C), nonsingular(A_beta), posdef(A * A.T)),
        corrected=iff(nonsingular(A), posdef(A * A.T)),
        erratum="E14",
        theorem="b_a_positive_iff",
        remark="the theorem assumes C and A + beta I nonsingular, not A",
    ),
    Claim(
        id="condition-v.nonsingular",
        title="since A + beta I is nonsingular, G is",
        source="Appendix, main proof, condition (v)",
        role=Role.REMARK,
        printed=implies(nonsingular(A_beta), nonsingular(G)),
        corrected=iff(nonsingular(G), both(nonsingular(A), nonsingular(A_beta))),
        erratum="E14",
        theorem="G_nonsingular_iff",
        refutation="printed_condition_v_refuted",
    ),
    Claim(
        id="necessary.determinant",
        title="what convergence at any eta needs",
        source="Appendix, from det G",
        role=Role.NECESSARY,
        printed=implies(hurwitz(G), greater(det(A) * det(A + beta * I), 0)),
        theorem="necessity",
        remark="not in the paper; it bounds beta whatever eta is",
    ),
)

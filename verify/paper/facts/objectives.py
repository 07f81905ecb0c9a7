"""What the text says of objectives, of fixed points, and of what vanishes there."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims import Role, find_claim
from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import E, equal, symbols
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problems import find_problem
from verify.outcome import Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, proven, refuted, told
from verify.paper.facts.small_problems import coin
from verify.paper.judgement import Judgement

A, b, w, rho, delta, x = symbols("A b w rho delta x")


def _no_objective() -> Judgement:
    walk = key_matrices(find_problem("random-walk-tabular")).A
    lemma = find_claim("limits.td-potential").printed
    steps = [
        ("A = A^T, so H = A", "b - A w is minus the gradient of w^T A w / 2 - b^T w"),
        ("conversely the derivative of a gradient is symmetric", "that of b - A w is -A"),
        ("on the tabular random walk", "A is not symmetric, so there is no objective"),
    ]
    return proven("symmetry of second derivatives", [lemma], steps, also=walk != walk.T)


def _no_gradient() -> Judgement:
    lemma = find_claim("limits.tdrc-asymmetry").printed
    walk = find_problem("random-walk-tabular")
    key, k = key_matrices(walk), walk.k
    solved = (key.C + Matrix.identity(k)).solve(key.A)
    assert solved is not None
    steps = [
        ("with h at its equilibrium, w moves by", "A_beta^T C_beta^-1 (b - A w)"),
        ("for beta > 0 a gradient exactly when", "C_beta^-1 A is symmetric"),
        ("on the tabular random walk with beta = 1", "it is not"),
    ]
    return proven("symmetry of second derivatives", [lemma], steps, also=solved != solved.T)


def _no_inverse() -> Judgement:
    found = key_matrices(find_problem("baird")).C
    steps = [("Baird's C", f"rank {found.rank()} of 8, so it has no inverse")]
    return refuted(found.rank() < 8, "a problem of the paper", steps, as_witness("baird"))


def _pseudo_inverse() -> Judgement:
    key = key_matrices(find_problem("baird"))
    joint = Matrix.block([[key.C, key.A, key.b]])
    steps = [
        ("C z = 0", "z^T x = 0 almost surely, so z^T (b - A w) = 0 for every w"),
        ("so b - A w is in range(C), b - A w = C u", "and (b - A w)^T C^- (b - A w) = u^T C u for every inverse C^-"),
        ("Baird: rank of [C, A, b] and of C", f"{joint.rank()} and {key.C.rank()}"),
    ]
    return confirmed(joint.rank() == key.C.rank(), "C z = 0 gives z^T x = 0", steps)


def _errors_vanish() -> Judgement:
    problem = coin()
    key = key_matrices(problem)
    fixed = key.A.solve(key.b)
    assert fixed is not None
    value = fixed[0, 0]
    errors = sorted({t.reward + problem.gamma * value - value for t in problem.transitions})
    steps = [
        ("the TD fixed point", f"w = {value}, where E[delta x] = 0 and h = 0"),
        ("the TD errors there", " and ".join(map(str, errors))),
    ]
    return refuted(0 not in errors, "a problem", steps, as_witness(problem))


def _mean_error_vanishes() -> Judgement:
    lemma = equal(E(rho * delta * x), b - A * w)
    steps = [
        ("at a TD fixed point A w = b", "E[rho delta x] = 0, and C_beta h = 0 gives h = 0 where that is nonsingular")
    ]
    return proven("the expectation table", [lemma], steps)


def _same_solutions() -> Judgement:
    edge = Fraction(47, 100)
    found = outcome("two-state", "tdrc", edge)
    key = key_matrices(find_problem("two-state"))
    singular = key.A[0, 0] == -edge
    steps = [("A + beta", str(key.A[0, 0] + edge)), told("two-state", "tdrc", edge), told("two-state", "tdc")]
    shown = singular and found.status is Outcome.NOT_CONVERGENT
    return refuted(shown, "a problem", steps, as_witness("two-state", beta=edge))


def _same_where_nonsingular() -> Judgement:
    steps = [("A + beta I is nonsingular", "exactly where -beta is no eigenvalue of A; C + beta I is where beta > 0")]
    return proven("the theorem on fixed points", [find_claim("fixed-points.equal").true_formula], steps)


FACTS = (
    Fact(
        id="background.td-no-objective",
        title="TD descends on no objective",
        source="Section 2",
        role=Role.REMARK,
        printed="TD's expected update is minus a gradient only where A is symmetric, and need not be",
        examine=_no_objective,
    ),
    Fact(
        id="background.tdrc-no-gradient",
        title="TDRC's updates are no gradients",
        source="Section 3.1",
        role=Role.REMARK,
        printed="TDRC's expected update of w, beta > 0 and h at its equilibrium, is minus a gradient only where "
        "C_beta^-1 A is symmetric, and need not be",
        examine=_no_gradient,
    ),
    Fact(
        id="background.mspbe-exists",
        title="the MSPBE with the inverse of C",
        source="Section 3.1, eq. 7; Figure 1",
        role=Role.DEFINITION,
        printed="on each of the paper's problems C has the inverse that the MSPBE is defined with",
        examine=_no_inverse,
        corrected="with any generalised inverse of C in its place the MSPBE exists everywhere, and is the same",
        confirm=_pseudo_inverse,
        erratum="R4",
        remark="on Baird's problem it takes a generalised inverse",
    ),
    Fact(
        id="background.errors-vanish",
        title="at the TD fixed point the TD error itself is zero",
        source="Section 3",
        role=Role.REMARK,
        printed="at the TD fixed point delta_t = 0",
        examine=_errors_vanish,
        corrected="at a TD fixed point E[rho delta x] = 0",
        confirm=_mean_error_vanishes,
        erratum="R5",
        remark="what the text concludes, that h goes to 0, needs E[rho delta x] = 0 only",
    ),
    Fact(
        id="background.same-solutions",
        title="the regulariser keeps TD's solutions",
        source="Section 3, reason (1)",
        role=Role.REMARK,
        printed="at every beta > 0 TDRC's fixed points are TD's",
        examine=_same_solutions,
        corrected="they are TD's at every beta > 0 for which -beta is no eigenvalue of A",
        confirm=_same_where_nonsingular,
        erratum="R6",
        remark="the paper's theorem on fixed points says so; the reason given for the regulariser leaves it out",
    ),
)

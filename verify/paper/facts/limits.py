"""What becomes of TDRC as beta goes to 0 or grows."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.claims import Role, find_claim
from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import equal, symbols
from tdrc_theory.problems import find_problem
from verify.conditions.setting import Setting
from verify.exact.unit_disc import is_inside_unit_disc
from verify.outcome import Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, proven, refuted, told
from verify.paper.judgement import Judgement

C, C_beta, h, beta = symbols("C C_beta h beta")

_STEP, _BETA = Fraction(1), Fraction(32, 5)
"""A step size and a beta of the paper's own sweeps."""


def _zero() -> Judgement:
    tdrc, tdc = (find_algorithm(name).bound({"beta": Fraction(0)}) for name in ("tdrc", "tdc"))
    same = tdrc == tdc
    stays = [outcome(name, "tdrc", 0) == outcome(name, "tdc") for name in ("baird", "two-state")]
    steps = [("the terms of both updates at beta = 0", "the same"), ("so G and g are, and every verdict", "the same")]
    return confirmed(same and all(stays), "their functions", steps)


def _equilibrium() -> Judgement:
    lemmas = [find_claim(f"limits.{name}").printed for name in ("size-of-h", "w-at-equilibrium")]
    steps = [
        ("C_beta h = b - A w, and C has no negative direction", "beta norm(h) <= norm(b - A w): h -> 0 as 1 / beta"),
        ("norm(C_beta^-1) <= 1 / beta", "A_beta^T C_beta^-1 -> I, so w's expected update tends to TD's b - A w"),
    ]
    return proven("norms", lemmas, steps)


def _spectrum() -> Judgement:
    lemma = find_claim("limits.characteristic").printed
    steps = [
        (
            "divided by (eta beta)^d, as beta grows",
            "its coefficients tend to those of det(lambda I + A): d roots to -A's",
        ),
        (
            "at lambda = eta beta mu, divided by (eta beta)^2d",
            "to those of (mu (1 + mu))^d: d roots go as -eta beta",
        ),
        (
            "roots are continuous in coefficients",
            "for large beta, stable where -A is, unstable where -A has Re > 0",
        ),
        told("random-walk-inverted", "tdrc", 10**6),
        told("two-state", "tdrc", 10**6),
        told("baird", "tdrc", 10**6),
    ]
    seen = [outcome(name, "tdrc", 10**6).status for name in ("random-walk-inverted", "two-state", "baird")]
    also = seen == [Outcome.CONVERGENT, Outcome.NOT_CONVERGENT, Outcome.NOT_CONVERGENT]
    return proven("limits of the characteristic polynomial", [lemma], steps, also)


def _step_matrix(name: str, algorithm: str, at_beta: Fraction) -> Matrix:
    """Return I + alpha G, which multiplies the expected weights at every step of a constant size."""
    setting = Setting.of(find_problem(name), find_algorithm(algorithm), at_beta, Fraction(1))
    G = setting.update.G
    return Matrix.identity(G.shape[0]) + G * _STEP


def _shrinks(step: Matrix) -> bool:
    return is_inside_unit_disc(step.charpoly())


def _constant_step() -> Judgement:
    name = "random-walk-tabular"
    td, tdrc = (_shrinks(_step_matrix(name, algorithm, _BETA)) for algorithm in ("td", "tdrc"))
    steps = [
        (f"{name}, constant alpha = {_STEP}: expected weights under TD", "converge" if td else "diverge"),
        (f"under TDRC with beta = {_BETA}, eta = 1", "converge" if tdrc else "diverge"),
        ("h is multiplied by about 1 - alpha eta beta", str(1 - _STEP * _BETA)),
    ]
    witness = as_witness(name, beta=_BETA, eta=1, alpha=_STEP)
    return refuted(td and not tdrc, "a problem of the paper", steps, witness)


def _small_step() -> Judgement:
    lemma = equal(h.T * C_beta * h, h.T * C * h + beta * h.T * h)
    name = "random-walk-tabular"
    limits = [_edge(name, factor) for factor in (Fraction(9, 10), Fraction(11, 10))]
    steps = [
        (
            "with w held, h is multiplied by I - alpha eta C_beta",
            "it shrinks while alpha eta (lambda_max(C) + beta) < 2",
        ),
        ("so a constant step has to shrink as 1 / beta", "for step sizes that vanish, only the expected flow matters"),
        (
            f"{name}: h: does it at 9/10 and 11/10 of that step",
            " and ".join("yes" if s else "no" for s in limits),
        ),
    ]
    return proven("eigenvalues of a symmetric matrix", [lemma], steps, also=limits == [True, False])


def _edge(name: str, factor: Fraction) -> bool:
    """Return whether h's own matrix shrinks at a multiple of the step 2 / (lambda_max(C) + beta), eta = 1."""
    setting = Setting.of(find_problem(name), find_algorithm("tdrc"), _BETA, Fraction(1))
    k = setting.problem.k
    diagonal = [setting.key.C[i, i] for i in range(k)]
    assert Matrix.diagonal(diagonal) == setting.key.C, "tabular features"
    step = factor * 2 / (max(diagonal) + _BETA)
    block = setting.update.G.select(range(k), range(k))
    return _shrinks(Matrix.identity(k) + block * step)


FACTS = (
    Fact(
        id="limits.beta-0",
        title="with beta = 0 TDRC is TDC",
        source="Section 3",
        role=Role.IDENTITY,
        printed="at beta = 0 the update is TDC's",
        examine=_zero,
    ),
    Fact(
        id="limits.h-vanishes",
        title="for large beta h is close to 0 and w moves as under TD",
        source="Section 3",
        role=Role.REMARK,
        printed="at its equilibrium norm(h) <= norm(b - A w) / beta, and w's expected update tends to TD's",
        examine=_equilibrium,
    ),
    Fact(
        id="limits.beta-grows",
        title="as beta grows TDRC approaches TD",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed="at any eta > 0 and large beta TDRC's expected flow is stable where TD's is, unstable where TD's is",
        examine=_spectrum,
        remark="where -A has an eigenvalue on the imaginary axis and none beyond, the limit does not tell",
    ),
    Fact(
        id="limits.beta-grows-constant-step",
        title="as beta grows TDRC approaches TD, with the constant step sizes of the experiments",
        source="Section 3; Figure 3",
        role=Role.REMARK,
        printed="at a constant step size at which TD converges, so does TDRC with large beta",
        examine=_constant_step,
        corrected="for beta > 0, w held, h converges in the mean exactly while alpha eta (lambda_max(C) + beta) < 2",
        confirm=_small_step,
        erratum="R16",
        remark="true of the expected flow, and so of step sizes that vanish or shrink as 1 / beta",
    ),
)

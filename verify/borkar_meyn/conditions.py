"""The conditions (i) to (v) of Borkar and Meyn (2000) for a given problem, with their constants.

The paper's appendix proves Theorem 3.1 by these conditions on varrho_t+1 = varrho_t + alpha_t (h(varrho_t) + M_t+1),
with h(varrho) = G varrho + g and M_t+1 = (G_t+1 - G) varrho_t + (g_t+1 - g). Where all five hold, varrho_t converges to
-G^-1 g with probability one; where one does not, nothing follows. Condition (ii) is judged for transitions drawn
independently from d and the behaviour policy; along a trajectory the noise is no martingale difference, and the
theorem does not apply as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.command import printable
from tdrc_theory.errors import BadOption, Inconsistent
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import number_text, precision, to_arb
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter_texts, setting_text
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from tdrc_theory.tables.shown import Shown, View
from tdrc_theory.tables.table import Table
from verify.check import Check, Outcome, Proof, Status, check_of
from verify.conditions.setting import Setting, vector_text
from verify.conditions.terminal import eigenvalues_picture
from verify.conditions.verdict import verdict
from verify.exact.roots import BITS, Enclosure, sorted_real_roots
from verify.predict.recursion import recursion

SOURCE = "appendix, Main Proof"


@dataclass(frozen=True, slots=True)
class StepSizes:
    """alpha_t = scale / (t + 1)^exponent for t = 0, 1, ...; exponent 0 is a constant step size.

    Raises:
        BadOption: the scale is not in (0, 1], or the exponent is negative.
    """

    scale: Fraction = Fraction(1)
    exponent: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1:
            raise BadOption(f"--scale: {number_text(self.scale)} is not in (0, 1], as Theorem 3.1 has it")
        if self.exponent < 0:
            raise BadOption(f"--exponent: {number_text(self.exponent)} is negative")

    def __str__(self) -> str:
        head = number_text(self.scale)
        return head if not self.exponent else f"{head} / (t + 1)^{number_text(self.exponent)}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BorkarMeynReport(Shown):
    """The five conditions on one problem.

    Attributes:
        problem, algorithm, parameters: what was judged.
        checks: one for each condition, `borkar-meyn.i` to `.v`, and `borkar-meyn.converges`, what follows.
        lipschitz: encloses norm(G), the least Lipschitz constant of h.
        c_0: encloses the least c_0 with E norm(M)^2 <= c_0 (1 + norm(varrho)^2) for every varrho.
        c_0_without_cross_term: encloses what the paper's split without its factor 2 gives, which may be less.
        equilibrium: -G^-1 g (m, 1), h above w; None where G is singular.
    """

    problem: Problem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    checks: tuple[Check, ...]
    lipschitz: Enclosure
    c_0: Enclosure
    c_0_without_cross_term: Enclosure
    equilibrium: Matrix | None

    def __getitem__(self, claim: str) -> Check:
        """Return the check of a claim."""
        return check_of(self.checks, claim)

    @property
    def line(self) -> str:
        """Return what was judged, and what follows."""
        conclusion = self["borkar-meyn.converges"]
        what = f"{setting_text(self.algorithm.name, self.parameters)} on {self.problem.name}"
        return f"{what}, the five conditions: {conclusion.status.value} ({conclusion.proof.value}): {conclusion.reason}"

    @property
    def table(self) -> Table:
        """Return a row for each condition."""
        rows = [(c.claim, c.status.value, c.proof.value, printable(c.reason)) for c in self.checks]
        return Table("conditions", ("condition", "status", "proof", "reason"), rows)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON types; every exact number is text."""
        return {
            "problem": self.problem.to_json(),
            "algorithm": {"name": self.algorithm.name, **parameter_texts(self.parameters)},
            "lipschitz": self.lipschitz.to_json(),
            "c_0": self.c_0.to_json(),
            "c_0_without_cross_term": self.c_0_without_cross_term.to_json(),
            "equilibrium": None if self.equilibrium is None else self.equilibrium.column_texts(),
            "checks": [check.to_json() for check in self.checks],
        }


def borkar_meyn(
    problem: Problem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    step_sizes: StepSizes | None = None,
) -> BorkarMeynReport:
    """Judge conditions (i) to (v) for an algorithm on a problem, independent samples from d assumed.

    Args:
        problem, algorithm, beta, eta, parameters: as `check_conditions` takes them.
        step_sizes: default 1 / (t + 1).

    Raises:
        TheoryError: the problem, the algorithm or a parameter is not valid, or G is past exact arithmetic.

    >>> report = borkar_meyn("two-state", "tdc")
    >>> [check.status.value for check in report.checks]
    ['holds', 'holds', 'holds', 'holds', 'holds', 'holds']
    """
    setting = Setting.of(find_problem(problem), find_algorithm(algorithm), beta, eta, parameters)
    if setting.algorithm.memory:
        raise BadOption(
            f"{setting.algorithm.name}: has memory ({', '.join(setting.algorithm.memory)}), which a chain drives; "
            "the conditions are judged for independent samples only"
        )
    if not setting.within_exact_reach:
        raise BadOption(f"{setting.problem.name}: {setting.past_exact_reach}")
    joint, m = noise_moments(setting), setting.update.G.shape[0]
    with precision(BITS):
        lipschitz = Enclosure.of_ball(_largest_root(setting.update.G.T @ setting.update.G).sqrt())
        c_0 = Enclosure.of_ball(_largest_root(joint))
        split = Enclosure.of_ball(_largest_root(joint.select(range(m), range(m))).max(to_arb(joint[m, m])))
    equilibrium = None if setting.rank_G < m else setting.update.G.solve(-setting.update.g)
    affine = f"h is affine with Lipschitz constant norm(G) = {lipschitz.middle:.6g}; h(c varrho) / c -> G varrho"
    squared = (setting.update.G.T @ setting.update.G).charpoly().text("t")
    known = {"lipschitz": lipschitz.to_json(), "norm_squared_is_largest_root_of": squared}
    noise = f"E[G_t] = G and E[g_t] = g for independent samples; least c_0 = {c_0.middle:.6g}"
    roots = {"c_0": c_0.to_json(), "c_0_is_largest_root_of": joint.charpoly().text("t")}
    checks = [
        _check("i", True, affine, Proof.ENCLOSED, **known),
        _check("ii", True, noise, Proof.ENCLOSED, **roots),
        _steps(step_sizes or StepSizes()),
        *_equilibria(setting, equilibrium),
    ]
    unmet = [check.claim for check in checks if check.status is not Status.HOLDS]
    follows = "samples independent: with probability one, to -G^-1 g, from any start"
    if unmet:
        follows = f"only sufficient, so nothing follows; unmet: {', '.join(unmet)}"
    checks.append(_check("converges", None if unmet else True, follows, Proof.EXACT))
    return BorkarMeynReport(
        problem=setting.process,
        algorithm=setting.algorithm,
        parameters=setting.parameters,
        checks=tuple(checks),
        lipschitz=lipschitz,
        c_0=c_0,
        c_0_without_cross_term=split,
        equilibrium=equilibrium,
    )


def noise_moments(setting: Setting) -> Matrix:
    """Return the second moments of the noise N = [G_t - G, g_t - g], which multiplies (varrho, 1), exact.

    Returns:
        E[N^T N] = E[(G_t, g_t)^T (G_t, g_t)] - (G, g)^T (G, g) under d and behaviour, (m + 1, m + 1) for m weights:
        E norm(M)^2 is its form at (varrho, 1).
    """
    G, g = setting.update
    m = G.shape[0]
    mean = Matrix.block([[G, g]])
    second, first = Matrix.zeros(m + 1, m + 1), Matrix.zeros(m, m + 1)
    for step in recursion(setting.process, setting.algorithm, setting.parameters, "iid").steps:
        sample = Matrix(step.update.rows(m))
        first += sample * step.probability
        second += sample.T @ sample * step.probability
    if first != mean:
        raise Inconsistent("the expected update is not the mean of its samples")
    return second - mean.T @ mean


def _steps(sizes: StepSizes) -> Check:
    sum_diverges, squares_converge = sizes.exponent <= 1, 2 * sizes.exponent > 1  # p-series converge for p > 1
    total, squares = ("diverges" if each else "converges" for each in (sum_diverges, not squares_converge))
    reason = f"alpha_t = {sizes}: the sum {total}, the sum of squares {squares}"
    return _check("iii", sum_diverges and squares_converge, reason, Proof.EXACT)


def _equilibria(setting: Setting, equilibrium: Matrix | None) -> list[Check]:
    if equilibrium is None:
        rank = f"rank G = {setting.rank_G} of {setting.update.G.shape[0]}"
        elsewhere = f"varrho' = G varrho rests at points other than the origin: {rank}"
        reasons = {"iv": elsewhere, "v": f"no unique equilibrium: {rank}"}
        return [_check(name, False, reason, Proof.EXACT) for name, reason in reasons.items()]
    decided = verdict(setting)
    stable = {Outcome.CONVERGENT: True, Outcome.UNDECIDED: None}.get(decided.status, False)
    origin = _check("iv", stable, f"the origin of varrho' = G varrho: {decided.reason}", decided.proof)
    k = setting.problem.k
    w = equilibrium.select(range(equilibrium.shape[0] - k, equilibrium.shape[0]), [0])
    solves = "solves" if setting.key.A @ w == setting.key.b else "does not solve"
    how = {True: "asymptotically stable", None: "of unknown stability", False: "not asymptotically stable"}[stable]
    reason = f"-G^-1 g is the only equilibrium and {how}; its w = {vector_text(w)} {solves} A w = b"
    return [origin, _check("v", stable, reason, decided.proof, equilibrium=equilibrium.column_texts())]


def _check(name: str, holds: bool | None, reason: str, proof: Proof, **evidence: Any) -> Check:
    claim = f"borkar-meyn.{name}"
    return Check(claim=claim, source=SOURCE, status=Status.of(holds), proof=proof, reason=reason, evidence=evidence)


def _largest_root(symmetric: Matrix) -> Any:
    """Return a ball around the largest eigenvalue of a positive semidefinite matrix."""
    _, rest = symmetric.charpoly().split_zero()
    return sorted_real_roots(rest)[-1] if rest.degree > 0 else to_arb(Fraction(0))


BorkarMeynReport.view = View(
    lambda report: report.line,
    lambda report: [report.table],
    lambda report: eigenvalues_picture(Setting(report.problem, report.algorithm, report.parameters), report.line),
)

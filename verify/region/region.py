"""For which beta at a given eta, or which eta at a given beta, does an expected update converge?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tdrc_theory.algorithms import OF_THE_PAPER, TDRC, find_algorithm
from tdrc_theory.cli.command import printable
from tdrc_theory.errors import BadOption, TheoryError
from tdrc_theory.exact import sign
from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import out_of_range, parameters_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem_or_matrices
from tdrc_theory.tables.shown import Shown
from tdrc_theory.tables.table import Table
from verify.check import CONVERGES, Outcome
from verify.conditions.fixed_points import bias
from verify.conditions.setting import Setting
from verify.conditions.theorem import BOUNDS, NOT_OF_THE_THEOREM, Bound, all_bounds
from verify.conditions.verdict import decide, verdict
from verify.exact.definiteness import is_positive_definite
from verify.exact.roots import pencil_polynomial
from verify.region.family import Family
from verify.region.intervals import End, Interval, positive_ends, samples_between, where, within_range


@dataclass(frozen=True, repr=False)
class Region(Shown):
    """The values of one parameter at which an expected update converges, exactly.

    Attributes:
        setting: what was judged; its own value of the parameter does not matter.
        parameter: the one that is open.
        intervals: where the verdict is convergent or convergent-to-a-set.
        undecided: single values at which it was not decided; no interval holds them (algorithms of the user's only).
        no_expected_update: where the memory has no expectation, or the learner divides by 0; outside the intervals.
    """

    setting: Setting
    parameter: str
    intervals: tuple[Interval, ...]
    undecided: tuple[End, ...] = ()
    no_expected_update: tuple[Interval, ...] = ()

    @property
    def problem(self) -> Problem | MatrixProblem:
        """Return the problem."""
        return self.setting.problem

    @property
    def algorithm(self) -> Algorithm:
        """Return the algorithm."""
        return self.setting.algorithm

    @cached_property
    def parameters(self) -> Mapping[str, Fraction]:
        """The values of the parameters that are not open, by name."""
        return {name: value for name, value in self.setting.parameters.items() if name != self.parameter}

    @cached_property
    def bounds(self) -> Mapping[str, Bound]:
        """Those of Theorem 3.1, printed and corrected."""
        return all_bounds(self.setting) if self.setting.is_tdrc else dict.fromkeys(BOUNDS, NOT_OF_THE_THEOREM)

    @cached_property
    def fails_for_every_eta(self) -> tuple[Interval, ...]:
        """Betas at which a determinant proves that no eta makes it converge (TDRC, parameter beta only).

        There may be more. With V a basis of range(C), it is det(V^T (A A^T + beta A) V) <= 0. Where it is negative, G
        has a positive eigenvalue. Where it is 0, G has one more zero eigenvalue than elsewhere: a defective one, or, if
        (A^T + beta I) h = 0 for some h in range(C), w with A w = -(C + beta I) h rests although A w is not b: spurious
        fixed points.
        """
        if self.parameter != "beta" or not is_tdrc(self.setting):
            return ()
        forms = self.setting.on_range
        determinant = pencil_polynomial(forms.AAT, forms.A)
        if not determinant.coefficients:
            return ()
        return where(positive_ends([determinant]), lambda beta: sign(determinant(beta)) < 0, False, lambda _: True)

    @property
    def other(self) -> str:
        """Return the name of the parameter that is the other one of beta and eta."""
        return "eta" if self.parameter == "beta" else "beta"

    @property
    def fixed(self) -> Fraction | None:
        """Return the value of the other one; None where the algorithm has none."""
        return self.parameters.get(self.other)

    def contains(self, value: Fraction) -> bool:
        """Return whether the update converges at a value, by the exact verdict there."""
        return decide(self._at(value)).status in CONVERGES

    def biases(self) -> list[str]:
        """Return where the update does not converge to what TD converges to, at one value of each interval."""
        values = [value for interval in self.intervals if (value := interval.inside()) is not None]
        result = [(value, bias(self._at(value), verdict(self._at(value)))) for value in values]
        at = [(f"{self.parameter} = {number_text(value)}", each) for value, each in result if each is not None]
        return [f"{each.word} at {where}: {each.meaning}" for where, each in at]

    def _at(self, value: Fraction) -> Setting:
        return Setting(self.problem, self.algorithm, {**self.parameters, self.parameter: value})

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        others = {name: number_text(value) for name, value in self.parameters.items()}
        fixed = {self.other: others.get(self.other), **others}
        return {
            "answer": self.answer,
            "problem": self.problem.to_json(),
            "algorithm": {"name": self.algorithm.name, **fixed},
            "parameter": self.parameter,
            "fixed": fixed,
            "intervals": [interval.to_json() for interval in self.intervals],
            "fails_for_every_eta": [interval.to_json() for interval in self.fails_for_every_eta],
            "undecided": [{"value": end.finite, "exact": end.text()} for end in self.undecided],
            "bounds": {name: bound.to_json() for name, bound in self.bounds.items()},
            "no_expected_update": [interval.to_json() for interval in self.no_expected_update],
        }

    @property
    def listed(self) -> str:
        """Return the intervals as text."""
        return " and ".join(map(str, self.intervals)) or "nowhere"

    @property
    def where(self) -> str:
        """Return in words for which values of the parameter it converges."""
        return f"{self.parameter} in {self.listed}" if self.intervals else f"no {self.parameter}"

    @property
    def table(self) -> Table:
        """Return a row for each interval, with its ends as exact as they are known."""
        rows = [
            (str(each), each.lower.text(), "-" if each.upper is None else each.upper.text()) for each in self.intervals
        ]
        return Table("region", (f"converges for {self.parameter} in", "lower end", "upper end"), rows)

    @property
    def answer(self) -> str:
        """Return where it converges in one sentence, whether the default does, and what the paper's theorem covers."""
        setting = Setting(self.problem, self.algorithm, self.parameters)
        parts = [f"The expected update of {self._converges}", *default_line(setting, (self.parameter,))]
        theorem = self._theorem if self.parameter == "beta" else ""
        return printable("; ".join(filter(None, [*parts, theorem, *self._remarks])) + ".")

    @property
    def _theorem(self) -> str:
        """Return which beta the paper's theorem covers as printed; "" of other learners, and where it has no bound."""
        printed, name = self.bounds["beta_printed"], "the paper's Theorem 3.1"
        if printed == NOT_OF_THE_THEOREM:
            return ""
        if is_positive_definite(self._at(Fraction(0)).key.H):
            return f"case (i) of {name} covers all of them"
        if printed.no_value:
            return f"{name} covers none, its bound on beta being negative"
        return "" if printed.value is None else f"case (ii) of {name} asks for beta below {printed.value:.6g}"

    @property
    def _converges(self) -> str:
        fixed = f" at {parameters_text(self.parameters)}" if self.parameters else ""
        return f"{self.algorithm.name} on {self.problem.name}{fixed} converges for {self.where}"

    @property
    def _remarks(self) -> list[str]:
        absent = " and ".join(map(str, self.no_expected_update))
        return [*([f"no expected update for {self.parameter} in {absent}"] if absent else []), *self.biases()]

    def __str__(self) -> str:
        return "; ".join([self._converges, *self._remarks])


def default_line(setting: Setting, names: tuple[str, ...]) -> list[str]:
    """Return a line on whether the defaults of parameters are among those at which it converges, if that is decided."""
    defaults = setting.algorithm.parameters({})
    try:
        status = decide(setting.at(**{name: defaults[name] for name in names})).status
    except TheoryError:
        return []
    who, verb = ("the defaults", "are") if len(names) > 1 else ("the default", "is")
    shown = " and ".join(f"{name} = {number_text(defaults[name])}" for name in names)
    line = f"{who}, {shown}, {verb} among these" if status in CONVERGES else f"{who}, {shown}, {verb} not among these"
    return [] if status is Outcome.UNDECIDED else [line]


def region(
    problem: Problem | MatrixProblem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    beta: Fraction | int | str | None = None,
    eta: Fraction | int | str | None = None,
    over: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Region:
    """Return the region of beta at a given eta (default 1), of eta at a given beta, or of any parameter.

    Args:
        problem, algorithm: as `check_conditions` takes them.
        beta, eta: exact; without `over` one of them at most.
        over: the name of the open parameter.
        parameters: the values of others, by name.

    Raises:
        BadOption: both are given, the algorithm has not the open one, or G is too large.
        TheoryError: the problem or the algorithm is not valid.

    >>> print(region("two-state", eta=1))
    tdrc on two-state at eta = 1 converges for beta in [0, 0.47)
    """
    if over is None and beta is not None and eta is not None:
        raise BadOption("--beta and --eta: give one of them; the other is what is asked for")
    setting = Setting.of(find_problem_or_matrices(problem), find_algorithm(algorithm), beta, eta, parameters)
    return family_region(Family(setting, (over or ("beta" if beta is None else "eta"),)))


def family_region(family: Family) -> Region:
    """Return the region of a family's open parameter.

    At an irrational end an eigenvalue is 0 or imaginary. Of the algorithms of the TDRC paper none converges there: an
    extra zero is defective, or brings spurious fixed points. Of another an imaginary one never does; an extra zero may
    do no harm, so that such an end is left undecided.
    """
    setting, (parameter,) = family.setting, family.names
    built_in = any(setting.algorithm.direction is algorithm.direction for algorithm in OF_THE_PAPER)
    if not built_in:
        family.check_resting()

    def converges(value: Fraction) -> bool:
        allowed = not out_of_range(parameter, value) and family.is_defined(value)
        return allowed and decide(family.at(value)).status in CONVERGES

    zero, imaginary, undefined = family.boundary.univariate
    ends = within_range(parameter, positive_ends([*zero, *imaginary, *undefined]))
    absent, alone = _without_update(family, within_range(parameter, positive_ends(undefined)))
    open_question = [e for e in ends if e.rational is None and any(p.gcd(e.polynomial).degree > 0 for p in zero)]
    at_zero = None if out_of_range(parameter, Fraction(0)) else converges(Fraction(0))
    return Region(
        setting,
        parameter,
        intervals=where(ends, converges, at_zero, lambda end: end.rational is not None and converges(end.rational)),
        undecided=() if built_in else (*open_question, *alone),
        no_expected_update=absent,
    )


def _without_update(family: Family, ends: list[End]) -> tuple[tuple[Interval, ...], list[End]]:
    """Return where there is no expected update, and irrational values at which alone there may be none.

    Where the memory ceases to exist it has no expectation at the end itself.
    """
    (name,) = family.names

    def holds(value: Fraction) -> bool:
        return not out_of_range(name, value) and not family.is_defined(value)

    gaps = [holds(sample) for sample in samples_between(ends)]
    beside = {id(end): any(gaps[i : i + 2]) for i, end in enumerate(ends)}
    result = where(
        ends, holds, holds(Fraction(0)), lambda e: beside[id(e)] if e.rational is None else holds(e.rational)
    )
    return result, [end for end in ends if end.rational is None and not beside[id(end)]]


def is_tdrc(setting: Setting) -> bool:
    """Return whether the update is TDRC's at every beta."""
    algorithm, gamma = setting.algorithm, setting.problem.constant_gamma
    same = {} if gamma is None else {"gamma": gamma, "gamma_next": gamma}  # whichever of them the function reads
    return not algorithm.memory and algorithm.stacked == TDRC.stacked and algorithm.bound(same) == TDRC.bound(same)


def converges_everywhere(setting: Setting) -> bool:
    """Return whether the theorem proves that TDRC's expected update converges at every beta >= 0 and eta > 0.

    Its case (i) does not depend on them: A is positive definite (so A and A + beta I are nonsingular), and C is
    nonsingular. False says nothing.
    """
    return is_tdrc(setting) and not setting.C_singular and setting.everywhere.H_inertia.positive == setting.problem.k


def whole_region(setting: Setting) -> Region:
    """Return the region of beta, all of it, where `converges_everywhere`."""
    return Region(setting, "beta", (Interval(End.of(Fraction(0)), True, None, False),))

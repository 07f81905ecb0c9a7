"""The answer to "my off-policy evaluation diverges: why, and what should I change", from logged transitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.finite import finite_list
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter, parameter_texts, setting_text
from tdrc_theory.tables.shown import Shown
from verify.check import Check, Outcome, Proof, Status
from verify.data.intervals import LEVEL, Interval
from verify.data.moments import SMALL, Estimate, Moments, Sample, moments
from verify.data.numbers import (
    ABSCISSA,
    BETA,
    ETA,
    LOWEST,
    MEAN_RATIO,
    SQUARE_STEP,
    STEP,
    FirstOrder,
    Quantities,
    alternatives,
    numbers_of,
    symmetric_part,
)
from verify.data.products import (
    RATIO,
    RATIO_SQUARE,
    Form,
    check_offered,
    form_of,
    key_products,
    own_products,
    remembers,
)
from verify.data.transitions import ORDERED, Source, check_columns


class RatioVariance:
    """How much importance ratios vary over rows.

    Attributes:
        variance, largest: of the ratios.
        effective_rows: (sum rho)^2 / sum rho^2, so many rows of equal weight would tell as much.
    """

    def __init__(self, moments: Moments, whole: Estimate) -> None:
        mean, square = float(whole.means[RATIO]), float(whole.means[RATIO_SQUARE])
        self.variance, self.largest = max(square - mean**2, 0.0), moments.largest_ratio
        self.effective_rows = moments.rows * mean**2 / square if square else 0.0


def checks_of(
    moments: Moments, sample: Sample, judged: Quantities, numbers: Mapping[str, Interval]
) -> tuple[tuple[Check, ...], Outcome, str]:
    """Return the checks, and the verdict with its reason."""
    ratios, form = RatioVariance(moments, sample.whole), judged.form
    lowest, abscissa, step = numbers[LOWEST], numbers[ABSCISSA], numbers[STEP]
    stable = abscissa.below(0)
    spread = f"variance {ratios.variance:.3g}, largest {ratios.largest:.3g}, {ratios.effective_rows:.0f} effective rows"
    mean = numbers[MEAN_RATIO]
    checks = [
        _check("ratio-mean-one", "E[rho] = 1", _one(mean), f"mean of rho; {spread}", mean),
        _check("A-positive-definite", "Theorem 3.1 (i)", lowest.above(0), LOWEST, lowest),
    ]
    beta, eta = form.parameters.get("beta"), form.parameters.get("eta")
    if beta is not None and form.algorithm.name == "tdrc":
        within = Status.HOLDS if beta == 0 else numbers[BETA].above(float(beta))
        what = f"bound of beta; beta is {number_text(beta)}"
        checks.append(_check("beta-below-bound", "Theorem 3.1 (ii), corrected", within, what, numbers[BETA]))
    if eta is not None and form.algorithm.name == "tdrc":
        within, what = numbers[ETA].below(float(eta)), f"bound of eta; eta is {number_text(eta)}"
        checks.append(_check("eta-above-bound", "Theorem 3.1 (ii), corrected", within, what, numbers[ETA]))
    solvable = Status.of(judged.solvable or None)
    unsolved = f"relative residual {judged.residual:.1g} on these data"
    checks += [
        _check("fixed-point-exists", "G varrho + g = 0", solvable, unsolved),
        _check("expected-update-stable", "eigenvalues of G", stable, ABSCISSA, abscissa),
        _check("step-size", "mean of the linear recursion", _positive(step), "largest step size of the mean", step),
    ]
    if SQUARE_STEP in numbers:
        square, source = numbers[SQUARE_STEP], "mean square of the linear recursion, independent rows"
        checks.append(_check("step-size-with-noise", source, _positive(square), SQUARE_STEP, square))
    return tuple(checks), *_verdict(moments, sample, stable, abscissa, solvable)


def _one(mean: Interval) -> Status:
    """Return whether 1 is in an interval: outside it is no mean of ratios under behaviour; inside proves nothing."""
    if mean.lower <= 1 <= mean.upper and mean.upper - mean.lower < 0.5:
        return Status.HOLDS
    return Status.FAILS if mean.above(1) is not Status.UNDECIDED else Status.UNDECIDED


def _positive(step: Interval) -> Status:
    return Status.FAILS if step.upper == 0 else step.above(0)


def _check(claim: str, source: str, status: Status, what: str, number: Interval | None = None) -> Check:
    """Return a check of a number that its interval decides, or of data as they are."""
    reason = what if number is None else f"{what}: {number}"
    evidence: dict[str, Any] = {} if number is None else {**number.to_json(), "level": LEVEL}
    return Check(claim=claim, source=source, status=status, proof=Proof.SAMPLED, reason=reason, evidence=evidence)


def _verdict(
    moments: Moments, sample: Sample, stable: Status, abscissa: Interval, solvable: Status
) -> tuple[Outcome, str]:
    rate = f"the spectral abscissa of G is {abscissa} at {LEVEL:.0%}"
    if stable is Status.FAILS:
        return Outcome.NOT_CONVERGENT, f"{rate}, above 0: errors grow"
    if stable is Status.UNDECIDED:
        return Outcome.UNDECIDED, f"{rate}" + ("" if math.isnan(abscissa.lower) else ", on both sides of 0")
    if solvable is not Status.HOLDS:
        why = "G varrho + g = 0 has no solution on these data, so weights drift unless that is chance"
        return Outcome.UNDECIDED, why
    whole = sample.at.rank == moments.features
    return Outcome.CONVERGENT if whole else Outcome.CONVERGENT_TO_A_SET, f"{rate}, below 0"


BETAS = tuple(Fraction(2) ** power for power in range(-10, 6))
"""Values of beta at which TDRC is looked at."""


class Alternative:
    """Another learner, or the same with other parameters, on the same data; `stable` as far as its interval tells."""

    def __init__(self, form: Form, abscissa: Interval) -> None:
        self.form, self.abscissa = form, abscissa
        self.text, self.stable = setting_text(form.algorithm.name, form.parameters), abscissa.below(0)

    def to_json(self) -> dict[str, Any]:
        """Return it without its matrices."""
        name, texts = self.form.algorithm.name, parameter_texts(self.form.parameters)
        return {"name": name, **texts, "stable": self.stable.value, "spectral_abscissa": self.abscissa.to_json()}


def suggested(gamma: Fraction, beta: Interval, eta: Interval) -> Form | None:
    """Return TDRC with half the beta that Theorem 3.1 (ii), corrected, allows, and an eta above what it asks for.

    At the bounds themselves an eigenvalue may be 0, and no interval would tell it from that.
    None where there is no interval for them, or where A is positive definite on every draw, so that it asks nothing.
    """
    if not (math.isfinite(beta.lower) and math.isfinite(eta.upper)) or beta.lower <= 0:
        return None
    tdrc = find_algorithm("tdrc")
    chosen = {"beta": rounded(beta.lower / 2, up=False), "eta": max(Fraction(1), rounded(eta.upper * 1.05, up=True))}
    return form_of(tdrc, tdrc.parameters(chosen), gamma)


def rounded(value: float, *, up: bool) -> Fraction:
    """Return a number above 0 rounded to two digits, towards 0 or away from it.

    >>> rounded(0.01239, up=False), rounded(1.21, up=True)
    (Fraction(3, 250), Fraction(13, 10))
    """
    if value <= 0:
        return Fraction(0)
    unit = Fraction(10) ** (math.floor(math.log10(value)) - 1)
    count = Fraction(value) / unit
    return (math.ceil(count) if up else math.floor(count)) * unit


def rates_over_beta(
    sample: Sample, gamma: Fraction, eta: Fraction, tell: Callable[[int], None]
) -> list[tuple[Fraction, Interval]]:
    """Return the spectral abscissa of TDRC, with its interval by the jackknife, at each of BETAS.

    The sums of any learner's report serve TDRC too, unless they are of action values.
    """
    tdrc, rates = find_algorithm("tdrc"), []
    whole = sample.estimate(np.ones(sample.units))
    for done, beta in enumerate(BETAS, 1):
        judged = Quantities(whole, (form_of(tdrc, tdrc.parameters({"beta": beta, "eta": eta}), gamma),))
        rates.append((beta, judged.interval_of_rate(sample.resample(judged.rate))))
        tell(done)
    return rates


RESAMPLES = 999
"""Draws of the bootstrap: 2.5 % of one more is a whole number, as an order statistic takes."""
LARGEST_SHOWN = 128
"""Features up to which JSON has the matrices."""
LARGEST_COMPARED = 300
"""Features up to which other learners are judged too; beyond, each takes minutes."""

Progress = Callable[[str, int], Callable[[int], None]]
"""Takes what is done and how much of it there is, and returns what takes how much of that is done."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DataReport(Shown):
    """What logged transitions say of a learner; all of it is `sampled`.

    Attributes:
        name: of the file.
        ignored: columns that were not read.
        moments: the sums, and how many rows, units and episodes there were.
        sample: the estimate from all rows, and the coordinates.
        form, learner: the learner at its parameters.
        numbers: by name, each with its interval.
        fixed_point: w (k,), the shortest of all; None where there is none.
        checks: the hypotheses and the conclusions.
        status, reason: of the expected update.
        direction: (k,), of length 1, along which A is least positive definite.
        alternatives: other learners on the same data.
        resamples: draws of the bootstrap; 0 where a jackknife was used.
        seed: of the draws.
    """

    name: str
    ignored: tuple[str, ...]
    moments: Moments
    sample: Sample
    form: Form
    numbers: Mapping[str, Interval]
    fixed_point: np.ndarray | None
    checks: tuple[Check, ...]
    status: Outcome
    reason: str
    direction: np.ndarray
    alternatives: tuple[Alternative, ...]
    resamples: int
    seed: int

    @property
    def abscissa(self) -> Interval:
        """The spectral abscissa of G."""
        return self.numbers[ABSCISSA]

    @property
    def method(self) -> str:
        """How intervals are computed, in one sentence."""
        what = "groups of whole episodes" if self.moments.by_episode else "blocks of consecutive rows"
        how = "a bootstrap (BCa)" if self.resamples else "a jackknife, to first order,"
        draws = f", {self.resamples} draws" if self.resamples else ""
        return f"{LEVEL:.0%} intervals by {how} over {self.moments.units} {what}{draws}, each interval by itself"

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        G, g = self.sample.whole.update(self.form)
        whole, ends = self.sample.whole, self.abscissa.to_json()
        shown = self.moments.features <= LARGEST_SHOWN
        matrices = {"A": whole.A, "b": whole.b, "C": whole.C, "G": G, "g": g}
        return {
            "file": self.name,
            "rows": self.moments.rows,
            "features": self.moments.features,
            "episodes": self.moments.episodes if self.moments.ordered else None,
            "gamma": str(self.form.gamma),
            "algorithm": {"name": self.form.algorithm.name, **parameter_texts(self.form.parameters)},
            "estimates": {key: finite_list(value) if shown else None for key, value in matrices.items()},
            "fixed_point": None if self.fixed_point is None else finite_list(self.fixed_point),
            "numbers": {key: one.to_json() for key, one in self.numbers.items()},
            "effective_rows": RatioVariance(self.moments, whole).effective_rows,
            "direction": finite_list(self.direction),
            "checks": [check.to_json() for check in self.checks],
            "verdict": {
                "status": self.status.value,
                "proof": Proof.SAMPLED.value,
                "spectral_abscissa": {"lower": ends["lower"], "upper": ends["upper"]},
                "reason": self.reason,
            },
            "alternatives": [each.to_json() for each in self.alternatives],
            "intervals": {
                "level": LEVEL,
                "method": self.method,
                "units": self.moments.units,
                "by_episode": self.moments.by_episode,
                "resamples": self.resamples,
                "seed": self.seed,
            },
            "left_out": {"directions": self.moments.features - self.sample.at.rank, "columns": list(self.ignored)},
        }


def check_data(
    source: Source,
    algorithm: Algorithm | str = "tdrc",
    *,
    gamma: Any = "99/100",
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = lambda _, __: lambda _: None,
) -> DataReport:
    """Estimate A, b, C and a learner's expected update from transitions, and say whether it is stable.

    Args:
        source: the transitions: `open_file`, `from_episodes`, or `Arrays`.
        algorithm: any learner, or its name; one with memory needs rows in the order in which they were made.
        gamma, beta, eta, parameters: exact, as everywhere; gamma counts between x and x_next of every row.
        resamples: draws of the bootstrap; with more than 32 features a jackknife is used.
        seed: of the draws.
        progress: makes a progress bar.

    Raises:
        BadData: the transitions lack something, or have values that are not allowed.
        BadOption: a parameter is out of range, or the learner needs what the data do not have.
    """
    learner = find_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
    if not 0 <= (discount := parameter("gamma", gamma)) <= 1:
        raise BadOption(f"--gamma: {discount} is not from 0 to 1")
    if resamples < 100 or seed < 0:
        raise BadOption(f"--resamples: at least 100, --seed: at least 0; not {resamples} and {seed}")
    form = form_of(learner, learner.parameters({"beta": beta, "eta": eta, **(parameters or {})}), discount)
    check_columns(source.name, source.columns)
    check_offered(form, source.columns, source.name)
    ordered = bool(set(ORDERED) & set(source.columns))
    if remembers(learner) and not ordered:
        raise BadOption(
            f"{learner.name} remembers earlier rows, and {source.name} does not tell where episodes end; "
            f"it needs a column {', '.join(ORDERED[:-1])} or {ORDERED[-1]}, and rows in the order they were made in"
        )
    others = alternatives(form, source.columns)
    own = own_products(source.columns)
    products = tuple(dict.fromkeys((*own, *form.products, *(p for other in others for p in other.products))))
    tell = progress(f"rows of {source.name}", source.rows)
    sums = moments(source, products, form, ordered, tell)
    if sums.features > SMALL:
        shared = {*own, *form.products} if sums.features <= LARGEST_COMPARED else set()
        resamples, others = 0, tuple(each for each in others if set(each.products) <= shared)
    return _judged(source, sums, form, others, resamples, seed, progress)


def _judged(
    source: Source,
    sums: Moments,
    form: Form,
    others: tuple[Form, ...],
    resamples: int,
    seed: int,
    progress: Progress,
) -> DataReport:
    """Return the report from the sums."""
    sample = Sample(sums, key_products(source.columns), float(form.gamma))
    whole = sample.estimate(np.ones(sums.units))
    judged = Quantities(whole, (form, *others), noise=True)
    small = sums.features <= SMALL
    evaluations = 1 + sums.units + resamples
    tell = progress("resamples", evaluations)
    numbers_at = (judged if small else FirstOrder(whole, judged)).of_estimate
    drawn = sample.resample(numbers_at, resamples, seed, tell)
    numbers = numbers_of(drawn, judged)
    listed = [Alternative(each, numbers[judged.name_of(each)]) for each in others]
    better = suggested(form.gamma, numbers[BETA], numbers[ETA])
    known = [(each.algorithm, dict(each.parameters)) for each in (form, *others)]
    compared = sums.features <= LARGEST_COMPARED
    if better is not None and compared and (better.algorithm, dict(better.parameters)) not in known:
        again = Quantities(whole, (better,))
        tell = progress("resamples of what is suggested", evaluations)
        rate_at = (again if small else FirstOrder(whole, again)).rate
        more = sample.resample(rate_at, resamples, seed, tell)
        listed.append(Alternative(better, again.interval_of_rate(more)))
    checks, status, reason = checks_of(sums, sample, judged, numbers)
    lowest = np.linalg.eigh(symmetric_part(whole.A))[1][:, 0]
    return DataReport(
        name=source.name,
        ignored=source.ignored,
        moments=sums,
        sample=sample,
        form=form,
        numbers=numbers,
        fixed_point=_fixed_point(sample, whole, form) if judged.solvable else None,
        checks=checks,
        status=status,
        reason=reason,
        direction=_signed(sample.at.V @ lowest),
        alternatives=tuple(listed),
        resamples=resamples,
        seed=seed,
    )


def _fixed_point(sample: Sample, whole: Estimate, form: Form) -> np.ndarray:
    """Return the value estimate w at which the expected update rests, the shortest, in the features' coordinates."""
    G, g = whole.update(form)
    rest = np.linalg.lstsq(G, -g, rcond=1e-11)[0]
    return np.asarray(sample.at.U @ rest[-sample.at.U.shape[1] :])


def _signed(direction: np.ndarray) -> np.ndarray:
    """Return a direction with its largest entry positive, the same on every machine."""
    return direction * np.sign(direction[np.argmax(np.round(np.abs(direction), 9))])

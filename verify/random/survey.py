"""A run over many random problems: on all cores, resumable, the same totals whatever the number of workers.

A tally is what is counted on some of them. As text it is counts with what they are parts of, never a percentage alone.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from operator import iadd
from pathlib import Path
from typing import Any

import tdrc_theory
import verify
from tdrc_theory.algorithms import TDC, TDRC
from tdrc_theory.cli.cache_folder import source_hash
from tdrc_theory.cli.workers import as_completed, computed_there, process_pool, worker_count
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import AREA, Area, Panel, Picture
from tdrc_theory.parameters import parameter
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.tables.shown import Shown, View
from tdrc_theory.tables.table import Table
from verify.check import CONVERGES, Outcome, Status
from verify.conditions.report import ConditionsReport, check_conditions
from verify.conditions.setting import Setting
from verify.conditions.verdict import decide
from verify.exact.roots import Enclosure
from verify.random.generators import Size, find_kind, item_seed
from verify.random.state_file import StateFile

CONVERGED = tuple(outcome.value for outcome in CONVERGES)
DIVERGED = Outcome.NOT_CONVERGENT.value
# The hypotheses of Theorem 3.1, corrected, but for the one on beta.
_FOR_A_RATIO = ("C-nonsingular", "A-nonsingular")
CHUNK = 25
"""Problems that one task judges, and that a killed run can lose per worker."""
MOST = 10**8
"""Problems of a run: days of work."""
_STATUSES = ("holds", "fails", "undecided")
_SHOWN = 5
"""Problems that were not judged which are listed."""


@dataclass(slots=True)
class Tally:
    """Counts over some problems.

    Attributes:
        problems: how many were judged.
        verdicts: (verdict on TDRC, verdict on TDC) -> problems.
        checks: (claim, status) -> problems.
        printed: what the printed bound on beta is, where A is not positive definite -> problems.
        corrected: what the corrected bound on beta is, likewise, and how it compares -> problems.
        ratios: corrected bound over exact limit, one a problem that has both.
        not_judged: items whose arithmetic did not come to an end, with the reason.
    """

    problems: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    checks: Counter[tuple[str, str]] = field(default_factory=Counter)
    printed: Counter[str] = field(default_factory=Counter)
    corrected: Counter[str] = field(default_factory=Counter)
    ratios: list[float] = field(default_factory=list)
    not_judged: list[tuple[int, str]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Return how many problems were looked at."""
        return self.problems + len(self.not_judged)

    def add(self, other: Tally) -> None:
        """Add another tally's counts to these."""
        for each in fields(self):
            setattr(self, each.name, iadd(getattr(self, each.name), getattr(other, each.name)))

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON types, in one order whatever order they came in."""
        return {
            "problems": self.problems,
            "verdicts": [[*pair, n] for pair, n in sorted(self.verdicts.items())],
            "checks": [[*pair, n] for pair, n in sorted(self.checks.items())],
            "printed": dict(sorted(self.printed.items())),
            "corrected": dict(sorted(self.corrected.items())),
            "ratios": self.ratios,
            "not_judged": self.not_judged,
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Tally:
        """Return what `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: the data are something else.
        """
        return cls(
            problems=int(data["problems"]),
            verdicts=Counter({(tdrc, tdc): int(n) for tdrc, tdc, n in data["verdicts"]}),
            checks=Counter({(claim, status): int(n) for claim, status, n in data["checks"]}),
            printed=Counter({str(what): int(n) for what, n in data["printed"].items()}),
            corrected=Counter({str(what): int(n) for what, n in data["corrected"].items()}),
            ratios=[float(ratio) for ratio in data["ratios"]],
            not_judged=[(int(item), str(reason)) for item, reason in data["not_judged"]],
        )


def judge(problem: Problem, beta: Fraction, eta: Fraction, only_verdicts: bool = False) -> Tally:
    """Return the tally of one problem: exact verdicts; every check, both bounds, their limit.

    Raises:
        ArithmeticError: roots could not be separated.
    """
    report = None if only_verdicts else check_conditions(problem, TDRC, beta=beta, eta=eta)
    setting = Setting.of(problem, TDRC, beta, eta) if report is None else report.setting
    tdrc, tdc = decide(setting) if report is None else report.verdict, decide(setting.of_other(TDC))
    tally = Tally(problems=1, verdicts=Counter([(tdrc.status.value, tdc.status.value)]))
    if report is None:
        return tally
    for check in report.checks:
        tally.checks[check.claim, check.status.value] += 1
    if not _met(report, "case-i"):
        printed = report.bounds["beta_printed"]
        tally.printed["vacuous" if printed.no_value else "none" if printed.value is None else "positive"] += 1
        _compare(tally, report, eta)
    return tally


def _met(report: ConditionsReport, name: str) -> bool:
    claim = f"theorem-3.1.{name}"
    return any(check.claim == claim and check.status is Status.HOLDS for check in report.checks)


def _compare(tally: Tally, report: ConditionsReport, eta: Fraction) -> None:
    """Count what the corrected bound is, and hold it against the exact limit where the corrected theorem speaks.

    It speaks where C and A are nonsingular and eta is above its own bound: there every beta below the bound converges,
    and the ratio is at most 1.
    """
    bound, eta_bound = report.bounds["beta_corrected"], report.bounds["eta"].enclosure
    if bound.value is None:
        tally.corrected["every beta" if bound.every_value else "none"] += 1
        return
    if not all(_met(report, name) for name in _FOR_A_RATIO) or eta_bound is None:
        case = "C or A singular"
    elif eta <= Fraction(eta_bound.upper):
        case = "eta too small"
    elif (limit := exact_limit(report.problem, eta)) is None:
        case = "limit unknown"
    elif math.isinf(limit.upper):
        case = "every beta converges"
    elif bound.enclosure is None or bound.enclosure.lower > limit.upper:
        case = "above the limit"  # would refute the corrected theorem
    else:
        case = "compared"
        tally.ratios.append(min(1.0, bound.value / limit.middle))
    tally.corrected.update(["finite", f"finite, {case}"])


def exact_limit(problem: Problem | MatrixProblem, eta: Fraction) -> Enclosure | None:
    """Return an enclosure of the beta up to which TDRC converges from beta = 0 on; infinite ends for every beta.

    None where it does not converge at 0, or the problem is past what regions are computed for.
    """
    from verify.region import region

    try:
        intervals = region(problem, TDRC, eta=eta).intervals
    except BadOption:
        return None
    for interval in intervals:
        if interval.lower_closed and interval.lower.rational == 0:
            return Enclosure(math.inf, math.inf) if interval.upper is None else interval.upper.enclosure
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run is: its totals depend on this and on nothing else.

    Attributes:
        kind: name of a kind of problem.
        problems: how many.
        size: their sizes.
        seed: of the run; item i has a seed that depends on it and i alone.
        beta, eta: of TDRC; TDC has the same eta.
        only_verdicts: True where neither checks are made nor bounds computed.

    Raises:
        BadOption: a number is out of range.
        UnknownName: there is no such kind.
    """

    kind: str = "garnet"
    problems: int = 1000
    size: Size = field(default_factory=Size)
    seed: int = 0
    beta: Fraction = Fraction(1)
    eta: Fraction = Fraction(1)
    only_verdicts: bool = False

    def __post_init__(self) -> None:
        find_kind(self.kind)
        item_seed(self.seed, 0)
        if not 1 <= self.problems <= MOST:
            raise BadOption(f"--problems: {self.problems} is not from 1 to {MOST}")
        parameter("beta", self.beta)
        parameter("eta", self.eta)

    @property
    def chunks(self) -> int:
        """Return the number of chunks."""
        return -(-self.problems // CHUNK)

    def chunk(self, number: int) -> Tally:
        """Return the tally of one chunk."""
        kind, total = find_kind(self.kind), Tally()
        for item in range(number * CHUNK, min((number + 1) * CHUNK, self.problems)):
            problem = kind(self.size, item_seed(self.seed, item))
            try:
                total.add(judge(problem, self.beta, self.eta, self.only_verdicts))
            except ArithmeticError as error:
                total.not_judged.append((item, " ".join(str(error).split())[:200]))
        return total

    def to_json(self) -> dict[str, Any]:
        """Return the parameters, exact numbers as text."""
        return {
            "kind": self.kind,
            "problems": self.problems,
            **asdict(self.size),
            "seed": self.seed,
            "beta": str(self.beta),
            "eta": str(self.eta),
            **({"only": "verdicts"} if self.only_verdicts else {}),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Survey(Shown):
    """What `survey` returns.

    Attributes:
        plan: what was asked for.
        total: counts over all of its problems, ratios ascending.
    """

    plan: Plan
    total: Tally

    @property
    def tdc_converges(self) -> int:
        """Return on how many problems TDC converges."""
        return sum(n for (_, tdc), n in self.total.verdicts.items() if tdc in CONVERGED)

    @property
    def only_tdc_converges(self) -> int:
        """Return on how many of those TDRC, with the plan's beta, does not."""
        return sum(n for (tdrc, tdc), n in self.total.verdicts.items() if tdc in CONVERGED and tdrc == DIVERGED)

    @property
    def quantiles(self) -> dict[str, float]:
        """Return least, quartiles and largest of the ratios: the order statistics themselves, none in between."""
        ratios = self.total.ratios
        if not ratios:
            return {}
        parts = (("least", 0.0), ("p05", 0.05), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("largest", 1.0))
        return {name: ratios[math.ceil(part * (len(ratios) - 1))] for name, part in parts}

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON types; every count stands beside what it is a part of."""
        total = self.total.to_json()
        ratios = total.pop("ratios")
        known = {
            "plan": self.plan.to_json(),
            **total,
            "verdicts": [{"tdrc": tdrc, "tdc": tdc, "problems": n} for tdrc, tdc, n in total["verdicts"]],
            "not_judged": [{"item": item, "reason": reason} for item, reason in total["not_judged"]],
            "tdc_converges": self.tdc_converges,
            "tdc_converges_and_tdrc_does_not": self.only_tdc_converges,
        }
        if self.plan.only_verdicts:  # what was not examined is null, never a count of 0
            return known | dict.fromkeys(("checks", "printed", "corrected", "case_i_fails", "tightness"))
        return known | {
            "checks": [{"claim": claim, "status": status, "problems": n} for claim, status, n in total["checks"]],
            "case_i_fails": sum(self.total.printed.values()),
            "tightness": {"compared": len(ratios), "quantiles": self.quantiles, "ratios": ratios},
        }


def survey(
    plan: Plan,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    store: str | Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Survey:
    """Judge every problem of a plan.

    Args:
        plan: the run.
        workers: processes, default one a core; 1 works in this process.
        cluster: the address of a Dask scheduler, used instead of this machine's cores.
        store: a state file; made where there is none, else what it holds is not computed again.
        progress: gets the number of problems done, now and then.

    Raises:
        BadOption: workers is out of range, there are no such problems, the state file is not of this plan, or the
            cluster fails.
    """
    count = worker_count(workers)
    find_kind(plan.kind)(plan.size, item_seed(plan.seed, 0))  # refuses impossible sizes before anything starts
    result: dict[int, Tally] = {}
    with contextlib.ExitStack() as stack:
        state = None
        if store is not None:
            state = stack.enter_context(StateFile(store, {**plan.to_json(), "chunk": CHUNK}))
            result.update(_stored(state, plan))
        judged = sum(tally.size for tally in result.values())
        progress(judged)
        missing = [number for number in range(plan.chunks) if number not in result]
        computed = stack.enter_context(contextlib.closing(_computed(plan, missing, count, cluster)))
        for number, tally in computed:
            result[number] = tally
            if state is not None:
                state.append(number, tally.to_json())
            judged += tally.size
            progress(judged)
    total = Tally()
    for _, tally in sorted(result.items()):
        total.add(tally)
    total.ratios.sort()
    return Survey(plan, total)


def _stored(state: StateFile, plan: Plan) -> Iterator[tuple[int, Tally]]:
    for number, content in state.done.items():
        try:
            tally = Tally.of_json(content)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadOption(f"--store: {state.path}: chunk {number} is damaged") from None
        if 0 <= number < plan.chunks:
            yield number, tally


def _computed(
    plan: Plan, numbers: list[int], workers: int, cluster: str | None
) -> Generator[tuple[int, Tally], None, None]:
    """Yield chunks as they are done."""
    count = min(workers, len(numbers))
    if cluster is not None and numbers:
        here = _sources()
        yield from computed_there(cluster, numbers, _chunk_there, lambda number: (plan, number, here))
    elif count <= 1:
        yield from ((number, plan.chunk(number)) for number in numbers)
    else:
        with process_pool(count) as pool:
            yield from as_completed(numbers, lambda number: pool.submit(plan.chunk, number), 2 * count)


def _chunk_there(sent: tuple[Plan, int, list[str]]) -> Tally:
    """Return the tally of a chunk; this runs on a worker of a cluster."""
    plan, number, sources = sent
    if sources != _sources():  # its counts could be others
        raise BadOption("--cluster: a worker has another version of this program")
    return plan.chunk(number)


def _sources() -> list[str]:
    """Return a hash of the sources of each package that judges."""
    return [source_hash(Path(file).parent) for file in (tdrc_theory.__file__, verify.__file__)]


def plain_text(survey: Survey) -> str:
    """Return a survey as blocks of text."""
    blocks = [_headline(survey), _verdicts(survey).text(), _default(survey)]
    if not survey.plan.only_verdicts:
        none = f"bounds on beta: none is needed, A is positive definite on all {survey.total.problems} problems"
        blocks += [_checks(survey).text(), _bounds(survey).text() or none, _tightness(survey)]
    return "\n\n".join(filter(None, [*blocks, _not_judged(survey)])) + "\n"


def tables(survey: Survey) -> list[Table]:
    """Return counts of verdicts, and of checks and bounds where these were examined."""
    if survey.plan.only_verdicts:
        return [_verdicts(survey)]
    return [_verdicts(survey), _checks(survey), _bounds(survey)]


def _headline(survey: Survey) -> str:
    plan, size = survey.plan, survey.plan.size
    sizes = f"states {size.states}, features {size.features}, actions {size.actions}, branching {size.branching}"
    parameters = f"beta = {number_text(plan.beta)}, eta = {number_text(plan.eta)}"
    return (
        f"{survey.total.problems} {plan.kind} problems: {find_kind(plan.kind).summary}\n"
        f"  {sizes}; seed {plan.seed}; tdrc with {parameters}, tdc with the same eta"
    )


def _verdicts(survey: Survey) -> Table:
    rows = [
        (tdrc, tdc, part(n, survey.total.problems))
        for (tdrc, tdc), n in sorted(survey.total.verdicts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Table("verdicts", ("tdrc is", "tdc is", "problems"), rows)


def _default(survey: Survey) -> str:
    beta = number_text(survey.plan.beta)
    counted = part(survey.only_tdc_converges, survey.tdc_converges)
    return f"tdc converges and tdrc with beta = {beta} does not: {counted} on which tdc converges"


def _checks(survey: Survey) -> Table:
    counts = survey.total.checks
    numbers = {claim: [counts[claim, status] for status in _STATUSES] for claim in sorted({c for c, _ in counts})}
    rows = [(claim, *map(str, each), str(sum(each))) for claim, each in numbers.items()]
    return Table("checks", ("check", *_STATUSES, "of"), rows)


def _bounds(survey: Survey) -> Table:
    total = sum(survey.total.printed.values())
    text = {
        "vacuous": "vacuous: negative, so no beta meets it",
        "positive": "positive",
        "none": "undefined, or A A^T is singular",
    }
    printed = [(f"printed: {text[name]}", part(survey.total.printed[name], total)) for name in text]
    corrected = [(f"corrected: {name}", part(n, total)) for name, n in sorted(survey.total.corrected.items())]
    rows = [*printed, *corrected] if total else []
    return Table("bounds on beta", ("bound on beta, where A is not positive definite", "problems"), rows)


def _tightness(survey: Survey) -> str:
    count, text = len(survey.total.ratios), ", ".join(f"{name} {value:.6g}" for name, value in survey.quantiles.items())
    return f"corrected bound over exact limit, on {count} problems that have both: {text}" if count else ""


def _not_judged(survey: Survey) -> str:
    missing = survey.total.not_judged
    lines = [f"  item {item}: {reason}" for item, reason in missing[:_SHOWN]]
    more = [f"  and {len(missing) - _SHOWN} more"] if len(missing) > _SHOWN else []
    return "\n".join([f"not judged: {len(missing)} problems", *lines, *more]) if missing else ""


def part(count: int, whole: int) -> str:
    """Return a count, what it is a part of, and the percentage.

    >>> part(1, 8)
    '1 of 8 (12.5 %)'
    """
    return f"{count} of {whole}" + (f" ({100 * count / whole:.3g} %)" if whole else "")


def _line(survey: Survey) -> str:
    return f"{survey.total.problems} {survey.plan.kind} problems, seed {survey.plan.seed}: {_default(survey)}"


def picture(survey: Survey) -> Picture:
    """Return how many problems have each pair of verdicts, as bars."""
    counts = sorted(survey.total.verdicts.items(), key=lambda item: item[1])
    boxes = [[(0.0, y - 0.3), (n, y - 0.3), (n, y + 0.3), (0.0, y + 0.3)] for y, (_, n) in enumerate(counts)]
    names = [(float(y), f"tdrc {tdrc},\ntdc {tdc}") for y, ((tdrc, tdc), _) in enumerate(counts)]
    areas = [Area("problems", boxes, AREA, filled=True)] if boxes else []
    across, up = (0.0, 1.05 * max((n for _, n in counts), default=1)), (-0.6, len(counts) - 0.4)
    panel = Panel([], "problems", "verdicts", areas=areas, x_ends=across, y_ends=up, y_ticks=names)
    return Picture(_line(survey), _default(survey), [panel])


Survey.view = View(_line, tables, picture, lambda result: _headline(result).splitlines())

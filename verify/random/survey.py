"""A run over many random problems: on all cores, resumable, the same totals whatever the number of workers."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import tdrc_theory
import verify
from tdrc_theory.cli.cache_folder import source_hash
from tdrc_theory.cli.workers import as_completed, computed_there, process_pool, worker_count
from tdrc_theory.errors import BadOption
from tdrc_theory.parameters import parameter
from tdrc_theory.tables.shown import Shown
from verify.random.generators import Size, find_kind, item_seed
from verify.random.state_file import StateFile
from verify.random.tally import CONVERGED, DIVERGED, Tally, judge_all

CHUNK = 25
"""Problems that one task judges, and that a killed run can lose per worker."""
MOST = 10**8
"""Problems of a run: days of work."""


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
        kind = find_kind(self.kind)
        items = range(number * CHUNK, min((number + 1) * CHUNK, self.problems))
        result = ((i, kind(self.size, item_seed(self.seed, i))) for i in items)
        return judge_all(result, self.beta, self.eta, self.only_verdicts)

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
    """Return the tally of a chunk; this runs on a worker of a cluster.

    Raises:
        BadOption: the worker has other sources than the machine that asks, so that its counts could be others.
    """
    plan, number, sources = sent
    if sources != _sources():
        raise BadOption("--cluster: a worker has another version of this program")
    return plan.chunk(number)


def _sources() -> list[str]:
    """Return a hash of the sources of each package that judges."""
    return [source_hash(Path(file).parent) for file in (tdrc_theory.__file__, verify.__file__)]

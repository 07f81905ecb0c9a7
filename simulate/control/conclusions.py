"""The paper's statements on control, judged on runs that are made for them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from simulate.control.history import History
from simulate.control.linear.agent import find_agent
from simulate.control.linear.setting import Setting
from simulate.control.linear.study import STEP_SIZES, study
from simulate.control.settings import PAPER, settings
from simulate.control.statements.linear import LINEAR, LinearEvidence
from simulate.control.statements.minatar import MINATAR, MinAtarEvidence
from simulate.control.statements.network import NETWORK, NetworkEvidence
from simulate.statement import Finding, Judged, Statement
from tdrc_theory.errors import MissingExtra
from tdrc_theory.progress import progress_bar

GAMES = ("minatar:breakout", "minatar:space_invaders")
Q = ("q-learning", "qc", "qrc")
KINDS = {"action values": Q, "actor-critic": tuple(f"actor-critic-{name}" for name in ("td", "tdc", "tdrc"))}
LIMITS = {"no time limit": None, "at most 1000 steps": 1000}
"""On the length of an episode; the paper names none."""
ALIKE = Fraction(1, 2**10)


class Size(NamedTuple):
    """How much is run.

    Attributes:
        linear_runs, steps: of linear control: runs at a step size, and steps of a run.
        runs, episodes: of networks on Mountain Car.
        thorough: whether target networks, and ten updates a step, are run too.
    """

    linear_runs: int
    steps: int
    runs: int
    episodes: int
    thorough: bool


SMALL = Size(30, 50_000, 20, 30, thorough=False)
FULL = Size(200, 100_000, 60, 100, thorough=True)


def conclusions(
    size: Size, *, minatar_steps: int | None = None, seed: int = 0, workers: int | None = None, device: str = "cpu"
) -> list[Judged]:
    """Return every statement with its finding under each setting.

    Args:
        size: how much is run.
        minatar_steps: of a run of a MinAtar game; None for no such runs.
        seed: determines everything.
        workers: threads of linear control.
        device: of networks.
    """
    learn = learner(seed, device)
    network = functools.partial(learn, "mountain-car", range(size.runs), episodes=size.episodes)
    alphas: Mapping[str, Mapping[str, Fraction]] = {
        "each at its alpha": PAPER["mountain-car"]["alpha"],
        "all at 1/1024": dict.fromkeys(Q, ALIKE),
    }
    on_car = {name: NetworkEvidence(network, chosen, size.thorough) for name, chosen in alphas.items()}
    games = {
        game: MinAtarEvidence(
            None if minatar_steps is None else functools.partial(learn, game, range(size.runs), steps=minatar_steps)
        )
        for game in GAMES
    }
    linear = linear_evidence(size, seed=seed, workers=workers)
    return [*judged(LINEAR, linear), *judged(NETWORK, on_car), *judged(MINATAR, games)]


def judged(statements: tuple[Statement[Any], ...], evidence: Mapping[str, Any]) -> list[Judged]:
    """Return what becomes of statements under each setting; what needs an extra that is missing is undecided."""

    def finding(statement: Statement[Any], given: Any) -> Finding:
        try:
            return statement.judge(given)
        except MissingExtra as error:
            return Finding(None, str(error))

    return [Judged(one, {name: finding(one, given) for name, given in evidence.items()}) for one in statements]


def linear_evidence(size: Size, *, seed: int, workers: int | None) -> dict[str, LinearEvidence]:
    """Run the linear agents at every step size, by kind of agent and limit on an episode."""
    cases = {f"{kind}, {limit}": (names, cutoff) for kind, names in KINDS.items() for limit, cutoff in LIMITS.items()}
    each = size.linear_runs * (len(STEP_SIZES) + 1)
    found, done = {}, 0
    with progress_bar("linear control (runs)", each * sum(len(names) for names, _ in cases.values())) as progress:
        for case, (names, cutoff) in cases.items():
            studies = []
            for name in names:
                setting = Setting(agent=find_agent(name), alpha=Fraction(1), steps=size.steps, cutoff=cutoff)
                told = _from(done, progress)
                studies.append(study(setting, runs=size.linear_runs, seed=seed, workers=workers, progress=told))
                done += each
            found[case] = LinearEvidence(*studies)
    return found


def learner(seed: int, device: str) -> Callable[..., History]:
    """Return what learns with networks, (environment, runs, algorithm, **settings) -> History, each only once.

    Raises, when it is called:
        MissingExtra: torch, or the package of the game, is not installed.
    """

    @functools.cache
    def learn(environment: str, runs: range, algorithm: str, **given: Any) -> History:
        from simulate.control.training import train

        chosen = settings(environment, algorithm, **given)
        told = ", ".join(f"{name} {value}" for name, value in given.items() if name not in ("episodes", "steps"))
        total = chosen.steps if chosen.episodes is None else chosen.episodes * len(runs)
        with progress_bar(f"{environment}, {algorithm}, {told}", total) as progress:
            return train(chosen, runs, seed=seed, device=device, progress=progress)

    return learn


def _from(done: int, progress: Callable[[int], None]) -> Callable[[int], None]:
    return lambda more: progress(done + more)

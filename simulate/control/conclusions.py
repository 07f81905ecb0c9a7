"""The paper's statements on control, judged on runs that are made for them."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from simulate.control.device import find_device
from simulate.control.history import History
from simulate.control.linear.agent import find_agent
from simulate.control.linear.settings import linear_settings
from simulate.control.linear.study import STEP_SIZES, study
from simulate.control.settings import PAPER, settings
from simulate.control.statements.linear import LINEAR, LinearEvidence
from simulate.control.statements.minatar import MINATAR, MinAtarEvidence
from simulate.control.statements.network import NETWORK, NetworkEvidence
from simulate.statement import Judged, Statement, Support
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


SMALL = Size(30, 30_000, 30, 30, thorough=False)
FULL = Size(200, 50_000, 60, 100, thorough=True)


def linear_evidence(size: Size, *, seed: int, workers: int | None) -> dict[str, LinearEvidence]:
    """Run the linear agents at every step size, by kind of agent and limit on an episode."""
    cases = {f"{kind}, {limit}": (names, cutoff) for kind, names in KINDS.items() for limit, cutoff in LIMITS.items()}
    each = size.linear_runs * (len(STEP_SIZES) + 1)
    found, done = {}, 0
    with progress_bar("linear control (runs)", each * sum(len(names) for names, _ in cases.values())) as progress:
        for case, (names, cutoff) in cases.items():
            studies = []
            for name in names:
                chosen = replace(linear_settings(find_agent(name), steps=size.steps), cutoff=cutoff)
                told = _from(done, progress)
                studies.append(study(chosen, runs=size.linear_runs, seed=seed, workers=workers, progress=told))
                done += each
            found[case] = LinearEvidence(*studies)
    return found


def network_evidence(size: Size, learn: Callable[..., History]) -> dict[str, NetworkEvidence]:
    """Return what networks will do on Mountain Car, by how their step sizes are chosen."""
    network = functools.partial(learn, "mountain-car", range(size.runs), episodes=size.episodes)
    alphas: Mapping[str, Mapping[str, Fraction]] = {
        "alpha of each": PAPER["mountain-car"]["alpha"],
        f"alpha {ALIKE}": dict.fromkeys(Q, ALIKE),
    }
    return {name: NetworkEvidence(network, chosen, size.thorough) for name, chosen in alphas.items()}


def minatar_evidence(runs: int, steps: int | None, learn: Callable[..., History]) -> dict[str, MinAtarEvidence]:
    """Return what networks will do in the games in so many steps; None for no runs."""
    if steps is None:
        return {game: MinAtarEvidence(None) for game in GAMES}
    return {game: MinAtarEvidence(functools.partial(learn, game, range(runs), steps=steps)) for game in GAMES}


def conclusions(
    linear: Mapping[str, LinearEvidence],
    network: Mapping[str, NetworkEvidence],
    minatar: Mapping[str, MinAtarEvidence],
) -> list[Judged]:
    """Return the statements of the experiments for which there is evidence, with a finding for each setting."""
    parts = (LINEAR, linear), (NETWORK, network), (MINATAR, minatar)
    return [found for statements, evidence in parts if evidence for found in judged(statements, evidence)]


def judged(statements: Sequence[Statement[Any]], evidence: Mapping[str, Any]) -> list[Judged]:
    """Return what becomes of statements under each setting; what needs an extra that is missing is undecided."""

    def finding(statement: Statement[Any], given: Any) -> Support:
        try:
            return statement.judge(given)
        except MissingExtra as error:
            return Support(None, str(error))

    return [Judged(one, {name: finding(one, given) for name, given in evidence.items()}) for one in statements]


def learner(*, seed: int = 0, device: str = "cpu", folder: Path | None = None) -> Callable[..., History]:
    """Return what learns with networks, (environment, runs, algorithm, **settings) -> History, each only once.

    Args:
        seed: determines everything.
        device: cpu or cuda.
        folder: keeps checkpoints, from which runs that were broken off, or are done, go on; None for none.

    Raises, when it is called:
        MissingExtra: torch, or the package of the game, is not installed.
    """

    @functools.cache
    def learn(environment: str, runs: range, algorithm: str, **given: Any) -> History:
        find_device(device)
        from simulate.control.training import train

        chosen = settings(environment, algorithm, **given)
        told = ", ".join([environment, algorithm, *(f"{name} {value}" for name, value in given.items())])
        about = json.dumps([chosen.to_json(), str(runs), seed])
        name = f"{algorithm}-{hashlib.sha256(about.encode()).hexdigest()[:16]}.npz"
        total = chosen.steps if chosen.episodes is None else chosen.episodes * len(runs)
        with progress_bar(told, total) as progress:
            kept = None if folder is None else folder / name
            return train(chosen, runs, seed=seed, device=device, checkpoint=kept, progress=progress)

    return learn


def _from(done: int, progress: Callable[[int], None]) -> Callable[[int], None]:
    return lambda more: progress(done + more)

"""What users wait for: whole commands, from start to end, and the most memory that they hold: `make bench`."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from row import ran, row

from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.decision_table import aggregated
from tdrc_theory.problems.problem_file import write_problem


def commands(folder: Path) -> list[tuple[str, Callable[[], list[object]], str, str]]:
    """Return what is measured: a name, what gives the command, what it took before, and what was hoped for."""
    alpha = ["--alpha", "1/16"]
    conditions = "verify.conditions"
    return [
        ("conditions of gymnasium:Taxi-v3, 500 states", lambda: [conditions, "gymnasium:Taxi-v3"], "", "2 s"),
        (
            "conditions of 1000 tabular states, a file",
            lambda: [conditions, chain(folder, 1000, 1000, 2)],
            "68 s, no enclosure",
            "5 s",
        ),
        (
            "conditions of 2000 tabular states, a file",
            lambda: [conditions, chain(folder, 2000, 2000, 2)],
            "153 s, no enclosure",
            "20 s",
        ),
        (
            "conditions of 100000 sparse states, 100 features, a file",
            lambda: [conditions, chain(folder, 100_000, 100, 1)],
            "no end: out of memory",
            "20 s, 2048 MiB",
        ),
        (
            "100 runs of 1000 updates, 1000 aggregated states",
            lambda: ["simulate.run", walk(folder), *alpha],
            "69 s for 400 states",
            "seconds",
        ),
        (
            "prediction of 1000 updates, 1000 aggregated states, iid",
            lambda: ["verify.predict", walk(folder), *alpha, "--sampling", "iid"],
            "",
            "seconds",
        ),
        ("claims of the paper, judged", lambda: ["verify.paper"], "12 to 33 s", "5 s"),
        ("page of baird", lambda: ["reports.build", "baird", "-o", folder / "page.html"], "12 s", "3 s"),
        (
            "verdicts of 2000 random problems, 2 cores",
            lambda: ["verify.random", "--problems", "2000", "--only-verdicts"],
            "11 to 13 s",
            "2 s",
        ),
    ]


def chain(folder: Path, states: int, features: int, actions: int) -> Path:
    """Write a chain of four next states an action, uniform d, and features that are 1 on as many states each."""
    rng, path = random.Random(0), folder / f"{states}-{features}.toml"
    units = [",".join("1" if i == j else "0" for j in range(features)) for i in range(features)]
    with path.open("w", encoding="utf-8") as file:
        file.write('name = "chain"\ngamma = "99/100"\nfeatures = [\n')
        file.writelines(f"[{units[s * features // states]}],\n" for s in range(states))
        file.write("]\n[mdp]\ntransitions = [\n")
        for s in range(states):
            for a in range(actions):
                arrivals, parts = rng.sample(range(states), 4), [rng.randint(1, 5) for _ in range(4)]
                odds = zip(arrivals, parts, strict=True)
                file.writelines(f'[{s},{a},{t},"{n}/{sum(parts)}",{rng.randint(-2, 2)}],\n' for t, n in odds)
        evenly = "[" + f'"1/{actions}",' * actions + "],"
        file.write(f"]\nbehaviour = [{evenly * states}]\ntarget = [{evenly * states}]\n")
        file.write("state_weights = [" + f'"1/{states}",' * states + "]\n")
    return path


def walk(folder: Path) -> Path:
    """Write Sutton and Barto's random walk (example 9.1) of 1000 states, jumps of up to 100, and 10 groups."""
    transitions = []
    for s in range(1000):
        arrivals = [s + jump for jump in range(-100, 101) if jump]
        transitions += [(s, 0, t, Fraction(1, 200), 0) for t in arrivals if 0 <= t < 1000]
        out = sum(not 0 <= t < 1000 for t in arrivals)
        transitions += [(s, 0, END, Fraction(out, 200), -1 if s < 500 else 1)] if out else []
    start = [int(s == 500) for s in range(1000)]
    one = [[1]] * 1000
    problem = Problem(
        name="walk",
        gamma=1,
        features=aggregated(1000, 10),
        transitions=transitions,
        behaviour=one,
        target=one,
        start=start,
    )
    write_problem(problem, folder / "walk.toml")
    return folder / "walk.toml"


def first_use(command: Sequence[str]) -> None:
    """Measure the first use of a learner, with nothing compiled, and the next ones."""
    with tempfile.TemporaryDirectory() as folder:
        first, *again = (ran(command, env={**os.environ, "TDRC_CACHE": folder}) for _ in range(3))
    best = min(again)
    row(
        "first use of a learner, nothing compiled",
        first.seconds,
        "s",
        before="2.7 to 4.0 s",
        peak=first.peak,
        wanted="1.5 s",
    )
    what = "use of a learner, compiled code kept"
    row(what, best.seconds, "s", against="first use", baseline=first.seconds, peak=best.peak)


def main() -> None:
    """Run all, or what has a word in its name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="what has this in its name")
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory() as folder:
        for what, arguments, before, wanted in commands(Path(folder)):
            if only in what:
                result = ran([sys.executable, "-m", *map(str, arguments())])
                row(what, result.seconds, "s", before=before, peak=result.peak, wanted=wanted)
    if only in "first use of a learner":
        first_use([sys.executable, "-m", "simulate.run", "boyan", "--steps", "10", "--runs", "2"])


if __name__ == "__main__":
    main()

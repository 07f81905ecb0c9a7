"""How fast the conditions check is: `make bench`. Processes run side by side; all is time of a core at work."""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from row import ran, row

from tdrc_theory import ExpectationTable, Problem, expected_update
from tdrc_theory.algorithms import OF_THE_PAPER, TDRC
from tdrc_theory.problems.garnet import garnet
from verify import ConditionsReport, check_conditions, verdicts
from verify.check import Outcome, Verdict
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.random import Plan, survey

CHECK = [sys.executable, "-m", "verify.conditions", "baird"]
IMPORTS = [sys.executable, "-c", "import numpy, scipy.linalg, flint"]
FLOAT_ERROR = 1e-6


def whole_process(pairs: int) -> None:
    """Baird's check as a whole process, beside the import of the numerical libraries alone."""
    for command in (CHECK, IMPORTS):
        ran(command)
    times = [(ran(CHECK), ran(IMPORTS)) for _ in range(pairs)]
    ratio = statistics.median(imports.busy / check.busy for check, imports in times)
    check, imports = (statistics.median(each.busy for each in column) for column in zip(*times, strict=True))
    against = "importing numpy, scipy and flint alone"
    wanted = "ratio at least 1/3"
    what, peak = "conditions of baird, whole process", times[0][0].peak
    row(what, check, "s", against=against, baseline=imports, ratio=ratio, peak=peak, wanted=wanted)


def many_features() -> None:
    """A verdict for growing numbers of rational features, stationary weights included; exact while that is quick."""
    for k, wanted in ((8, ""), (16, "well under 1"), (32, ""), (48, "at most 10")):
        problem = garnet(k + 12, 2, 3, k, seed=k, gamma=Fraction(99, 100))
        start = time.process_time()
        report = check_conditions(problem, "tdrc", beta=Fraction(1, 100), eta=10)
        spent = time.process_time() - start
        row(f"{report.verdict.proof.value} verdict and conditions, {k} features", spent, "s", wanted=wanted)


def verdict_rate() -> None:
    """Exact verdicts alone, without the theorem's checks, on problems of a common size."""
    problems = [garnet(10, 2, 3, 4, seed) for seed in range(1000)]
    start = time.process_time()
    decided = [decision.status for decision in verdicts(problems)]
    ours = (time.process_time() - start) / len(problems)
    start = time.process_time()
    whole = [_from_every_step(problem).status for problem in problems]
    slow = (time.process_time() - start) / len(problems)
    assert decided == whole
    what, against = "exact verdict from the problem on, 4 features", "from every step, with the enclosed abscissa"
    before = "1.58 to 2.35 ms"
    row(what, ours * 1e3, "ms", before=before, against=against, baseline=slow * 1e3, wanted="at most 1/2")
    matrices = [
        expected_update(ExpectationTable(p), TDRC, {"beta": Fraction(1), "eta": Fraction(1)}).G.to_float()
        for p in problems
    ]
    start = time.process_time()
    for matrix in matrices:
        np.linalg.eigvals(matrix)
    floats = (time.process_time() - start) / len(problems)
    against = "float eigenvalues of the finished matrix"
    row(what, ours * 1e3, "ms", against=against, baseline=floats * 1e3)


def _from_every_step(problem: Problem) -> Verdict:
    """Return the whole verdict from the table of expectations that serves every learner."""
    setting = Setting.of(problem, TDRC, Fraction(1), Fraction(1))
    setting.__dict__["update"] = expected_update(problem, TDRC, setting.parameters)
    return verdict(setting)


def survey_rate(count: int) -> None:
    """Random problems of the default size, made and judged, TDRC and TDC each: verdicts alone beside all conditions."""
    start = time.process_time()
    survey(Plan(problems=count, only_verdicts=True), workers=1)
    ours = (time.process_time() - start) / count
    start = time.process_time()
    survey(Plan(problems=count // 10), workers=1)
    slow = (time.process_time() - start) / (count // 10)
    what, against = "random problem, made and judged, verdicts alone", "with all conditions"
    before = "11 to 13 ms, with all conditions"
    row(what, ours * 1e3, "ms", before=before, against=against, baseline=slow * 1e3, wanted="at most 2")


def random_problems(count: int) -> None:
    """Many small problems: the rate, and whether exact verdicts and float eigenvalues ever disagree."""
    outcomes: Counter[str] = Counter()
    disagreements, distance = 0, 0.0
    spent = 0.0
    for number, (problem, algorithm, beta, eta) in enumerate(_random(count), start=1):
        start = time.process_time()
        report = check_conditions(problem, algorithm, beta=beta, eta=eta)
        spent += time.process_time() - start
        outcomes[f"{report.verdict.status.value} ({report.verdict.proof.value})"] += 1
        off = _disagreement(report)
        disagreements += off is None
        distance = max(distance, off or 0.0)
        if number % 500 == 0:
            print(f"\r{number} of {count}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    row("conditions of a random problem", spent / count * 1e3, "ms")
    print(f"{count} random problems: {dict(outcomes)}")
    print(f"verdicts against float eigenvalues: {disagreements} disagreements beyond {FLOAT_ERROR}")
    print(f"largest distance of a float abscissa from the exact one of a convergent update: {distance:.2g}")


def _random(count: int) -> Iterator[tuple[Problem, str, Fraction, Fraction]]:
    rng = random.Random(0)
    for seed in range(count):
        states, k = rng.randint(2, 6), rng.randint(1, 5)
        problem = garnet(states, rng.randint(1, 3), 2, k, seed, Fraction(rng.choice(["1/2", "9/10", "99/100", "1"])))
        if seed % 2:
            # Weights that no policy brings about: what makes off-policy TD diverge.
            parts = [rng.randint(0, 5) for _ in range(states - 1)]
            parts.append(1)
            problem = replace(problem, state_weights=[Fraction(part, sum(parts)) for part in parts])
        beta, eta = (Fraction(rng.choice(["1/50", "1/5", "1", "7"])) for _ in range(2))
        algorithm = "tdrc" if seed % 3 else rng.choice(OF_THE_PAPER).name
        yield problem, algorithm, beta, eta


def _disagreement(report: ConditionsReport) -> float | None:
    """Return how far the float abscissa is from the exact one, or None where its sign contradicts the verdict."""
    table = ExpectationTable(report.problem)
    G = expected_update(table, report.algorithm, report.parameters).G.to_float()
    largest = float(np.linalg.eigvals(G).real.max())
    if report.verdict.status is Outcome.CONVERGENT:
        exact = report.verdict.spectral_abscissa
        return None if largest > FLOAT_ERROR or exact is None else abs(largest - exact.middle)
    unstable = report.verdict.status is Outcome.NOT_CONVERGENT
    return None if (largest > FLOAT_ERROR and not unstable) or largest < -FLOAT_ERROR else 0.0


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=10_000, help="number of random problems (default: 10000)")
    parser.add_argument("--pairs", type=int, default=9, help="pairs of whole processes (default: 9)")
    options = parser.parse_args()
    whole_process(options.pairs)
    many_features()
    verdict_rate()
    survey_rate(2000)
    random_problems(options.problems)


if __name__ == "__main__":
    main()

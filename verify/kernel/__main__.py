"""`tdrc prove`: compile the theorems for every dimension, and prove verdicts on problems, by Coq and without axioms."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import TheoryError
from tdrc_theory.exact.number import number_text
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.proofs.coq import FOLDER, CoqAnswer, coq_version
from tdrc_theory.tables.table import Table
from verify.conditions.report import ConditionsReport, check_conditions
from verify.kernel.second_moments import moments_theorem
from verify.kernel.verdicts import KernelAnswer, answers_on, kernel_answers
from verify.paper.kernel import coq_answers, coq_sources
from verify.predict.prediction import prepared, step_size

PROG = "python -m verify.kernel"
_MOMENTS = (
    ("two-state", "tdc"),
    ("theta-2theta", "tdc"),
    ("random-walk-tabular", "td"),
    ("random-walk-tabular", "tdrc"),
    ("random-walk-dependent", "tdrc"),
    ("boyan", "tdrc"),
    ("baird", "tdrc"),
)
"""Problems and algorithms whose second moments are proven to be bounded, for independent samples."""
_WORD = {True: "proven", False: "NOT PROVEN: {}", None: "no proof: {}"}


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(
        PROG, __doc__, "0 all is proven without axioms; 1 not all; 2 bad input, or no Coq; 130 interrupted"
    )
    where = "where the Coq sources (*.v) are (default: those of this package)"
    options.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=FOLDER, help=where)
    every = (
        "prove the verdict of every built-in algorithm on every built-in problem too, each from its table of steps, "
        "and in some settings that second moments are bounded at the default step size"
    )
    options.add_argument("--all", action="store_true", help=every)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    sources = coq_sources(options.folder)
    version = coq_version().splitlines()[0]
    proven = _theorems(coq_answers(sources, options.folder == FOLDER), sources, version)
    if options.all:
        proven &= _verdicts(version)
        proven &= _second_moments(version)
    return 0 if proven else 1


def _theorems(answers: Sequence[CoqAnswer], sources: Collection[str], version: str) -> bool:
    """Print what Coq says of each theorem, and return whether it accepts all of them."""
    for answer in answers:
        verdict = "proven" if answer.accepted else "NOT PROVEN"
        print(f"{verdict:10}  {answer.theorem.name}: {printable(answer.reason)}")
    proven = sum(answer.accepted is True for answer in answers)
    print(f"{proven} of {len(answers)} theorems proven, in {len(sources)} files ({version})", flush=True)
    return bool(answers) and proven == len(answers)


def _verdicts(version: str) -> bool:
    """Print what Coq says of each verdict, and return whether it accepts all that there is a proof of."""
    judged = {(name, each.name): _report(name, each.name) for name, _ in PROBLEMS for each in ALGORITHMS}
    reports = {setting: each for setting, each in judged.items() if isinstance(each, ConditionsReport)}
    with progress_bar("verdicts", len(reports)) as tell:
        answers = dict(zip(reports, kernel_answers(list(reports.values()), tell), strict=True))
    rows = [
        (*setting, each.verdict.status.value, _word(answers[setting]))
        if isinstance(each, ConditionsReport)
        else (*setting, "-", f"no verdict: {each}")
        for setting, each in sorted(judged.items())
    ]
    print(Table("verdicts", ("problem", "algorithm", "verdict", "by Coq"), rows).text())
    proven = sum(answer.accepted is True for answer in answers.values())
    print(f"{proven} of {len(answers)} verdicts proven, each from its table of steps ({version})")
    return not any(answer.accepted is False for answer in answers.values())


def _second_moments(version: str) -> bool:
    """Print what Coq says of second moments at the default step size, and return whether it accepts all of them."""
    recursions = [prepared(*setting, sampling="iid") for setting in _MOMENTS]
    settings = [(each, step_size(each, None, 1)[0]) for each in recursions]
    with progress_bar("second moments", len(settings)) as tell:
        answers = answers_on([partial(moments_theorem, *each) for each in settings], tell)
    rows = [
        (*names, number_text(alpha), _word(answer))
        for names, (_, alpha), answer in zip(_MOMENTS, settings, answers, strict=True)
    ]
    print(Table("second moments", ("problem", "algorithm", "alpha", "bounded, by Coq"), rows).text())
    proven = sum(answer.accepted is True for answer in answers)
    print(f"second moments proven to be bounded in {proven} of {len(answers)} settings ({version})")
    return proven == len(answers)


def _word(answer: KernelAnswer) -> str:
    return printable(_WORD[answer.accepted].format(answer.reason))


def _report(problem: str, algorithm: str) -> ConditionsReport | str:
    """Return the verdict on a problem, or why there is none."""
    try:
        return check_conditions(problem, algorithm)
    except TheoryError as error:
        return printable(str(error))


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""Verdicts that Coq is asked about: whether it accepts their proofs, and the report that says so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.evidence import Proof
from tdrc_theory.problem import Problem
from tdrc_theory.proofs.coq import CLOSED, CoqRefusal, checker_sources, compiled_checker, coq_output, coq_version
from verify.conditions.report import ConditionsReport
from verify.kernel.proof_file import proof_file, theorem_of
from verify.outcome import Outcome

_TOGETHER = 16
"""Verdicts that Coq is asked about in one file: to start it takes as long as some of them."""

SAID = {
    Outcome.CONVERGENT: "every eigenvalue of G has negative real part",
    Outcome.CONVERGENT_TO_A_SET: (
        "0 is a semisimple eigenvalue of G, every other has negative real part, and there are fixed points{solved}"
    ),
    Outcome.NOT_CONVERGENT: (
        "not every eigenvalue of G has negative real part, nor is this true: 0 is a semisimple eigenvalue, every other "
        "has negative real part, and there are fixed points{solved}"
    ),
}
"""What the theorem of a verdict says, beside that G and g are the expected update's on the table of steps."""


@dataclass(frozen=True, slots=True)
class KernelAnswer:
    """What Coq says of the proof of a verdict.

    Attributes:
        accepted: whether it accepts the theorem, without axioms; None where there is no proof to ask about.
        reason: one line.
    """

    accepted: bool | None
    reason: str


def proven(report: ConditionsReport, path: str | None = None) -> ConditionsReport:
    """Return a report whose verdict a proof assistant has checked, from the table of steps and the update rule.

    Of a problem that is A, b and C alone, it has checked the verdict on G and g.

    Args:
        report: as `check_conditions` returns it.
        path: where the Coq file is left too; None: nowhere.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: there is no proof to ask about, or Coq does not accept it.
    """
    coq_version()
    return by_kernel(report, accepted_by(theorem_of(report), path))


def accepted_by(theorem: str, path: str | None = None) -> str:
    """Return the name of the Coq that accepts a theorem `judged`, without axioms.

    Args:
        theorem: after the definitions that it speaks of.
        path: where the Coq file is left too; None: nowhere.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: Coq does not accept it.
    """
    version, text = coq_version(), proof_file([theorem])
    if path is not None:
        write_whole(path, text)
    with _checker() as checker:
        answer = _answer(checker, text)
    if not answer.accepted:
        raise BadOption(f"--prove: Coq does not accept the proof: {answer.reason}")
    return " ".join(version.split()[:6]).replace("The Coq Proof Assistant, version", "Coq")


def proven_where_possible(report: ConditionsReport) -> ConditionsReport:
    """Return a report whose verdict Coq has checked; where there is no proof, with why; without Coq, as it is."""
    try:
        return proven(report)
    except MissingExtra:
        return report
    except BadOption as error:
        why = f"{report.verdict.reason} (not proven by Coq: {str(error).removeprefix('--prove: ')})"
        return replace(report, verdict=replace(report.verdict, reason=why))


def by_kernel(report: ConditionsReport, name: str) -> ConditionsReport:
    """Return a report whose verdict says what a Coq of that name has accepted."""
    verdict = report.verdict
    solved = "" if report.algorithm.own_fixed_points else ", all of which solve A w = b"
    table = isinstance(report.problem, Problem)
    source = "from the table of steps" if table else "about G and g; that they follow from A, b and C is not in it"
    reason = f"{SAID[verdict.status].format(solved=solved)} (theorem accepted by {name}, {source})"
    evidence = {**verdict.evidence, "kernel": {"checked_by": name, "axioms": "none", "exact_reason": verdict.reason}}
    return replace(report, verdict=replace(verdict, proof=Proof.KERNEL, reason=reason, evidence=evidence))


def kernel_answers(reports: Sequence[ConditionsReport], tell: Callable[[int], None]) -> list[KernelAnswer]:
    """Return what Coq says of the verdict of each report; arguments and errors as those of `answers_on`.

    Args:
        reports: as `check_conditions` returns them.
        tell: is called with how many are answered.
    """
    return answers_on([partial(theorem_of, report) for report in reports], tell)


def answers_on(stated: Sequence[Callable[[], str]], tell: Callable[[int], None]) -> list[KernelAnswer]:
    """Return what Coq says of each of many theorems `judged`.

    Args:
        stated: what returns each theorem, after the definitions that it speaks of, or raises BadOption: there is none.
        tell: is called with how many are answered.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
    """
    answers: dict[int, KernelAnswer] = {}
    theorems: dict[int, str] = {}
    coq_version()
    for i, theorem in enumerate(stated):
        try:
            theorems[i] = theorem()
        except BadOption as error:
            answers[i] = KernelAnswer(None, str(error).removeprefix("--prove: "))
    groups = [list(theorems)[i : i + _TOGETHER] for i in range(0, len(theorems), _TOGETHER)]
    with _checker() as checker, ThreadPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        asked = ([theorems[i] for i in group] for group in groups)
        for group, heard in zip(groups, pool.map(partial(_answers, checker), asked), strict=True):
            answers |= dict(zip(group, heard, strict=True))
            tell(len(answers))
    return [answers[i] for i in range(len(stated))]


@contextmanager
def _checker() -> Iterator[Path]:
    """Yield the folder of the compiled checker, with a bar while it is compiled."""
    with progress_bar("the checker in Coq", len(checker_sources())) as tell, compiled_checker(tell) as folder:
        yield folder


def _answers(checker: Path, theorems: Sequence[str]) -> list[KernelAnswer]:
    """Return Coq's answers on theorems: asked about together, and one by one where it does not accept all."""
    together = _answer(checker, proof_file(theorems))
    if together.accepted or len(theorems) == 1:
        return [together] * len(theorems)
    return [_answer(checker, proof_file([theorem])) for theorem in theorems]


def _answer(checker: Path, text: str) -> KernelAnswer:
    try:
        assumed = coq_output(checker, text).strip()
    except CoqRefusal as refusal:
        return KernelAnswer(False, str(refusal))
    return KernelAnswer(assumed == CLOSED, " ".join(assumed.split()))

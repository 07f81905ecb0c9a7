"""What a reader of a paper would want to know first, in five lines made of what was judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tdrc_theory.cli.counted import counted
from tdrc_theory.papers.claim import Paper, Severity
from verify.check import Proof, Status
from verify.paper.finding import order
from verify.paper.report import Answer

SHOWN = 8
"""Errata that a line lists; of more it says how many."""


def opening(paper: Paper, answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return five lines: what was judged and holds, what is wrong by how much it matters, and what that changes."""
    return (
        f"{paper.title} ({_authors(paper)}, {paper.year}): {counted(len(answers), 'claim')} judged",
        f"holds as printed: {_holding(answers)}",
        _listed(answers, Severity.WRONG_RESULT),
        f"{_count(answers, Severity.WRONG_STEP, 'wrong step')} whose results stand, "
        f"{counted(len(numbers(answers, Severity.OVERSTATED)), 'overstated remark')}, "
        f"{_count(answers, Severity.SLIP, 'slip')}",
        f"what it changes: {_changes(answers)}",
    )


def _authors(paper: Paper) -> str:
    first, *others = paper.authors
    return first if not others else f"{first} and {others[0]}" if len(others) == 1 else f"{first} and others"


def _holding(answers: Sequence[Answer]) -> str:
    held = [answer for answer in answers if answer.printed.status is Status.HOLDS]
    kinds = Counter(answer.printed_proof for answer in held)
    shown = ", ".join(f"{kinds[proof]} {proof.value}" for proof in Proof if kinds[proof])
    open_ones = sum(answer.printed.status is Status.UNDECIDED for answer in answers)
    return f"{len(held)} of {len(answers)}{f' ({shown})' if shown else ''}; {open_ones} undecided"


def _of(answers: Sequence[Answer], severity: Severity) -> list[Answer]:
    """Return the claims that were refuted, or said to contradict each other, of one severity."""
    return [a for a in answers if a.claim.severity is severity and a.printed.status is Status.FAILS]


def numbers(answers: Sequence[Answer], severity: Severity) -> dict[str, Answer]:
    """Return the errata of one severity by number, each under the worst that one of its claims has."""
    worse = {a.claim.erratum for other in Severity if _rank(other) < _rank(severity) for a in _of(answers, other)}
    result = {a.claim.erratum or "": a for a in reversed(_of(answers, severity)) if a.claim.erratum not in worse}
    return dict(sorted(result.items(), key=lambda pair: order(pair[0])))


def _rank(severity: Severity) -> int:
    return list(Severity).index(severity)


def _listed(answers: Sequence[Answer], severity: Severity) -> str:
    result = numbers(answers, severity)
    listed = [f"{number} ({re.split('[;,]', answer.claim.source)[0]})" for number, answer in result.items()]
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return f"{counted(len(result), 'wrong result')}{': ' if result else ''}{', '.join(listed[:SHOWN])}{more}"


def _count(answers: Sequence[Answer], severity: Severity, name: str) -> str:
    result = numbers(answers, severity)
    return f"{counted(len(result), name)} ({', '.join(result)})" if result else counted(0, name)


def _changes(answers: Sequence[Answer]) -> str:
    """Return what is true in the place of wrong results, and how well that is known."""
    wrong = _of(answers, Severity.WRONG_RESULT)
    if not wrong:
        return "no result"
    return "; ".join(_known(wrong))


def _known(wrong: Sequence[Answer]) -> Iterator[str]:
    mended = [a for a in wrong if a.corrected is not None and a.corrected.status is Status.HOLDS]
    kinds = Counter(answer.corrected_proof for answer in mended)
    shown = ", ".join(f"{kinds[proof]} {proof.value}" for proof in Proof if kinds[proof])
    yield f"{counted(len(wrong), 'claim')} must not be used as printed"
    if mended:
        yield f"for {len(mended)} a correction holds ({shown})"
    if len(mended) < len(wrong):
        yield f"for {len(wrong) - len(mended)} there is no correction"

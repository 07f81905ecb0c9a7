"""What does not hold as printed: each erratum once, by how much it matters, the worst first."""

from __future__ import annotations

from collections.abc import Iterator

from reports.page.claim import NOUNS, shown
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnPaper
from tdrc_theory.papers.claim import Severity
from verify.paper.report import Answer, Finding
from verify.paper.terminal import numbers, opening

_MEANINGS = {
    Severity.WRONG_RESULT: "What is stated is false, and must not be used as printed.",
    Severity.WRONG_STEP: "A step of an argument is false; the result that it supports stands.",
    Severity.OVERSTATED: "Too strong when read word for word; in the context of the paper no error.",
    Severity.SLIP: "Misprints, and places where the paper contradicts itself; no result rests on them.",
}
_UNGRADED = "Errata whose weight the registry does not state."
_UNDECIDED = "The evidence does not decide whether these hold as printed."
_SCOPE = (
    "A formula is judged in every dimension and for all values of its symbols, with C symmetric positive "
    "semidefinite. Where an inverse in it does not exist, it says nothing.",
    "A claim in words is kernel where Coq accepted the theorem, shown with it, that puts it or its contrary into "
    "symbols, exact or enclosed where its statement was evaluated, sampled where it is about published means, and "
    "argued where a person concludes it from checked lemmas.",
)


def collect(subject: OnPaper, _: Tell) -> Content:
    """Return the findings among what was judged."""
    answers = subject.answers
    grades = tuple(_grades(subject))
    counts = [(len(answers), "claims judged"), (sum(a.finding is None for a in answers), "hold as printed")]
    counts += [(len(grade.errata), grade.title) for grade in grades]
    unexpected = tuple(answer.claim.id for answer in answers if not answer.as_expected)
    return Content(
        authors=", ".join(subject.paper.authors),
        link=subject.paper.link,
        opening=opening(subject.paper, answers),
        counts=counts,
        grades=grades,
        scope=_SCOPE,
        unexpected=unexpected,
    )


def _grades(subject: OnPaper) -> Iterator[Content]:
    open_ones = [a for a in subject.answers if a.finding is Finding.UNDECIDED]
    left = [a for a in subject.answers if a.finding not in (None, Finding.UNDECIDED)]
    for severity, meaning in _MEANINGS.items():
        here = numbers(left, severity)
        yield from _grade(subject, NOUNS[severity], meaning, _by_number(left, list(here)))
        left = [answer for answer in left if answer.claim.erratum not in here]
    yield from _grade(subject, "other erratum", _UNGRADED, _by_number(left, [a.claim.erratum or "" for a in left]))
    yield from _grade(subject, "undecided claim", _UNDECIDED, [[answer] for answer in open_ones])


def _by_number(answers: list[Answer], wanted: list[str]) -> list[list[Answer]]:
    return [[a for a in answers if a.claim.erratum == number] for number in dict.fromkeys(wanted)]


def _grade(subject: OnPaper, noun: str, meaning: str, groups: list[list[Answer]]) -> Iterator[Content]:
    if groups:
        yield Content(
            name=noun.replace(" ", "-"),
            title=noun if len(groups) == 1 else f"{noun}s".replace("erratums", "errata"),
            meaning=meaning,
            errata=[[shown(answer, subject.kernel) for answer in group] for group in groups],
            open=noun.startswith("wrong"),  # shown without being asked for: something false is used
        )


SECTION = Section("errata", "What does not hold as printed", collect)

"""What does not hold as printed: errors, contradictions, and remarks that go too far."""

from __future__ import annotations

from dataclasses import dataclass

from reports.page.claim import ShownClaim, shown
from reports.page.section import Missing, Section, Tell
from reports.page.subject import OnPaper
from verify.paper.finding import COUNTED, MEANING, order
from verify.paper.opening import opening
from verify.paper.terminal import ON_FORMULAS, ON_WORDS


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings of one kind.

    Attributes:
        name, title, meaning: of the kind.
        claims: in the order of their numbers.
    """

    name: str
    title: str
    meaning: str
    claims: tuple[ShownClaim, ...]


@dataclass(frozen=True, slots=True)
class Errata:
    """What the section shows.

    Attributes:
        opening: what a reader would want to know first, in five lines.
        counts: (number, what) pairs, all claims first.
        groups: of findings, none of them empty.
        scope: what formulas and words are judged over, in sentences.
        unexpected: claims that did not come out as the registry expects.
    """

    opening: tuple[str, ...]
    counts: tuple[tuple[int, str], ...]
    groups: tuple[Findings, ...]
    scope: tuple[str, ...]
    unexpected: tuple[str, ...]


def collect(subject: OnPaper, _: Tell) -> Errata | Missing:
    """Return the findings among what was judged."""
    answers = subject.answers
    groups = []
    counts = [(len(answers), "claims judged"), (sum(a.finding is None for a in answers), "hold as printed")]
    for kind, meaning in MEANING.items():
        found = sorted((a for a in answers if a.finding is kind), key=lambda a: order(a.claim.erratum or ""))
        counts.append((len(found), COUNTED[kind]))
        if found:
            claims = tuple(shown(each, subject.kernel.get(each.claim.theorem or "")) for each in found)
            groups.append(Findings(kind.value, COUNTED[kind].capitalize(), meaning, claims))
    unexpected = tuple(answer.claim.id for answer in answers if not answer.as_expected)
    told = opening(subject.paper, answers)
    return Errata(told, tuple(counts), tuple(groups), (ON_FORMULAS, f"{ON_WORDS}."), unexpected)


SECTION = Section("errata", "What does not hold as printed", OnPaper, collect)

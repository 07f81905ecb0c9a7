"""What the paper concludes from its prediction experiments, judged on runs under every variant of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from reports.page.section import Missing, Section, Tell
from reports.page.stored import computed, remedy
from reports.page.subject import OnPaper
from reports.sections.reproduced_tables import RUNS
from simulate.statement import Judged
from simulate.store import Store
from simulate.tables.conclusions import conclusions
from simulate.tables.variant import VARIANTS


@dataclass(frozen=True, slots=True)
class StatementShown:
    """One statement.

    Attributes:
        key, source, text, proof: as it is stated.
        findings: (variant, status, reason) for each variant.
    """

    key: str
    source: str
    text: str
    proof: str
    findings: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """What the section shows.

    Attributes:
        statements: in the order of the paper.
        variants: (name, what is particular about it, supported, of how many).
    """

    statements: tuple[StatementShown, ...]
    variants: tuple[tuple[str, str, int, int], ...]


def collect(subject: OnPaper, _: Tell) -> Statements | Missing:
    """Return every statement with its findings; they take minutes of runs, so they are read from the store."""
    request = subject.request

    def judged(store: Store) -> list[Judged]:
        return conclusions(store, runs=RUNS, seed=request.seed, workers=request.workers)

    found = computed(request, judged, run=False)
    if found is None:
        command = remedy("python -m simulate.tables --statements", request.store)
        return Missing("The paper's conclusions from its experiments are judged on minutes of runs.", command)
    shown = tuple(
        StatementShown(
            one.statement.key,
            one.statement.source,
            one.statement.text,
            one.statement.proof,
            tuple((name, finding.status, finding.reason) for name, finding in one.findings.items()),
        )
        for one in found
    )
    counts = Counter(name for one in shown for name, status, _ in one.findings if status == "supported")
    told = tuple((v.name, "; ".join(v.told), counts[v.name], len(shown)) for v in VARIANTS)
    return Statements(shown, told)


SECTION = Section("statements", "What the paper concludes from its experiments", OnPaper, collect)

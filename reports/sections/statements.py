"""What the paper concludes from its prediction experiments, judged on runs under every variant of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from reports.page.section import Missing, Section, Tell
from reports.page.stored import computed, remedy
from reports.page.subject import OnPaper
from reports.sections.reproduced_tables import RUNS
from simulate.paper.conclusions import TABLES, Asked, Conclusion, claims_on_runs, conclusions, printed, steps_text
from simulate.store import Store
from simulate.tables.cell import VARIANTS
from tdrc_theory.evidence import Status


@dataclass(frozen=True, slots=True)
class StatementShown:
    """One statement.

    Attributes:
        key, source, text: the claim's id, place and title.
        seen: what is evaluated.
        proof: the kind of evidence.
        findings: (variant, status, numbers) for each variant.
    """

    key: str
    source: str
    text: str
    seen: str
    proof: str
    findings: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """What the section shows.

    Attributes:
        statements: in the order of the paper.
        variants: (name, what is particular about it, how many hold, of how many).
    """

    statements: tuple[StatementShown, ...]
    variants: tuple[tuple[str, str, int, int], ...]


def collect(subject: OnPaper, _: Tell) -> Statements | Missing | None:
    """Return every statement with its findings; they take minutes of runs, so they are read from the store."""
    request, paper = subject.request, subject.paper
    claims = [claim for claim in claims_on_runs(paper) if claim.sweep == TABLES]
    if not claims:
        return None

    def judged(store: Store) -> list[Conclusion]:
        asked = Asked(runs=RUNS, seed=request.seed, workers=request.workers)
        return conclusions(paper, store, asked, chosen=claims)

    result = computed(request, judged, run=False)
    if result is None:
        command = remedy(f"tdrc experiments --experiment {TABLES}", request.store)
        return Missing("The paper's conclusions from its experiments are judged on minutes of runs.", command)
    shown = tuple(map(_shown, result))
    counts = Counter(name for one in result for name, each in one.findings.items() if each.status is Status.HOLDS)
    variants = tuple((v.name, "; ".join(v.about), counts[v.name], len(shown)) for v in VARIANTS)
    return Statements(shown, variants)


def _shown(one: Conclusion) -> StatementShown:
    proofs = [each.proof.value for each in one.findings.values() if each.proof is not None]
    return StatementShown(
        one.claim.id,
        one.claim.source,
        one.claim.title,
        " ".join(printed(one.claim).split()),
        proofs[0],
        tuple((name, each.status.value, "; ".join(steps_text(each))) for name, each in one.findings.items()),
    )


SECTION = Section("statements", "What the paper concludes from its experiments", collect)

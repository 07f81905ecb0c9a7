"""What the paper concludes from its prediction experiments, judged on runs under every variant of them."""

from __future__ import annotations

from collections import Counter

from reports.page.section import Content, Missing, Section, Tell
from reports.page.stored import computed, remedy
from reports.page.subject import OnPaper
from reports.sections.reproduced_tables import RUNS
from simulate.paper.conclusions import TABLES, Asked, Conclusion, claims_on_runs, conclusions, printed, steps_text
from simulate.store import Store
from simulate.tables.cell import VARIANTS
from tdrc_theory.evidence import Status


def collect(subject: OnPaper, _: Tell) -> Content | Missing | None:
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
    return Content(statements=shown, variants=variants)


def _shown(one: Conclusion) -> Content:
    return Content(
        key=one.claim.id,
        source=one.claim.source,
        text=one.claim.title,
        seen=" ".join(printed(one.claim).split()),
        proof=next(each.proof.value for each in one.findings.values() if each.proof is not None),
        findings=[(name, each.status.value, "; ".join(steps_text(each))) for name, each in one.findings.items()],
    )


SECTION = Section("statements", "What the paper concludes from its experiments", collect)

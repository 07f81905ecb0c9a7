"""Conclusions as plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from simulate.paper.conclusions import Conclusion, printed
from tdrc_theory.judgement import Judgement
from tdrc_theory.papers.claim import Paper
from tdrc_theory.tables.table import Table

MOST_SHOWN = 6
"""Numbers of a finding that are shown; the rest is counted, and in the JSON."""


def plain_text(paper: Paper, conclusions: Sequence[Conclusion]) -> str:
    """Return each claim, what is evaluated, and what becomes of it under each setting, then the counts."""
    blocks = [_block(conclusion) for conclusion in conclusions]
    counts = Counter(judgement.status.value for one in conclusions for judgement in one.findings.values())
    summary = ", ".join(f"{counts[status]} {text}" for status, text in _COUNTED if counts[status])
    return "\n\n".join([f"{paper.title}: what it concludes from experiments", *blocks, f"findings: {summary}"]) + "\n"


_COUNTED = (("holds", "hold"), ("fails", "fail"), ("undecided", "undecided"))


def table(conclusions: Sequence[Conclusion]) -> Table:
    """Return a row for each claim and setting."""
    rows = [
        (one.claim.id, one.claim.source, setting, each.status.value, "-" if each.proof is None else each.proof.value)
        for one in conclusions
        for setting, each in one.findings.items()
    ]
    return Table("findings", ("claim", "source", "setting", "status", "proof"), rows)


def _block(conclusion: Conclusion) -> str:
    claim = conclusion.claim
    lines = [f"{claim.id} ({claim.source}): {claim.title}", f"  seen: {' '.join(printed(claim).split())}"]
    for setting, judgement in conclusion.findings.items():
        proof = "" if judgement.proof is None else f" ({judgement.proof.value})"
        lines.append(f"  {setting}: {judgement.status.value}{proof}")
        lines += [f"    {line}" for line in steps_text(judgement)]
    return "\n".join([*lines, *([f"  remark: {claim.remark}"] if claim.remark else [])])


def steps_text(judgement: Judgement) -> list[str]:
    """Return the numbers that a finding rests on, a line each."""
    shown = [f"{step.text}: {step.reason}".replace("'", "") for step in judgement.steps[:MOST_SHOWN]]
    left = len(judgement.steps) - len(shown)
    return [*shown, *([f"and {left} more"] if left else [])]

"""Conclusions as plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from simulate.paper.conclusions import Conclusion, printed
from tdrc_theory.judgement import Judgement
from tdrc_theory.papers.paper import Paper
from tdrc_theory.table import Table

MOST_SHOWN = 6
"""Numbers of a finding that are shown; the rest is counted, and in the JSON."""


def plain_text(paper: Paper, found: Sequence[Conclusion]) -> str:
    """Return each claim, what is evaluated, and what becomes of it under each setting, then the counts."""
    blocks = [_block(conclusion) for conclusion in found]
    counts = Counter(judgement.status.value for one in found for judgement in one.findings.values())
    told = ", ".join(f"{counts[status]} {text}" for status, text in _COUNTED if counts[status])
    return "\n\n".join([f"{paper.title}: what it concludes from experiments", *blocks, f"findings: {told}"]) + "\n"


_COUNTED = (("holds", "hold"), ("fails", "fail"), ("undecided", "undecided"))


def table(found: Sequence[Conclusion]) -> Table:
    """Return a row for each claim and setting."""
    rows = [
        (one.claim.id, one.claim.source, setting, each.status.value, "-" if each.proof is None else each.proof.value)
        for one in found
        for setting, each in one.findings.items()
    ]
    return Table("findings", ("claim", "source", "setting", "status", "proof"), rows)


def _block(conclusion: Conclusion) -> str:
    claim = conclusion.claim
    lines = [f"{claim.id} ({claim.source}): {claim.title}", f"  seen: {' '.join(printed(claim).split())}"]
    for setting, found in conclusion.findings.items():
        proof = "" if found.proof is None else f" ({found.proof.value})"
        lines.append(f"  {setting}: {found.status.value}{proof}")
        lines += [f"    {line}" for line in steps_text(found)]
    return "\n".join([*lines, *([f"  remark: {claim.remark}"] if claim.remark else [])])


def steps_text(found: Judgement) -> list[str]:
    """Return the numbers that a finding rests on, a line each."""
    shown = [f"{step.text}: {step.reason}".replace("'", "") for step in found.steps[:MOST_SHOWN]]
    left = len(found.steps) - len(shown)
    return [*shown, *([f"and {left} more"] if left else [])]

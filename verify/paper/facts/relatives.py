"""What the text says of TD, HTD and V-trace."""

from __future__ import annotations

from tdrc_theory.papers.claim import Role
from verify.paper.facts.atoms import Run, SameFixedPoints, converges, diverges
from verify.paper.facts.fact import Fact
from verify.paper.facts.problem_lists import WALKS
from verify.paper.facts.statement import All, Not, everywhere, on
from verify.paper.facts.update_terms import SameUpdate

FACTS = (
    Fact(
        id="text.baird-diverges",
        title="TD, V-trace and HTD diverge on Baird's problem",
        source="Section 2; Figure 1",
        role=Role.REMARK,
        printed=on("baird", All((diverges("td"), diverges("vtrace"), diverges("htd", eta=1)))),
    ),
    Fact(
        id="text.htd-ensures-convergence",
        title="hybrid methods ensure convergence",
        source="Section 1",
        role=Role.REMARK,
        printed=everywhere(converges("htd", eta=1), problem="baird"),
        corrected=on("baird", All((diverges("htd", eta=1), diverges("htd", eta=4), converges("htd", eta=16)))),
        erratum="R15",
        remark="the text says why hybrid methods were made, and elsewhere that HTD can diverge there",
    ),
    Fact(
        id="text.vtrace-bias",
        title="V-trace's clipping moves its fixed point",
        source="Section 4.2",
        role=Role.REMARK,
        printed=on(WALKS, Not(SameFixedPoints(Run("vtrace")))),
    ),
    Fact(
        id="text.reduce-to-TD",
        title="HTD and V-trace are TD on-policy",
        source="Section 2; Figure 1",
        role=Role.IDENTITY,
        printed=All(
            (SameUpdate(("htd", "td"), whole=False, rho=1), SameUpdate(("vtrace", "td"), whole=False, rho=1)),
        ),
    ),
)

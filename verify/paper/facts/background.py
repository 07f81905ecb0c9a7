"""What the text says of the setting: features beside states, and what an update costs."""

from __future__ import annotations

from tdrc_theory.papers.claim import Role
from verify.paper.facts.fact import Fact
from verify.paper.facts.problem_lists import OF_THE_PAPER
from verify.paper.facts.properties import Plain
from verify.paper.facts.statement import All, Not, on
from verify.paper.facts.update_terms import Costs

FACTS = (
    Fact(
        id="background.few-features",
        title="there are far fewer features than states",
        source="Section 2",
        role=Role.REMARK,
        printed=on(OF_THE_PAPER, Plain("few-features")),
        corrected=All(
            (
                on("random-walk-dependent boyan", Plain("few-features")),
                on("random-walk-tabular random-walk-inverted baird", Not(Plain("few-features"))),
            )
        ),
        erratum="R22",
        remark="said of the setting in general; Baird's problem has 8 features for 7 states, two walks 5 for 5",
    ),
    Fact(
        id="background.double-cost",
        title="TDC and GTD2 take double the computation and storage of TD",
        source="Section 2, above eq. 3",
        role=Role.REMARK,
        printed=Costs(("tdc", "gtd2"), 2, "td"),
        remark="6 multiplications a feature beside 3; TDRC's regulariser takes one more",
    ),
)

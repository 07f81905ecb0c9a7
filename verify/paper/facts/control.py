"""What the text says of QRC, QC and Q-learning: how control comes from prediction."""

from __future__ import annotations

from tdrc_theory.papers.claim import Role
from verify.paper.facts.action_values import OnActionValues
from verify.paper.facts.fact import Fact
from verify.paper.facts.statement import All, Not

FACTS = (
    Fact(
        id="control.qrc",
        title="QRC extends TDRC to action values; the h of actions that were not taken stays",
        source="Section 5.1, eqs. 8 and 9",
        role=Role.DEFINITION,
        printed=All((OnActionValues("tdrc", whole=False), Not(OnActionValues("tdrc")))),
        remark="TDRC on these features would shrink the h of every action at every step",
    ),
    Fact(
        id="control.qc",
        title="QC is QRC with beta = 0, a control algorithm based on TDC",
        source="Section 5.1, below eq. 9",
        role=Role.IDENTITY,
        printed=OnActionValues("tdc", beta=0),
    ),
    Fact(
        id="control.q-learning",
        title="Q-learning is QRC whose secondary weights are always 0",
        source="Appendix, QC on Mountain Car, figure",
        role=Role.IDENTITY,
        printed=OnActionValues("td", whole=False, h_is_zero=True),
        remark="TD on these features, a' being greedy, is Q-learning; no beta of QRC gives it, h_0 = 0 and eta = 0 do",
    ),
)

"""What the text says of the experiments' parameters: whether they meet the theory."""

from __future__ import annotations

from tdrc_theory.papers.claim import Role
from verify.paper.facts.atoms import Met, Run, converges
from verify.paper.facts.fact import Fact
from verify.paper.facts.problem_lists import DEFINITE, OF_THE_PAPER
from verify.paper.facts.statement import All, Either, on

_DEFAULT = Run("tdrc", 1, 1)
_CASE_I = Met("theorem-3.1.case-i", _DEFAULT)

FACTS = (
    Fact(
        id="parameters.meet-the-theory",
        title="the experiments' beta and eta meet the theorem's conditions",
        source="Section 6",
        role=Role.REMARK,
        printed=on(OF_THE_PAPER, Either((_CASE_I, Met("theorem-3.1.case-ii.printed", _DEFAULT)))),
        corrected=All((on(DEFINITE, _CASE_I), on("baird", converges("tdrc", 1, 1)))),
        erratum="E11",
        remark="on Baird's problem it converges nevertheless; beta = 4/5, with which the tables come out, meets "
        "neither case, and the appendix's conditions for singular C ask the same of beta",
    ),
)

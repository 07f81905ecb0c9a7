"""What the text says that eta has to be."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument, lemma
from verify.paper.facts.atoms import Run, converges, diverges
from verify.paper.facts.fact import Fact
from verify.paper.facts.problem_lists import OF_THE_PAPER
from verify.paper.facts.quantities import Compared, Constant
from verify.paper.facts.regions import Above, Somewhere
from verify.paper.facts.statement import All, ForEach, ForEvery, If, Over, everywhere, on

_ABOVE_0 = Over("eta", ">", 0)
_SEVENTH = (Fraction("0.14242"), Fraction("0.14243"))
_TWO_STATE = Fraction(47, 250)
_FALLING = tuple((Fraction(n, 5), Fraction(47, 250 + 20 * n)) for n in range(3))
"""(beta, the eta above which TDRC converges on two-state): -A / (C + beta) with A = -47/100 and C = 5/2."""

FACTS = (
    Fact(
        id="text.eta-above-1",
        title="theory suggests eta > 1 for TDC",
        source="Section 2; Section 4.2",
        role=Role.NECESSARY,
        printed=everywhere(
            If(converges("tdc", eta="eta"), Compared(Constant("eta"), ">", Constant(1))),
            _ABOVE_0,
            problem="two-state",
            eta=Fraction(1, 4),
        ),
        corrected=lemma("bounds.tdc"),
        erratum="R12",
        remark="the text reports what earlier theory suggests; the bound may be far below 1 or above it",
    ),
    Fact(
        id="text.baird-needs-a-large-eta",
        title="on Baird's problem guaranteed convergence of TDC needs a large second step size",
        source="Section 3",
        role=Role.NECESSARY,
        printed=ForEvery(
            (_ABOVE_0,),
            on("baird", If(converges("tdc", eta="eta"), Compared(Constant("eta"), ">", Constant(1)))),
            (("eta", Fraction(1, 7)),),
        ),
        corrected=on("baird", Above(Run("tdc"), "eta", *_SEVENTH)),
        erratum="R30",
        remark="large, read as the text reads it of TDC elsewhere: above 1",
    ),
    Fact(
        id="text.eta-from-1-on",
        title="sweeping eta from 1 on keeps TDC's convergence guarantee",
        source="Appendix, prediction details",
        role=Role.SUFFICIENT,
        printed=everywhere(converges("tdc", eta="eta"), Over("eta", ">=", 1), problem="steep", eta=Fraction(1)),
        corrected=on(
            OF_THE_PAPER, ForEach("eta", tuple(Fraction(2) ** n for n in range(7)), converges("tdc", eta="eta"))
        ),
        erratum="R13",
        remark="the proof with two time scales is of step sizes whose ratio grows without bound, and says nothing of a "
        "constant eta; HTD, swept beside it, diverges on Baird's problem at the smaller of these",
    ),
    Fact(
        id="text.gtd2-any-eta",
        title="GTD2 converges for a broad range of eta",
        source="Appendix, prediction details",
        role=Role.SUFFICIENT,
        printed=lemma("limits.gtd2"),
    ),
    Fact(
        id="text.beta-removes-eta",
        title="beta should remove the need for a larger eta",
        source="Section 6, a hypothesis",
        role=Role.REMARK,
        printed=everywhere(
            If(All((diverges("tdc", eta=1), converges("tdc", eta=2))), converges("tdrc", 1, 1)),
            problem="steep-half",
        ),
        corrected=on(
            "two-state",
            All(
                (
                    *(Above(Run("tdrc", b), "eta", e, e) for b, e in _FALLING),
                    Somewhere(Run("tdrc", Fraction(1, 2)), "eta", some=False),
                )
            ),
        ),
        erratum="R14",
        remark="the text calls it a hypothesis; it lowers what eta needs while beta < 47/100, and beyond no eta helps",
    ),
    Fact(
        id="text.eta-could-be-relaxed",
        title="the conditions on eta could be relaxed",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed=Argument(
            "for beta > 0 what the corrected Theorem 3.1 (ii) promises holds at some eta below its bound too, where "
            "that is positive",
            (
                lemma("limits.eta-relaxed"),
                on("two-state", converges("tdrc", Fraction(2, 5), Fraction(17, 100))),
            ),
            (
                (
                    "beta > 0, AA^T + beta H positive definite, eta C + H semidefinite",
                    "C1 and C3 hold strictly at every z",
                ),
                ("unit vectors z are compact", "so they hold at a little smaller eta > 0 too"),
                ("on two-state, where it asks for eta above", str(_TWO_STATE)),
            ),
        ),
    ),
)

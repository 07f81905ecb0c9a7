"""Where TDRC converges, beside TDC and TD."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import (
    eigmax,
    eigmin,
    either,
    equal,
    greater,
    implies,
    inv,
    nonsingular,
    posdef,
    symbols,
)
from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument, lemma
from verify.paper.facts.atoms import Is, Kind, Run, converges, diverges
from verify.paper.facts.fact import Fact
from verify.paper.facts.on_policy import DEFINITE_ON_POLICY, SUM_OF_SQUARES
from verify.paper.facts.problem_lists import OF_THE_PAPER
from verify.paper.facts.quantities import Compared, Constant, Rate
from verify.paper.facts.regions import Somewhere
from verify.paper.facts.statement import All, ForEach, If, Over, everywhere, on

A, C, C_beta, H, h, beta, eta = symbols("A C C_beta H h beta eta")

BELOW_THE_BOUND = lemma("theorem-3.1.case-ii-wide")
"""A and C nonsingular, beta below the corrected bound and eta above its own: G is Hurwitz."""

DEFINITE = lemma("theorem-3.1.case-i")
"""A positive definite: G is Hurwitz, at every beta >= 0 and eta > 0."""

FACTS = (
    Fact(
        id="text.inherits-soundness",
        title="TDRC inherits the soundness of TDC and prevents divergence off-policy",
        source="Abstract; Section 6",
        role=Role.REMARK,
        printed=everywhere(
            If(converges("tdc", eta=1), Somewhere(Run("tdrc", beta=1), "eta")),
            problem="two-state",
        ),
        corrected=Argument(
            "where TDC's G is Hurwitz, TDRC's is for small beta, at the same eta",
            (on("two-state", All((converges("tdc", eta=1), converges("tdrc", Fraction(1, 100), 1)))),),
            (
                ("at beta = 0 TDRC's G is TDC's", "and its entries are polynomials in beta"),
                ("eigenvalues are continuous in the entries", "so all keep negative real parts for small beta"),
            ),
        ),
        erratum="R7",
        remark="its default is beta = 1; Theorem 3.1 bounds beta, and the text says that its conditions depend on the "
        "problem",
    ),
    Fact(
        id="text.convergent-where-TD-is",
        title="TDRC converges wherever TD does",
        source="Section 3.1, below Theorem 3.1",
        role=Role.SUFFICIENT,
        printed=everywhere(
            If(All((converges("td"), converges("tdc", eta=1))), converges("tdrc", 1, 1)), problem="skewed"
        ),
        corrected=DEFINITE,
        erratum="R8",
        remark="the text equates the two; TD converges where every eigenvalue of A has positive real part: less",
    ),
    Fact(
        id="text.smaller-beta",
        title="a smaller beta still gives a sound algorithm",
        source="Section 3; Figure 3",
        role=Role.REMARK,
        printed=on(
            OF_THE_PAPER, ForEach("beta", tuple(Fraction(2) ** n / 10 for n in range(4)), converges("tdrc", "beta", 1))
        ),
        corrected=BELOW_THE_BOUND,
        erratum="E19",
        remark="of the paper's own sweep 1/10 and 1/5 diverge on Baird's problem, where beta = 1 converges; the growth "
        "is far too slow to be seen in the paper's runs",
    ),
    Fact(
        id="text.between-TDC-and-TD",
        title="TDRC lies between TDC and TD, so that where they do well it should",
        source="Section 3; Section 4.3",
        role=Role.REMARK,
        printed=everywhere(
            If(All((converges("td"), converges("tdc", eta=1))), converges("tdrc", "beta", 1)),
            Over("beta", ">", 0),
            problem="skewed",
            beta=Fraction(1),
        ),
        corrected=DEFINITE,
        erratum="R10",
        remark="the text offers it as an intuition",
    ),
    Fact(
        id="text.extends-TDC",
        title="the theorem extends TDC's convergence result to beta > 0",
        source="Section 3.1, above Theorem 3.1",
        role=Role.SUFFICIENT,
        printed=implies(
            nonsingular(A),
            nonsingular(C),
            greater(eta, -eigmin(inv(C) * H)),
            either(posdef(A), greater(-eigmax(inv(H) * A * A.T), 0)),
        ),
        corrected=lemma("bounds.tdc"),
        erratum="E2",
        remark="where TDC's own conditions hold, beta = 0 is to meet case (i) or (ii) as printed; for indefinite H the "
        "printed bound on beta is negative, so that not even beta = 0 is below it",
    ),
    Fact(
        id="text.on-policy",
        title="on-policy A is positive definite",
        source="Appendix, Case 1",
        role=Role.REMARK,
        printed=Argument(
            "on-policy, with gamma < 1, C nonsingular and finitely many states, A is positive definite",
            (SUM_OF_SQUARES,),
            (
                *DEFINITE_ON_POLICY,
                ("gamma < 1 and C nonsingular", "this is positive for every z other than 0"),
            ),
        ),
        remark="for gamma = 1 episodes have to end; on the paper's off-policy walks A is positive definite too",
    ),
    Fact(
        id="text.singular-C-not-for-TDC",
        title="a result for singular C was not possible for TDC",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed=everywhere(If(Is("C", Kind.SINGULAR), diverges("tdc", eta=1)), problem="baird"),
        erratum="R11",
        remark="the text speaks of the proof, which inverts C; for TDC as for TDRC what happens on range(C) decides",
    ),
    Fact(
        id="text.regulariser-speeds-up",
        title="the regulariser improves the convergence rate of h",
        source="Section 3, reason (3)",
        role=Role.REMARK,
        printed=Argument(
            "the larger beta, the faster h's expected flow comes to rest, w held fixed",
            (
                equal(h.T * C_beta * h, h.T * C * h + beta * h.T * h),
                on("two-state", Compared(Rate(Run("tdrc", 0, 1)), "<", Constant(0))),
                on("two-state", Compared(Rate(Run("tdrc", 1, 1)), ">", Constant(0))),
            ),
            (
                (
                    "w held fixed, h goes to its equilibrium at eta times the eigenvalues of C + beta I",
                    "each is beta above one of C",
                ),
                ("of h and w together this is not said", "on two-state beta = 1 makes both grow"),
            ),
        ),
        remark="h and w together may converge more slowly, or not at all",
    ),
)

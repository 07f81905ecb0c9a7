"""What the text says of objectives, of fixed points, and of what vanishes there."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import E, equal, symbols
from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument, lemma
from verify.paper.facts.atoms import Is, Kind, Run, SameFixedPoints
from verify.paper.facts.fact import Fact
from verify.paper.facts.problem_lists import OF_THE_PAPER
from verify.paper.facts.properties import Plain
from verify.paper.facts.statement import Over, everywhere, on

A, b, w, rho, delta, x = symbols("A b w rho delta x")

FACTS = (
    Fact(
        id="background.td-no-objective",
        title="TD descends on no objective",
        source="Section 2",
        role=Role.REMARK,
        printed=Argument(
            "TD's expected update is minus a gradient only where A is symmetric, and need not be",
            (lemma("limits.td-potential"), on("random-walk-tabular", Is("A", Kind.NOT_SYMMETRIC))),
            (
                ("A = A^T, so H = A", "b - A w is minus the gradient of w^T A w / 2 - b^T w"),
                ("conversely the derivative of a gradient is symmetric", "that of b - A w is -A"),
            ),
        ),
    ),
    Fact(
        id="background.tdrc-no-gradient",
        title="TDRC's updates are no gradients",
        source="Section 3.1",
        role=Role.REMARK,
        printed=Argument(
            "TDRC's expected update of w, beta > 0 and h at its equilibrium, is minus a gradient only where "
            "C_beta^-1 A is symmetric, and need not be",
            (
                lemma("limits.tdrc-asymmetry"),
                on("random-walk-tabular", Is("C_beta^-1 A", Kind.NOT_SYMMETRIC, beta=1)),
            ),
            (
                ("with h at its equilibrium, w moves by", "A_beta^T C_beta^-1 (b - A w)"),
                ("for beta > 0 a gradient exactly when", "C_beta^-1 A is symmetric"),
            ),
        ),
    ),
    Fact(
        id="background.mspbe-exists",
        title="the MSPBE with the inverse of C",
        source="Section 3.1, eq. 7; Figure 1",
        role=Role.DEFINITION,
        printed=on(OF_THE_PAPER, Is("C", Kind.NONSINGULAR)),
        corrected=Argument(
            "with any generalised inverse of C in its place the MSPBE exists everywhere, and is the same",
            (lemma("singular-C.left-kernel"), on("baird", Plain("mspbe"))),
            (
                ("C z = 0", "z^T x = 0 almost surely, so z^T (b - A w) = 0 for every w"),
                (
                    "so b - A w is in range(C), b - A w = C u",
                    "and (b - A w)^T C^- (b - A w) = u^T C u for every inverse C^-",
                ),
            ),
        ),
        erratum="R4",
        remark="on Baird's problem it takes a generalised inverse",
    ),
    Fact(
        id="background.errors-vanish",
        title="at the TD fixed point the TD error itself is zero",
        source="Section 3",
        role=Role.REMARK,
        printed=everywhere(Plain("errors-vanish"), problem="coin"),
        corrected=Argument(
            "at a TD fixed point E[rho delta x] = 0, and h is 0 where it rests and C_beta is nonsingular",
            (equal(E(rho * delta * x), b - A * w),),
            (("at a TD fixed point A w = b", "E[rho delta x] = 0, and C_beta h = 0 gives h = 0"),),
        ),
        erratum="R5",
        remark="what the text concludes, that h goes to 0, needs E[rho delta x] = 0 only",
    ),
    Fact(
        id="background.same-solutions",
        title="the regulariser keeps TD's solutions",
        source="Section 3, reason (1)",
        role=Role.REMARK,
        printed=everywhere(
            SameFixedPoints(Run("tdrc", "beta", 1)), Over("beta", ">", 0), problem="two-state", beta=Fraction(47, 100)
        ),
        corrected=Argument(
            "they are TD's at every beta > 0 for which -beta is no eigenvalue of A",
            (lemma("fixed-points.equal"),),
            (
                ("A + beta I is nonsingular", "exactly where -beta is no eigenvalue of A"),
                ("C + beta I is nonsingular", "where beta > 0"),
            ),
        ),
        erratum="R6",
        remark="the paper's theorem on fixed points says so; the reason given for the regulariser leaves it out",
    ),
)

"""What becomes of TDRC as beta goes to 0 or grows."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import equal, symbols
from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument, lemma
from verify.paper.facts.atoms import Run, converges, diverges
from verify.paper.facts.constant_steps import Settles
from verify.paper.facts.fact import Fact
from verify.paper.facts.statement import All, If, Over, everywhere, on
from verify.paper.facts.update_terms import SameUpdate

C, C_beta, h, beta = symbols("C C_beta h beta")

FACTS = (
    Fact(
        id="limits.beta-0",
        title="with beta = 0 TDRC is TDC",
        source="Section 3",
        role=Role.IDENTITY,
        printed=SameUpdate(("tdrc", "tdc"), beta=0),
    ),
    Fact(
        id="limits.h-vanishes",
        title="for large beta h is close to 0 and w moves as under TD",
        source="Section 3",
        role=Role.REMARK,
        printed=Argument(
            "at its equilibrium norm(h) <= norm(b - A w) / beta, and w's expected update tends to TD's",
            (lemma("limits.size-of-h"), lemma("limits.w-at-equilibrium")),
            (
                ("C_beta h = b - A w, and C has no negative direction", "beta norm(h) <= norm(b - A w): h -> 0"),
                ("norm(C_beta^-1) <= 1 / beta", "A_beta^T C_beta^-1 -> I, so w's expected update tends to b - A w"),
            ),
        ),
    ),
    Fact(
        id="limits.beta-grows",
        title="as beta grows TDRC approaches TD",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed=Argument(
            "at any eta > 0 and large beta TDRC's expected flow is stable where TD's is, unstable where TD's is",
            (
                lemma("limits.characteristic"),
                on("random-walk-inverted", All((converges("td"), converges("tdrc", 10**6, 1)))),
                on("two-state baird", All((diverges("td"), diverges("tdrc", 10**6, 1)))),
            ),
            (
                (
                    "divided by (eta beta)^d, as beta grows",
                    "its coefficients tend to those of det(lambda I + A): d roots to -A's",
                ),
                (
                    "at lambda = eta beta mu, divided by (eta beta)^2d",
                    "to those of (mu (1 + mu))^d: d roots go as -eta beta",
                ),
                (
                    "roots are continuous in coefficients",
                    "for large beta, stable where -A is, unstable where -A has Re > 0",
                ),
            ),
        ),
        remark="where -A has an eigenvalue on the imaginary axis and none beyond, the limit does not tell",
    ),
    Fact(
        id="limits.beta-grows-constant-step",
        title="as beta grows TDRC approaches TD, with the constant step sizes of the experiments",
        source="Section 3; Figure 3",
        role=Role.REMARK,
        printed=everywhere(
            If(Settles(Run("td"), "alpha"), Settles(Run("tdrc", "beta", 1), "alpha")),
            Over("alpha", ">", 0),
            Over("beta", ">=", 1),
            problem="random-walk-tabular",
            alpha=Fraction(1),
            beta=Fraction(32, 5),
        ),
        corrected=Argument(
            "for beta > 0, w held, h converges in the mean exactly while alpha eta (lambda_max(C) + beta) < 2",
            (equal(h.T * C_beta * h, h.T * C * h + beta * h.T * h),),
            (
                ("with w held, h is multiplied by I - alpha eta C_beta", "which is symmetric"),
                ("its eigenvalues", "1 - alpha eta (lambda + beta), lambda an eigenvalue of C, all below 1"),
                ("the least of them", "is above -1 while alpha eta (lambda_max(C) + beta) < 2"),
                ("so a constant step has to shrink as 1 / beta", "for vanishing steps only the expected flow matters"),
            ),
        ),
        erratum="R16",
        remark="true of the expected flow, and so of step sizes that vanish or shrink as 1 / beta",
    ),
)

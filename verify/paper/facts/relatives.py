"""What the text says of TD, HTD and V-trace."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.claims.claim import Role
from verify.outcome import Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, refuted, told
from verify.paper.judgement import Judgement


def _baird_diverges() -> Judgement:
    found = [outcome("baird", name).status is Outcome.NOT_CONVERGENT for name in ("td", "vtrace", "htd")]
    return confirmed(all(found), "Routh's table", [told("baird", name) for name in ("td", "vtrace", "htd")])


def _htd_ensures() -> Judgement:
    shown = outcome("baird", "htd").status is Outcome.NOT_CONVERGENT
    steps = [told("baird", "htd"), ("the text says elsewhere", "that it can diverge on Baird's problem")]
    return refuted(shown, "a problem of the paper", steps, as_witness("baird", algorithm="htd", eta=1))


def _reduce_on_policy() -> Judgement:
    one, gamma = Fraction(1), Fraction(104729, 115249)
    td = find_algorithm("td").terms(one, gamma, one).w
    same = all(find_algorithm(name).terms(one, gamma, one).w == td for name in ("htd", "vtrace"))
    return confirmed(same, "their functions at rho = 1", [("on-policy rho = 1, and dw of HTD and V-trace", "delta x")])


FACTS = (
    Fact(
        id="text.baird-diverges",
        title="TD, V-trace and HTD diverge on Baird's problem",
        source="Section 2; Figure 1",
        role=Role.REMARK,
        printed="on Baird's problem the expected updates of TD, V-trace and, at eta = 1, HTD diverge",
        examine=_baird_diverges,
    ),
    Fact(
        id="text.htd-ensures-convergence",
        title="hybrid methods ensure convergence",
        source="Section 1",
        role=Role.REMARK,
        printed="HTD converges on every problem",
        examine=_htd_ensures,
        erratum="E22",
    ),
    Fact(
        id="text.reduce-to-TD",
        title="HTD and V-trace are TD on-policy",
        source="Section 2; Figure 1",
        role=Role.IDENTITY,
        printed="with rho = 1 the updates of w of HTD and V-trace are that of TD",
        examine=_reduce_on_policy,
    ),
)

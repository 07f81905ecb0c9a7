"""What the text says of TD, HTD and V-trace."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.claims.claim import Role
from tdrc_theory.problems import find_problem
from verify.conditions.setting import Setting
from verify.outcome import CONVERGES, Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, refuted, told
from verify.paper.judgement import Judgement


def _baird_diverges() -> Judgement:
    found = [outcome("baird", name).status is Outcome.NOT_CONVERGENT for name in ("td", "vtrace", "htd")]
    return confirmed(all(found), "Routh's table", [told("baird", name) for name in ("td", "vtrace", "htd")])


def _vtrace_bias() -> Judgement:
    names = ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent")
    moved = []
    for name in names:
        setting = Setting.of(find_problem(name), find_algorithm("vtrace"), Fraction(1), Fraction(1))
        moved.append(not setting.fixed_points.equal)
    steps = [(f"the fixed points of V-trace and TD on {name}", "differ") for name in names]
    return confirmed(all(moved), "linear systems solved exactly", steps)


def _htd_ensures() -> Judgement:
    shown = outcome("baird", "htd").status is Outcome.NOT_CONVERGENT
    steps = [told("baird", "htd"), ("the text says elsewhere", "that it can diverge on Baird's problem")]
    return refuted(shown, "a problem of the paper", steps, as_witness("baird", ("htd", 0, 1)))


def _htd_later() -> Judgement:
    shown = outcome("baird", "htd", 0, 16).status in CONVERGES
    return confirmed(shown, "Routh's table", [told("baird", "htd", 0, 16)])


def _reduce_on_policy() -> Judgement:
    at_one = {"rho": Fraction(1)}
    td, *others = ([way.rows["w"] for way in find_algorithm(name).bound(at_one)] for name in ("td", "htd", "vtrace"))
    same = all(row == td[0] for other in others for row in other)
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
        printed="HTD's expected update converges on every problem",
        examine=_htd_ensures,
        corrected="it depends on eta: on Baird's problem HTD converges at eta = 16",
        confirm=_htd_later,
        erratum="R15",
        remark="the text says why hybrid methods were made, and elsewhere that HTD can diverge on Baird's problem",
    ),
    Fact(
        id="text.vtrace-bias",
        title="V-trace's clipping moves its fixed point",
        source="Section 4.2",
        role=Role.REMARK,
        printed="on each off-policy random walk V-trace's fixed point is not TD's",
        examine=_vtrace_bias,
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

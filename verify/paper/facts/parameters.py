"""What the text says of the experiments' parameters: whether they meet the theory."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims.claim import Role
from verify.check import Status
from verify.conditions import check_conditions
from verify.outcome import CONVERGES
from verify.paper.facts.fact import Fact, as_witness, confirmed, refuted
from verify.paper.facts.noise import SATISFIED
from verify.paper.judgement import Judgement

_BETAS = (Fraction(1), Fraction(4, 5))
"""The stated beta, and the one with which the published tables come out."""

_CASES = ("case-i", "case-ii.printed", "case-ii")


def _meets_the_theory() -> Judgement:
    steps = []
    unmet = True
    for beta in _BETAS:
        report = check_conditions("baird", beta=beta)
        found = [report[f"theorem-3.1.{name}"] for name in ("C-nonsingular", "A-nonsingular", *_CASES)]
        found.append(report["condition.C3"])
        unmet = unmet and all(check.status is Status.FAILS for check in found)
        where = f"baird, beta = {beta}, eta = 1"
        steps += [(f"{where}: {check.claim} {check.status.value}", check.reason) for check in found]
    steps.append(
        ("the appendix's conditions for singular C", "ask the same of beta, and cannot be met where C z = 0 (E6)")
    )
    return refuted(unmet, "a problem of the paper", steps, as_witness("baird", ("tdrc", 1, 1)))


def _elsewhere_it_does() -> Judgement:
    steps, met = [], True
    for name in SATISFIED:
        case = check_conditions(name)["theorem-3.1.case-i"]
        met = met and case.status is Status.HOLDS
        steps.append((name, case.reason))
    found = check_conditions("baird").verdict
    steps.append(("baird, though it meets neither case", f"{found.status.value}: {found.reason}"))
    return confirmed(met and found.status in CONVERGES, "exact inertia and Routh's table", steps)


FACTS = (
    Fact(
        id="parameters.meet-the-theory",
        title="the experiments' beta and eta meet the theorem's conditions",
        source="Section 6",
        role=Role.REMARK,
        printed="on each prediction problem beta = eta = 1 satisfies case (i) or (ii) of Theorem 3.1",
        examine=_meets_the_theory,
        corrected="it satisfies case (i) on the random walks and Boyan's chain; on Baird's it converges nevertheless",
        confirm=_elsewhere_it_does,
        erratum="E11",
    ),
)

"""Dense problems whose numbers are long: enclosed, where exact arithmetic would take minutes."""

import random
from fractions import Fraction

import pytest

from tdrc_theory.errors import BadOption
from tdrc_theory.problem import Problem
from verify.borkar_meyn import borkar_meyn
from verify.certificate import certificate
from verify.check import Outcome, Proof, Status
from verify.conditions import setting
from verify.conditions.report import check_conditions


def dense(states, digits):
    """Return an on-policy chain in which every state can follow every other, all numbers of so many digits."""
    drawn = random.Random(states)

    def row():
        weights = [drawn.randrange(1, 10**digits) for _ in range(states)]
        return [Fraction(w, sum(weights)) for w in weights]

    rows = [row() for _ in range(states)]
    return Problem(
        name="dense",
        gamma="9/10",
        features=[row() for _ in range(states)],
        transitions=[(s, 0, t, p, 1) for s, to in enumerate(rows) for t, p in enumerate(to)],
        behaviour=[[1]] * states,
        target=[[1]] * states,
    )


@pytest.fixture(scope="module")
def long():
    return check_conditions(dense(20, 50))


def test_long_numbers_are_enclosed_and_say_why_nothing_is_exact(long):
    assert long.verdict.status is Outcome.CONVERGENT
    assert long.verdict.proof is Proof.ENCLOSED
    assert long.verdict.spectral_abscissa.upper < 0
    assert long.ranks["A"] == 20
    (check,) = [c for c in long.checks if c.claim == "theorem-3.1.implies-convergence"]
    assert check.status is Status.UNDECIDED
    assert "not examined: G is 40 x 40 with numbers of up to" in check.reason
    assert "a problem whose numbers have fewer digits is within" in check.reason


def test_what_needs_exact_arithmetic_refuses_them_in_one_line(long):
    with pytest.raises(BadOption, match=r"--certificate: G is 40 x 40 with numbers of up to [0-9]+ digits"):
        certificate(long)
    with pytest.raises(BadOption, match=r"^dense: G is 40 x 40 with numbers of up to [0-9]+ digits"):
        borkar_meyn(dense(20, 50))


def test_the_digits_that_the_reason_allows_are_within_reach(monkeypatch):
    problem = dense(3, 5)
    bits = setting.longest(check_conditions(problem).setting.update.G)
    monkeypatch.setattr(setting, "MOST_WORK", 6**4 * bits)
    assert check_conditions(problem).verdict.proof is Proof.EXACT
    monkeypatch.setattr(setting, "MOST_WORK", 6**4 * bits - 1)
    assert check_conditions(problem).verdict.proof is Proof.ENCLOSED


@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "gtd2"])
@pytest.mark.parametrize(
    "problem",
    ["two-state", "random-walk-tabular", "boyan", dense(5, 30)],
    ids=lambda problem: getattr(problem, "name", problem),
)
def test_what_is_enclosed_is_what_is_exact(monkeypatch, problem, algorithm):
    exact = check_conditions(problem, algorithm).verdict
    monkeypatch.setattr(setting, "MOST_WORK", 0)
    result = check_conditions(problem, algorithm).verdict
    assert (exact.proof, result.proof) == (Proof.EXACT, Proof.ENCLOSED)
    assert result.status is exact.status
    assert result.spectral_abscissa.lower <= exact.spectral_abscissa.upper
    assert exact.spectral_abscissa.lower <= result.spectral_abscissa.upper

"""What a limit says of its evidence, in values and in words, where stability is known in part or changes oddly."""

from fractions import Fraction

from tdrc_theory import Problem
from verify.check import Proof
from verify.predict import limits
from verify.predict.limits.cover import Stretch
from verify.predict.limits.limit import SearchStatus, limit_of
from verify.predict.limits.stability import Stability
from verify.predict.prediction import prepared


def test_a_radius_that_touches_1_is_not_said_to_be_lost_above(brute_force):
    # Three states in turn, gamma = 0: three steps multiply w by (1 - a)^2 (1 - a/4), with the local maximum 1 at 3.
    turn = Problem(
        name="turn",
        gamma=0,
        features=[[1], [1], ["1/2"]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 2, 1, 0), (2, 0, 0, 1, 0)],
        behaviour=[[1]] * 3,
        target=[[1]] * 3,
    )
    for moment, limit in enumerate((limits(turn, "td").mean, limits(turn, "td").mean_square)):
        assert (limit.value, limit.weakest, limit.everywhere) == (3, Proof.EXACT, Proof.EXACT)
        assert [change.regained for change in limit.changes] == [False, True, False]
        assert all(brute_force(prepared(turn, "td"), alpha)[moment] < 1 - 1e-7 for alpha in (2.99, 3.01))
        assert "not at" not in limit.reason
        assert f"radius 1 at one step size before {limit.upper!r}" in limit.reason


def parts(*stretches, crossings):
    """Return what is known of one class: stretches of step sizes (low, high, stable, proof)."""
    return Stability(tuple(Stretch(Fraction(low), high, *rest) for low, high, *rest in stretches), crossings)


def test_a_class_that_regains_stability_where_another_loses_it_leaves_the_place_open():
    low, high, exact = Fraction(1), Fraction(1001, 1000), Proof.EXACT
    gains = parts((0, low, False, exact), (high, None, True, exact), crossings={1.0005: 3})
    loses = parts((0, low, True, exact), (high, None, False, exact), crossings={1.0004: 3})
    limit = limit_of(gains & loses, (None, Proof.FLOAT, ""))
    assert (limit.changes, limit.everywhere) == ((), Proof.FLOAT)


def test_a_limit_between_an_exact_and_an_enclosed_stretch_is_enclosed():
    low, high = Fraction(1), Fraction(1001, 1000)
    known = parts((0, low, True, Proof.EXACT), (high, None, False, Proof.ENCLOSED), crossings={1.0005: None})
    limit = limit_of(known, (None, Proof.FLOAT, ""))
    assert limit.proof is limit.weakest is limit.everywhere is Proof.ENCLOSED
    assert limit.below is Proof.EXACT


def test_a_first_order_that_decides_nothing_is_no_reason():
    ring = Problem(
        name="ring",
        gamma=1,
        features=[[-1, -1], [-1, 1]],
        transitions=[(s, a, 1 - s, 1, 0) for s in range(2) for a in range(2)],
        behaviour=[["1/2", "1/2"], ["1/3", "2/3"]],
        target=[["1/2", "1/2"], ["2/3", "1/3"]],
    )
    limit = limits(ring, "htd").mean
    assert (limit.status, limit.everywhere) == (SearchStatus.NONE, Proof.EXACT)
    assert limit.reason == "at every step size the radius is at least 1"

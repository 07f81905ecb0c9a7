"""Bounds and what is judged by them, where digits do not help."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from tdrc_theory import averaged_process
from verify import Status, check_conditions

TWO_STATE = {"gamma": Fraction(99, 100), "P": [[0, 1], [0, 1]], "r": [0, 0], "d": ["1/2", "1/2"]}


def copies(count, ending=0):
    """Two states, w -> 2w, many times side by side: every bound is that of one copy, over the number of copies.

    In the last ones, as many as `ending`, either state ends the episode.
    """
    states = 2 * count
    features = [[(1 + s % 2) * int(j == s // 2) for j in range(count)] for s in range(states)]
    P = [[int(t == s | 1 and s < states - 2 * ending) for t in range(states)] for s in range(states)]
    return averaged_process(
        name="copies", gamma="0.99", features=features, P=P, r=[0] * states, d=[Fraction(1, states)] * states
    )


@pytest.mark.parametrize("count", [2, 24, 25, 30])
def test_bounds_and_the_theorem_do_not_depend_on_how_many_features_there_are(count):
    report = check_conditions(copies(count), beta="1/1000", eta=100)
    for name, value in (("beta_printed", 0.47 / count), ("beta_corrected", 0.47 / count), ("eta", 0.188)):
        bound = report.bounds[name]
        assert bound.value == pytest.approx(value)
        assert bound.enclosure.lower <= value <= bound.enclosure.upper
    for claim in ("case-ii", "case-ii.printed", "note", "implies-convergence", "printed.implies-convergence"):
        assert report[f"theorem-3.1.{claim}"].status is Status.HOLDS, claim


@pytest.mark.parametrize("count", [2, 24, 25, 30])
def test_the_printed_bound_is_the_same_number_however_many_features_there_are_where_no_beta_meets_it(count):
    # In the copy that ends A is 5 / (2 count); in the others it is negative, so that H has either sign.
    bound = check_conditions(copies(count, ending=1), beta="1/1000", eta=100).bounds["beta_printed"]
    printed = Fraction(-5, 2 * count)
    assert bound.value is None
    assert bound.enclosure.lower <= printed <= bound.enclosure.upper < 0
    assert f"({float(printed):.8g})" in bound.reason


def test_without_digits_the_theorem_is_judged_all_the_same():
    count = 26
    scales = [Fraction(10) ** (-6 * (j % 4)) for j in range(count)]
    mixed = [[scales[j] * (1 + int(j == i)) for j in range(count)] for i in range(count)]
    features = [[v * (1 + s % 2) for v in mixed[s // 2]] for s in range(2 * count)]
    P = [[int(t == s | 1) for t in range(2 * count)] for s in range(2 * count)]
    problem = averaged_process(name="mixed", gamma="0.99", features=features, P=P, r=[0] * 52, d=[Fraction(1, 52)] * 52)
    report = check_conditions(problem, beta=0, eta=100)
    assert report.bounds["beta_corrected"].value is None, "floating point finds no candidate here"
    assert report["theorem-3.1.case-ii"].status is Status.HOLDS
    assert report["theorem-3.1.implies-convergence"].status is Status.HOLDS


@pytest.mark.parametrize("scale", [Fraction(1, 10**200), Fraction(10**200)])
def test_features_of_extreme_size_are_judged_by_exact_signs(scale):
    problem = averaged_process(name="extreme", features=[[scale], [2 * scale]], **TWO_STATE)
    report = check_conditions(problem, beta=0)
    for claim in ("case-ii", "case-ii.printed", "note"):
        assert report[f"theorem-3.1.{claim}"].status is Status.HOLDS, claim
    assert json.dumps(report.to_json(), allow_nan=False)
    assert report.bounds["beta_corrected"].exact


def test_an_indefinite_H_makes_the_printed_bound_negative_however_small_it_is():
    tiny = Fraction(1, 10**200)
    problem = averaged_process(
        name="indefinite",
        gamma=Fraction(99, 100),
        features=[[tiny, 0], [2 * tiny, 0], [0, tiny]],
        P=[[0, 1, 0], [0, 1, 0], [0, 0, 0]],
        r=[0, 0, 0],
        d=["1/3", "1/3", "1/3"],
    )
    report = check_conditions(problem, beta=0, eta=100)
    assert report["theorem-3.1.case-ii.printed"].status is Status.FAILS
    assert report["theorem-3.1.printed.implies-convergence"].status is Status.UNDECIDED
    assert report["theorem-3.1.case-ii"].status is Status.HOLDS

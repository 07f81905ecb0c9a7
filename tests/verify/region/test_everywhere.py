"""What a theorem says of every beta and eta, against regions that are computed without it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tdrc_theory import find_algorithm, find_problem
from tdrc_theory.problems.garnet import garnet
from verify.conditions.setting import Setting
from verify.region import region
from verify.region.map import compute_map, picture
from verify.region.region import converges_everywhere, whole_region


def setting(problem, algorithm="tdrc", eta=Fraction(1)):
    return Setting.of(problem, find_algorithm(algorithm), Fraction(1), eta)


@pytest.mark.parametrize("name", ["random-walk-tabular", "random-walk-inverted", "boyan"])
@pytest.mark.parametrize("eta", [Fraction(1, 50), Fraction(1), Fraction(40)])
def test_the_theorem_s_region_is_the_computed_one(name, eta):
    problem = find_problem(name)
    assert converges_everywhere(setting(problem))
    assert whole_region(setting(problem, eta=eta)).to_json() == region(problem, eta=eta).to_json()


def test_nowhere_does_it_promise_what_computing_denies():
    promised = 0
    for seed in range(60):
        problem = garnet(states=3, actions=2, branching=2, k=2, seed=seed)
        if converges_everywhere(setting(problem)):
            promised += 1
            assert str(region(problem, eta="1/9").intervals[0]) == "[0, infinity)"
            assert len(region(problem, beta="1/3").intervals) == 1
    assert 0 < promised < 60


def test_a_singular_C_an_indefinite_A_or_another_algorithm_promise_nothing():
    assert not converges_everywhere(setting(find_problem("baird")))
    assert not converges_everywhere(setting(find_problem("two-state")))
    assert not converges_everywhere(setting(find_problem("boyan"), "htd"))


def test_the_legend_says_how_it_is_known():
    region_map = compute_map(setting(find_problem("random-walk-dependent")))  # by rows it would take half a minute
    assert {str(row.intervals[0]) for row in region_map.rows} == {"[0, infinity)"}
    assert "converges everywhere (exact): A is positive definite" in picture(region_map).description
    assert "exact at 39 values of eta" in picture(compute_map(setting(find_problem("two-state")))).description

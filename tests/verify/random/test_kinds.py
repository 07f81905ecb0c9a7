"""Kinds of random problems: what each promises of its problems, and that a seed is all that they depend on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdrc_theory import ExpectationTable, key_matrices
from tdrc_theory.errors import BadOption, UnknownName
from verify import Status, check_conditions
from verify.random import KINDS, Size, find_kind, item_seed
from verify.random.generators import GRID

seeds = st.integers(0, 2**64 - 1)
SMALL = Size(states=3, features=2, actions=2, branching=2)


def sizes(*, states=5, features=3, actions=3, branching=3):
    """Return sizes up to the given ones; what fails shrinks towards 1."""
    return st.builds(
        Size,
        states=st.integers(1, states),
        features=st.integers(1, features),
        actions=st.integers(1, actions),
        branching=st.integers(1, branching),
    )


@st.composite
def problems(draw, kinds=KINDS, **largest):
    """Return a problem of one of the kinds, its name telling the seed; sizes as in `sizes`, or what the kind needs."""
    kind = draw(st.sampled_from(kinds))
    size = draw(sizes(**largest))
    enough = Size(
        states=max(size.states, kind.least_states),
        features=max(size.features, kind.least_features),
        actions=size.actions,
        branching=size.branching,
    )
    return kind(enough, draw(st.integers(0, 2**32 - 1)))


def parameters():
    """Return positive fractions for beta or eta, small and large."""
    return st.builds(Fraction, st.integers(1, 40), st.sampled_from([1, 2, 7, 50]))


def matrices(problem):
    return key_matrices(ExpectationTable(problem))


def of_kind(name):
    return problems([find_kind(name)])


@pytest.mark.quick(3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_same_seed_makes_the_same_problem_and_another_seed_another(kind):
    results = [kind(SMALL, seed) for seed in range(12)]
    assert results == [kind(SMALL, seed) for seed in range(12)]
    unnamed = {replace(problem, name="x") for problem in results}
    assert len(unnamed) > 9


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_problems_have_the_sizes_that_were_asked_for(kind):
    result = kind(Size(states=4, features=3, actions=2, branching=9), 1)
    assert (result.states, result.k, result.actions) == (4, 3, 2)
    assert result.name == f"{kind.name}-4-3-2-9-1"


@given(problems())
def test_numbers_are_small_fractions_and_chains_are_chains(problem):
    numbers = [t.probability for t in problem.transitions] + [p for row in problem.target for p in row]
    assert max(number.denominator for number in numbers) <= 100
    assert problem.gamma.denominator <= GRID
    assert sum(problem.d) == 1
    assert problem.behaviour_chain()


@given(of_kind("on-policy"))
def test_on_policy_every_importance_ratio_is_1(problem):
    assert {point["rho"] for point in ExpectationTable(problem).modes.points} == {1}


@given(of_kind("on-policy"))
def test_on_policy_a_is_positive_semidefinite(problem):
    A = matrices(problem).A.to_float()
    assert np.linalg.eigvalsh(A + A.T).min() > -1e-9


@given(of_kind("off-policy"))
def test_off_policy_the_target_takes_what_behaviour_takes_least(problem):
    for b, pi in zip(problem.behaviour, problem.target, strict=True):
        assert b[pi.index(1)] == min(b)


@given(of_kind("singular-c"))
def test_c_is_singular_where_the_kind_says_so(problem):
    assert matrices(problem).C.rank() < problem.k


@given(of_kind("complex-spectrum"))
def test_complex_spectra_have_eigenvalues_that_are_not_real(problem):
    distinct = matrices(problem).A.charpoly().square_free()
    assert real_roots(distinct) < distinct.degree


def real_roots(polynomial):
    """Count the real roots of a polynomial without multiple ones by Sturm's theorem, in plain fractions."""
    p = [Fraction(c) for c in polynomial.coefficients[::-1]]
    sturm = [p, [c * (len(p) - 1 - i) for i, c in enumerate(p[:-1])]]
    while len(sturm[-1]) > 1:
        rest = remainder(sturm[-2], sturm[-1])
        if not rest:
            break
        sturm.append([-c for c in rest])
    right = [q[0] for q in sturm]
    left = [q[0] * (-1) ** (len(q) - 1) for q in sturm]
    return changes(left) - changes(right)


def remainder(p, q):
    p = list(p)
    while len(p) >= len(q):
        factor = p[0] / q[0]
        p = [a - factor * b for a, b in zip(p, [*q, *[0] * (len(p) - len(q))], strict=True)][1:]
    while p and not p[0]:
        p = p[1:]
    return p


def changes(values):
    return sum(a * b < 0 for a, b in pairwise(values))


@given(of_kind("near-boundary"))
@settings(max_examples=15)
@pytest.mark.thorough
def test_near_boundary_the_next_gamma_on_one_side_gives_another_verdict(problem):
    step = Fraction(1, GRID)
    near = [problem.gamma - step, problem.gamma, problem.gamma + step]
    results = {
        check_conditions(replace(problem, gamma=gamma)).verdict.status.value == "not-convergent"
        for gamma in near
        if 0 <= gamma <= 1
    }
    assert results == {True, False}


@pytest.mark.thorough
def test_off_policy_weights_make_the_default_diverge_now_and_then():
    kind = find_kind("off-policy-weights")
    result = Counter(check_conditions(kind(SMALL, seed)).verdict.status.value for seed in range(100))
    assert min(result["convergent"], result["not-convergent"]) > 2


@given(problems(), parameters(), parameters())
def test_what_the_corrected_theorem_promises_is_so_on_every_kind(problem, beta, eta):
    report = check_conditions(problem, beta=beta, eta=eta)
    if report["theorem-3.1.implies-convergence"].status is Status.HOLDS:
        assert report.verdict.status.value == "convergent"


@given(sizes(states=4, features=2), seeds)
def test_a_name_tells_all_that_a_problem_was_made_of(size, seed):
    kind = find_kind("garnet")
    result = kind(size, seed)
    name, states, features, actions, branching, seed_text = result.name.split("-")
    again = Size(states=int(states), features=int(features), actions=int(actions), branching=int(branching))
    assert find_kind(name)(again, int(seed_text)) == result


def test_seeds_of_items_are_all_different_and_depend_on_the_run():
    drawn = [item_seed(run, item) for run in range(20) for item in range(200)]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Size(states=0), "--states: 0"),
        (lambda: Size(branching=10**6), "--branching"),
        (lambda: find_kind("singular-c")(Size(features=1), 0), "at least 2"),
        (lambda: find_kind("near-boundary")(Size(states=1), 0), "at least 2"),
        (lambda: find_kind("grnet"), "did you mean garnet"),
        (lambda: item_seed(-1, 0), "--seed: -1"),
    ],
)
def test_what_cannot_be_made_is_refused(make, message):
    with pytest.raises((BadOption, UnknownName), match=message):
        make()

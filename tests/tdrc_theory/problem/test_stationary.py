import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import balance
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.stationary import stationary_weights, trajectory_warnings
from tdrc_theory.problems import PROBLEMS, find_problem
from tdrc_theory.problems.garnet import garnet


def problem(transitions, states, behaviour=None, **more):
    actions = 1 + max(a for _, a, *_ in transitions)
    behaviour = behaviour or [[Fraction(1, actions)] * actions] * states
    return Problem(
        name="chain",
        gamma=Fraction(9, 10),
        features=[[s + 1] for s in range(states)],
        transitions=transitions,
        behaviour=behaviour,
        target=behaviour,
        **more,
    )


def transition_matrix(states, transitions, behaviour, terminal=(), start=None):
    """Write P_b out, episodes restarting at once, without the package."""
    P = [[Fraction(0)] * states for _ in range(states)]
    for s, a, t, p, *_ in transitions:
        if s in terminal:
            continue
        if t == END or t in terminal:
            for u in range(states):
                P[s][u] += behaviour[s][a] * p * start[u]
        else:
            P[s][t] += behaviour[s][a] * p
    return P


def is_stationary(d, P):
    return sum(d) == 1 and all(sum(d[s] * P[s][t] for s in range(len(d))) == d[t] for t in range(len(d)))


def recurrent_classes(P, live):
    """Return the closed classes, from the transitive closure."""
    reach = {s: {t for t in live if P[s][t]} | {s} for s in live}
    for k in live:
        for s in live:
            if k in reach[s]:
                reach[s] = reach[s] | reach[k]
    return {frozenset(reach[s]) for s in live if all(s in reach[t] for t in reach[s])}


@st.composite
def shares(draw, count):
    """Return probabilities that sum to 1, some of them often 0."""
    parts = draw(st.lists(st.integers(-2, 3).map(lambda v: max(v, 0)), min_size=count, max_size=count))
    if not any(parts):
        parts[draw(st.integers(0, count - 1))] = 1
    return [Fraction(part, sum(parts)) for part in parts]


@st.composite
def chains(draw):
    """Return (states, transitions, behaviour, terminal, start) of a chain of any kind."""
    states, actions = draw(st.integers(1, 6)), draw(st.integers(1, 2))
    terminal = (states - 1,) if states > 1 and draw(st.booleans()) else ()
    ends = draw(st.booleans())
    live = states - len(terminal)
    transitions = []
    for s in range(states):
        for a in range(actions):
            arrivals = [*range(states), END] if ends else list(range(states))
            row = draw(shares(len(arrivals)))
            transitions += [(s, a, t, p, 1) for t, p in zip(arrivals, row, strict=True) if p]
    behaviour = [draw(shares(actions)) for _ in range(states)]
    start = draw(shares(live)) + [Fraction(0)] * len(terminal)
    return states, transitions, behaviour, terminal, start


@given(chains())
def test_the_weights_are_stationary_exactly_and_refused_where_they_are_not_unique(chain):
    states, transitions, behaviour, terminal, start = chain
    P = transition_matrix(states, transitions, behaviour, terminal, start)
    classes = recurrent_classes(P, [s for s in range(states) if s not in terminal])

    def build():
        return problem(transitions, states, behaviour, terminal=terminal, start=start)

    if len(classes) > 1:
        with pytest.raises(BadProblem, match="the behaviour chain has no unique stationary distribution"):
            build()
        return
    d = build().d
    (recurrent,) = classes
    assert all(isinstance(weight, Fraction) for weight in d)
    assert is_stationary(d, P)
    assert all((d[s] > 0) == (s in recurrent) for s in range(states))


@settings(max_examples=30)
@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 10**6))
def test_the_weights_of_random_problems_are_stationary_exactly(states, actions, seed):
    result = garnet(states, actions, 3, 2, seed)
    assert is_stationary(result.d, transition_matrix(states, result.transitions, result.behaviour))


def test_the_random_walk_visits_its_states_one_two_three_two_one():
    for name in ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent"):
        assert find_problem(name).d == tuple(Fraction(n, 9) for n in (1, 2, 3, 2, 1))


def test_bairds_behaviour_visits_every_state_alike():
    assert find_problem("baird").d == (Fraction(1, 7),) * 7


def test_boyans_chain_visits_its_states_as_often_as_an_episode_passes_them():
    # Expected visits v(s) from the start: v(s) = (v(s-1) + v(s-2)) / 2, and state 12 is passed always.
    visits = [Fraction(1), Fraction(1, 2)]
    while len(visits) < 12:
        visits.append((visits[-1] + visits[-2]) / 2)
    visits.append(visits[11] + visits[10] / 2)
    assert visits[12] == 1
    assert find_problem("boyan").d == tuple(v / sum(visits) for v in visits)


def test_a_periodic_chain_has_its_weights():
    ring = [(s, 0, (s + 1) % 5, 1, 0) for s in range(5)]
    assert problem(ring, 5).d == (Fraction(1, 5),) * 5


def test_a_transient_state_gets_no_weight():
    assert problem([(0, 0, 1, 1, 0), (1, 0, 2, 1, 0), (2, 0, 1, 1, 0)], 3).d == (0, Fraction(1, 2), Fraction(1, 2))


def test_an_absorbing_state_that_has_all_the_weight_is_warned_of_with_what_to_write():
    half = Fraction(1, 2)
    walk = [(0, 0, 1, 1, 0), (1, 0, 0, half, 0), (1, 0, 2, half, 1), (2, 0, 2, 1, 0)]
    (warning,) = problem(walk, 3).warnings
    assert warning.startswith("state 2 is absorbing and has all the stationary weight, states 0, 1 none")
    assert "if state 2 ends an episode, list it in terminal and give start; or give state_weights" in warning
    assert problem(walk, 3).to_json()["warnings"] == [warning]
    assert problem(walk, 3, terminal=[2], start=[1, 0, 0]).warnings == ()
    assert problem(walk, 3, state_weights=[half, half, 0]).warnings == ()


def test_states_that_behaviour_leaves_for_good_are_warned_of():
    (warning,) = problem([(0, 0, 1, 1, 0), (1, 0, 2, 1, 0), (2, 0, 1, 1, 0)], 3).warnings
    assert warning.startswith("state 0 has stationary weight 0, since behaviour does not return there")
    # A state that no episode reaches, too: restarts never lead there.
    (warning,) = problem([(0, 0, END, 1, 0), (1, 0, END, 1, 0), (2, 0, 1, 1, 0)], 3, start=[1, 0, 0]).warnings
    assert warning.startswith("states 1, 2 have stationary weight 0")


def test_a_trajectory_that_stays_in_one_of_two_sets_is_warned_of_and_no_other():
    half = Fraction(1, 2)
    ways = [(0, 0, 1, half, 0), (0, 0, 2, half, 0), (1, 0, 1, 1, 0), (2, 0, 3, 1, 0), (3, 0, 2, 1, 0)]
    left, stays = trajectory_warnings(
        problem(ways, 4, state_weights=[half, half, 0, 0]).behaviour_chain(), [1, 0, 0, 0]
    )
    assert left.startswith("state 0 has weight in state_weights, but a trajectory of behaviour leaves it for good")
    assert stays.startswith("a trajectory of behaviour stays in one of 2 sets of states")
    for name in ("baird", "boyan", "random-walk-tabular"):
        known = find_problem(name)
        assert trajectory_warnings(known.behaviour_chain(), known.d) == ()


@pytest.mark.parametrize("name", [name for name, _ in PROBLEMS])
def test_no_built_in_problem_has_a_warning(name):
    assert find_problem(name).warnings == ()


def test_a_chain_of_one_state_has_no_warning():
    assert problem([(0, 0, 0, 1, 0)], 1).warnings == ()


def test_two_absorbing_states_are_refused_with_what_to_write():
    half = Fraction(1, 2)
    with pytest.raises(BadProblem, match=r"states 0, 2 are absorbing: list those that end an episode in terminal and"):
        problem([(0, 0, 0, 1, 0), (1, 0, 0, half, 0), (1, 0, 2, half, 1), (2, 0, 2, 1, 0)], 3)
    pairs = [(0, 0, 1, 1, 0), (1, 0, 0, 1, 0), (2, 0, 3, 1, 0), (3, 0, 2, 1, 0)]
    with pytest.raises(BadProblem, match="if a state ends an episode, list it in terminal and give start; or give st"):
        problem(pairs, 4)


def test_a_step_that_behaviour_never_takes_does_not_join_two_classes():
    transitions = [(0, 0, 0, 1, 0), (0, 1, 1, 1, 0), (1, 0, 1, 1, 0), (1, 1, 0, 1, 0)]
    with pytest.raises(BadProblem, match=r"state 0 and state 1 never lead to one another"):
        problem(transitions, 2, [[1, 0], [1, 0]])
    assert problem(transitions, 2, [[Fraction(1, 2), Fraction(1, 2)], [1, 0]]).d == (0, 1)


def test_two_classes_that_only_a_transient_state_sees_are_refused():
    half = Fraction(1, 2)
    with pytest.raises(BadProblem, match=r"state 1 and state 2 never lead to one another \(seen from state 2\)"):
        problem([(0, 0, 1, half, 0), (0, 0, 2, half, 0), (1, 0, 1, 1, 0), (2, 0, 2, 1, 0)], 3)


def test_an_episode_restarts_at_once_and_its_terminal_state_weighs_nothing():
    transitions = [(0, 0, 1, 1, 0), (1, 0, 2, 1, 0), (2, 0, 2, 1, 0)]
    result = problem(transitions, 3, terminal=[2], start=[Fraction(1, 3), Fraction(2, 3), 0])
    assert result.behaviour_chain() == [{1: 1}, {0: Fraction(1, 3), 1: Fraction(2, 3)}, {}]
    assert result.d == (Fraction(1, 4), Fraction(3, 4), 0)


def test_a_start_in_one_of_two_classes_that_never_meet_is_still_refused():
    # A run from that start would stay in one of them; d must not depend on where a reader looks from.
    with pytest.raises(BadProblem, match="no unique stationary distribution"):
        problem([(0, 0, 0, 1, 0), (1, 0, 1, 1, 0)], 2, start=[1, 0])


def test_a_process_that_ends_without_a_start_has_no_chain():
    with pytest.raises(BadProblem, match="state_weights: missing; episodes end and start is not given"):
        problem([(0, 0, 1, 1, 0), (1, 0, END, 1, 0)], 2, independent_only=True)


def test_small_probabilities_are_not_lost():
    tiny = Fraction(1, 10**30)
    result = problem([(0, 0, 1, tiny, 0), (0, 0, 0, 1 - tiny, 0), (1, 0, 0, 1, 0)], 2)
    assert result.d == (1 / (1 + tiny), tiny / (1 + tiny))


def test_the_given_weights_are_kept_and_the_stationary_ones_can_still_be_asked_for():
    result = problem([(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)], 2, state_weights=["1/4", "3/4"])
    assert result.d == (Fraction(1, 4), Fraction(3, 4))
    assert stationary_weights(result.behaviour_chain()) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.thorough
def test_a_ring_of_many_states_takes_neither_a_set_a_state_nor_a_dense_matrix():
    # Every third state stays with probability 1/2, and so has twice the weight of its neighbours.
    n, half = 60_000, Fraction(1, 2)
    ring = [{s: half, (s + 1) % n: half} if s % 3 == 0 else {(s + 1) % n: Fraction(1)} for s in range(n)]
    d = stationary_weights(ring)
    assert set(d[0::3]) == {Fraction(2, 4 * (n // 3))}
    assert set(d[1::3]) == set(d[2::3]) == {Fraction(1, 4 * (n // 3))}


def test_the_weights_of_a_birth_and_death_chain_are_its_product_formula():
    # d(s + 1) / d(s) = up(s) / down(s + 1), whichever states are taken out first.
    n = 300
    up = [Fraction(1 + s % 3, 7) for s in range(n - 1)] + [Fraction(0)]
    down = [Fraction(0)] + [Fraction(2 + s % 2, 9) for s in range(n - 1)]
    chain = [{t: p for t, p in ((s - 1, down[s]), (s, 1 - up[s] - down[s]), (s + 1, up[s])) if p} for s in range(n)]
    product = [Fraction(1)]
    for s in range(n - 1):
        product.append(product[-1] * up[s] / down[s + 1])
    assert list(stationary_weights(chain)) == [value / sum(product) for value in product]


@pytest.mark.parametrize("most", [1, 3, 20])
def test_sparse_and_dense_parts_of_a_chain_have_weights_that_balance(most):
    chance = random.Random(5 * most)
    chain = []
    for s in range(70):
        arrivals = {(s + 1) % 70, *(chance.randrange(70) for _ in range(chance.randint(0, most)))}
        shares = {t: chance.randint(1, 9) for t in sorted(arrivals)}
        chain.append({t: Fraction(share, sum(shares.values())) for t, share in shares.items()})
    d = stationary_weights(chain)
    assert sum(d) == 1
    assert all(sum(d[s] * row.get(t, 0) for s, row in enumerate(chain)) == d[t] for t in range(70))


@pytest.mark.parametrize("actions", [1, 3])
def test_a_dense_chain_of_rounded_rows_has_weights_that_balance_exactly(actions):
    """Every row has a long denominator of its own, with several actions a product of some."""
    rng = np.random.default_rng(5)
    P = rng.random((24, actions, 24))
    b = rng.random((24, actions))
    problem = Problem.from_arrays(
        name="rounded", gamma=0.9, features=[[1]] * 24, R=[0] * 24, order="SAS", normalise=True, target=[0] * 24,
        P=P / P.sum(axis=2, keepdims=True), behaviour=b / b.sum(axis=1, keepdims=True),
    )  # fmt: skip
    arriving = [Fraction(0)] * 24
    for t in problem.transitions:
        arriving[t.s_next] += problem.d[t.s] * problem.behaviour[t.s][t.a] * t.probability
    assert tuple(arriving) == problem.d
    assert sum(arriving) == 1
    assert min(arriving) > 0


def test_a_dense_chain_that_is_too_large_is_refused_before_it_is_solved(monkeypatch):
    monkeypatch.setattr(balance, "_LARGEST", 60)
    n = 120
    chain = [{(s + step) % n: Fraction(1, 21) for step in (1, *range(0, 100, 5))} for s in range(n)]
    with pytest.raises(BadProblem, match=r"state_weights: exact stationary weights need .* at most 60 are solved"):
        stationary_weights(chain)

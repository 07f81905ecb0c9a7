"""Verdicts of many problems: what `check_conditions` decides on each, by a shorter way, and as before on 1,000."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tdrc_theory import ALGORITHMS, ExpectationTable, Problem, expected_update, find_problem, key_matrices
from tdrc_theory.errors import BadOption, TheoryError
from tdrc_theory.exact import sqrt
from verify import check_conditions, verdicts
from verify.conditions.setting import Setting
from verify.random import KINDS, Plan, Size, survey
from verify.random.survey import plain_text

SMALL = Size(states=4, features=2, actions=2, branching=2)
BUILT_IN = ("baird", "random-walk-dependent", "boyan", "two-state", "five-state")
# (verdict on TDRC, verdict on TDC) -> problems, of 250 problems of a kind; counted by the program before verdicts had a
# way of their own, from a table of expectations over every step.
NOT, SET, YES = "not-convergent", "convergent-to-a-set", "convergent"
COUNTED = {
    "garnet": {(YES, YES): 238, (SET, SET): 2, (NOT, YES): 7, (NOT, NOT): 3},
    "off-policy-weights": {
        (YES, YES): 180,
        (YES, NOT): 1,
        (SET, SET): 38,
        (NOT, YES): 22,
        (NOT, SET): 1,
        (NOT, NOT): 8,
    },
    "singular-c": {(SET, SET): 236, (SET, NOT): 2, (NOT, SET): 10, (NOT, NOT): 2},
    "chain": {(YES, YES): 249, (SET, SET): 1},
}


def random_problems(count):
    return [kind(SMALL, seed) for kind in KINDS if kind.name != "near-boundary" for seed in range(count)]


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", ["tdrc", "td", "gtd2", "htd", "vtrace", "tdrc-lambda"])
def test_every_status_and_proof_is_that_of_the_whole_report(name):
    chains = [find_problem(each) for each in BUILT_IN[1:3]]
    problems = (
        chains if "lambda" in name else [*chains, *map(find_problem, ("baird", "two-state")), *random_problems(2)]
    )
    decided = list(verdicts(problems, name, beta="1/3", eta=2))
    for problem, decision in zip(problems, decided, strict=True):
        expected = check_conditions(problem, name, beta="1/3", eta=2).verdict
        assert (decision.status, decision.proof) == (expected.status, expected.proof)
        assert decision.verdict == expected


@pytest.mark.quick(6)
@pytest.mark.parametrize("algorithm", [a for a in ALGORITHMS if not a.memory], ids=lambda a: a.name)
def test_g_from_a_b_and_c_is_g_from_every_step(algorithm):
    for problem in [*(find_problem(each) for each in BUILT_IN), *random_problems(2)]:
        used = algorithm.parameters({"beta": Fraction(2, 7), "eta": Fraction(3, 5)})
        try:
            expected = expected_update(ExpectationTable(problem), algorithm, used)
        except TheoryError as error:
            with pytest.raises(type(error)):
                _ = Setting(problem, algorithm, used).update
            continue
        assert Setting(problem, algorithm, used).update == expected


def summed(problem):
    """Return A, b and C as {place: number}, without zeros: sums over every step of what is not 0 in it."""
    sums = {}
    for t in problem.transitions:
        mass = problem.d[t.s] * problem.behaviour[t.s][t.a] * t.probability
        if not mass:
            continue
        features = problem.features[t.s][t.a] if problem.action_values else problem.features[t.s]
        x = [(i, v) for i, v in enumerate(features) if v]
        ended = problem.ends(t.s_next)
        after = [] if ended else [(j, problem.discount(t) * v) for j, v in enumerate(later(problem, t.s_next)) if v]
        rho = 1 if problem.action_values else problem.rho(t.s, t.a)
        for i, v in x:
            parts = [("b", i, 0, rho * t.reward * v)]
            parts += [(name, i, j, factor * v * u) for j, u in x for name, factor in (("A", rho), ("C", Fraction(1)))]
            parts += [("A", i, j, -rho * v * u) for j, u in after]
            for *place, value in parts:
                sums[tuple(place)] = sums.get(tuple(place), Fraction(0)) + mass * value
    return {place: value for place, value in sums.items() if value}


def later(problem, state):
    """Return the features of a next state, in expectation over the target policy's action where they are by action."""
    if not problem.action_values:
        return problem.features[state]
    columns = zip(*problem.features[state], strict=True)
    return [sum(p * v for p, v in zip(problem.target[state], column, strict=True)) for column in columns]


def by_action(unit):
    """Return a problem with features by state and action, some of which are a multiple of a number."""
    return Problem(
        name="by-action",
        gamma="3/4",
        features=[[[1, unit], [unit, 0]], [[2, "1/3"], [0, 1]]],
        transitions=[(0, 0, 1, "1/3", 2), (0, 0, 0, "2/3", 1), (0, 1, 1, 1, 0), (1, 0, 0, 1, -1), (1, 1, 1, 1, 3)],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["3/4", "1/4"], ["1/5", "4/5"]],
    )


def large(features):
    """Return a ring of 70 states, so sparse that A, b and C are computed from tables without zeros."""
    around = [(s, a, (s + 1 + a) % 70, 1, s % 3) for s in range(70) for a in (0, 1)]
    policies = {"behaviour": [["1/3", "2/3"]] * 70, "target": [["1/2", "1/2"]] * 70}
    gamma = [Fraction(s % 5, 5) for s in range(70)]
    return Problem(name="ring", gamma=gamma, features=features, transitions=around, **policies)


def test_key_matrices_are_the_sums_over_every_step():
    one_hot = large([[int(i == s) for i in range(70)] for s in range(70)])
    for problem in [
        *(find_problem(each) for each in BUILT_IN),
        *random_problems(2),
        one_hot,
        large([[1, s % 4] for s in range(70)]),
        by_action("2/7"),
        by_action(sqrt(2)),
    ]:
        results = {
            (name, i, j): value
            for name, M in key_matrices(problem)._asdict().items()
            for i, row in enumerate(M.rows)
            for j, value in enumerate(row)
            if value != 0
        }
        assert results == summed(problem)


def test_problems_are_taken_one_after_the_other_and_parameters_are_refused_at_once():
    taken = []

    def problems():
        for name in ("two-state", "boyan"):
            taken.append(name)
            yield name

    result = verdicts(problems(), "td")
    assert taken == []
    assert repr(next(result)) == "<not-convergent (exact)>"
    assert taken == ["two-state"]
    with pytest.raises(BadOption, match="--eta: 0"):
        verdicts([], eta=0)


def test_a_survey_of_verdicts_alone_counts_those_beside_the_checks_and_what_was_not_examined_is_null():
    plan = Plan(kind="off-policy-weights", problems=40, size=Size(states=3, features=2), seed=5)
    whole, alone = (survey(each, workers=1) for each in (plan, replace(plan, only_verdicts=True)))
    assert alone.total.verdicts == whole.total.verdicts
    assert alone.only_tdc_converges == whole.only_tdc_converges > 0
    data = alone.to_json()
    assert {name for name, value in data.items() if value is None} == {
        "checks", "printed", "corrected", "case_i_fails", "tightness"
    }  # fmt: skip
    assert [data[name] for name in ("verdicts", "problems")] == [
        whole.to_json()[name] for name in ("verdicts", "problems")
    ]
    assert "positive definite" not in plain_text(alone)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COUNTED)
def test_a_thousand_random_problems_have_the_verdicts_that_they_had(kind):
    plan = Plan(
        kind=kind, problems=250, size=Size(states=4, features=3), seed=22, beta=Fraction(1, 2), only_verdicts=True
    )
    assert survey(plan, workers=1).total.verdicts == COUNTED[kind]

"""Statements on key matrices, traces and exact means: the numbers of emphatic TD's examples, by two codes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from mutation.statements import statement_mutants
from quantified import on

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.problem_file import write_problem
from verify.check import Proof, Status
from verify.paper.facts.atoms import Plain
from verify.paper.facts.constant_steps import MeanSettles, MeanUnbounded, MeanWeight
from verify.paper.facts.emphasis import (
    FiniteMemory,
    FiniteVariance,
    FollowOnMoment,
    FromKeyMatrix,
    Shown,
    SquaredError,
    Stable,
    StepChange,
)
from verify.paper.facts.problems import problem_named
from verify.paper.facts.quantities import Compared, Constant
from verify.paper.facts.recheck import emphasis as other
from verify.paper.facts.statement import All, If, Not
from verify.predict import predict
from verify.predict.__main__ import main
from verify.predict.prediction import prepared
from verify.predict.renewal import renewal_of
from verify.predict.study import study

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
TWO, ENDING = "theta-2theta", "theta-2theta-ending"
SMALL_STEP = Fraction(1, 1000)
NINE = (HALF, Fraction(19, 2))
TRUE = {
    "key matrix of TD": on(TWO, Shown("key-matrix", ((HALF, Fraction(-9, 20)), (0, Fraction(1, 20))))),
    "A of TD": on(TWO, All((Shown("A", ((Fraction(-1, 5),),)), Not(Stable("td"))))),
    "step from the first state": on(TWO, Compared(StepChange(10, TENTH, 0, 1), "=", Constant(Fraction(8, 5)))),
    "step from the second state": on(TWO, Compared(StepChange(10, TENTH, 1, 1), "=", Constant(Fraction(-4, 5)))),
    "emphasis": on(TWO, All((Shown("emphasis", (NINE,), "emphatic-td"), Stable("emphatic-td")))),
    "A of emphatic TD": on(TWO, Shown("A", ((Fraction(17, 5),),), "emphatic-td")),
    "five states": on("five-state", All((Shown("values", ((4, 3, 2, 1, 1),)), Not(Plain("representable"))))),
    "their weights": on("five-state", Shown("weights", (tuple(Fraction(n, 31) for n in (16, 8, 4, 2, 1)),))),
    "as rounded": on("five-state", Shown("weights", (tuple(Fraction(n, 100) for n in (52, 26, 13, 6, 3)),), "td", 2)),
    "A by the trace": on(f"{TWO} {ENDING} five-state", All((FromKeyMatrix("td"), FromKeyMatrix("emphatic-td")))),
    "first moment": on(TWO, FollowOnMoment(1, Fraction(9, 10))),
    "second moment": on(TWO, FollowOnMoment(2, Fraction(162, 100))),
    "infinite variance": on(f"baird {TWO}", Not(FiniteVariance("tdc-lambda", 1))),
    "finite variance": on(f"baird {TWO}", FiniteVariance("tdc-lambda", 0)),
    "value errors": on("five-state", Compared(SquaredError("emphatic-td"), "<", SquaredError("td"))),
    "bounded traces": on(ENDING, All((FiniteMemory("emphatic-td"), Not(Stable("td")), Stable("emphatic-td")))),
    "the mean leaves": on(TWO, All((Stable("emphatic-td"), MeanUnbounded("emphatic-td")))),
    "and stays where an update ends it": on(TWO, MeanSettles("emphatic-td", Fraction(25, 56))),
    "after 20 updates": on(TWO, Compared(MeanWeight("emphatic-td", SMALL_STEP, 20), "<", Constant(-27))),
    "by the expected update": on(
        TWO, Compared(MeanWeight("emphatic-td", SMALL_STEP, 80, expected=True), ">", Constant(Fraction(3, 4)))
    ),
}
FALSE = {
    "the mean follows the expected update": on(TWO, If(Stable("emphatic-td"), MeanSettles("emphatic-td", SMALL_STEP))),
    "TD is better": on("five-state", Compared(SquaredError("emphatic-td"), ">=", SquaredError("td"))),
    "TD is stable with soft termination": on(ENDING, Stable("td")),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_the_examples_show_is_found_by_both_codes(name):
    judgement = TRUE[name].judged()

    assert judgement.status is Status.HOLDS
    assert judgement.proof is Proof.EXACT
    assert TRUE[name].recheck({}) is not False


def test_the_other_code_sees_the_mean_grow():
    assert MeanUnbounded("emphatic-td").recheck({"problem": TWO}) is True
    assert MeanUnbounded("emphatic-td").recheck({"problem": ENDING}) is None


def test_a_weight_that_starts_at_0_stays_there(tmp_path):
    write_problem(replace(find_problem(TWO), name="at 0", initial_weights=[0]), tmp_path / "zero.toml")
    scope = {"problem": str(tmp_path / "zero.toml")}

    assert MeanUnbounded("emphatic-td").truth(scope).value is False
    assert MeanUnbounded("emphatic-td").recheck(scope) is False
    assert MeanSettles("emphatic-td", Fraction(1, 10)).truth(scope).value is True


def test_the_path_is_the_one_that_the_theorem_in_coq_speaks_of():
    learner = find_algorithm("emphatic-td")
    result = renewal_of(find_problem(TWO), learner, learner.parameters({}))

    factors = [Fraction(8, 5), *(1 - Fraction(9, 5) ** (j + 1) for j in range(1, 12))]
    assert list(islice(result.steps(), 12)) == [(HALF, a) for a in factors]


@pytest.mark.parametrize("problem", [TWO, ENDING, "five-state"])
@pytest.mark.parametrize("learner", ["td", "emphatic-td"])
def test_the_other_code_has_A_by_the_trace(problem, learner):
    algorithm = find_algorithm(learner)
    G, _ = expected_update(find_problem(problem), algorithm, algorithm.parameters({}))

    assert other.matrix_by_trace(problem_named(problem).plain, learner) == [list(row) for row in (-G).rows]
    assert FromKeyMatrix(learner).recheck({"problem": problem}) is True


def test_the_other_code_refutes_a_key_matrix_that_is_not_the_traces(monkeypatch):
    plain = problem_named(TWO).plain
    monkeypatch.setattr(other, "emphasis", lambda data, _: other.weights(data))

    assert other.from_key_matrix(plain, "emphatic-td") is False


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_found_so(name):
    judgement = FALSE[name].judged()

    assert judgement.status is Status.FAILS
    assert judgement.witness
    assert FALSE[name].recheck({}) is False


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUE)
def test_no_mutant_is_judged_against_the_other_code(name):
    for mutant in statement_mutants(TRUE[name]):
        result = {Status.HOLDS: True, Status.FAILS: False}.get(mutant.statement.judged().status)
        other = mutant.altered.recheck({})
        assert None in (result, other) or result is other, str(mutant.altered)


def test_value_errors_are_those_of_figure_4():
    errors = [float(SquaredError(at).value({"problem": "five-state"})) for at in ("emphatic-td", "td", "least")]

    assert errors == pytest.approx([1.7286463, 2.8770665, 0.6652329])


@pytest.mark.parametrize("alpha", [Fraction(1, 1000), Fraction(1, 10)])
def test_means_by_renewal_are_those_of_the_recursion_over_modes(alpha):
    problem, learner = find_problem(TWO), find_algorithm("emphatic-td")
    means = renewal_of(problem, learner, learner.parameters({})).means(alpha, 15)

    assert predict(TWO, "emphatic-td", alpha=alpha, steps=15).mean_weights[:, 0] == pytest.approx(
        [float(mean) for mean in means], rel=1e-10
    )


def test_the_mean_goes_to_0_at_the_step_sizes_at_which_an_update_of_the_path_ends_at_0():
    learner = find_algorithm("emphatic-td")
    result = renewal_of(find_problem(TWO), learner, learner.parameters({}))
    steps = [1 / (Fraction(9, 5) ** k - 1) for k in range(1, 9)]

    assert [result.settles(alpha) for alpha in steps] == [False, *[True] * 7]
    assert [result.vanishing(alpha) for alpha in steps] == [None, *range(1, 8)]
    assert result.settles(steps[3] + Fraction(1, 10**9)) is False


@pytest.mark.parametrize("alpha", ["25/56", "4464285714285714/10000000000000001"])
def test_predictions_keep_their_digits_at_and_near_a_step_size_that_ends_at_0(alpha):
    problem, learner = find_problem(TWO), find_algorithm("emphatic-td")
    means = renewal_of(problem, learner, learner.parameters({})).means(Fraction(alpha), 30)
    prediction = predict(TWO, "emphatic-td", alpha=alpha, steps=30)

    assert prediction.mean_weights[:, 0] == pytest.approx([float(mean) for mean in means], rel=1e-9)
    assert (prediction.rmspbe_least <= prediction.rmspbe_most * (1 + 1e-12)).all()


@pytest.mark.thorough
def test_the_exact_long_run_comes_before_figures_in_floats(capsys):
    for steps in ("20", "1000"):
        main(["theta-2theta", "--algorithm", "emphatic-td", "--alpha", "25/56", "--steps", steps])
        assert capsys.readouterr().out.splitlines()[2].startswith("the mean weight goes to 0 (exact): ")
        main(["theta-2theta", "--algorithm", "emphatic-td", "--alpha", "1/10", "--steps", steps])
        assert capsys.readouterr().out.splitlines()[2].startswith("the mean weight is unbounded (exact): ")


@pytest.mark.thorough
def test_the_study_has_the_same_errors_as_the_curve():
    sizes = [Fraction(25, 56), Fraction(1, 10)]
    result = study(prepared(TWO, "emphatic-td", steps=20), sizes, 20)

    for row in result.rows:
        assert row.final == pytest.approx(predict(TWO, "emphatic-td", alpha=row.alpha, steps=20).mspbe[-1], rel=1e-12)


def test_a_learner_without_growing_memory_has_no_such_law():
    learner = find_algorithm("td")
    result = renewal_of(find_problem(TWO), learner, learner.parameters({}))

    assert result is None or not result.grows
    assert MeanUnbounded("td").truth({"problem": TWO}).value is None

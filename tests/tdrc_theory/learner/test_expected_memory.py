"""Expected updates of learners with memory where they are known by hand, or by an identity."""

from fractions import Fraction

import pytest

from tdrc_theory import ALGORITHMS, Problem, expected_update, find_problem
from tdrc_theory.errors import BadOption
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems.garnet import garnet


def doubling():
    """theta -> 2 theta, without an end: one action stays in each half of the time, the target is always right."""
    steps = [(s, a, a, 1, 0) for s in (0, 1) for a in (0, 1)]
    half, right = [["1/2", "1/2"]] * 2, [[0, 1]] * 2
    return Problem(name="doubling", gamma="9/10", features=[[1], [2]], transitions=steps, behaviour=half, target=right)


@pytest.mark.parametrize(
    ("name", "lam", "expected"),
    [("td-lambda", 0, "1/5"), ("emphatic-td", 0, "-17/5"), ("td-lambda", "1/2", "-1/22")],
)
def test_the_expected_updates_on_doubling_are_those_derived_by_hand(name, lam, expected):
    algorithm = next(a for a in ALGORITHMS if a.name == name)
    G, _ = expected_update(doubling(), algorithm, {"lam": Fraction(lam)})
    assert G.rows == ((Fraction(expected),),)


def test_two_mistakes_with_ratios_are_told_from_the_rule():
    @learner(weights="w", memory="e")
    def twice(x, x_next, w, e, rho, gamma, reward, lam=0):
        e = rho * gamma * lam * e + x
        return Step(w=rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)

    @learner(weights="w", memory="e F", scalars="F")
    def current(x, x_next, w, e, F, rho, gamma, reward, interest):
        F = rho * gamma * F + interest
        e = rho * F * x
        return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e, F=F)

    half = {"lam": Fraction(1, 2)}
    right = next(a for a in ALGORITHMS if a.name == "emphatic-td")
    assert expected_update(doubling(), twice, half).G.rows == ((Fraction(169, 440),),)
    assert expected_update(doubling(), current, {}).G.rows == ((Fraction(-148, 25),),)
    assert expected_update(doubling(), right, {"lam": Fraction(0)}).G.rows == ((Fraction(-17, 5),),)


def find(name):
    return next(a for a in ALGORITHMS if a.name == name)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lam", ["0", "1/3", "1"])
def test_tdrc_lambda_has_the_block_matrix_of_the_paper_with_the_matrix_of_td_lambda(seed, lam):
    problem = garnet(4, 2, 2, 2, seed)
    used = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "lam": Fraction(lam)}
    G = expected_update(problem, find("tdrc-lambda"), used).G
    A = -expected_update(problem, find("td-lambda"), {"lam": used["lam"]}).G
    C, k = key_matrices(problem).C, problem.k
    left, right = range(k), range(k, 2 * k)
    assert G.select(left, right) == A * -used["eta"]
    assert G.select(right, left) == A.T - C
    assert G.select(right, right) == -A


@pytest.mark.parametrize("name", ["tdc", "gtd2", "td", "tdrc", "htd"])
def test_without_a_trace_the_lambda_learners_are_those_of_the_paper(name):
    problem, used = garnet(4, 2, 2, 2, 5), {"beta": Fraction(1, 3), "eta": Fraction(2)}
    plain, traced = (next(a for a in ALGORITHMS if a.name == n) for n in (name, f"{name}-lambda"))
    assert expected_update(problem, plain, plain.parameters(used)) == expected_update(
        problem, traced, traced.parameters(used)
    )


def test_episodes_begin_with_empty_memory():
    corridor = Problem(
        name="corridor",
        gamma=1,
        features=[[1, 0], [0, 1], [0, 0]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 2, 1, 1)],
        behaviour=[[1], [1], [1]],
        target=[[1], [1], [1]],
        terminal=[2],
        start=[1, 0, 0],
    )
    G, g = expected_update(corridor, find("td-lambda"), {"lam": Fraction(1)})
    # e = (1, 0) in the first state, (1, 1) in the second, half of the steps each; both values are 1.
    assert G.rows == ((Fraction(-1, 2), Fraction(0)), (Fraction(0), Fraction(-1, 2)))
    assert g.rows == ((Fraction(1, 2),), (Fraction(1, 2),))


def test_memory_without_an_expectation_or_without_a_chain_is_refused():
    loop = Problem(name="loop", gamma=1, features=[[1]], transitions=[(0, 0, 0, 1, 1)], behaviour=[[1]], target=[[1]])
    with pytest.raises(BadOption, match="the expected memory e grows without bound"):
        expected_update(loop, find("td-lambda"), {"lam": Fraction(1)})
    with pytest.raises(BadOption, match="a learner with memory needs a chain"):
        expected_update(find_problem("two-state"), find("td-lambda"), {"lam": Fraction(0)})

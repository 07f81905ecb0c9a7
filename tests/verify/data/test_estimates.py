"""Estimates against exact expectations of chains whose steps the data have exactly as often as they are likely."""

from fractions import Fraction

import numpy as np
import pytest

import verify.data.moments
import verify.data.products
from tdrc_theory.algorithms import ALGORITHMS, find_algorithm
from tdrc_theory.errors import BadOption
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.by_action import by_action
from verify import check_conditions
from verify.check import Outcome, Proof, Status, check_of
from verify.data import Arrays, check_data
from verify.data.numbers import SQUARE_STEP, STEP
from verify.predict import limits

WITHOUT_MEMORY = [a for a in ALGORITHMS if not a.memory and not a.for_action_values and not a.second]
WITH_MEMORY = [a.name for a in ALGORITHMS if a.memory and not a.for_action_values]


def walk():
    """Return a chain with two features, an interest, and episodes that end."""
    return Problem(
        name="walk",
        gamma="4/5",
        features=[[1, 0], ["1/2", 1], [0, "-3/2"], [0, 0]],
        transitions=[(s, a, t, 1, r) for s, a, t, r in ((0, 0, 0, 1), (0, 1, 1, -1), (1, 0, 0, 2), (1, 1, 2, 0))]
        + [(2, 0, 1, 1, "1/2"), (2, 1, 3, "1/2", 3), (2, 1, 0, "1/2", 0)],
        behaviour=[["1/2", "1/2"]] * 3 + [[1, 0]],
        target=[["1/4", "3/4"], ["1/8", "7/8"], ["1/2", "1/2"], [1, 0]],
        terminal=[3],
        start=["1/2", "1/2", 0, 0],
        interest=[1, 2, "1/2", 0],
    )


def asked(columns, algorithm, problem, **options):
    return check_data(Arrays(columns), algorithm, gamma=problem.gamma, resamples=100, **options)


@pytest.mark.quick(14)
@pytest.mark.parametrize("algorithm", WITHOUT_MEMORY, ids=lambda a: a.name)
@pytest.mark.parametrize("problem", [walk(), find_problem("baird")], ids=lambda p: p.name)
def test_the_expected_update_is_that_of_the_chain(problem, algorithm, enumerated):
    result = asked(enumerated(problem), algorithm, problem, beta="1/3", eta="3/4")
    parameters = algorithm.parameters(dict(result.form.parameters))
    exact = expected_update(problem, algorithm, parameters)
    G, g = result.sample.whole.update(result.form)
    assert exact.G.to_float() == pytest.approx(G, abs=1e-12)
    assert exact.g.to_float()[:, 0] == pytest.approx(g, abs=1e-12)
    A, b, C = (m.to_float() for m in key_matrices(problem))
    whole = result.sample.whole
    assert pytest.approx(A, abs=1e-12) == whole.A
    assert whole.b == pytest.approx(b[:, 0], abs=1e-12)
    assert pytest.approx(C, abs=1e-12) == whole.C


@pytest.mark.parametrize("name", ["td", "tdc", "tdrc", "htd", "differential-td", "vtrace"])
def test_the_spectral_abscissa_is_in_the_exact_enclosure_though_a_direction_is_missing(name, enumerated):
    problem = find_problem("baird")
    result = asked(enumerated(problem), name, problem)
    exact = check_conditions(problem, name).verdict
    assert result.abscissa.value == pytest.approx(exact.spectral_abscissa.middle, abs=1e-9)
    assert (result.sample.at.rank, result.sample.at.U.shape) == (7, (8, 7))
    status = Status.of(exact.status is not Outcome.NOT_CONVERGENT)
    assert check_of(result.checks, "expected-update-stable").status in (status, Status.UNDECIDED)


@pytest.mark.quick(4)
@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "htd", "differential-td"])
@pytest.mark.parametrize("make", [walk, lambda: find_problem("random-walk-dependent")], ids=["walk", "dependent"])
def test_largest_step_sizes_are_those_of_independent_samples_of_the_chain(make, algorithm, enumerated):
    """The prediction's limits come from exact moments of the chain, and share no code with these."""
    problem = make()
    result = asked(enumerated(problem), algorithm, problem)
    exact = limits(problem, algorithm, sampling="iid")
    for name, limit in ((STEP, exact.mean), (SQUARE_STEP, exact.mean_square)):
        ends = (float(limit.lower), float(limit.upper))
        assert ends[0] * (1 - 1e-6) <= result.numbers[name].value <= ends[1] * (1 + 1e-6), name


def test_learners_of_action_values_read_what_the_target_expects(enumerated):
    problem = by_action(walk())
    result = asked(enumerated(problem), "expected-sarsa", problem)
    exact = expected_update(problem, find_algorithm("expected-sarsa"), {})
    G, g = result.sample.whole.update(result.form)
    assert exact.G.to_float() == pytest.approx(G, abs=1e-12)
    assert exact.g.to_float()[:, 0] == pytest.approx(g, abs=1e-12)
    assert key_matrices(problem)[0].to_float() == pytest.approx(result.sample.whole.A, abs=1e-12)
    assert result.alternatives == ()
    with pytest.raises(BadOption, match="td reads x_next, and data has action values"):
        asked(enumerated(problem), "td", problem)
    with pytest.raises(BadOption, match="expected-sarsa reads x_bar, and data has no column x_bar"):
        asked(enumerated(walk()), "expected-sarsa", walk())
    with pytest.raises(
        BadOption, match="residual-gradient reads x_next_2, of a second transition from the same state, "
    ):
        asked(enumerated(walk()), "residual-gradient", walk())


def by_hand(columns, lam, gamma):
    """Return, for TD(lambda) and emphatic TD(lambda), the sums of e (x - gamma x')^T and e reward over rows."""
    sums, e, f, F, before = {}, 0.0, 0.0, 0.0, 1.0
    for t in range(len(columns["reward"])):
        x, x_next, rho = columns["x"][t], columns["x_next"][t] * (not columns["terminated"][t]), columns["rho"][t]
        e = rho * (gamma * lam * e + x)
        F = before * gamma * F + columns["interest"][t]
        f = rho * (gamma * lam * f + (lam * columns["interest"][t] + (1 - lam) * F) * x)
        for name, trace in (("td-lambda", e), ("emphatic-td", f)):
            A, b = sums.get(name, (0, 0))
            sums[name] = A + np.outer(trace, x - gamma * x_next), b + trace * columns["reward"][t]
        before = rho
        if columns["terminated"][t] or columns["truncated"][t]:
            e, f, F, before = 0.0, 0.0, 0.0, 1.0
    return sums


@pytest.mark.parametrize("piece", [1 << 22, 16 * 13])
def test_traces_run_along_episodes_and_stop_at_their_ends(logged, piece, monkeypatch):
    monkeypatch.setattr(verify.data.moments, "_CHUNK", piece)
    rows = 900
    columns = logged(walk(), rows, 5)
    columns["truncated"] = np.arange(rows) % 37 == 36
    columns["interest"] = 0.5 + np.arange(rows) % 3
    for name, (A, b) in by_hand(columns, 0.5, 0.8).items():
        result = asked(columns, name, walk(), parameters={"lam": "1/2"})
        G, g = result.sample.whole.update(result.form)
        assert pytest.approx(-A / rows, abs=1e-9) == G
        assert g == pytest.approx(b / rows, abs=1e-9)
    ends = columns["terminated"] | columns["truncated"]
    assert (result.moments.rows, result.moments.episodes) == (rows, 1 + ends[:-1].sum())


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", WITH_MEMORY)
def test_every_learner_with_memory_is_estimated_where_rows_are_in_order(name, logged):
    columns = logged(walk(), 20_000, 1)
    result = asked(columns, name, walk(), parameters={"lam": "1/3"})
    exact = expected_update(walk(), find_algorithm(name), dict(result.form.parameters))
    G, _ = result.sample.whole.update(result.form)
    assert pytest.approx(exact.G.to_float(), rel=0.3, abs=0.15) == G
    del columns["terminated"]
    with pytest.raises(BadOption, match=f"{name} remembers earlier rows, and data does not tell where episodes end"):
        asked(columns, name, walk())


def test_pieces_of_any_size_give_the_same_sums(logged, monkeypatch):
    columns = logged(walk(), 3000, 2)
    whole = asked(columns, "tdrc", walk())
    monkeypatch.setattr(verify.data.moments, "_CHUNK", 160)
    pieces = asked(columns, "tdrc", walk())
    assert pieces.moments.units == whole.moments.units > 50
    assert pieces.abscissa.lower == pytest.approx(whole.abscissa.lower, abs=1e-9)
    for product, sums in whole.moments.sums.items():
        assert pieces.moments.sums[product] == pytest.approx(sums, abs=1e-9)


def test_no_unit_divides_an_episode(logged):
    columns = logged(walk(), 5000, 3)
    result = asked(columns, "td", walk()).moments
    assert result.by_episode
    rows = result.sums[verify.data.products.ROW]
    ends = set(np.flatnonzero(columns["terminated"]) + 1) | {5000}
    assert set(np.cumsum(rows).astype(int)) <= ends
    longer = {**columns, "terminated": np.arange(5000) == 2500}
    few = asked(longer, "td", walk()).moments
    assert (few.by_episode, few.ordered, few.episodes, few.units) == (False, True, 2, 100)


def test_a_drift_that_has_no_fixed_point_is_never_called_convergent():
    action = np.arange(400) % 2
    state = np.arange(400) // 2 % 2
    eye = np.eye(2)
    columns = {"x": eye[state], "x_next": eye[action], "reward": np.ones(400), "rho": np.ones(400)}
    report = check_data(Arrays(columns), "td", gamma=1, resamples=100)
    assert report.status is Outcome.UNDECIDED
    assert "no solution" in report.reason
    assert report.fixed_point is None
    rested = check_data(Arrays({**columns, "reward": np.zeros(400)}), "td", gamma=1, resamples=100)
    assert check_of(rested.checks, "fixed-point-exists").status is Status.HOLDS


def componentwise(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x * x, 0


def test_an_update_that_multiplies_components_is_refused():
    columns = {"x": np.ones(300), "x_next": np.ones(300), "reward": np.ones(300), "rho": np.ones(300)}
    with pytest.raises(BadOption, match="squared multiplies vectors component by component"):
        check_data(Arrays(columns), Algorithm("squared", componentwise))


def test_any_learner_of_a_file_is_estimated(enumerated):
    @learner(weights="w rbar", scalars="rbar")
    def clipped(x, x_next, w, rbar, rho, reward, eta=1):
        delta = reward - rbar + dot(w, x_next) - dot(w, x)
        return Step(w=min(rho, 1) * delta * x, rbar=eta * delta / (1 + rho))

    problem = find_problem("baird")
    result = asked(enumerated(problem), clipped, problem, eta="1/5")
    exact = expected_update(problem, clipped, {"eta": Fraction(1, 5)})
    assert exact.G.to_float() == pytest.approx(result.sample.whole.update(result.form)[0], abs=1e-12)


def test_nothing_is_ever_more_than_sampled(enumerated):
    result = asked(enumerated(walk()), "tdrc", walk())
    assert {check.proof for check in result.checks} == {Proof.SAMPLED}
    assert result.to_json()["verdict"]["proof"] == "sampled"

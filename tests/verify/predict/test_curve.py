"""Predicted curves against enumeration in fractions, and figures known from elsewhere."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from tdrc_theory.algorithms import HTD, OF_THE_PAPER
from tdrc_theory.errors import BadOption, NotAffine
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problem import END
from tdrc_theory.problems.averaged import averaged_process
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.predict import predict
from verify.predict.moments import method
from verify.predict.operator import layout
from verify.predict.prediction import prepared


def odd(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """Has every kind of term: constants, and a diagonal that differs by transition and reaches w too."""
    return delta * x * x_next - rho * h * x + x_next / 3, (rho * delta - delta_hat) * x - beta * h * x * x + rho / 5


EVERY = [*OF_THE_PAPER, Algorithm("odd", odd)]


def episodic():
    """Return a small off-policy problem with an end, restarts in two states, and a state that is never visited."""
    return Problem(
        name="small",
        gamma="9/10",
        features=[[1, 0], ["1/2", 1], [3, 3]],
        transitions=[
            (0, 0, 1, "1/2", 1),
            (0, 0, END, "1/2", -1),
            (0, 1, 0, 1, 2),
            (1, 0, END, 1, 3),
            (1, 1, 0, 1, 0),
            (2, 0, 0, 1, 5),
            (2, 1, 1, 1, 5),
        ],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], [0, 1], [1, 0]],
        start=["1/4", "3/4", 0],
        initial_weights=[1, "-1/2"],
    )


def enumerated(problem, algorithm, alpha, beta, eta, sampling, steps):
    """Return {(state, h, w): probability} after so many updates, by the algorithm's own function on every path."""
    k, beta = problem.k, algorithm.fixed.get("beta", beta)
    zeros = (Fraction(0),) * k
    start = problem.start or [Fraction(1, problem.states)] * problem.states
    first = dict(enumerate(start)) if sampling == "markov" else {None: Fraction(1)}
    now = {(s, zeros, problem.initial_weights): p for s, p in first.items() if p}
    for _ in range(steps):
        after = {}
        for (state, h, w), p in now.items():
            for t in problem.transitions:
                share = (problem.d[t.s] if state is None else Fraction(int(state == t.s))) * t.probability
                share *= problem.behaviour[t.s][t.a]
                if not share:
                    continue
                x, over = problem.features[t.s], problem.ends(t.s_next)
                x_next = zeros if over else problem.features[t.s_next]
                delta_hat = sum(a * b for a, b in zip(h, x, strict=True))
                value, value_next = (sum(a * b for a, b in zip(w, f, strict=True)) for f in (x, x_next))
                delta = t.reward + problem.gamma * value_next - value
                rho = problem.target[t.s][t.a] / problem.behaviour[t.s][t.a]
                moves = [
                    algorithm.direction(x[i], x_next[i], h[i], delta, delta_hat, rho, problem.gamma, beta)
                    for i in range(k)
                ]
                new = (
                    tuple(a + alpha * eta * m[1] for a, m in zip(h, moves, strict=True)),
                    tuple(a + alpha * m[0] for a, m in zip(w, moves, strict=True)),
                )
                nexts = (
                    {None: Fraction(1)}
                    if state is None
                    else dict(enumerate(start))
                    if over
                    else {t.s_next: Fraction(1)}
                )
                for s, part in nexts.items():
                    if part:
                        after[s, *new] = after.get((s, *new), Fraction(0)) + p * share * part
        now = after
    return now


@pytest.mark.parametrize("sampling", ["markov", "iid"])
@pytest.mark.parametrize("algorithm", EVERY, ids=lambda a: a.name)
def test_a_few_steps_agree_with_every_path_there_is(algorithm, sampling, mspbe):
    problem, alpha, beta, eta, steps = episodic(), Fraction(1, 4), Fraction(1, 2), Fraction(2), 4
    ends = enumerated(problem, algorithm, alpha, beta, eta, sampling, steps)
    assert sum(ends.values()) == 1
    mass = np.array([float(p) for p in ends.values()])
    h, w = (np.array([[float(v) for v in key[i]] for key in ends]) for i in (1, 2))
    errors = mspbe(problem, w)
    for proof in (Proof.FLOAT, Proof.ENCLOSED):
        prediction = predict(
            problem,
            algorithm,
            alpha=alpha,
            beta=beta,
            eta=eta,
            steps=steps,
            sampling=sampling,
            covariances=True,
            proof=proof,
        )
        assert prediction.mspbe[-1] == pytest.approx(mass @ errors, rel=1e-11)
        assert prediction.mean_weights[-1] == pytest.approx(mass @ w, rel=1e-11, abs=1e-12)
        if prediction.mean_h is not None:
            assert prediction.mean_h[-1] == pytest.approx(mass @ h, rel=1e-11, abs=1e-12)
        centred = w - mass @ w
        assert prediction.covariance[-1] == pytest.approx(centred.T @ (mass[:, None] * centred), rel=1e-10, abs=1e-12)
        root = mass @ np.sqrt(errors)
        assert prediction.rmspbe_least[-1] <= root * (1 + 1e-12)
        assert root <= prediction.rmspbe_most[-1] * (1 + 1e-12)
        assert prediction.rmspbe_least[-1] > 0


def test_the_first_state_is_uniform_where_no_start_is_given():
    problem = Problem(
        name="turn",
        gamma="1/2",
        features=[[1], [3]],
        transitions=[(0, 0, 1, 1, 1), (1, 0, 0, 1, 5)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )
    prediction = predict(problem, "td", alpha="1/10", steps=1)
    assert prediction.mean_weights[1, 0] == pytest.approx((0.1 * 1 * 1 + 0.1 * 5 * 3) / 2)


def test_the_random_walk_has_the_errors_that_twenty_thousand_runs_were_checked_against():
    prediction = predict("random-walk-tabular", "tdrc", alpha="1/16", steps=999)
    printed = [f"{prediction.mspbe[n]:.9f}" for n in (10, 100, 300, 999)]
    assert printed == ["0.051843022", "0.021800438", "0.006396705", "0.003924875"]


@pytest.mark.parametrize("name", ["random-walk-dependent", "baird", "boyan"])
def test_balls_and_floats_agree(name):
    in_floats, enclosed = (
        predict(name, HTD, alpha="1/64", steps=40, proof=proof) for proof in (Proof.FLOAT, Proof.ENCLOSED)
    )
    assert enclosed.proof is Proof.ENCLOSED
    assert in_floats.mspbe == pytest.approx(enclosed.mspbe, rel=1e-11)
    assert in_floats.rmspbe_least == pytest.approx(enclosed.rmspbe_least, rel=1e-8)


@pytest.mark.parametrize("sampling", ["markov", "iid"])
@pytest.mark.parametrize("algorithm", EVERY, ids=lambda a: a.name)
def test_updates_average_to_the_expected_update_that_was_derived(algorithm, sampling):
    problem = garnet(5, 3, 2, 3, seed=4)
    recursion = prepared(problem, algorithm, beta="1/3", eta=2, sampling=sampling)
    weights = [problem.d[s] for s in recursion.recursion.states] if sampling == "markov" else [1]
    n = recursion.n
    G = np.array([[float(x) for x in row] for row in recursion.common])
    for step, pairs in zip(recursion.recursion.steps, recursion.updates, strict=True):
        share = float(step.probability * weights[step.source])
        for u, v in pairs:
            G = G + share * np.outer([float(x) for x in u], [float(x) for x in v])
    update = expected_update(problem, algorithm, algorithm.parameters({"beta": Fraction(1, 3), "eta": Fraction(2)}))
    pivots = list(recursion.pivots)
    assert G[:, :n] == pytest.approx((update.G @ recursion.basis).to_float()[pivots], abs=1e-12)
    at_origin = update.g.to_float()[:, 0] + update.G.to_float() @ np.array([float(v) for v in recursion.origin])
    assert G[:, n] == pytest.approx(at_origin[pivots], abs=1e-11)


def test_only_what_moves_has_coordinates():
    assert prepared("baird", "td").n == 7
    assert prepared("baird", "tdc").n == 14
    assert prepared("baird", "tdrc").n == 15
    assert prepared("boyan", "tdrc").n == 8
    still = averaged_process(name="still", gamma=1, features=[[0]], P=[[1]], r=[1], d=[1], initial_weights=[3])
    prediction = predict(still, "td", alpha=1, steps=3)
    assert prediction.mean_weights.tolist() == [[3]] * 4
    assert prediction.mspbe.tolist() == [0] * 4


@pytest.mark.parametrize("name", ["random-walk-tabular", pytest.param("baird", marks=pytest.mark.thorough)])
def test_long_horizons_by_squaring_are_those_of_single_steps(name):
    jumps = predict(name, "tdrc", alpha="1/64", steps=60_100, every=20_000)
    assert jumps.recorded.tolist() == [0, 20_000, 40_000, 60_000, 60_100]
    assert "repeated squaring" in jumps.method
    assert method(layout(prepared(name)), 1000, 1) == "step by step, matrix-free"
    steps = predict(name, "tdrc", alpha="1/64", steps=20_000)
    assert jumps.mspbe[1] == pytest.approx(steps.mspbe[-1], rel=1e-6)
    assert jumps.mean_weights[1] == pytest.approx(steps.mean_weights[-1], rel=1e-6)


def test_small_operators_are_written_out_and_say_the_same():
    written = predict("boyan", "td", alpha="1/8", steps=500, sampling="iid")
    assert "15 x 15 second-moment operator written out" in written.method
    balls = predict("boyan", "td", alpha="1/8", steps=500, every=250, sampling="iid", proof=Proof.ENCLOSED)
    assert written.mspbe[[0, 250, 500]] == pytest.approx(balls.mspbe, rel=1e-10)


def test_moments_past_the_range_of_floats_are_infinite_and_null():
    prediction = predict("baird", "td", alpha=1, steps=2000)
    assert math.isinf(prediction.mspbe[-1])
    assert not np.isnan(prediction.mspbe).any()


def test_results_do_not_change():
    prediction = predict("boyan", alpha="1/4", steps=3)
    with pytest.raises(ValueError, match="read-only"):
        prediction.mspbe[0] = 0


def test_a_process_without_a_chain_has_independent_samples_only():
    assert predict("two-state", alpha="1/4", steps=1).sampling == "iid"
    with pytest.raises(BadOption, match="markov is not possible on 'two-state'"):
        predict("two-state", alpha="1/4", steps=1, sampling="markov")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("alpha", 0, "not positive"),
        ("alpha", "x", "not a number"),
        ("steps", -1, "from 1 to"),
        ("every", 0, "from 1 to"),
        ("steps", 10**9, "records 1000000000 steps; at most 1000000 are kept"),
        ("beta", -1, "negative"),
        ("sampling", "batch", "allowed: markov, iid"),
    ],
)
def test_a_bad_option_is_named(option, value, message):
    with pytest.raises(BadOption, match=rf"--\w+: .*{message}"):
        predict("boyan", **({"alpha": 1, "steps": 1} | {option: value}))


def test_an_update_that_is_not_affine_is_refused():
    def squared(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return delta * delta * x, 0

    with pytest.raises(NotAffine, match="not affine"):
        predict("boyan", Algorithm("squared", squared), alpha=1, steps=1)

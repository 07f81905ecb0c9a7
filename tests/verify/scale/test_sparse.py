"""Key matrices of sparse chains in doubles, held up to the exact ones of the same doubles."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array

from tdrc_theory.algorithms import OF_THE_PAPER, find_algorithm
from tdrc_theory.errors import BadOption, BadProblem, TheoryError
from tdrc_theory.exact import Matrix
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problems import PROBLEMS, find_problem
from verify.check import Outcome, Proof
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.scale import sparse
from verify.scale.sparse import sparse_key_matrices, sparse_verdict

GAMMA = Fraction(9, 10)


def random_chain(seed, states=23, k=4, nonzeros=3):
    """Return features, W, d and r of a chain whose features have every sign and size."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((states, k)) * 10.0 ** rng.integers(-3, 4, (states, k))
    X[rng.random((states, k)) < 0.3] = 0
    W = np.zeros((states, states))
    for s in range(states):
        W[s, rng.choice(states, nonzeros, replace=False)] = rng.dirichlet(np.ones(nonzeros))
    return X, W, rng.dirichlet(np.ones(states)), rng.standard_normal(states)


def exact_matrix(array):
    return Matrix([[Fraction(float(v)) for v in row] for row in array])


def exact_key_matrices(X, W, d, r, gamma=GAMMA):
    X, W, D = exact_matrix(X), exact_matrix(W), Matrix.diagonal([Fraction(float(v)) for v in d])
    C = X.T @ D @ X
    return C - X.T @ D @ W @ X * gamma, X.T @ D @ exact_matrix(np.asarray(r)[:, None]), C


def assert_holds(ball, exact):
    assert ball.shape == exact.shape
    for i, j in np.ndindex(*exact.shape):
        assert abs(exact[i, j] - Fraction(ball.mid[i, j])) <= Fraction(ball.rad[i, j])


@pytest.mark.parametrize("chunk", [1, 5, 2048])
@pytest.mark.parametrize("seed", range(6))
def test_the_exact_key_matrices_lie_in_the_enclosures(seed, chunk, monkeypatch):
    monkeypatch.setattr(sparse, "_CHUNK", chunk)
    X, W, d, r = random_chain(seed)
    key = sparse_key_matrices(X, csr_array(W), d, r, GAMMA, behaviour=csr_array(W.T / W.sum(axis=0).max()))
    for ball, exact in zip((key.A, key.b, key.C), exact_key_matrices(X, W, d, r), strict=True):
        assert_holds(ball, exact)
    assert_holds(key.A_b, exact_key_matrices(X, W.T / W.sum(axis=0).max(), d, r)[0])


def test_the_enclosures_are_narrow_enough_to_be_of_use():
    X, W, d, r = random_chain(1)
    key = sparse_key_matrices(X, csr_array(W), d, r, GAMMA)
    scale = np.sqrt(np.diag(key.C.mid))
    assert (key.C.rad <= 1e-11 * np.outer(scale, scale)).all()


@pytest.mark.parametrize("size", [1e-200, 1e-155, 1e45])
def test_numbers_that_underflow_or_grow_large_stay_enclosed(size):
    X, W, d, r = random_chain(2)
    key = sparse_key_matrices(size * X, csr_array(W), d, r, GAMMA)
    for ball, exact in zip((key.A, key.b, key.C), exact_key_matrices(size * X, W, d, r), strict=True):
        assert_holds(ball, exact)


@pytest.mark.parametrize("features", [csr_array, csc_array, coo_array, np.asfortranarray])
@pytest.mark.parametrize("chain", [csr_array, csc_array, coo_array])
def test_features_and_chains_of_any_kind_give_the_same_matrices(features, chain):
    X, W, d, r = random_chain(3)
    plain = sparse_key_matrices(X, csr_array(W), d, r, GAMMA)
    other = sparse_key_matrices(features(X), chain(W), d, r, GAMMA)
    assert (plain.A.mid == other.A.mid).all() or np.allclose(plain.A.mid, other.A.mid, atol=plain.A.rad.max())
    assert_holds(other.A, exact_key_matrices(X, W, d, r)[0])


def test_transitions_given_in_pieces_add_up_without_being_rounded():
    X, W, d, r = random_chain(4)
    s, s_next = np.nonzero(W)
    probability = W[s, s_next]
    thirds = [probability / 3, probability / 3, probability - 2 * (probability / 3)]
    pieces = (np.tile(s, 3), np.tile(s_next, 3), np.concatenate(thirds))
    key = sparse_key_matrices(X, pieces, d, r, GAMMA)
    exact_W = sum(
        (exact_matrix(csr_array((p, (s, s_next)), shape=W.shape).toarray()) for p in thirds[1:]),
        exact_matrix(csr_array((thirds[0], (s, s_next)), shape=W.shape).toarray()),
    )
    exact_X, D = exact_matrix(X), Matrix.diagonal([Fraction(float(v)) for v in d])
    assert_holds(key.A, exact_X.T @ D @ exact_X - exact_X.T @ D @ exact_W @ exact_X * GAMMA)


def of_problem(problem):
    """Return the key matrices in doubles of an exact problem, its behaviour chain included."""
    states = problem.states
    W, P, r = np.zeros((states, states)), np.zeros((states, states)), np.zeros(states)
    for s, a, s_next, probability, reward, _ in problem.transitions:
        taken, aimed = (float(policy[s][a] * probability) for policy in (problem.behaviour, problem.target))
        r[s] += aimed * float(reward)
        if not problem.ends(s_next):
            W[s, s_next] += aimed
            P[s, s_next] += taken
    X = Matrix(problem.features).to_float()
    d = np.array([float(v) for v in problem.d])
    return sparse_key_matrices(X, csr_array(W), d, r, problem.gamma, behaviour=csr_array(P))


@pytest.mark.quick(15)
@pytest.mark.parametrize("algorithm", [a for a in OF_THE_PAPER if a.name != "vtrace"], ids=lambda a: a.name)
@pytest.mark.parametrize("name", [name for name, make in PROBLEMS if make().constant_gamma is not None])
def test_verdicts_agree_with_the_exact_ones(name, algorithm):
    problem = find_problem(name)
    key = of_problem(problem)
    singular = Setting.of(problem, algorithm, Fraction(1), Fraction(1)).key.C.rank() < problem.k
    for beta, eta in ((1, 1), ("1/10", 16)):
        result = sparse_verdict(key, algorithm, beta=beta, eta=eta)
        exact = verdict(Setting.of(problem, algorithm, Fraction(beta), Fraction(eta)))
        if singular and exact.status is not Outcome.NOT_CONVERGENT:
            assert result.status is Outcome.UNDECIDED
        elif result.status is not Outcome.UNDECIDED:
            assert (result.status, result.proof) == (exact.status, Proof.ENCLOSED)
        else:
            assert singular


def test_singular_features_are_undecided_with_the_reason():
    result = sparse_verdict(of_problem(find_problem("baird")))
    assert (result.status, result.proof) == (Outcome.UNDECIDED, Proof.FLOAT)
    assert "too close to 0" in result.reason


def test_features_of_no_visited_state_rest_and_the_others_decide():
    X, W, d, r = random_chain(5)
    X = np.hstack([X[:, :2], np.zeros((23, 1)), X[:, 2:]])
    X[7, 2], d[7], W[:, 7] = 3, 0, 0
    key = sparse_key_matrices(X, csr_array(W), d / d.sum(), r, Fraction(1, 10))
    for algorithm, resting in (("td", [2]), ("tdrc", [7]), ("tdc", [2, 7])):
        result = sparse_verdict(key, algorithm)
        assert (result.status, result.proof) == (Outcome.CONVERGENT_TO_A_SET, Proof.ENCLOSED)
        assert result.evidence["resting"] == resting
        assert "every fixed point solves A w = b" in result.reason


def test_an_algorithm_that_needs_other_expectations_is_refused():
    X, W, d, r = random_chain(6)
    key = sparse_key_matrices(X, csr_array(W), d, r, GAMMA)
    with pytest.raises(BadOption, match=r"vtrace needs E\[min\(1, rho\)"):
        sparse_verdict(key, "vtrace")
    with pytest.raises(BadOption, match="its behaviour chain was not given"):
        sparse_verdict(key, "htd")


def test_an_algorithm_of_ones_own_is_judged_through_its_function():
    def halved(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return rho * delta * x / 2, 0

    X, W, d, r = random_chain(7)
    key = sparse_key_matrices(X, csr_array(W), d, r, 0)
    whole, half = sparse_verdict(key, find_algorithm("td")), sparse_verdict(key, Algorithm("halved", halved))
    assert whole.status is half.status is Outcome.CONVERGENT
    ends = whole.spectral_abscissa, half.spectral_abscissa
    assert ends[0].middle == pytest.approx(2 * ends[1].middle, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": np.ones(23)}, "they are"),
        ({"X": np.full((23, 2), np.nan)}, "features: a number is not finite"),
        ({"X": np.full((23, 2), 1e60)}, "too large"),
        ({"X": np.ones((23, 2), dtype=np.longdouble)}, "doubles are taken"),
        ({"X": np.full((23, 2), 2**53 + 2)}, "too large"),
        ({"X": coo_array((np.ones(2), ([0, 0], [1, 1])), shape=(23, 2))}, "given twice"),
        ({"W": csr_array(np.eye(5))}, "there are 23 states"),
        ({"W": csr_array(-np.eye(23))}, "negative"),
        ({"W": csr_array(2 * np.eye(23))}, "more than 1"),
        ({"W": csr_array(np.nan * np.eye(23))}, "not finite"),
        ({"W": ([0], [23], [1.0])}, "not in 0..22"),
        ({"W": ([0], [-1], [1.0])}, "not in 0..22"),
        ({"W": ([0], [1, 2], [1.0])}, "shapes"),
        ({"d": np.ones(23)}, "sum to 1"),
        ({"d": np.full(22, 1 / 22)}, "there are 23 states"),
        ({"r": np.full(23, np.inf)}, "r: a number is not finite"),
        ({"gamma": 2}, "gamma"),
        ({"gamma": -1}, "gamma"),
    ],
)
def test_wrong_data_are_refused_with_what_is_wrong(change, message):
    X, W, d, r = random_chain(8)
    arguments = {"X": X, "W": csr_array(W), "d": d, "r": r, "gamma": GAMMA} | change
    with pytest.raises(BadProblem, match=message):
        sparse_key_matrices(*arguments.values())


@pytest.mark.parametrize("parameters", [{"beta": -1}, {"eta": 0}, {"eta": -1}, {"eta": "1e-200"}])
def test_wrong_parameters_are_refused(parameters):
    X, W, d, r = random_chain(9)
    key = sparse_key_matrices(X, csr_array(W), d, r, GAMMA)
    with pytest.raises(TheoryError):
        sparse_verdict(key, **parameters)

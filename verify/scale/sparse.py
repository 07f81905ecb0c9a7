"""Key matrices of a large sparse chain with bounds on their rounding errors, and the verdict they carry.

The doubles given are the data: nothing of size S x S is formed, states are gone through in chunks, and of the features
only the rows that a chunk needs are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.exact import exact
from tdrc_theory.formula.written import text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter
from verify.check import Verdict
from verify.scale.ball import TINY, Ball, gamma, up
from verify.scale.verdict import EnclosedUpdate, enclosed_verdict

_CHUNK = 2048
"""States that are gone through at a time."""
_LARGEST = 1e50
"""Numbers up to which the cubes of data, and their sums, are far from overflow."""
_SUM_ERROR = 1e-9
"""How far from 1 sums of probabilities may be; the bounds on errors allow for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnclosedKeyMatrices:
    """A = E[rho x (x - gamma x')^T], b = E[rho R x] and C = E[x x^T], each with its entrywise error bound.

    Attributes:
        A, b, C: (k, k), (k, 1) and (k, k).
        A_b: E[x (x - gamma x')^T] without importance ratios, (k, k); None where no behaviour chain was given.
        gamma: discount, exact.
    """

    A: Ball
    b: Ball
    C: Ball
    A_b: Ball | None
    gamma: Fraction


def sparse_key_matrices(
    features: Any,
    transitions: Any,
    d: Any,
    r: Any,
    gamma: Fraction | int | str | float,
    *,
    behaviour: Any = None,
) -> EnclosedKeyMatrices:
    """Return the key matrices of a chain in doubles, with rigorous bounds on their errors.

    With D = diag(d): C = X^T D X, A = C - gamma X^T D W X and b = X^T D r. (E[rho | s] = 1, so rho drops out of C.)

    Args:
        features: X, (S, k), an array or a scipy.sparse matrix.
        transitions: W, (S, S), as a scipy.sparse matrix, or three arrays (s, s_next, probability); W[s, s'] is the
            target policy's probability, which is the behaviour's times rho. Rows sum to 1, or less where episodes end.
        d: (S,), the weights of the states.
        r: (S,), E[rho R | s].
        gamma: discount in [0, 1]; a float means the decimal that it is written as.
        behaviour: like `transitions`, of the behaviour policy; for A_b only.

    Raises:
        BadProblem: the data have wrong shapes, are not finite doubles, or are no probabilities.
    """
    X = _features(features)
    states = X.shape[0]
    weights, reward = _vector(d, states, "d"), _vector(r, states, "r")
    discount = exact(gamma)
    if not isinstance(discount, Fraction) or not 0 <= discount <= 1:
        raise BadProblem(f"gamma: {gamma} is not a fraction in [0, 1]")
    if (weights < 0).any() or abs(weights.sum() - 1) > _SUM_ERROR:
        raise BadProblem(f"d: {states} weights of sum {weights.sum()}; they are at least 0 and sum to 1")
    given = {"transitions": transitions} | ({} if behaviour is None else {"behaviour": behaviour})
    chains = [_chain(chain, states, key) for key, chain in given.items()]
    C, b, *arrivals = _products(X, weights, reward, chains)
    A, *behaved = (C + product.times(-discount) for product in arrivals)
    return EnclosedKeyMatrices(A=A, b=b, C=C, A_b=behaved[0] if behaved else None, gamma=discount)


def sparse_verdict(
    key: EnclosedKeyMatrices,
    algorithm: Algorithm | str = "tdrc",
    *,
    beta: Fraction | int | str | float = 1,
    eta: Fraction | int | str | float = 1,
) -> Verdict:
    """Decide whether an algorithm's expected update converges on a chain whose key matrices are enclosed.

    G and g follow from the algorithm's function (`tdrc_theory.derive`), for every matrix of the enclosure.

    Raises:
        BadOption: a parameter is not valid, or the update has expectations besides A, b, C and A_b.

    >>> from scipy.sparse import csr_array
    >>> chain = csr_array([[0.0, 1.0], [0.0, 1.0]])
    >>> key = sparse_key_matrices(np.array([[1.0], [2.0]]), chain, [0.5, 0.5], [0, 0], 0.99)
    >>> [sparse_verdict(key, name).status.value for name in ("tdrc", "tdc")]
    ['not-convergent', 'convergent']
    """
    used_beta, used_eta = parameter("beta", beta), parameter("eta", eta)
    return enclosed_verdict(update_of(key, find_algorithm(algorithm), used_beta, used_eta))


def _products(X: Any, d: np.ndarray, r: np.ndarray, chains: list[Any]) -> list[Ball]:
    """Return X^T D X, X^T D r and X^T D W X for each chain W.

    An entry is a sum over s and s' of x_i(s) d(s) W(s, s') y_j(s'). It takes one rounding for x d, at most m + 1 for
    the sum over m next states, at most the chunk's size for its inner product, and one a chunk: its error is at most
    gamma(their number) times the sum of absolute values. By Cauchy and Schwarz, over the pairs (s, s') with weights
    d(s) W(s, s'), that sum is at most the product of the norms of x_i under d and of y_j under W^T d, as the rows of W
    sum to at most 1. (These bounds are rounded upwards too; each of the S (m + 2) products that underflows adds TINY
    times at most the square of the largest number.) Entries of features that are 0 wherever they count are exactly 0.
    """
    states, k = X.shape
    under = [d, *(chain.T @ d for chain in chains)]
    totals = [np.zeros((k, width)) for width in (k, 1, *(k for _ in chains))]
    squares = [np.zeros(k) for _ in under]
    met = [d > 0, *(_reached(chain, d > 0) for chain in chains)]
    seen = [np.zeros(k, dtype=bool) for _ in met]
    for low in range(0, states, _CHUNK):
        high = min(low + _CHUNK, states)
        x = _dense(X[low:high])
        left = d[low:high, None] * x
        for features, states_met in zip(seen, met, strict=True):
            features |= (x[states_met[low:high]] != 0).any(axis=0)
        rights = (x, r[low:high, None], *(_dense(chain[low:high] @ X) for chain in chains))
        for total, right in zip(totals, rights, strict=True):
            total += left.T @ right
        for square, weight in zip(squares, under, strict=True):
            square += np.einsum("sk,sk,s->k", x, x, weight[low:high])
    size, m = max(1.0, float(np.abs(r).max()), _largest(X)), max(int(np.diff(W.indptr).max(initial=0)) for W in chains)
    nonzeros = max(chain.nnz for chain in chains) + states
    squares.insert(1, np.atleast_1d((d * r * r).sum()))
    seen.insert(1, np.ones(1, dtype=bool))
    # Upper bounds of the roots of sums of d x^2 and of (W^T d) x^2, rows of W summing to 1 + 1e-9.
    lost = 8.0 * nonzeros * size**2 * TINY
    norms = [up(np.sqrt(square * (1 + 2 * _SUM_ERROR) + lost), nonzeros + 16) for square in squares]
    relative, absolute = gamma(m + _CHUNK + states // _CHUNK + 16), 8.0 * states * (m + 3) * size**3 * TINY
    balls = []
    for total, norm, columns in zip(totals, norms, seen, strict=True):
        rad = relative * np.outer(norms[0], norm) + absolute
        balls.append(Ball(total, np.where(np.outer(seen[0], columns), rad, 0.0)))
    return balls


def _reached(chain: Any, start: np.ndarray) -> np.ndarray:
    """Return which states one step leads to, (S,), without a product that could underflow."""
    from scipy.sparse import csr_array

    steps = csr_array(((chain.data > 0).astype(np.float64), chain.indices, chain.indptr), shape=chain.shape)
    return np.asarray(steps.T @ start.astype(np.float64) > 0)


def _dense(rows: Any) -> np.ndarray:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)


def _features(data: Any) -> Any:
    if hasattr(data, "tocsr"):
        X = data.tocsr(copy=True)
        stored = data.nnz if data.format == "coo" else X.nnz
        X.sum_duplicates()
        if X.nnz != stored:
            raise BadProblem("features: an entry is given twice")
        _check_doubles(X.data, "features")
    else:
        X = np.ascontiguousarray(data)
        _check_doubles(X, "features")
    if X.ndim != 2 or not X.shape[0] or not X.shape[1]:
        raise BadProblem(f"features: shape {X.shape}; they are (S, k)")
    return X.astype(np.float64, copy=False)


def _vector(data: Any, states: int, key: str) -> np.ndarray:
    values = np.asarray(data)
    _check_doubles(values, key)
    if values.shape != (states,):
        raise BadProblem(f"{key}: shape {values.shape}; there are {states} states")
    return values.astype(np.float64, copy=False)


def _chain(data: Any, states: int, key: str) -> Any:
    """Return CSR arrays; repeated entries stay apart, since adding them up here would round them."""
    from scipy.sparse import csr_array

    if hasattr(data, "tocsr") and data.format != "coo":
        chain = data.tocsr()
        if chain.shape != (states, states):
            raise BadProblem(f"{key}: shape {chain.shape}; there are {states} states")
    else:
        parts = (data.row, data.col, data.data) if hasattr(data, "tocsr") else data
        s, s_next, probability = (np.asarray(part) for part in parts)
        if not s.shape == s_next.shape == probability.shape or s.ndim != 1:
            raise BadProblem(f"{key}: shapes {s.shape}, {s_next.shape}, {probability.shape}; they are all (n,)")
        if s.size and (min(s.min(), s_next.min()) < 0 or max(s.max(), s_next.max()) >= states):
            raise BadProblem(f"{key}: a state is not in 0..{states - 1}")
        order = np.argsort(s, kind="stable")
        pointers = np.concatenate([[0], np.cumsum(np.bincount(s, minlength=states))])
        chain = csr_array((probability[order], s_next[order], pointers), shape=(states, states))
    _check_doubles(chain.data, key)
    chain = chain.astype(np.float64, copy=False)
    sums = chain @ np.ones(states)
    if (chain.data < 0).any() or (sums > 1 + _SUM_ERROR).any():
        raise BadProblem(f"{key}: a probability is negative, or a row sums to more than 1")
    return chain


def _check_doubles(values: np.ndarray, key: str) -> None:
    if values.dtype.kind not in "buif" or (values.dtype.kind == "f" and values.dtype.itemsize > 8):
        raise BadProblem(f"{key}: numbers of type {values.dtype}; doubles are taken")
    if not _largest(values) <= (_LARGEST if values.dtype.kind == "f" else 2**53):
        raise BadProblem(f"{key}: a number is not finite, or too large to bound its rounding errors")


def _largest(X: Any) -> float:
    values = X.data if hasattr(X, "toarray") else X
    return max(float(values.max(initial=0)), -float(values.min(initial=0)))


def update_of(key: EnclosedKeyMatrices, algorithm: Algorithm, beta: Fraction, eta: Fraction) -> EnclosedUpdate:
    """Return G and g of an algorithm, ordered as `Algorithm.stacked`, by the blocks that it has in every dimension.

    Raises:
        BadOption: the update has an expectation that is none of A, b, C, A_b, or A_b was not given; or a coefficient
            divides by 0.
    """
    from tdrc_theory.derive.symbolic import derive
    from tdrc_theory.notation import scalar_symbol

    update = derive(algorithm)
    if algorithm.scalars:
        raise BadOption(f"{algorithm.name} has weights that are numbers; only vectors are enclosed")
    used = algorithm.parameters({"beta": beta, "eta": eta})
    values = {scalar_symbol(name): value for name, value in (*used.items(), ("gamma", key.gamma))}
    k = key.A.shape[0]
    letters = {"A": key.A, "A^T": key.A.T, "C": key.C, "b": key.b, "I": Ball.exact(np.eye(k))}
    if key.A_b is not None:
        letters |= {"A_b": key.A_b, "A_b^T": key.A_b.T}
    blocks = [[_numbers(block, values) for block in row] for row in update.G]
    constants = [_numbers(block, values) for block in update.g]
    try:
        G = Ball.block([[_sum(block, letters, (k, k)) for block in row] for row in blocks])
        g = Ball.block([[_sum(block, letters, (k, 1))] for block in constants])
    except KeyError as error:
        name = error.args[0]
        only = "only A, b, C and A_b are enclosed"
        missing = "its behaviour chain was not given" if name.startswith("A_b") else only
        raise BadOption(f"{algorithm.name} needs {name}; {missing}") from None
    td_rows = all(  # each is (-c A, c b) for a number c
        set(row[-1]) <= {"A"} and set(constant) <= {"b"} and row[-1].get("A", 0) == -constant.get("b", Fraction(0))
        for row, constant in zip(blocks, constants, strict=True)
    )
    return EnclosedUpdate(G=G, g=g, A=key.A, b=key.b, td_rows=td_rows, own_fixed_points=algorithm.own_fixed_points)


def _numbers(block: Any, values: dict[Any, Any]) -> dict[str, Fraction]:
    """Return a linear combination of letters as {name: exact coefficient}."""
    import sympy

    numbers = {}
    for letter, coefficient in block.parts.items():
        value, name = sympy.sympify(coefficient).subs(values), text(letter)
        if not value.is_Rational:
            raise BadOption(f"the coefficient {coefficient} of {name} is no number at this beta, eta and gamma")
        if value:
            numbers[name] = Fraction(int(value.p), int(value.q))
    return numbers


def _sum(block: dict[str, Fraction], letters: dict[str, Ball], shape: tuple[int, int]) -> Ball:
    return sum((letters[name].times(c) for name, c in block.items()), start=Ball.exact(np.zeros(shape)))

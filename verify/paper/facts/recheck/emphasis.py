"""Key matrices, emphases, traces and means of emphatic learners, from a problem given as plain data, by definition.

Means of emphatic TD(0) with one weight are exact: each state and trace is followed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from verify.paper.facts.recheck import CannotTell, algebra
from verify.paper.facts.recheck.algebra import Square, Vector
from verify.paper.facts.recheck.properties import values
from verify.paper.facts.recheck.updates import Data, Step, bellman, chain, discounts, features, rewards, steps


def weights(data: Data) -> Vector:
    """Return d, by its definition as what behaviour leaves as it is."""
    if any(one.t < 0 for one in steps(data)):
        raise CannotTell("an episode ends")
    n = len(data["features"])
    still = algebra.combined((1, algebra.transposed(chain(data, lambda one: one.p))), (-1, algebra.identity(n)))
    return _column(algebra.solution([*still, [Fraction(1)] * n], [*[[Fraction(0)]] * n, [Fraction(1)]]))


def _column(square: Square | None) -> Vector:
    if square is None:
        raise CannotTell("a system without a solution")
    return [v for (v,) in square]


def _interests(data: Data) -> Vector:
    return [Fraction(v) for v in data.get("interest", [1] * len(data["features"]))]


def _interesting(data: Data) -> Vector:
    """Return d i."""
    return [a * b for a, b in zip(weights(data), _interests(data), strict=True)]


def emphasis(data: Data, learner: str) -> Vector:
    """Return what weighs the states of a learner with lambda = 0: d, or f with f = d i + Gamma P^T f."""
    if learner != "emphatic-td":
        return weights(data)
    return _column(algebra.solution(algebra.transposed(bellman(data)), [[v] for v in _interesting(data)]))


def key_matrix(data: Data, learner: str) -> Square:
    """Return the key matrix at lambda = 0."""
    return [[m * v for v in row] for m, row in zip(emphasis(data, learner), bellman(data), strict=True)]


def expected_matrix(data: Data, learner: str) -> Square:
    """Return A = X^T K X."""
    X = features(data)
    return algebra.product(algebra.product(algebra.transposed(X), key_matrix(data, learner)), X)


def matrix_by_trace(data: Data, learner: str) -> Square:
    """Return A of TD(0) or emphatic TD(0): the mean of rho F_t x (x - gamma(s') x')^T over the steps of behaviour.

    What F_t is on average where behaviour is in a state, times how often that is, solves the mean of F_t's own rule.
    """
    if learner not in ("td", "emphatic-td"):
        raise CannotTell("another trace")
    X, gamma = features(data), discounts(data)
    k, follow = len(X[0]), chain(data, lambda one: one.p * one.rho * gamma[one.t])
    held = algebra.combined((1, algebra.identity(len(X))), (-1, algebra.transposed(follow)))
    traced = learner == "emphatic-td"
    share = _column(algebra.solution(held, [[v] for v in _interesting(data)])) if traced else weights(data)
    A = [[Fraction(0)] * k for _ in range(k)]
    for one in steps(data):
        x, y = X[one.s], X[one.t]
        for i, j in itertools.product(range(k), repeat=2):
            A[i][j] += share[one.s] * one.p * one.rho * x[i] * (x[j] - gamma[one.t] * y[j])
    return A


def from_key_matrix(data: Data, learner: str) -> bool:
    """Return whether A by the learner's trace is X^T K X."""
    return matrix_by_trace(data, learner) == expected_matrix(data, learner)


def stable(data: Data, learner: str) -> bool:
    """Return whether every eigenvalue of A has positive real part."""
    return algebra.hurwitz(algebra.characteristic(algebra.combined((-1, expected_matrix(data, learner)))))


def rows(data: Data, what: str, learner: str) -> Square | None:
    """Return a quantity by the name that statements have for it, as rows."""
    if what == "values":
        result = values(data)
        return None if result is None else algebra.transposed(result)
    if what in ("weights", "emphasis"):
        return [weights(data) if what == "weights" else emphasis(data, learner)]
    return key_matrix(data, learner) if what == "key-matrix" else expected_matrix(data, learner)


def value_error(data: Data, learner: str) -> Fraction | None:
    """Return sum of d i (v - x.w)^2 where a learner with lambda = 0 rests, or where it is least."""
    X, v, share = features(data), values(data), _interesting(data)
    if v is None:
        return None
    if learner == "least":
        A = algebra.product(algebra.transposed(X), [[s * x for x in row] for s, row in zip(share, X, strict=True)])
        b = algebra.product(algebra.transposed(X), [[s * value] for s, (value,) in zip(share, v, strict=True)])
    else:
        A, weighed = expected_matrix(data, learner), zip(emphasis(data, learner), rewards(data), strict=True)
        b = algebra.product(algebra.transposed(X), [[m * reward] for m, reward in weighed])
    w = algebra.solution(A, b)
    if w is None:
        return None
    off = algebra.combined((1, v), (-1, algebra.product(X, w)))
    return sum((s * e**2 for s, (e,) in zip(share, off, strict=True)), Fraction(0))


def trace_variance(data: Data, learner: str, lam: Fraction) -> bool:
    """Return whether the trace rho (gamma lambda e + x) has finite variance: (I - N)^-1 exists and is nonnegative.

    N is the matrix of sum over actions of b p rho^2 (gamma(s') lambda)^2, by states; features are not 0 anywhere.
    """
    if learner not in ("td-lambda", "tdc-lambda") or not 0 <= lam <= 1:
        raise CannotTell("another trace")
    gamma, one = discounts(data), algebra.identity(len(data["features"]))
    N = chain(data, lambda each: each.p * (each.rho * gamma[each.t] * lam) ** 2)
    solved = algebra.solution(algebra.combined((1, one), (-1, N)), one)
    return solved is not None and all(v >= 0 for row in solved for v in row)


def first_interest(data: Data, power: int, updates: int) -> list[Fraction]:
    """Return E[F_t^power] for t = 0, 1, ..., with interest 1 at time 0 alone, over all actions of behaviour."""
    gamma = discounts(data)
    if not data["start"] or any(one.t < 0 for one in steps(data)):
        raise CannotTell("no start, or an episode that ends")
    turned = algebra.transposed(chain(data, lambda one: one.p * (one.rho * gamma[one.t]) ** power))
    held = [[Fraction(p)] for p in data["start"]]
    result = []
    for _ in range(updates + 1):
        result.append(sum((mass for (mass,) in held), Fraction(0)))
        held = algebra.product(turned, held)
    return result


def step_change(data: Data, weight: Fraction, alpha: Fraction, state: Fraction, action: Fraction) -> Fraction:
    """Return what a TD(0) update adds to the only weight."""
    if len(data["features"][0]) != 1:
        raise CannotTell("several weights")
    gamma, x = discounts(data), [row[0] for row in features(data)]
    for s, a, t, _, reward in data["transitions"]:
        if (s, a) == (state, action):
            rho = Fraction(data["target"][s][a]) / Fraction(data["behaviour"][s][a])
            return alpha * rho * (Fraction(reward) + gamma[t] * weight * x[t] - weight * x[s]) * x[s]
    raise CannotTell("there is no such step")


def finite_follow_on(data: Data, learner: str) -> bool | None:
    """Return whether the follow-on trace takes finitely many values: the closure of those at the start."""
    _require_emphatic(learner)
    seen = set(enumerate(_interests(data)))
    todo = list(seen)
    while todo and len(seen) <= 1000:
        s, trace = todo.pop()
        after = {_traced(data, one, trace) for one in steps(data) if one.s == s} - seen
        seen |= after
        todo += after
    return None if todo else True


def _require_emphatic(learner: str) -> None:
    if learner != "emphatic-td":
        raise CannotTell("another learner")


def _traced(data: Data, one: Step, trace: Fraction) -> tuple[int, Fraction]:
    """Return the state after a step, and the follow-on trace there."""
    if one.t < 0:
        raise CannotTell("an episode ends")
    return one.t, one.rho * discounts(data)[one.t] * trace + _interests(data)[one.t]


_UPDATES = 40
"""Updates after which a mean is looked at."""


def first_weight(data: Data) -> Fraction:
    """Return the weight that learning starts with."""
    return Fraction(data["initial_weights"][0])


def _moves(data: Data, s: int, trace: Fraction) -> Iterator[tuple[Fraction, Fraction, tuple[int, Fraction]]]:
    """Yield of each step from a state and a follow-on trace: its probability, slope, and the state and trace after it.

    An update of emphatic TD(0) multiplies the one weight by 1 + alpha times the slope.
    """
    gamma, x = discounts(data), [row[0] for row in features(data)]
    if any(one.reward for one in steps(data)):
        raise CannotTell("rewards")
    for one in steps(data):
        if one.s == s:
            after = _traced(data, one, trace)
            yield one.p, one.rho * trace * (gamma[one.t] * x[one.t] - x[s]) * x[s], after


def _first_traces(data: Data) -> dict[tuple[int, Fraction], Fraction]:
    """Return the probability of each state and follow-on trace at the start of a learner of one weight."""
    if len(data["features"][0]) != 1 or not data["start"]:
        raise CannotTell("several weights, or no start")
    return {
        (s, i): Fraction(p) for s, (i, p) in enumerate(zip(_interests(data), data["start"], strict=True)) if Fraction(p)
    }


def mean_weights(data: Data, alpha: Fraction, updates: int) -> list[Fraction]:
    """Return the means of the one weight of emphatic TD(0), by (state, follow-on trace), from the problem's start."""
    w = first_weight(data)
    held = {place: p * w for place, p in _first_traces(data).items()}
    means = [sum(held.values(), Fraction(0))]
    for _ in range(updates):
        after: dict[tuple[int, Fraction], Fraction] = {}
        for (s, trace), mass in held.items():
            for p, slope, place in _moves(data, s, trace):
                after[place] = after.get(place, Fraction(0)) + p * mass * (1 + alpha * slope)
        held = {place: mass for place, mass in after.items() if mass}
        means.append(sum(held.values(), Fraction(0)))
    return means


def _path(data: Data) -> list[tuple[Fraction, Fraction]]:
    """Return probability and slope of the first updates from the start that move the weight, one after the other."""
    first, *others = _first_traces(data)
    place, path = first, []
    for _ in range(_UPDATES):
        moves = list(_moves(data, *place))
        moving = [move for move in moves if move[1]]
        if others or len(moving) != 1 or any(after != first for _, slope, after in moves if not slope):
            raise CannotTell("not one path from the start")
        ((p, slope, place),) = moving
        path.append((p, slope))
    return path


def mean_unbounded(data: Data, learner: str) -> bool | None:
    """Return whether slopes along the one path from the start grow as powers of a number above 1 do."""
    _require_emphatic(learner)
    if not first_weight(data):
        return False
    probabilities, slopes = zip(*_path(data)[_UPDATES // 2 :], strict=True)
    changes = [after - before for before, after in itertools.pairwise(slopes)]
    ratios = {after / before for before, after in itertools.pairwise(changes) if before}
    alike = len(set(probabilities)) == len(ratios) == 1 and all(changes)
    return True if alike and min(ratios) > 1 else None


def mean_settles(data: Data, learner: str, alpha: Fraction) -> bool | None:
    """Return whether the mean of the weight is seen to go to 0, or to grow without bound, within some updates."""
    _require_emphatic(learner)
    sizes = [abs(mean) for mean in mean_weights(data, alpha, _UPDATES)]
    if sizes[-1] > 1000 * sizes[0] and sizes[-1] > sizes[-3]:
        return False
    falls = all(after <= before for before, after in itertools.pairwise(sizes[3:]))
    return True if falls and sizes[-1] < sizes[3] else None

"""Key matrices, emphases, traces and means of emphatic learners, from a problem given as plain data, by definition.

Means of emphatic TD(0) with one weight are exact: each state and trace is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import (
    Square,
    Vector,
    characteristic,
    combined,
    dot,
    hurwitz,
    identity,
    product,
    solution,
    transposed,
)
from verify.paper.facts.recheck.updates import Data, discounts, features


def target_chain(data: Data) -> tuple[Square, Vector]:
    """Return P and r under the target policy."""
    n = len(data["features"])
    P, r = [[Fraction(0)] * n for _ in range(n)], [Fraction(0)] * n
    for s, a, s_next, p, reward in data["transitions"]:
        _goes_on(s_next)
        mass = Fraction(data["target"][s][a]) * Fraction(p)
        P[s][s_next] += mass
        r[s] += mass * Fraction(reward)
    return P, r


def _goes_on(s_next: int) -> None:
    if s_next < 0:
        raise CannotTell("an episode ends")


def _weighted(data: Data) -> Square:
    """Return P Gamma."""
    P, _ = target_chain(data)
    gamma = discounts(data)
    return [[p * g for p, g in zip(row, gamma, strict=True)] for row in P]


def values(data: Data) -> Vector | None:
    """Return the values of the target policy."""
    n = len(data["features"])
    solved = solution(combined((1, identity(n)), (-1, _weighted(data))), [[v] for v in target_chain(data)[1]])
    return None if solved is None else [v for (v,) in solved]


def weights(data: Data) -> Vector:
    """Return d, by its definition as what behaviour leaves as it is."""
    n = len(data["features"])
    stay = [[-Fraction(int(s == t)) for t in range(n)] for s in range(n)]
    for s, a, s_next, p, _ in data["transitions"]:
        _goes_on(s_next)
        stay[s_next][s] += Fraction(data["behaviour"][s][a]) * Fraction(p)
    solved = solution([*stay, [Fraction(1)] * n], [*[[Fraction(0)]] * n, [Fraction(1)]])
    return _column(solved)


def _column(square: Square | None) -> Vector:
    if square is None:
        raise CannotTell("a system without a solution")
    return [v for (v,) in square]


def emphasis(data: Data, learner: str) -> Vector:
    """Return what weighs the states of a learner with lambda = 0: d, or f with f = d i + Gamma P^T f."""
    d = weights(data)
    if learner != "emphatic-td":
        return d
    n = len(d)
    flow = combined((1, identity(n)), (-1, transposed(_weighted(data))))
    interests = [Fraction(v) for v in data.get("interest", [1] * n)]
    solved = solution(flow, [[a * b] for a, b in zip(d, interests, strict=True)])
    return _column(solved)


def key_matrix(data: Data, learner: str) -> Square:
    """Return the key matrix at lambda = 0."""
    n = len(data["features"])
    rest = combined((1, identity(n)), (-1, _weighted(data)))
    return [[m * v for v in row] for m, row in zip(emphasis(data, learner), rest, strict=True)]


def expected_matrix(data: Data, learner: str) -> Square:
    """Return A = X^T K X."""
    X = features(data)
    return product(product(transposed(X), key_matrix(data, learner)), X)


def matrix_by_trace(data: Data, learner: str) -> Square:
    """Return A of TD(0) or emphatic TD(0): the mean of rho F_t x (x - gamma(s') x')^T over the steps of behaviour.

    What F_t is on average where behaviour is in a state, times how often that is, solves the mean of F_t's own rule.
    """
    if learner not in ("td", "emphatic-td"):
        raise CannotTell("another trace")
    X, d, gamma = features(data), weights(data), discounts(data)
    n, k = len(X), len(X[0])
    interests = [Fraction(v) for v in data.get("interest", [1] * n)]
    steps = []
    for s, a, t, p, _ in data["transitions"]:
        b = Fraction(data["behaviour"][s][a])
        if b:
            steps.append((s, t, b * Fraction(p) * Fraction(data["target"][s][a]) / b))
    follow = [[Fraction(int(s == t)) for t in range(n)] for s in range(n)]
    for s, t, ratio in steps:
        follow[t][s] -= ratio * gamma[t]
    share = d if learner == "td" else _column(solution(follow, [[m * i] for m, i in zip(d, interests, strict=True)]))
    A = [[Fraction(0)] * k for _ in range(k)]
    for s, t, ratio in steps:
        for i in range(k):
            for j in range(k):
                A[i][j] += share[s] * ratio * X[s][i] * (X[s][j] - gamma[t] * X[t][j])
    return A


def from_key_matrix(data: Data, learner: str) -> bool:
    """Return whether A by the learner's trace is X^T K X."""
    return matrix_by_trace(data, learner) == expected_matrix(data, learner)


def stable(data: Data, learner: str) -> bool:
    """Return whether every eigenvalue of A has positive real part."""
    return hurwitz(characteristic(combined((-1, expected_matrix(data, learner)))))


def rows(data: Data, what: str, learner: str) -> Square | None:
    """Return a quantity by the name that statements have for it, as rows."""
    if what == "values":
        result = values(data)
        return None if result is None else [result]
    if what in ("weights", "emphasis"):
        return [weights(data) if what == "weights" else emphasis(data, learner)]
    return key_matrix(data, learner) if what == "key-matrix" else expected_matrix(data, learner)


def value_error(data: Data, learner: str | None) -> Fraction | None:
    """Return sum of d i (v - x.w)^2 where a learner with lambda = 0 rests, or where it is least (None)."""
    X, v, d = features(data), values(data), weights(data)
    if v is None:
        return None
    n = len(d)
    interests = [Fraction(w) for w in data.get("interest", [1] * n)]
    share = [a * b for a, b in zip(d, interests, strict=True)]
    if learner is None:
        A = product(transposed(X), [[s * x for x in row] for s, row in zip(share, X, strict=True)])
        b = product(transposed(X), [[s * value] for s, value in zip(share, v, strict=True)])
    else:
        weight, (_, r) = emphasis(data, learner), target_chain(data)
        A = expected_matrix(data, learner)
        b = product(transposed(X), [[m * reward] for m, reward in zip(weight, r, strict=True)])
    w = solution(A, b)
    if w is None:
        return None
    flat = [value for (value,) in w]
    return sum((s * (value - dot(x, flat)) ** 2 for s, value, x in zip(share, v, X, strict=True)), Fraction(0))


def trace_variance(data: Data, learner: str, lam: Fraction) -> bool:
    """Return whether the trace rho (gamma lambda e + x) has finite variance: (I - N)^-1 exists and is nonnegative.

    N is the matrix of sum over actions of b p rho^2 (gamma(s') lambda)^2, by states; features are not 0 anywhere.
    """
    if learner not in ("td-lambda", "tdc-lambda") or not 0 <= lam <= 1:
        raise CannotTell("another trace")
    n, gamma = len(data["features"]), discounts(data)
    N = [[Fraction(0)] * n for _ in range(n)]
    for s, a, s_next, p, _ in data["transitions"]:
        b = Fraction(data["behaviour"][s][a])
        if b and s_next >= 0:
            rho = Fraction(data["target"][s][a]) / b
            N[s][s_next] += b * Fraction(p) * (rho * gamma[s_next] * lam) ** 2
    solved = solution(combined((1, identity(n)), (-1, N)), identity(n))
    return solved is not None and all(v >= 0 for row in solved for v in row)


def first_interest(data: Data, power: int, updates: int) -> list[Fraction]:
    """Return E[F_t^power] for t = 0, 1, ..., with interest 1 at time 0 alone, over all actions of behaviour."""
    gamma = discounts(data)
    if not data["start"] or any(t < 0 for _, _, t, *_ in data["transitions"]):
        raise CannotTell("no start, or an episode that ends")
    held = {s: Fraction(p) for s, p in enumerate(data["start"])}
    result = [sum(held.values(), Fraction(0))]
    for _ in range(updates):
        after = dict.fromkeys(held, Fraction(0))
        for s, a, t, p, _ in data["transitions"]:
            b = Fraction(data["behaviour"][s][a])
            if b:
                ratio = Fraction(data["target"][s][a]) / b * gamma[t]
                after[t] += held[s] * b * Fraction(p) * ratio**power
        held = after
        result.append(sum(held.values(), Fraction(0)))
    return result


def step_change(data: Data, weight: Fraction, state: int, action: int) -> Fraction:
    """Return what a TD(0) update with alpha = 1 adds to the only weight."""
    if len(data["features"][0]) != 1:
        raise CannotTell("several weights")
    gamma, x = discounts(data), [row[0] for row in features(data)]
    for s, a, t, _, reward in data["transitions"]:
        if (s, a) == (state, action):
            rho = Fraction(data["target"][s][a]) / Fraction(data["behaviour"][s][a])
            return rho * (Fraction(reward) + gamma[t] * weight * x[t] - weight * x[s]) * x[s]
    raise CannotTell("there is no such step")


def finite_follow_on(data: Data) -> bool | None:
    """Return whether the follow-on trace takes finitely many values: the closure of those at the start."""
    gamma = discounts(data)
    interests = [Fraction(v) for v in data.get("interest", [1] * len(gamma))]
    seen = {(s, interests[s]) for s in range(len(gamma))}
    todo = list(seen)
    while todo:
        s, trace = todo.pop()
        for s_from, a, t, p, _ in data["transitions"]:
            b = Fraction(data["behaviour"][s_from][a])
            if s_from == s and b and Fraction(p):
                _goes_on(t)
                place = (t, Fraction(data["target"][s][a]) / b * gamma[t] * trace + interests[t])
                if place not in seen:
                    seen.add(place)
                    todo.append(place)
        if len(seen) > 1000:
            return None
    return True


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
    interests = [Fraction(v) for v in data.get("interest", [1] * len(x))]
    for s_from, a, t, p, reward in data["transitions"]:
        b = Fraction(data["behaviour"][s_from][a])
        if Fraction(reward) or t < 0:
            raise CannotTell("rewards, or an episode that ends")
        if s_from == s and b:
            rho = Fraction(data["target"][s][a]) / b
            after = (t, rho * gamma[t] * trace + interests[t])
            yield b * Fraction(p), rho * trace * (gamma[t] * x[t] - x[s]) * x[s], after


def _first_traces(data: Data) -> dict[tuple[int, Fraction], Fraction]:
    """Return the probability of each state and follow-on trace at the start of a learner of one weight."""
    if len(data["features"][0]) != 1 or not data["start"]:
        raise CannotTell("several weights, or no start")
    interests = data.get("interest", [1] * len(data["features"]))
    return {(s, Fraction(interests[s])): Fraction(p) for s, p in enumerate(data["start"]) if Fraction(p)}


def mean_weights(data: Data, alpha: Fraction, updates: int) -> list[Fraction]:
    """Return the means of the one weight of emphatic TD(0), by (state, follow-on trace), from the problem's start."""
    w = Fraction(data["initial_weights"][0])
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


def ending_sizes(data: Data) -> set[Fraction]:
    """Return the step sizes above 0 at which one of the first updates of emphatic TD(0) makes the weight exactly 0."""
    result, level = set(), set(_first_traces(data))
    for _ in range(_UPDATES):
        moves = [move for s, trace in level for move in _moves(data, s, trace)]
        result |= {-1 / slope for _, slope, _ in moves if slope < 0}
        level = {place for *_, place in moves}
    return result


def _path(data: Data) -> list[tuple[Fraction, Fraction]]:
    """Return probability and slope of the first updates from the start that move the weight, one after the other.

    Raises:
        CannotTell: several may move it next, or one that does not leads elsewhere than back to the start.
    """
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
    if learner != "emphatic-td":
        raise CannotTell("another learner")
    if not first_weight(data):
        return False
    probabilities, slopes = zip(*_path(data)[_UPDATES // 2 :], strict=True)
    changes = [after - before for before, after in pairwise(slopes)]
    ratios = {after / before for before, after in pairwise(changes) if before}
    alike = len(set(probabilities)) == len(ratios) == 1 and all(changes)
    return True if alike and min(ratios) > 1 else None


def mean_settles(data: Data, alpha: Fraction) -> bool | None:
    """Return whether the mean of the weight is seen to go to 0, or to grow without bound, within some updates."""
    sizes = [abs(mean) for mean in mean_weights(data, alpha, _UPDATES)]
    if sizes[-1] > 1000 * sizes[0] and sizes[-1] > sizes[-3]:
        return False
    falls = all(after <= before for before, after in pairwise(sizes[3:]))
    return True if falls and sizes[-1] < sizes[3] else None

"""Problems whose discount and interest vary, and action values: all expectations against every trajectory, exactly.

The discounts are 0 often enough that what a trace holds comes from a few steps before, so that trajectories of a few
steps, from the stationary distribution and from any memory, have the expectations themselves.
"""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import ALGORITHMS, Problem, expected_update, find_algorithm, key_matrices
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.target_values import target_values

GIVEN = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "lam": Fraction(1, 2), "mu": Fraction(5, 4)}
WEIGHTS = {"w": [2, -1], "h": ["1/2", 3], "v": [1, -3], "target": [-1, "3/2"], "rbar": ["3/4"]}
ROWS = [(0, 0, 1, "1/2", 1), (0, 0, 2, "1/2", -1), (0, 1, 2, 1, 2), (1, 0, 2, 1, 0), (1, 1, 0, 1, 3), (2, 0, 0, 1, -2)]
POLICIES = {
    "behaviour": [["1/2", "1/2"], ["1/3", "2/3"], ["3/4", "1/4"]],
    "target": [["1/4", "3/4"], ["4/5", "1/5"], ["1/2", "1/2"]],
}
BY_STATE = [[1, 0], [1, 1], [-1, 2]]
BY_PAIR = [[[1, 0], [0, 1]], [[1, 1], [2, 0]], [[0, 2], [1, -1]]]
RING = {"transitions": [*ROWS, (2, 1, 0, 1, 1)], **POLICIES}
EPISODES = {"transitions": [*ROWS, (2, 1, 3, 1, 1)], "terminal": [3], "start": ["1/3", 0, "2/3", 0]} | {
    key: [*rows, [0, 0]] for key, rows in POLICIES.items()
}
OWN = [(*row, gamma) for row, gamma in zip(ROWS[:4], ("1/2", "1/3", 1, "2/5"), strict=True)]
BY_TRANSITION = RING | {"transitions": [*OWN, (1, 1, 0, 1, 3, 0), (2, 0, 0, 1, -2, 0), (2, 1, 0, 1, 1, 0)]}


def described(name):
    """The fields of a problem, as they are given to it."""
    features = BY_PAIR if name.endswith("pairs") else BY_STATE
    gamma = "9/10" if "transition" in name else [0, "9/10", "2/3"]
    chain = BY_TRANSITION if "transition" in name else RING
    if name.startswith("episodes"):
        end = [[5, 5], [7, 7]] if name.endswith("pairs") else [5, 5]
        chain, features = EPISODES, [*features, end]
        if "transition" in name:
            chain = chain | {"transitions": [*BY_TRANSITION["transitions"][:-1], (2, 1, 3, 1, 1, "1/8")]}
        else:
            gamma = [*gamma, "1/7"]
    interest = [1, 0, "5/2", 1][: len(features)]
    return {"name": name, "gamma": gamma, "features": features, "interest": interest, **chain}


KINDS = ["by state", "by transition", "episodes", "episodes by transition"]


def exact(values):
    return np.array([Fraction(v) for v in values], object)


def every_trajectory(name, update, steps=5):
    """The mean of the last step's directions over all trajectories of so many steps."""
    data, d = described(name), Problem(**described(name)).d
    b, pi = ([[Fraction(v) for v in row] for row in data[key]] for key in ("behaviour", "target"))
    by_pair, ends = name.endswith("pairs"), data.get("terminal", [])
    constant = isinstance(data["gamma"], str)
    totals = {}

    def base(s):
        return Fraction(data["gamma"] if constant else data["gamma"][s])

    def x(s, a):
        return exact([0, 0] if s in ends else data["features"][s][a] if by_pair else data["features"][s])

    def arrive(s, share, memory, rho_before, gamma, left):
        for a, b_a in enumerate(b[s]):
            if share * b_a:
                leave(s, a, share * b_a, memory, rho_before, gamma, left)

    def leave(s, a, share, memory, rho_before, gamma, left):
        for row in data["transitions"]:
            if tuple(row[:2]) != (s, a):
                continue
            t, p = row[2], share * Fraction(row[3])
            there = [(0, Fraction(1))] if t in ends or not by_pair else [(i, q) for i, q in enumerate(b[t]) if q]
            for a_next, q in there:
                now = {
                    "x": x(s, a),
                    "y": x(t, a_next),
                    "bar": sum(pi[t][i] * x(t, i) for i in range(2)) + exact([0, 0]),
                    "R": Fraction(row[4]),
                    "rho": pi[s][a] / b[s][a],
                    "pi": pi[s][a],
                    "rho_next": 1 if t in ends else pi[t][a_next] / b[t][a_next],
                    "before": rho_before,
                    "gamma": gamma,
                    "after": Fraction(row[5]) if len(row) == 6 else base(t),
                    "i": Fraction(data["interest"][s]),
                }
                new, directions = update(memory, now)
                if left == 1:
                    for key, value in directions.items():
                        totals[key] = totals.get(key, 0) + p * q * value
                elif t in ends:
                    for first, chance in enumerate(map(Fraction, data["start"])):
                        arrive(first, p * chance, {k: 0 * v for k, v in memory.items()}, 1, base(first), left - 1)
                elif by_pair:
                    leave(t, a_next, p * q, memory | new, now["rho"], now["after"], left - 1)
                else:
                    arrive(t, p, memory | new, now["rho"], now["after"], left - 1)

    for s, share in enumerate(d):
        anything = {"e": exact([7, 7]), "e_b": exact([-7, 7]), "F": Fraction(7)}
        if share:
            arrive(s, share, anything, 1, Fraction(0), steps)
    return totals


def equations(name, m, now):
    """One step by the learner's source, w, h and the like as they are in WEIGHTS."""
    W = {key: exact(values) for key, values in WEIGHTS.items()}
    beta, eta, lam, mu = (GIVEN[n] for n in ("beta", "eta", "lam", "mu"))
    w, h, x, y = W["w"], W["h"], now["x"], now["y"]
    R, c, g, g2, i = (now[n] for n in ("R", "rho", "gamma", "after", "i"))
    beta = 0 if name.startswith("tdc") and name != "tdc++" else beta
    delta, u = R + g2 * (w @ y) - w @ x, x - g2 * y
    e = c * (g * lam * m["e"] + x)
    e_b = g * lam * m["e_b"] + x
    F = now["before"] * g * m["F"] + i
    emphatic = c * (g * lam * m["e"] + (lam * i + (1 - lam) * F) * x)
    tdc = c * (delta * x - g2 * (h @ x) * y)
    toward = eta * ((c * delta - h @ x) * x - beta * h)
    follow = eta * (delta * e - (h @ x) * x - beta * h)
    rbar = R - W["rbar"][0] + w @ (y - x)
    return {
        "td": lambda: ({}, {"w": c * delta * x}),
        "vtrace": lambda: ({}, {"w": min(c, 1) * delta * x}),
        "gtd": lambda: ({}, {"w": c * (h @ x) * u, "h": eta * (c * delta * x - h)}),
        "gtd2": lambda: ({}, {"w": c * (h @ x) * u, "h": eta * (c * delta - h @ x) * x}),
        "tdc": lambda: ({}, {"w": tdc, "h": toward}),
        "tdrc": lambda: ({}, {"w": tdc, "h": toward}),
        "tdc++": lambda: ({}, {"w": tdc - beta * h, "h": toward}),
        "htd": lambda: ({}, {"w": c * delta * x + (c - 1) * (h @ x) * u, "h": eta * (c * delta * x - (h @ x) * u)}),
        "td-lambda": lambda: ({"e": e}, {"w": delta * e}),
        "gtd2-lambda": lambda: ({"e": e}, {"w": (h @ e) * u, "h": eta * (delta * e - (h @ x) * x)}),
        "tdc-lambda": lambda: ({"e": e}, {"w": delta * e - g2 * (1 - lam) * (h @ e) * y, "h": follow}),
        "tdrc-lambda": lambda: ({"e": e}, {"w": delta * e - g2 * (1 - lam) * (h @ e) * y, "h": follow}),
        "htd-lambda": lambda: (
            {"e": e, "e_b": e_b},
            {"w": delta * e + (h @ (e - e_b)) * u, "h": eta * (delta * e - (h @ e_b) * u)},
        ),
        "emphatic-td": lambda: ({"e": emphatic, "F": F}, {"w": delta * emphatic}),
        "td-ridge": lambda: ({}, {"w": c * delta * x - beta * w}),
        "td-target": lambda: (
            {},
            {"w": c * (R + g2 * (W["target"] @ y) - w @ x) * x, "target": eta * (w - W["target"])},
        ),
        "tdc-momentum": lambda: ({}, {"w": W["v"], "h": eta * (c * delta - h @ x) * x, "v": mu * (tdc - W["v"])}),
        "differential-td": lambda: ({}, {"w": c * rbar * x, "rbar": exact([1]) * (eta * c * rbar)}),
    }[name]()


def compared(problem, algorithm, totals):
    used = {n: v for n, v in GIVEN.items() if n in (*algorithm.own_parameters, "beta", "eta")}
    G, g = expected_update(problem, algorithm, algorithm.parameters(used))
    stacked = np.concatenate([exact(WEIGHTS[name]) for name in algorithm.stacked])
    found = np.array(G.rows, object) @ stacked + np.array(g.rows, object)[:, 0]
    assert found.tolist() == np.concatenate([totals[name] for name in algorithm.stacked]).tolist()


FOR_STATES = [a.name for a in ALGORITHMS if not a.for_action_values]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FOR_STATES)
def test_the_expected_update_is_the_mean_over_every_trajectory(name, kind):
    totals = every_trajectory(kind, lambda memory, now: equations(name, memory, now))
    compared(Problem(**described(kind)), find_algorithm(name), totals)


@learner(weights="w", memory="e")
def backup(x, x_bar, w, e, pi, gamma, gamma_next, reward, lam=0):
    e = gamma * lam * pi * e + x
    return Step(w=(reward + gamma_next * dot(w, x_bar) - dot(w, x)) * e, e=e)


@learner(weights="w", memory="e")
def sarsa(x, x_next, w, e, rho, rho_before, rho_next, gamma, gamma_next, reward, lam=0):
    e = gamma * lam * rho * e + rho_before * x
    return Step(w=(reward + gamma_next * rho_next * dot(w, x_next) - dot(w, x)) * e, e=e)


@learner(weights="w h")
def corrected(x, x_bar, w, h, gamma_next, reward, beta=1, eta=1):
    delta = reward + gamma_next * dot(w, x_bar) - dot(w, x)
    return Step(w=delta * x - gamma_next * dot(h, x) * x_bar, h=eta * (delta * x - dot(h, x) * x - beta * h))


@learner(weights="w")
def looking_back(x, x_next, w, rho, gamma, gamma_next, reward):
    return Step(w=gamma * rho * (reward + gamma_next * dot(w, x_next) - dot(w, x)) * x)


@pytest.mark.parametrize("kind", KINDS)
def test_the_discount_of_the_step_before_is_known_without_memory(kind):
    def scaled(memory, now):
        _, directions = equations("td", memory, now)
        return {}, {"w": now["gamma"] * directions["w"]}

    compared(Problem(**described(kind)), looking_back, every_trajectory(kind, scaled))


def of_pairs(name, m, now):
    w, h = exact(WEIGHTS["w"]), exact(WEIGHTS["h"])
    x, bar, g, g2, R = (now[n] for n in ("x", "bar", "gamma", "after", "R"))
    lam, delta = GIVEN["lam"], R + g2 * (w @ bar) - w @ x
    if name == "backup":
        e = g * lam * now["pi"] * m["e"] + x
        return {"e": e}, {"w": delta * e}
    if name == "sarsa":
        e = g * lam * now["rho"] * m["e"] + now["before"] * x
        return {"e": e}, {"w": (R + g2 * now["rho_next"] * (w @ now["y"]) - w @ x) * e}
    if name == "corrected":
        dh = GIVEN["eta"] * (delta * x - (h @ x) * x - GIVEN["beta"] * h)
        return {}, {"w": delta * x - g2 * (h @ x) * bar, "h": dh}
    return {}, {"w": delta * x}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "algorithm", [find_algorithm("expected-sarsa"), backup, sarsa, corrected], ids=lambda a: a.name
)
def test_the_expected_update_of_action_values_is_the_mean_over_every_trajectory(algorithm, kind):
    totals = every_trajectory(f"{kind}, pairs", lambda memory, now: of_pairs(algorithm.name, memory, now))
    compared(Problem(**described(f"{kind}, pairs")), algorithm, totals)


@pytest.mark.parametrize("kind", [*KINDS, *(f"{kind}, pairs" for kind in KINDS)])
def test_the_key_matrices_are_the_means_of_their_products_over_every_step(kind):
    def products(_, now):
        x, g = now["x"], now["after"]
        if kind.endswith("pairs"):
            return {}, {"A": np.outer(x, x - g * now["bar"]), "b": now["R"] * x, "C": np.outer(x, x)}
        c = now["rho"]
        return {}, {"A": np.outer(c * x, x - g * now["y"]), "b": c * now["R"] * x, "C": np.outer(x, x)}

    totals, key = every_trajectory(kind, products, steps=1), key_matrices(Problem(**described(kind)))
    for name in ("A", "C"):
        assert np.array(getattr(key, name).rows, object).tolist() == totals[name].tolist()
    assert [value for (value,) in key.b.rows] == totals["b"].tolist()


@pytest.mark.parametrize("kind", [*KINDS, *(f"{kind}, pairs" for kind in KINDS)])
def test_true_values_are_those_of_the_target_policy_discounted_by_transition(kind):
    data, problem = described(kind), Problem(**described(kind))
    pi = [[Fraction(v) for v in row] for row in data["target"]]
    found = [value for (value,) in target_values(problem).rows]
    q = np.array(found, object).reshape(problem.states, 2) if kind.endswith("pairs") else None

    def value(s):
        return 0 if s == 3 else found[s] if q is None else sum(p * v for p, v in zip(pi[s], q[s], strict=True))

    for s in range(3):
        returns = [Fraction(0)] * 2
        for row in data["transitions"]:
            if row[0] == s:
                gamma = row[5] if len(row) == 6 else data["gamma"][row[2]]
                returns[row[1]] += Fraction(row[3]) * (Fraction(row[4]) + Fraction(gamma) * value(row[2]))
        expected = returns if q is not None else [sum(p * v for p, v in zip(pi[s], returns, strict=True))]
        assert (q[s].tolist() if q is not None else [value(s)]) == expected

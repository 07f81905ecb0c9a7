"""Problems of every kind, and every trajectory on them, read from what they are made of, not through the package."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem

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
KINDS = ["by state", "by transition", "episodes", "episodes by transition"]
"""Where the discount varies, it is 0 so often that what a trace holds comes from a few steps before, exactly."""


def described(name):
    """The fields of a problem, as they are given to it; a name that is a number is a constant discount."""
    kind, _, pairs = name.partition(", ")
    features = BY_PAIR if pairs else BY_STATE
    chain, gamma = RING, [0, "9/10", "2/3"]
    if "transition" in kind:
        chain, gamma = BY_TRANSITION, "9/10"
    elif kind not in KINDS:
        gamma = kind
    if kind.startswith("episodes"):
        chain, features = EPISODES, [*features, [[5, 5], [7, 7]] if pairs else [5, 5]]
        if "transition" in kind:
            chain = chain | {"transitions": [*BY_TRANSITION["transitions"][:-1], (2, 1, 3, 1, 1, "1/8")]}
        else:
            gamma = [*gamma, "1/7"]
    interest = [1, 0, "5/2", 1][: len(features)]
    return {"name": name, "gamma": gamma, "features": features, "interest": interest, **chain}


class Walk:
    """A problem's moves, from a place (a state, or a state and action) to the next one.

    Attributes:
        problem: what is walked on.
        places: states (s,), or pairs (s, a).
        start: their stationary probabilities.
        moves: [(place, next place, probability given the place, whether it begins an episode, data of the step)].
    """

    def __init__(self, name):
        self.given, self.problem = described(name), Problem(**described(name))
        self.pairs, self.ends = name.endswith("pairs"), self.given.get("terminal", [])
        self.b, self.pi = ([[Fraction(v) for v in row] for row in self.given[key]] for key in ("behaviour", "target"))
        results = [each for s in range(3) for each in self._at(s, self.problem.d[s])]
        self.places, self.start = [place for place, _ in results], [share for _, share in results]
        self.moves = list(self._moves())

    def _at(self, s, share):
        return [((s, a), share * b) for a, b in enumerate(self.b[s])] if self.pairs else [((s,), share)]

    def arriving(self, s):
        """Return gamma(s); the constant where there is one."""
        gamma = self.given["gamma"]
        return Fraction(gamma if isinstance(gamma, str) else gamma[s])

    def x(self, s, a):
        row = [0, 0] if s in self.ends else self.given["features"][s]
        return np.array([Fraction(v) for v in (row[a] if isinstance(row[0], list) else row)], object)

    def _moves(self):
        for s, a, t, p, R, *own in self.given["transitions"]:
            ended, place = t in self.ends, (s, a) if self.pairs else (s,)
            share = Fraction(p) * (1 if self.pairs else self.b[s][a])
            for a_next in range(2) if self.pairs and not ended else [0]:
                data = {
                    "x": self.x(s, a),
                    "y": self.x(t, a_next),
                    "bar": sum(pi * self.x(t, i) for i, pi in enumerate(self.pi[t])),
                    "R": [Fraction(R)],
                    "rho": [self.pi[s][a] / self.b[s][a]],
                    "pi": [self.pi[s][a]],
                    "rho_next": [1 if ended else self.pi[t][a_next] / self.b[t][a_next]],
                    "g1": [Fraction(own[0]) if own else self.arriving(t)],
                    "i": [Fraction(self.given["interest"][s])],
                }
                for to, chance in self._after(t, a_next):
                    yield place, to, share * chance, ended, data

    def _after(self, t, a):
        """Return the next places and their probabilities, given the next action: those of another episode at an end."""
        if t not in self.ends:
            return [((t, a), self.b[t][a])] if self.pairs else [((t,), 1)]
        first = [each for s, v in enumerate(self.given["start"]) for each in self._at(s, Fraction(v))]
        return [(place, share) for place, share in first if share]


class Learning:
    """A learner's equations along many walks at once, in fractions or in floats.

    Args:
        walk: where.
        equations: memory after the step, of a sample with that before it (or None); directions, with that after it.
        sample: what the equations take, with weights and parameters.
        number: of what kind numbers are.
        twice: whether the equations read a second move from the same place, independent of the first: y_2, rho_2, ...
    """

    def __init__(self, walk, equations, sample, number=Fraction, twice=False):
        self.walk, self.number, self.sample, self.twice = walk, number, sample, twice
        self.memory, self.directions = equations
        self.data = {name: self.array([move[4][name] for move in walk.moves]) for name in walk.moves[0][4]}
        self.of = np.array([walk.places.index(move[0]) for move in walk.moves])
        self.to = np.array([walk.places.index(move[1]) for move in walk.moves])
        self.share = self.array([[move[2]] for move in walk.moves])
        self.begins = np.array([[move[3]] for move in walk.moves])
        self.first = self.array([[walk.arriving(move[1][0])] for move in walk.moves])

    def array(self, rows):
        return np.array([[self.number(Fraction(v)) for v in row] for row in rows])

    def before(self, count, value=0):
        """Return what so many walks remember of the step before: its ratio and discount, and memory."""
        e = self.array([[value] * 2] * count)
        return {"before": e[:, :1] * 0 + 1, "g": e[:, :1] * 0, "e": e, "b": -e, "F": e[:, :1]}

    def step(self, moves, before, again=None):
        """Take a move each, by number, and perhaps a second one: (what is remembered, {weights: direction})."""
        data = {name: rows[moves] for name, rows in self.data.items()}
        if again is not None:
            data |= {f"{name}_2": rows[again] for name, rows in self.data.items()}
        now = self.sample.with_(**data, **before)
        memory = {name: before[name] for name in ("e", "b", "F")} | (self.memory(now) if self.memory else {})
        directions = self.directions(now.with_(**memory))
        begins = self.begins[moves]
        after = {name: np.where(begins, 0 * value, value) for name, value in memory.items()}
        after["before"] = np.where(begins, 0 * data["rho"] + 1, data["rho"])
        after["g"] = np.where(begins, self.first[moves], data["g1"])
        return after, directions

    def means(self, steps, value=0):
        """Return the mean of the last step's directions over every walk of so many, begun with memory of this value."""
        place = np.array([i for i, share in enumerate(self.walk.start) if share])
        p, before = self.array([[self.walk.start[i]] for i in place]), self.before(len(place), value)
        for n in range(steps):
            which, moves = self.every_move(place)
            p, again = p[which] * self.share[moves], moves if self.twice else None
            if self.twice and n == steps - 1:  # whose directions alone are kept
                first, again = self.every_move(place[which])
                which, moves, p = which[first], moves[first], p[first] * self.share[again]
            place = self.to[moves]
            before, directions = self.step(moves, {name: rows[which] for name, rows in before.items()}, again)
        return {name: (p * rows).sum(axis=0) for name, rows in directions.items()}

    def every_move(self, places):
        """Return the numbers of places and of every move from each."""
        pairs = [(i, move) for i, at in enumerate(places) for move in np.flatnonzero(self.of == at)]
        return tuple(np.array(each) for each in zip(*pairs, strict=True))


@pytest.fixture(params=KINDS)
def kind(request):
    """A kind of problem whose discount varies."""
    return request.param


@pytest.fixture
def walk():
    """What makes a walk of a kind of problem, with `, pairs` for action values; of a discount, one that is constant."""
    return Walk


@pytest.fixture
def learning():
    """What learns along walks."""
    return Learning

"""Values that a model has, by plain elimination over fractions, and files in the formats of other tools."""

from fractions import Fraction

import pytest

ROBOT = """\
# six places, two ways in most
6 10 16
0 0 1 0.1 south
0 0 3 0.8 south
0 0 4 0.1 south
0 1 0 0.4 east
0 1 1 0.6 east
1 0 2 0.5 south
1 0 4 0.5 south
1 1 2 1 east
2 0 2 1 stuck
3 0 3 1 stuck
4 0 3 0.6 west
4 0 4 0.4 west
4 1 5 1 east
5 0 2 0.9 north
5 0 5 0.1 north
5 1 4 1 west
"""


def solved(problem):
    """Return v of the target policy, from v(s) = sum over a, t of pi p (r + gamma v(t)), by elimination."""
    n = problem.states
    rows = [[Fraction(int(i == j)) for j in range(n)] + [Fraction(0)] for i in range(n)]
    for t in problem.transitions:
        mass = problem.target[t.s][t.a] * t.probability
        rows[t.s][n] += mass * t.reward
        if t.s_next >= 0 and t.s_next not in problem.terminal:
            rows[t.s][t.s_next] -= mass * problem.gamma
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[n] for row in rows]


@pytest.fixture
def values():
    return solved


@pytest.fixture
def robot():
    return ROBOT


@pytest.fixture
def write(tmp_path):
    """Return what writes `m.SUFFIX` for each suffix that it is called with, and returns the first one's path."""

    def written(**texts):
        for suffix, text in texts.items():
            (tmp_path / f"m.{suffix}").write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(tmp_path / f"m.{next(iter(texts))}")

    return written

"""Where an expected update rests, and whether TD rests there too: both linear systems solved exactly."""

from __future__ import annotations

from dataclasses import dataclass

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.number import number_text, rounded_text
from tdrc_theory.learner.expectation import ExpectedUpdate
from tdrc_theory.problem.key_matrices import KeyMatrices

LONGEST = 200
"""Characters of an exact number up to which it is written out; a longer one is of no use to a reader."""


@dataclass(frozen=True)
class FixedPoints:
    """The solutions of G varrho + g = 0 beside those of A w = b, exactly.

    Attributes:
        w: the w of one solution of G varrho + g = 0, (k, 1); None where there is none.
        td_w: one solution of A w = b; None where there is none.
        directions: the dimension of the set of solutions of G varrho + g = 0.
        spurious: a direction in w along which the algorithm rests and A w changes, or None.
        solve_td: whether there are solutions, and each satisfies A w = b.
        equal: whether both sets of w are the same.
    """

    w: Matrix | None
    td_w: Matrix | None
    directions: int
    spurious: Matrix | None
    solve_td: bool
    equal: bool

    @property
    def offset(self) -> Matrix | None:
        """Return w - w_TD where both exist."""
        return None if self.w is None or self.td_w is None else self.w - self.td_w


def fixed_points(key: KeyMatrices, update: ExpectedUpdate) -> FixedPoints:
    """Solve both systems exactly."""
    (A, b, _), (G, g) = key, update
    k, size = A.shape[0], G.shape[0]
    w_rows = range(size - k, size)
    solution, kernel, td_w = G.solve(-g), G.null_space(), A.solve(b)
    w = None if solution is None else solution.select(w_rows, [0])
    directions = [kernel.select(w_rows, [j]) for j in range(kernel.shape[1])]
    spurious = next((v for v in directions if not (A @ v).is_zero()), None)
    solve_td = w is not None and spurious is None and A @ w == b
    dimension = Matrix.block([directions]).rank() if directions else 0
    equal = (w is None and td_w is None) or (solve_td and dimension == k - A.rank())
    return FixedPoints(w, td_w, len(directions), spurious, solve_td, equal)


def vector_text(z: Matrix) -> str:
    """Return a column as one line, shortened where it is long."""
    texts = z.column_texts()
    shown = texts if len(texts) <= 12 else [*texts[:12], "..."]
    line = ", ".join(shown)
    return f"({line})" if len(line) <= 160 else f"({', '.join(rounded_text(v) for (v,) in z.rows[:12])}, ...)"


def limited(value: Number) -> str | None:
    """Return an exact number as text, None where that has more than 200 characters."""
    text = number_text(value)
    return text if len(text) <= LONGEST else None


def limited_texts(column: Matrix) -> list[str | None]:
    """Return the entries of a column as text, None in the place of what is longer than 200 characters."""
    return [limited(value) for (value,) in column.rows]

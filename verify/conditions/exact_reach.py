"""Which matrices are small enough, with numbers short enough, for exact arithmetic in seconds."""

from __future__ import annotations

import math
from collections.abc import Callable

from tdrc_theory.exact import Matrix, Surd

LARGEST_EXACT = 128
"""Size of G beyond which exact arithmetic takes minutes, so that nothing is decided from it."""
MOST_WORK = 6 * 10**9
"""Operations on bits, n^4 for a G of size n and each bit of its longest number, beyond which it takes minutes too.

Elimination takes n^3 products of numbers that grow to n times the length of those in G.
"""


def past_exact_reach(self) -> str:
        """Why G is past exact arithmetic; empty where it is within."""
        size = self.algorithm.size(self.problem.k)
        return past_exact_reach(size, lambda: self.update.G, LARGEST_EXACT)

    @cached_property
    def charpoly(self) -> Polynomial:
        """The characteristic polynomial of G."""
        return self.update.G.charpoly()

    @cached_property
    def rank_G(self) -> int:
        """The rank of G."""
        return self.update.G.rank()

    @cached_property
    def equation(self) -> KeyMatrices:
        """A, b (and C) of the equation A w = b that the learner is made to solve: TD's, or the one that it names."""
        other = self.algorithm.solves
        if other is None:
            return self.key
        used = {name: value for name, value in self.parameters.items() if name in other.own_parameters}
        G, g = self._update_of(other, other.parameters(used))
        return KeyMatrices(-G, g, self.key.C)

    @cached_property
    def has_td_rows(self) -> bool:
        """Whether each block row of G and g is (..., -c A | c b) for a number c, exactly."""
        (A, b, _), (G, g) = self.equation, self.update
        k, size = A.shape[0], G.shape[0]
        lead = next(((i, j) for i in range(k) for j in range(k) if A[i, j] != 0), None)
        columns = range(size - k, size)
        for start in range(0, size, k):
            rows = range(start, start + k)
            block, constant = G.select(rows, columns), g.select(rows, [0])
            c = -block[lead] / A[lead] if lead is not None else Fraction(0)
            if not ((block + A * c).is_zero() and (constant - b * c).is_zero()):
                return False
        return True

    @cached_property
    def resting(self) -> FixedPoints:
        """Where the expected update rests, beside where the equation's solutions are."""
        return self.fixed_points if self.algorithm.solves is None else fixed_points(self.equation, self.update)

    @cached_property
    def fixed_points(self) -> FixedPoints:
        """Where the expected update rests, beside where TD does."""
        return fixed_points(self.key, self.update)

    @cached_property
    def C_singular(self) -> bool:
        """Whether C is singular."""
        return self.key.C.rank() < self.problem.k

    @cached_property
    def is_tdrc(self) -> bool:
        """Whether the update is TDRC's on every step that this problem can take, so that Theorem 3.1 speaks of it."""
        if self.algorithm.direction is TDRC.direction:
            return True
        if self.algorithm.stacked != TDRC.stacked or needs_chain(self.problem, self.algorithm):
            return False
        used = {"beta": self.beta or Fraction(0), "eta": self.eta or Fraction(1)}
        own = {**self.parameters, **used}
        table = self.table
        if isinstance(table, MatrixProblem):
            return self.algorithm.bound(own) == TDRC.bound(used)
        ways = [None if table.modes.names is None else each.trace.of_mean_reward for each in (self.algorithm, TDRC)]
        points = [({**own, **point}, {**used, **point}) for point in table.points]
        return all(self.algorithm.at_point(a, ways[0]) == TDRC.at_point(b, ways[1]) for a, b in points)

    @cached_property
    def everywhere(self) -> Forms:
        """The quadratic forms of Theorem 3.1, on all vectors."""
        return self._forms(Matrix.identity(self.problem.k))

    @cached_property
    def on_range(self) -> Forms:
        """The same forms on range(C), which is everything where C is nonsingular.

        That range(C) decides, even where next features leave it, is the theorem `singular_C_convergence`.
        """
        return self._forms(self.key.C.column_basis()) if self.C_singular else self.everywhere

    def _forms(self, V: Matrix) -> Forms:
        A, _, C = self.key
        assert self.eta is not None
        return Forms(V, V.T @ C @ V, V.T @ A @ V, V.T @ (A @ A.T) @ V, self.beta or Fraction(0), self.eta)


def past_exact_reach(size: int, G: Callable[[], Matrix], largest: int) -> str:
    """Return why a matrix is past exact arithmetic; empty where it is within.

    Args:
        size: of the matrix.
        G: returns it; called where the size is within reach.
        largest: size that is.
    """
    if size > largest:
        return f"G is {size} x {size}, past exact arithmetic (at most {largest})"
    bits = longest(G())
    if size**4 * bits <= MOST_WORK:
        return ""
    digits, most = digits_of(bits), digits_of(MOST_WORK // size**4)
    return (
        f"G is {size} x {size} with numbers of up to {digits} digits, past exact arithmetic (at most {most} at this"
        " size); a problem whose numbers have fewer digits is within"
    )


def digits_of(bits: int) -> int:
    """Return how many decimal digits so many bits are."""
    return int(bits * math.log10(2)) + 1


def longest(M: Matrix) -> int:
    """Return the length of a matrix's longest numerator or denominator, in bits."""
    if M.rational is not None:
        return max((value.height_bits() for value in M.rational.entries()), default=0)
    parts = [n for row in M.rows for v in row for n in (v.terms.values() if isinstance(v, Surd) else (v,))]
    return max((n.bit_length() for part in parts for n in part.as_integer_ratio()), default=0)

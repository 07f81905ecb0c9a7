"""A problem given by A, b and C alone, and the expected updates that these determine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import Number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.key_update import Undetermined, key_update
from tdrc_theory.problem.parts import read_name, read_notes
from tdrc_theory.problem.reader import Reader, of_length


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MatrixProblem:
    """A = E[rho x (x - gamma x')^T], b = E[rho R x] and C = E[x x^T], without the process that they are of.

    Numbers are read as those of a Problem are.

    Attributes:
        name: shown in reports.
        A: (k, k).
        b: (k, 1); given as (k,).
        C: (k, k), symmetric and positive semidefinite. Where C z = 0, z^T x is always 0, so z^T A = 0 and z^T b = 0.
        initial_weights: (k,), w before any update; default zeros.
        notes: what a reader should know about where the numbers come from.

    Raises:
        BadProblem: a shape differs, or no features have these matrices; the message names the key.

    >>> problem = MatrixProblem(name="two states", A=[["-47/100"]], b=[0], C=[["5/2"]])
    >>> problem.k
    1
    """

    name: str
    A: Matrix
    b: Matrix
    C: Matrix
    initial_weights: tuple[Number, ...]
    notes: tuple[str, ...]

    independent_only = True
    is_rational = True
    action_values = False
    gamma_by_transition = False
    constant_gamma = None
    state_weights = None
    normalised = None
    warnings: tuple[str, ...] = ()

    def __init__(
        self, *, name: str, A: Any, b: Any, C: Any, initial_weights: Any = None, notes: tuple[str, ...] = ()
    ) -> None:
        """Convert everything to exact numbers, and check it."""
        reader = Reader()
        square = {key: _square(reader, value, key) for key, value in (("A", A), ("C", C))}
        k = square["A"].shape[0]
        if square["C"].shape[0] != k:
            raise BadProblem(f"C: {square['C'].shape[0]} rows for {k} rows of A")
        b = [row[0] for row in b.rows] if isinstance(b, Matrix) else b
        weights = [0] * k if initial_weights is None else initial_weights
        fields = {
            **square,
            "name": read_name(name),
            "b": Matrix.column(of_length(reader.row(b, "b"), k, "b", "rows of A")),
            "initial_weights": of_length(reader.row(weights, "initial_weights"), k, "initial_weights", "rows of A"),
        }
        fields["notes"] = (*read_notes(reader, notes), *reader.notes())
        for key, value in fields.items():
            object.__setattr__(self, key, value)
        self._check()

    def _check(self) -> None:
        """Refuse matrices that no features have."""
        if self.C != self.C.T:
            raise BadProblem("C: is not symmetric, and E[x x^T] is")
        signs = [value if (self.k - i) % 2 == 0 else -value for i, value in enumerate(self.C.charpoly().coefficients)]
        if any(value < 0 for value in signs):  # the elementary symmetric functions of its eigenvalues, which are real
            raise BadProblem("C: has a negative eigenvalue, and E[x x^T] has none")
        kernel = self.C.null_space()
        for key, value in (("A", self.A), ("b", self.b)):
            if kernel.shape[1] and not (kernel.T @ value).is_zero():
                raise BadProblem(f"{key}: C z = 0 makes z^T x always 0, but z^T {key} is not 0 for such a z")

    @property
    def k(self) -> int:
        """Return the number of features."""
        return self.A.shape[0]

    def expected_update(self, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> tuple[Matrix, Matrix]:
        """Return G and g of a learner whose expected update A, b and C determine, in the order of its `stacked`.

        Raises:
            BadOption: they do not.
        """
        result = key_update(algorithm, parameters)
        if isinstance(result, Undetermined):
            raise BadOption(f"{algorithm.name} on {self.name}: {result}; {_INSTEAD}")
        return result.at((self.A, self.b, self.C))

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; states and gamma are unknown."""
        about = {"name": self.name, "states": None, "features": self.k, "gamma": None, "given": ["A", "b", "C"]}
        return {**about, "notes": list(self.notes), "normalised": None, "warnings": []}

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return f"{self.name} (A, b and C of {counted(self.k, 'feature')})"


_INSTEAD = "give the process, as [mdp] or [mrp]"


def _square(reader: Reader, value: Any, key: str) -> Matrix:
    rows = reader.table(value.rows if isinstance(value, Matrix) else value, key, "row")
    if not rows or len(rows[0]) != len(rows):
        columns = len(rows[0]) if rows else 0
        raise BadProblem(f"{key}: {counted(len(rows), 'row')} of {counted(columns, 'number')}; it must be square")
    return Matrix(rows)

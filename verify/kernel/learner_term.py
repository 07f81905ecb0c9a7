"""A learner as Coq's term: its update rule, read off the record of its function, with its parameters' values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.record import LEAF, NUMBER, SELECT, SUM, Node
from tdrc_theory.learner.step_data import NUMBERS
from verify.kernel.terms import boolean, fraction, listed

_RELATIONS = {"<": "Less", "<=": "At_most", "==": "Equal"}
_ZERO, _ONE = (f"(Constant {fraction(Fraction(value))})" for value in (0, 1))


def step_numbers(algorithm: Algorithm) -> tuple[str, ...]:
    """Return the names of the numbers of a step that a learner's function reads, in the order of the term."""
    names = algorithm.recorded.names
    return tuple(name for name in NUMBERS if name in names and name not in algorithm.own_parameters)


def memory_by_kind(algorithm: Algorithm) -> tuple[list[str], list[str]]:
    """Return the names of a learner's memory that are vectors, and of that which are numbers."""
    kept = algorithm.recorded.memory
    return [n for n in kept if n not in algorithm.scalars], [n for n in kept if n in algorithm.scalars]


def learner_term(
    algorithm: Algorithm,
    parameters: Mapping[str, Fraction],
    k: int | str,
    after: Sequence[str],
    numbers: Sequence[str] | None = None,
) -> str:
    """Return a learner as a term of type `learner` (learners.v).

    Args:
        algorithm: which learner.
        parameters: their values, by name.
        k: the number of features, or its name in Coq.
        after: the names of the vectors that a step has beside x, in the order of the table.
        numbers: the names of a step's numbers, parameters without a value among them; None: those that it reads.

    Raises:
        BadOption: its function does what has no term.
    """
    reader = _Reader(algorithm, parameters, k, ("x", *after), step_numbers(algorithm) if numbers is None else numbers)
    step, scalars = algorithm.recorded, algorithm.scalars
    directions = []
    for name in algorithm.stacked:
        direction = reader.expression(step.directions[name])
        if name in step.scale:
            direction = f"(Times {reader.expression(step.scale[name])} {direction})"
        directions.append(f"({boolean(name not in scalars)}, {direction})")
    kept = [name for names in memory_by_kind(algorithm) for name in names]
    becomes = [f"({boolean(name not in scalars)}, {reader.expression(step.becomes[name])})" for name in kept]
    sums = listed(reader.sums, ";\n  ")
    return f"(Learner\n {sums}\n {listed(directions, ';' + chr(10) + '  ')}\n {listed(becomes)})"


@dataclass
class _Reader:
    """Reads nodes of a record as terms; sums over components are listed apart, each once.

    Attributes:
        sums: the terms of the sums so far, operands first.
    """

    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    k: int | str
    data: Sequence[str]
    numbers: Sequence[str]
    sums: list[str] = field(default_factory=list)
    _known: dict[Node, str] = field(default_factory=dict)

    def expression(self, node: Node) -> str:
        """Return a node as a term of type `expression`."""
        if node not in self._known:
            self._known[node] = self._written(node)
        return self._known[node]

    def _written(self, node: Node) -> str:
        operands = node.operands
        if node.operation == NUMBER:
            return self._constant(node)
        if node.operation == LEAF:
            return self._leaf(node)
        if node.operation == SELECT and operands[0].operation in _RELATIONS:
            return self._choice(operands[0].operation, *operands[0].operands, *operands[1:])
        if node.operation == SUM:
            self.sums.append(f"({self.expression(operands[0])}, {self.expression(operands[1])})")
            return f"(Sum_of {len(self.sums) - 1})"
        if node.operation == "**":
            return self._power(*operands)
        terms = [self.expression(operand) for operand in operands]
        if node.operation in _WRITTEN:
            return _WRITTEN[node.operation].format(*terms, zero=_ZERO)
        raise BadOption(f"--prove: {self.algorithm.name} calculates {node.operation}, which is not translated to Coq")

    def _constant(self, node: Node) -> str:
        if isinstance(node.value, (int, Fraction)):
            return f"(Constant {fraction(Fraction(node.value))})"
        raise BadOption(f"--prove: {self.algorithm.name} calculates with {node}, which is no rational number")

    def _choice(self, relation: str, *operands: Node) -> str:
        return f"(If {_RELATIONS[relation]} {' '.join(map(self.expression, operands))})"

    def _power(self, base: Node, exponent: Node) -> str:
        value = exponent.value if exponent.operation == NUMBER else self.parameters.get(str(exponent))
        if value is None or value != int(value) or not 0 <= value <= 64:
            raise BadOption(f"--prove: {self.algorithm.name} raises to the power {exponent}, which is not translated")
        term = _ONE
        for _ in range(int(value)):
            term = f"(Times {term} {self.expression(base)})"
        return term

    def _leaf(self, node: Node) -> str:
        name, algorithm = str(node.value), self.algorithm
        vectors, numbers = memory_by_kind(algorithm)
        known = [*self.numbers, *numbers]
        if name in algorithm.stacked:
            return f"({'Weight_number' if name in algorithm.scalars else 'Weight'} {self._first(name)})"
        if name in self.parameters and name in algorithm.own_parameters:
            return f"(Constant {fraction(self.parameters[name])})"
        if name in vectors:
            return f"(Data {len(self.data) + vectors.index(name)})"
        if name in self.data:
            return f"(Data {self.data.index(name)})"
        if name in known:
            return f"(Number {known.index(name)})"
        raise BadOption(f"--prove: {algorithm.name} reads {name}, which is not translated to Coq")

    def _first(self, name: str) -> str:
        """Return the place of the first component of a weight in the stack of all."""
        scalars, before = self.algorithm.scalars, self.algorithm.stacked[: self.algorithm.stacked.index(name)]
        numbers = sum(each in scalars for each in before)
        vectors = len(before) - numbers
        return f"({vectors} * {self.k} + {numbers})" if isinstance(self.k, str) else f"{vectors * self.k + numbers}"


_WRITTEN = {
    "+": "(Plus {0} {1})",
    "-": "(Plus {0} (Opposite {1}))",
    "*": "(Times {0} {1})",
    "/": "(Over {0} {1})",
    "neg": "(Opposite {0})",
    "np.negative": "(Opposite {0})",
    "np.square": "(Times {0} {0})",
    "abs": "(If Less {0} {zero} (Opposite {0}) {0})",
    "np.absolute": "(If Less {0} {zero} (Opposite {0}) {0})",
    "np.minimum": "(If At_most {0} {1} {0} {1})",
    "np.maximum": "(If At_most {1} {0} {0} {1})",
}

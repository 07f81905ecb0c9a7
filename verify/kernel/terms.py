"""What Coq's files are written with: numbers, certificates, learners and tables of steps as terms.

Numbers are numerators, integers or sums of square roots, over a common denominator. A learner is its update rule, read
off the record of its function, with its parameters' values; a table has the steps that behaviour takes, as a learner
sees them, and its mean memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import flint

from tdrc_theory.errors import BadOption, Inconsistent
from tdrc_theory.exact import Matrix, Number, Surd
from tdrc_theory.exact.number import from_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import memory_of
from tdrc_theory.learner.modes import Modes, needs_chain
from tdrc_theory.learner.record import LEAF, NUMBER, SELECT, SUM, Node
from tdrc_theory.learner.step_data import AGAIN, NUMBERS
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import Rows, rows_after
from verify.check_certificate import Rejected, Root, table

_LONG = 10**15

Numerator = int | Mapping[int, int]
"""An integer, or {n: c} of a sum of c sqrt(n)."""


def cleared(*matrices: Sequence[Sequence[Number | Root]]) -> tuple[int, list[list[list[Numerator]]]]:
    """Return a common positive denominator of matrices, and each of them times it.

    >>> cleared([[Fraction(1, 2), Fraction(1, 3)]])
    (6, [[[3, 2]]])
    """
    values = [value for matrix in matrices for row in matrix for value in row]
    denominator = lcm(*(part.denominator for value in values for part in _parts(value).values()))
    return denominator, [[[_numerator(v, denominator) for v in row] for row in matrix] for matrix in matrices]


def _parts(value: Number | Root) -> Mapping[int, Fraction]:
    """Return {n: c} of a sum of c sqrt(n), every n square-free, 1 standing for the rational part."""
    if isinstance(value, Root):
        return {**_parts(value.a), **{n * value.p: c for n, c in _parts(value.b).items()}}
    return value.terms if isinstance(value, Surd) else {1: value}


def _numerator(value: Number | Root, denominator: int) -> Numerator:
    parts = {n: int(part * denominator) for n, part in _parts(value).items()}
    return parts.get(1, 0) if parts.keys() <= {1} else parts


def surd(value: Numerator) -> str:
    """Return a numerator as a term of type `surd` (surds.v), the largest prime under a root outside.

    >>> surd({1: 5, 2: -1, 6: 4})
    '(Root (Root (Int 5) (Int (-1)) 2) (Root (Int 0) (Int 4) 2) 3)'
    """
    if isinstance(value, int):
        return f"(Int {whole(value)})"
    roots = [n for n in value if n != 1]
    if not roots:
        return surd(value.get(1, 0))
    prime = max(int(factor) for n in roots for factor, _ in flint.fmpz(n).factor())
    without = {n: c for n, c in value.items() if n % prime}
    times_root = {n // prime: c for n, c in value.items() if n % prime == 0}
    return f"(Root {surd(without)} {surd(times_root)} {whole(prime)})"


def whole(value: int) -> str:
    """Return an integer as a term, in hexadecimal where it is long: Coq reads decimals in quadratic time."""
    digits = str(value) if abs(value) < _LONG else hex(value)
    return f"({digits})" if value < 0 else digits


def fraction(value: Fraction) -> str:
    """Return a fraction as a term of type `frac` (fractions.v)."""
    return f"({surd(value.numerator)}, {whole(value.denominator)}%positive)"


def listed(terms: Iterable[str], separator: str = "; ") -> str:
    """Return a list of terms as a term."""
    text = separator.join(terms)
    return f"[:: {text}]" if text else "[::]"


def row(values: Iterable[Numerator]) -> str:
    """Return a row of numerators as a term."""
    known = list(values)
    return f"(ints {_integers(known)})" if _all_integers(known) else listed(map(surd, known))


def rows(matrix: Iterable[Sequence[Numerator]]) -> str:
    """Return rows of numerators as a term, a row a line."""
    known = list(matrix)
    if all(map(_all_integers, known)):
        return f"(int_rows {listed(map(_integers, known), _NEXT_ROW)})"
    return listed(map(row, known), _NEXT_ROW)


_NEXT_ROW = ";\n  "


def _all_integers(values: Sequence[Numerator]) -> bool:
    return all(isinstance(value, int) for value in values)


def _integers(values: Sequence[Numerator]) -> str:
    return listed(whole(value) for value in values if isinstance(value, int))


def positives(values: Iterable[int]) -> str:
    """Return a list of positive integers as a term."""
    return listed(f"{whole(value)}%positive" for value in values)


def boolean(value: bool) -> str:
    """Return a truth value as a term."""
    return "true" if value else "false"


def option(value: int | None) -> str:
    """Return a natural number that may be missing as a term."""
    return "None" if value is None else f"(Some {value}%nat)"


VERDICTS = {
    "convergent": "Convergent",
    "convergent-to-a-set": "Convergent_to_a_set",
    "not-convergent": "Not_convergent",
}


class CertificateTerms(NamedTuple):
    """What `accepts` of certificates.v judges: a claim, a verdict and a certificate."""

    claim: str
    verdict: str
    certificate: str


def certificate_terms(document: Mapping[str, Any]) -> CertificateTerms:
    """Return a certificate's terms, whether or not it proves its claim.

    Raises:
        Rejected: there are other things than numbers in it, or a kind or verdict that there is not.
    """
    claim, proof = document["claim"], document["proof"]
    over, (G, [g]) = cleared(_numbers(claim["G"]), [_vector(claim["g"])])
    over_A, (A, [b]) = cleared(_numbers(claim["A"]), [_vector(claim["b"])])
    sizes, own = f"{len(G)} {len(A)}", boolean(claim["fixed_points"] == "own")
    if claim["verdict"] not in VERDICTS or proof["kind"] not in _KINDS:
        raise Rejected("no such verdict or kind of proof")
    term = f"(Claim {sizes} {whole(over)}\n {rows(G)}\n {row(g)} {whole(over_A)}\n {rows(A)}\n {row(b)} {own})"
    return CertificateTerms(term, VERDICTS[claim["verdict"]], f"({_KINDS[proof['kind']](proof)})")


def _numbers(value: Any) -> list[list[Fraction | Root]]:
    return table(value, "a matrix", None, None)


def _vector(value: Any) -> list[Fraction | Root]:
    return table([value], "a vector", None, None)[0]


def _cleared_rows(value: Any) -> str:
    return rows(cleared(_numbers(value))[1][0])


def _direction(value: Any) -> str:
    """Return a positive multiple of a vector."""
    return row(cleared([_vector(value)])[1][0][0])


def _point(value: Any) -> str:
    """Return a vector and its denominator."""
    denominator, [[point]] = cleared([_vector(value)])
    return f"{row(point)} {whole(denominator)}"


def _stable(proof: Mapping[str, Any]) -> str:
    (p, [N]), (q, [M]) = cleared(_numbers(proof["kernel"])), cleared(_numbers(proof["left"]))
    P, D, W = _cleared_rows(proof["P"]), _direction(proof["D"]), _cleared_rows(proof["W"])
    return f"Stable\n {rows(N)}\n {rows(M)} {whole(p * q)} {_point(proof['point'])}\n {P}\n {D}\n {W}"


def _unstable(proof: Mapping[str, Any]) -> str:
    denominator, [[[shift]]] = cleared([_vector([proof["shift"]])])
    P, D, v = _cleared_rows(proof["P"]), _direction(proof["D"]), _direction(proof["vector"])
    return f"Unstable {surd(shift)} {whole(denominator)}\n {P}\n {D}\n {v}"


def _factor(proof: Mapping[str, Any]) -> str:
    polynomial = _direction(proof["polynomial"])
    scale, [inverse] = cleared(_numbers(proof["inverse"]))
    denominator, [[vector]] = cleared([_vector(proof["vector"])])
    if any(len(values) != len(inverse[0]) for values in inverse):
        raise Rejected("inverse: not numbers in the right places")
    turned = list(zip(*inverse, strict=True))
    return f"Factor {row(vector)} {polynomial}\n {rows(turned)} {whole(scale * denominator)}"


_KINDS = {
    "stable": _stable,
    "unstable": _unstable,
    "factor": _factor,
    "no-fixed-point": lambda proof: f"No_fixed_point {_direction(proof['vector'])}",
    "spurious-fixed-point": lambda proof: (
        f"Spurious_fixed_point {_direction(proof['direction'])} {_point(proof['point'])}"
    ),
}


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
        algorithm, parameters: the learner and its parameters' values.
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
    """Reads nodes of a record as terms; sums over components are listed apart, each once, operands first."""

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
            parts = map(self.expression, (*operands[0].operands, *operands[1:]))
            return f"(If {_RELATIONS[operands[0].operation]} {' '.join(parts)})"
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


MOST_WORK = 60_000_000
"""Products of entries times their digits, which take Coq about half a minute."""


def table_term(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> str:
    """Return a problem as a term of type `table` (learners.v).

    Raises:
        BadOption: the learner's memory has no expectation, the problem has no stationary chain, or the table is too
            large.
    """
    means: Mapping[str, Matrix] = {}
    if needs_chain(problem, algorithm):
        memory = memory_of(problem, algorithm, parameters)
        modes, means = memory.modes, memory.means
    else:
        modes = Modes.of_states(problem, second=algorithm.second)
    reached, names = rows_after(problem), vectors_after(problem, algorithm)
    before = [problem.rows[place] for place in modes.places]
    slots = [[_reached(reached, name, ends) for ends in modes.arrivals] for name in names]
    vectors_over, known = _by_slot([before, *slots])
    after = [listed(row(slot[arrival]) for slot in known[1:]) for arrival in range(len(modes.arrivals))]
    memory_over, mean_vectors, mean_numbers = _memory(algorithm, modes, means)
    weights_over, [[weights]] = cleared([list(map(from_fmpq, modes.weights))])
    _check_size(algorithm.size(problem.k), modes, weights_over, memory_over)
    probability_over, numbers_over, steps = _steps(algorithm, modes)
    over = f"{whole(weights_over)} {whole(probability_over)} {positives(numbers_over)} {positives(vectors_over)}"
    parts = [row(weights), rows(known[0]), *(listed(part, ";\n  ") for part in (after, steps, mean_vectors))]
    return "\n ".join([f"(Table {problem.k} {over} {whole(memory_over)}", *parts, rows(mean_numbers)]) + ")"


def _check_size(size: int, modes: Modes, weights_over: int, memory_over: int) -> None:
    """Refuse a table on which Coq, which computes with single bits, would take minutes to hours."""
    steps, digits = len(modes.steps), (weights_over * memory_over).bit_length() * 3 // 10 + 1
    greatest_divisors = len(modes.weights) * digits**2 if memory_over > 1 else 0
    if (steps * size**2 + 3 * size**3) * digits + greatest_divisors > MOST_WORK:
        needed = f"{steps} steps, {size} weights and denominators of about {digits} digits"
        raise BadOption(f"--prove: {needed} are more than Coq computes with in a minute")


def vectors_after(problem: Problem, algorithm: Algorithm) -> tuple[str, ...]:
    """Return the names of the vectors that a step leads to, of a second transition too where the learner reads one."""
    once = tuple(rows_after(problem))
    return (*once, *(name for name, own in AGAIN.items() if own in once)) if algorithm.second else once


def _reached(reached: Mapping[str, Rows], name: str, ends: tuple[int, int | None]) -> tuple[Number, ...]:
    first, second = ends
    if name in reached:
        return reached[name][first]
    if second is None:
        raise Inconsistent(f"{name} is read, and no second transition is followed")
    return reached[AGAIN[name]][second]


def _by_slot(slots: Sequence[Sequence[Sequence[Number]]]) -> tuple[list[int], list[list[list[Numerator]]]]:
    """Return a denominator for each slot, and the numerators of its values."""
    each = [cleared(slot) for slot in slots]
    return [over for over, _ in each], [numerators for _, [numerators] in each]


def _steps(algorithm: Algorithm, modes: Modes) -> tuple[int, list[int], list[str]]:
    """Return a denominator of all probabilities, one for each number of a step, and the steps' terms."""
    names, points = step_numbers(algorithm), modes.points
    probability_over, [[probabilities]] = cleared([[from_fmpq(step.probability) for step in modes.steps]])
    numbers_over, slots = _by_slot([[[point[name] for point in points]] for name in names])
    numbers = [row(slot[0][i] for slot in slots) for i in range(len(points))]
    terms = [
        f"Step {step.mode} {step.arrival} {option(step.target)} {surd(probability)} {numbers[step.point]}"
        for step, probability in zip(modes.steps, probabilities, strict=True)
    ]
    return probability_over, numbers_over, terms


def _memory(
    algorithm: Algorithm, modes: Modes, means: Mapping[str, Matrix]
) -> tuple[int, list[str], list[list[Numerator]]]:
    """Return a denominator of memory's means, and by mode the vectors' as terms and the numbers'."""
    vectors, numbers = memory_by_kind(algorithm)
    over, cleared_means = cleared(*(means[name].rows for name in (*vectors, *numbers)))
    known = dict(zip((*vectors, *numbers), cleared_means, strict=True))
    every = range(len(modes.places))
    mean_vectors = [listed(row(known[name][mode]) for name in vectors) for mode in every]
    return over, mean_vectors, [[known[name][mode][0] for name in numbers] for mode in every]

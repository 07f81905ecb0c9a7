"""The functions of statements on problems: what a claim's text calls, and what node of the tree each gives.

A new one is a line in `FUNCTIONS`: the node's class, and what reads each argument, in the order in which it is written.
A reader is a function of a node of the syntax tree and the context, that gives the value or says what is allowed:
numbers exactly, names among those that there are. What may be left out is what the class has a default of. Sentence,
truth and second evaluation are those of the class.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import BadStatement, fault, parse, read_formula
from tdrc_theory.papers.published import ROWS
from verify.paper.facts import atoms, cells, constant_steps, distributions, emphasis, quantities, update_terms
from verify.paper.facts.problems import known_problems, problem_named
from verify.paper.facts.statement import RELATIONS

LARGEST_POWER = 64


@dataclass(frozen=True)
class Context:
    """Where a statement stands: the texts of the paper's own names, and the folder in which files are looked up.

    `bound` is what quantifiers around it give: parameters, "problem", "sample", "policies".
    """

    definitions: Mapping[str, str]
    folder: Path
    bound: frozenset[str] = frozenset()

    def within(self, *names: str) -> Context:
        """Return the context inside a quantifier."""
        return Context(self.definitions, self.folder, self.bound | {*names})

    def resolved(self, node: ast.expr) -> ast.expr:
        """Return the node that a name of the paper's own stands for."""
        while isinstance(node, ast.Name) and node.id in self.definitions:
            node = parse(self.definitions[node.id])
        return node


def listed(node: ast.expr, context: Context) -> list[ast.expr]:
    """Return the parts of a list."""
    node = context.resolved(node)
    if not isinstance(node, ast.List) or not node.elts:
        raise fault(node, "a list is needed, such as [1, 2]")
    return node.elts


def number(node: ast.expr, context: Context) -> Fraction | int:
    """Return an exact number: digits, a sign, quotients, products and powers of such."""
    node = context.resolved(node)
    match node:
        case ast.Constant(value=int() | Fraction() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return -number(part, context)
        case ast.BinOp(left=left, op=ast.Div() | ast.Mult() | ast.Pow() as op, right=right):
            result = _combined(node, op, number(left, context), number(right, context))
            return result.numerator if result.denominator == 1 else result
    raise fault(node, "a number is needed, such as 1, 0.5, -1/2 or 2**10")


def _combined(node: ast.expr, op: ast.operator, left: Fraction | int, right: Fraction | int) -> Fraction:
    one, other = Fraction(left), Fraction(right)
    if isinstance(op, ast.Mult):
        return one * other
    if isinstance(op, ast.Div) and other:
        return one / other
    small = max(one.numerator.bit_length(), one.denominator.bit_length()) <= 64
    if isinstance(op, ast.Pow) and small and one and other.denominator == 1 and abs(other) <= LARGEST_POWER:
        return one**other.numerator
    raise fault(node, f"no number: a division by 0, or a power beyond {LARGEST_POWER}")


def parameter(node: ast.expr, context: Context) -> Fraction | int | str:
    """Return a number, or the name of a parameter that a quantifier gives."""
    if isinstance(node, ast.Name) and node.id not in context.definitions:
        if node.id not in context.bound:
            allowed = sorted(context.bound - {"problem", "sample", "policies"})
            known = f"known here: {', '.join(allowed)}" if allowed else "each(...) and every(...) give some a value"
            raise fault(node, f"{node.id} has no value here; {known}")
        return node.id
    return number(node, context)


def whole(node: ast.expr, context: Context) -> int:
    """Return an integer."""
    value = number(node, context)
    if not isinstance(value, int):
        raise fault(node, "a whole number is needed")
    return value


def _constant(kind: type, needed: str, node: ast.expr, context: Context) -> Any:
    node = context.resolved(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, kind):
        return node.value
    raise fault(node, needed)


flag = partial(_constant, bool, "True or False is needed")
text = partial(_constant, str, 'a text in quotes is needed, such as "tdrc"')

Reader = Callable[[ast.expr, Context], Any]
"""What reads an argument."""


def choice(what: str, allowed: Iterable[str]) -> Callable[[ast.expr, Context], str]:
    """Return the reader of one of some words."""
    known = tuple(allowed)

    def read(node: ast.expr, context: Context) -> str:
        result = text(node, context)
        if result not in known:
            raise fault(node, str(UnknownName(what, result, known)))
        return result

    return read


def several(one: Reader) -> Reader:
    """Return the reader of a list of what another reads."""
    return lambda node, context: tuple(one(each, context) for each in listed(node, context))


def learner(node: ast.expr, context: Context) -> str:
    """Return the name of a built-in learner, or FILE.py:FUNCTION with the file's whole path."""
    name = text(node, context)
    file, _, function = name.rpartition(":")
    if file.endswith(".py"):
        name = f"{context.folder.absolute() / file}:{function}"
    _existing(node, lambda: find_algorithm(name))
    return name


def problems(node: ast.expr, context: Context) -> tuple[str, ...]:
    """Return names of problems, of a list or with blanks between; those of files with their whole paths."""
    node = context.resolved(node)
    texts = [text(each, context) for each in node.elts] if isinstance(node, ast.List) else text(node, context).split()
    names = [str(context.folder.absolute() / name) if name.endswith(".toml") else name for name in texts]
    if not names:
        raise fault(node, f"a problem is needed; allowed: {', '.join(known_problems())}, or a file.toml")
    for name in names:
        _existing(node, lambda name=name: problem_named(name))  # type: ignore[misc]
    return tuple(names)


def _existing(node: ast.expr, find: Callable[[], object]) -> None:
    try:
        find()
    except BadStatement:
        raise
    except TheoryError as error:
        raise fault(node, str(error)) from None


def property_of_a_matrix(node: ast.expr, context: Context) -> atoms.Kind:
    """Return a property by its words."""
    return atoms.Kind(choice("property", [each.value for each in atoms.Kind])(node, context))


def term(node: ast.expr, context: Context) -> Expr:
    """Return a term of formulas."""
    return read_formula(node, context.definitions)


@dataclass(frozen=True)
class Function:
    """A function of statements.

    `node` returns the node from the arguments by name, and `readers` read these, in their order. Where it is `of_a_run`
    it has a learner, beta and eta, which are left out where the learner has none, or something ranges over them.
    """

    node: Callable[..., Any]
    readers: dict[str, Reader]
    of_a_run: bool = False

    @cached_property
    def signature(self) -> inspect.Signature:
        """The arguments in their order; None is the default of those that may be left out."""
        known = inspect.signature(self.node).parameters.values()
        optional = {each.name for each in known if each.default is not each.empty}
        optional |= {"beta", "eta"} if self.of_a_run else set()
        kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
        return inspect.Signature(
            [inspect.Parameter(name, kind, default=None if name in optional else empty) for name in self.readers]
        )

    def build(self, **arguments: Any) -> Any:
        """Return the node."""
        if self.of_a_run:
            learner, beta, eta = (arguments.pop(name, None) for name in ("learner", "beta", "eta"))
            arguments["run"] = atoms.Run(learner, beta, eta)
        return self.node(**arguments)


def _of(node: Callable[..., Any], **readers: Reader) -> Function:
    return Function(node, readers)


def _of_a_run(node: Callable[..., Any], **readers: Reader) -> Function:
    first = {} if "learner" in readers else {"learner": learner}
    return Function(node, {**first, **readers, "beta": parameter, "eta": parameter}, of_a_run=True)


def _same_update(
    one: str, other: str, whole: bool = True, beta: int | None = None, rho: int | None = None
) -> update_terms.SameUpdate:
    return update_terms.SameUpdate((one, other), whole, beta, rho)


def _scales(
    learners: tuple[str, ...], step: int, x: int = 0, R: int = 0, w: int = 0, beta: int = 0, alpha: int = 0
) -> update_terms.Scales:
    powers = (("x", x), ("R", R), ("w", w), ("beta", beta), ("alpha", alpha))
    return update_terms.Scales(learners, tuple((name, power) for name, power in powers if power), step)


_BY = choice("learner", emphasis.LEARNERS)
_QUANTITY = choice("quantity", emphasis.QUANTITIES)
_FREE = choice("parameter", ("beta", "eta"))
_RELATION = choice("relation", RELATIONS)
_ROWS = several(choice("row of the tables", ROWS))
_TABLE = choice("table", cells.TABLES)

FUNCTIONS: dict[str, Function] = {
    "converges": _of_a_run(partial(atoms.Expected, does=atoms.Does.CONVERGES)),
    "diverges": _of_a_run(partial(atoms.Expected, does=atoms.Does.DIVERGES)),
    "converges_to_a_point": _of_a_run(partial(atoms.Expected, does=atoms.Does.TO_A_POINT)),
    "converges_to_a_set": _of_a_run(partial(atoms.Expected, does=atoms.Does.TO_A_SET)),
    "converges_at_some": _of_a_run(atoms.Somewhere, over=_FREE, learner=learner),
    "converges_at_no": _of_a_run(partial(atoms.Somewhere, some=False), over=_FREE, learner=learner),
    "converges_above": _of_a_run(atoms.Above, over=_FREE, low=number, high=number, learner=learner),
    "converges_from": _of(constant_steps.ConvergesFrom, period=whole, learner=learner, copy=text, alpha=number),
    "settles": _of_a_run(constant_steps.Settles, learner=learner, alpha=parameter),
    "meets": _of_a_run(atoms.Met, check=choice("hypothesis", atoms.HYPOTHESES), learner=learner),
    "borkar_meyn": _of_a_run(quantities.BorkarMeyn),
    "td_fixed_points": _of_a_run(atoms.SameFixedPoints),
    "matrix_is": _of(atoms.Is, matrix=choice("matrix", atoms.MATRICES), kind=property_of_a_matrix, beta=number),
    "has": _of(atoms.Plain, name=choice("property", atoms.PLAIN)),
    "pushes": _of_a_run(update_terms.Pushed, learner=learner, h=number, step=number),
    "proportional": _of(update_terms.Proportional, learner=learner, other=learner, times=number),
    "same_update": _of(_same_update, one=learner, other=learner, whole=flag, beta=whole, rho=whole),
    "on_action_values": _of(update_terms.OnActionValues, learner=learner, whole=flag, beta=whole, h_is_zero=flag),
    "costs": _of(update_terms.Costs, learners=several(learner), times=whole, other=learner),
    "scales": _of(_scales, learners=several(learner), step=whole, x=whole, R=whole, w=whole, beta=whole, alpha=whole),
    "finite_moment": _of(distributions.FiniteMoment, rho=whole, x=whole, reward=whole),
    "finite_noise": _of_a_run(distributions.FiniteNoise),
    "finite_ratio": _of(distributions.FiniteRatio, power=whole),
    "geometric": _of(distributions.Geometric, q=number, base=whole, ratio=whole, reward=whole),
    "policies": _of(distributions.Policies, p=number, q=number),
    "entry": _of(quantities.Entry, matrix=choice("matrix", ("A", "C")), factor=number),
    "rate": _of_a_run(quantities.Rate),
    "second_reward": _of(quantities.SecondReward, policy=choice("policy", ("behaviour", "target"))),
    "noise_constant": _of_a_run(quantities.NoiseConstant, learner=learner, split=flag),
    "areas": _of(cells.Areas, learners=_ROWS, relation=_RELATION, others=_ROWS, times=number, tables=several(_TABLE)),
    "between_tables": _of(cells.Tables, learners=_ROWS, table=_TABLE, relation=_RELATION, against=_TABLE, times=number),
    "bold": _of(cells.Bold, tables=several(_TABLE), alone=flag),
    "stable": _of(emphasis.Stable, by=_BY),
    "shown": _of(emphasis.Shown, what=_QUANTITY, rows=several(several(number)), by=_BY, decimals=whole),
    "from_key_matrix": _of(emphasis.FromKeyMatrix, by=_BY),
    "step_change": _of(emphasis.StepChange, weight=number, alpha=number, state=whole, action=whole),
    "value_error": _of(emphasis.SquaredError, at=choice("learner", ("td", "emphatic-td", "least"))),
    "finite_variance": _of(emphasis.FiniteVariance, by=_BY, lam=parameter),
    "finite_memory": _of(emphasis.FiniteMemory, by=_BY),
    "follow_on_moment": _of(emphasis.FollowOnMoment, power=whole, base=number),
    "mean_settles": _of(constant_steps.MeanSettles, by=_BY, alpha=parameter),
    "mean_unbounded": _of(constant_steps.MeanUnbounded, by=_BY),
    "mean_weight": _of(constant_steps.MeanWeight, by=_BY, alpha=number, updates=whole, expected=flag),
    "same_shape": _of(quantities.SameShape, left=term, right=term),
}
"""By name; `on`, `each`, `every`, `everywhere` and `implies` are read apart."""

"""How the arguments of statements' functions are read: numbers exactly, names among those that there are.

A reader is a function of a node of the syntax tree and the context, that gives the value or says what is allowed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import read_formula
from tdrc_theory.formula.parsed import BadStatement, fault, parse
from verify.paper.facts.atoms import Kind
from verify.paper.facts.small_problems import known_problems, problem_named

LARGEST_POWER = 64


@dataclass(frozen=True)
class Context:
    """Where a statement stands.

    Attributes:
        definitions: the texts of the paper's own names.
        folder: in which files are looked up.
        bound: what quantifiers around it give: parameters, "problem", "sample", "policies".
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
            return _whole(_combined(node, op, number(left, context), number(right, context)))
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


def _whole(value: Fraction) -> Fraction | int:
    return value.numerator if value.denominator == 1 else value


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


def flag(node: ast.expr, context: Context) -> bool:
    """Return True or False."""
    node = context.resolved(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return node.value
    raise fault(node, "True or False is needed")


def text(node: ast.expr, context: Context) -> str:
    """Return a string."""
    node = context.resolved(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise fault(node, 'a text in quotes is needed, such as "tdrc"')


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


def property_of_a_matrix(node: ast.expr, context: Context) -> Kind:
    """Return a property by its words."""
    return Kind(choice("property", [each.value for each in Kind])(node, context))


def term(node: ast.expr, context: Context) -> Expr:
    """Return a term of formulas."""
    return read_formula(node, context.definitions)

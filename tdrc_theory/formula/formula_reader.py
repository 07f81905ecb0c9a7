"""Formulas from text: `det(G_tdrc) == eta**d * det(A.T + beta*I) * det(A)`.

The syntax of claims is that of Python's expressions, read with `ast` and never evaluated. `parse` gives the syntax tree
of a text, with positions, or says in one line what it has no place for. It knows no name and no function:
`read_formula` reads formulas from the tree, and `verify.paper.facts` statements about problems. Names, numbers (exactly
as written: 0.99 is 99/100), strings, lists, `True`, `False`, `+ - * / **`, comparisons, `and or not`, the attributes
`.T` and `.H`, and calls of a function by its name are all that there is.

In a formula names are symbols of the vocabulary; those whose names are no names in Python have a spelling of their own
here. A list of lists is a block matrix, `.T` and `.H` are transposes, the other functions are those of `FUNCTIONS`.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.formula import expression as tree
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import TRUTH, VOCABULARY, shape

LONGEST, DEEPEST, MOST_NODES = 4000, 200, 2000
"""Characters of a text, nesting of its tree, and nodes: beyond what any claim needs, and quick to refuse."""

ATTRIBUTES = {"T": "the transpose", "H": "the conjugate transpose"}

_ALLOWED = (
    "names, numbers, strings, lists, True, False, + - * / **, comparisons, and, or, not, "
    ".T, .H, and calls of functions by name"
)
_OPERATORS = (
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.UnaryOp, ast.USub, ast.Not),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.BoolOp, ast.And, ast.Or),
)
_NODES = (*_OPERATORS, ast.Name, ast.Load, ast.Constant, ast.List, ast.Attribute, ast.Call, ast.keyword)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class BadStatement(TheoryError, ValueError):
    """A text that is no statement of the language of claims."""


def fault(node: ast.AST, message: str) -> BadStatement:
    """Return the error with what was read, and what is allowed, after the place of a node, or of the whole text."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 1)
    place = f"column {column}" if line == 1 else f"line {line}, column {column + 1}"
    return BadStatement(f"{place}: {message}")


@lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    """Return the syntax tree of a text; its numbers are of type int or Fraction. Do not change it: it is kept.

    Raises:
        BadStatement: it is none of the language, or longer or more deeply nested than any claim.

    >>> ast.unparse(parse("implies(posdef(A), 0.5*A.T == A)").args[0])
    'posdef(A)'
    >>> parse("__import__('os').system('ls')")
    Traceback (most recent call last):
    tdrc_theory.formula.formula_reader.BadStatement: column 1: only functions with a name are called
    """
    text = text.strip()
    if not 0 < len(text) <= LONGEST:
        raise BadStatement(f"{len(text)} characters; allowed: 1 to {LONGEST}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python about what would be odd in a program, such as 1(2)
            tree = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _unreadable(error, text) from None
    _check_size(tree)
    for node in ast.walk(tree):
        _check(node, text)
    return tree


def _unreadable(error: Exception, text: str) -> BadStatement:
    """Return what Python's parser says, in one line, with the place."""
    if isinstance(error, SyntaxError) and (error.lineno or 1) > len(text.splitlines()):
        return BadStatement("not an expression: it ends too early")
    if isinstance(error, SyntaxError):
        position = ast.Name("", lineno=error.lineno or 1, col_offset=max((error.offset or 1) - 1, 0))
        return fault(position, f"not an expression: {' '.join(str(error.msg).split())}")
    if isinstance(error, ValueError):
        return BadStatement(f"not an expression: {' '.join(str(error).split())}")
    return BadStatement("nested too deeply")


def _check_size(tree: ast.expr) -> None:
    """Refuse a tree that the readers' recursion is not made for, without recursion."""
    level: list[ast.AST] = [tree]
    depth = count = 0
    while level:
        depth, count = depth + 1, count + len(level)
        if depth > DEEPEST:
            raise BadStatement(f"nested more than {DEEPEST} deep")
        if count > 2 * MOST_NODES:  # operators are nodes too
            raise BadStatement(f"more than {MOST_NODES} parts")
        level = [child for node in level for child in ast.iter_child_nodes(node)]


def _check(node: ast.AST, text: str) -> None:
    if not isinstance(node, _NODES):
        kind = type(node).__name__
        what = {"JoinedStr": "a string with braces", "BitXor": "^ (a power is **)"}.get(kind, kind)
        raise fault(node, f"{what} is not in the language of claims; allowed: {_ALLOWED}")
    if isinstance(node, ast.Attribute) and node.attr not in ATTRIBUTES:
        raise fault(node, f"{node.attr!r} is no attribute; allowed: .T, .H")
    if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
        raise fault(node, "only functions with a name are called")
    if isinstance(node, ast.keyword) and node.arg is None:
        raise fault(node, "** gives no arguments; an argument is a value, or NAME=value")
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool | str):
        written = ast.get_source_segment(f"({text}\n)", node) or ""
        if not _NUMBER.fullmatch(written):
            raise fault(node, f"{written[:40]!r} is no number of the language; allowed: digits[.digits]")
        node.value = int(written) if written.isdigit() else Fraction(written)  # type: ignore[assignment] # exact


def called(node: ast.Call) -> str:
    """Return the name of the function that is called."""
    return node.func.id if isinstance(node.func, ast.Name) else ""


SPELLINGS = {"lam": "lambda", "x_next": "x'", "zero": "0"}
"""How a symbol is written whose name is no name in Python; ++ is written pp."""

SYMBOLS = {
    **{entry.name.replace("++", "pp"): entry.name for entry in VOCABULARY if entry.name not in SPELLINGS.values()},
    **SPELLINGS,
}
"""What is written for each symbol of the vocabulary."""

LARGEST_DEGREE = 512
"""Of a power, where d is 8: nothing in a claim may take the memory of a machine."""

MOST_PARTS = 5000
"""Of a formula, all definitions written out."""

_OF_ONE = (
    *("det", "inv", "E", "eigmax", "eigmin", "norm2", "re", "im", "sqrt", "diag", "diagonal", "absolute", "actions"),
    *("before", "nonnegative", "positive", "semidefinite", "diagonalizable", "posdef", "hurwitz"),
)
FUNCTIONS: dict[str, tuple[int, int, Callable[..., Expr]]] = {
    **{op: (1, 1, tree.operation(op)) for op in _OF_ONE},
    **{op: (2, 2, tree.operation(op)) for op in ("earlier", "definite_where", "iff")},
    "nonsingular": (1, 1, tree.nonsingular),
    "implies": (2, 50, tree.implies),
}
"""Each function with the least and the largest number of its arguments; `grad` and `lemma` are read apart."""

FUNCTION_NAMES = frozenset({*FUNCTIONS, "grad", "lemma"})

_RELATIONS = {
    ast.Eq: tree.equal,
    ast.NotEq: tree.unequal,
    ast.Lt: tree.less,
    ast.LtE: tree.at_most,
    ast.Gt: tree.greater,
    ast.GtE: tree.at_least,
}

Lemma = Callable[[str], Expr]


def formula(text: str, names: Mapping[str, str] | None = None, lemma: Lemma | None = None) -> Expr:
    """Return the formula that a text writes.

    Args:
        text: in the language of claims.
        names: the texts of names that are defined besides; each uses none but those before it.
        lemma: gives the formula of a claim by its id.

    Raises:
        BadStatement: it is none; the message names the place and what is allowed.

    >>> from tdrc_theory.formula.written import text
    >>> text(formula("implies(posdef(A), hurwitz(G_tdrc))"))
    'A is positive definite => G_tdrc is Hurwitz'
    """
    node = parse(text)
    result = read_formula(node, names or {}, lemma)
    if shape(result) != TRUTH:
        raise fault(node, "a formula is a relation, which is true or false, such as det(A) != 0")
    return result


def read_formula(node: ast.expr, names: Mapping[str, str], lemma: Lemma | None = None) -> Expr:
    """Return the formula, or the part of one, at a node of a syntax tree.

    Raises:
        BadStatement: there is no such thing in formulas, or its parts do not fit.
    """
    result = _Reader(names, lemma).read(node)
    try:
        shape(result)
    except TheoryError as error:
        raise fault(node, str(error)) from None
    return result


class _Reader:
    """Reads one formula."""

    def __init__(self, names: Mapping[str, str], lemma: Lemma | None) -> None:
        self.names, self.lemma, self.parts = names, lemma, 0

    def read(self, node: ast.expr) -> Expr:
        """Return what a node stands for."""
        self.parts += 1
        if self.parts > MOST_PARTS:  # a definition of a definition may double it each time
            raise fault(node, f"more than {MOST_PARTS} parts with all definitions written out")
        match node:
            case ast.Name(id=name):
                if name in self.names:
                    return self.read(parse(self.names[name]))
                if name not in SYMBOLS:
                    raise fault(node, str(UnknownName("symbol", name, sorted({*self.names, *SYMBOLS}))))
                return tree.symbol(SYMBOLS[name])
            case ast.Constant(value=bool() | str()):
                raise fault(node, f"{node.value!r} has no place in a formula; numbers and symbols have")
            case ast.Constant(value=value):
                return tree.number(Fraction(value))  # type: ignore[arg-type] # int or Fraction, by `parse`
            case ast.Attribute(value=part, attr=attribute):
                return self.read(part).T if attribute == "T" else self.read(part).star
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return tree.negation(self.read(part))
            case ast.UnaryOp(operand=part):
                return -self.read(part)
            case ast.BoolOp(op=op, values=values):
                join = tree.both if isinstance(op, ast.And) else tree.either
                return join(*map(self.read, values))
            case ast.BinOp():
                return self.operation(node)
            case ast.Compare(left=left, ops=relations, comparators=others):
                sides = pairwise(map(self.read, (left, *others)))
                return tree.both(*(_RELATIONS[type(op)](*pair) for op, pair in zip(relations, sides, strict=True)))
            case ast.List(elts=listed):
                rows = [row.elts for row in listed if isinstance(row, ast.List)]
                if not rows or len(rows) != len(listed) or not all(row and len(row) == len(rows[0]) for row in rows):
                    message = "a matrix of blocks is a list of rows of one length, such as [[A, b], [b.T, 1]]"
                    raise fault(node, message)
                return tree.block([[self.read(cell) for cell in row] for row in rows])
            case ast.Call(keywords=[], func=ast.Name(id="grad"), args=[part]):
                return tree.grad(self.read(part))
            case ast.Call(keywords=[], func=ast.Name(id="grad"), args=[part, ast.Name(id="w" | "h" as vector)]):
                return tree.grad(self.read(part), vector)
            case ast.Call(keywords=[], func=ast.Name(id="lemma"), args=[ast.Constant(value=str(claim))]) if self.lemma:
                try:
                    return self.lemma(claim)
                except TheoryError as error:
                    raise fault(node, str(error)) from None
            case ast.Call():
                return self.call(node)
        raise fault(node, f"{type(node).__name__} has no place in a formula")

    def operation(self, node: ast.BinOp) -> Expr:
        """Return a sum, difference, product, quotient or power; a quotient of numbers is a number."""
        left, right = self.read(node.left), self.read(node.right)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Pow():
                if _size(right) * _degree(left) > LARGEST_DEGREE:
                    allowed = f"d and whole numbers, their sums and products, and degrees up to {LARGEST_DEGREE}"
                    raise fault(node.right, f"not an exponent; allowed: {allowed}")
                return left**right
        if right.op == "number" and Fraction(right.name) == 0:
            raise fault(node, "a division by 0")
        if left.op == right.op == "number":
            return tree.number(Fraction(left.name) / Fraction(right.name))
        return left / right

    def call(self, node: ast.Call) -> Expr:
        """Return what a function gives."""
        name, arguments = called(node), node.args
        if node.keywords:
            raise fault(node, f"{name} takes no named argument in a formula")
        if name == "grad":
            raise fault(node, "grad takes a function, and w or h")
        if name == "lemma":
            raise fault(node, 'lemma takes the id of a claim of the same paper, as in lemma("theorem.case-i")')
        if name not in FUNCTIONS:
            raise fault(node, str(UnknownName("function", name, sorted(FUNCTION_NAMES))))
        least, most, build = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            several = f"{least}" if least == most else f"{least} or more"
            raise fault(node, f"{name} takes {several} arguments, not {len(arguments)}")
        return build(*map(self.read, arguments))


def _size(exponent: Expr) -> int:
    """Return how large an exponent can be where d is 8; more than is allowed for what is no exponent."""
    if exponent.op == "number":
        value = Fraction(exponent.name)
        return abs(value.numerator) if value.denominator == 1 else LARGEST_DEGREE + 1
    if exponent == tree.DIM:
        return 8
    if exponent.op not in ("add", "mul"):
        return LARGEST_DEGREE + 1
    sizes = [_size(part) for part in exponent.args]
    return sum(sizes) if exponent.op == "add" else math.prod(sizes)


def _degree(base: Expr) -> int:
    """Return how often a power of it, multiplied out, would multiply one symbol or number."""
    degrees = [_degree(part) for part in base.args] or [1]
    if base.op == "power":
        return degrees[0] * _size(base.args[1])
    return sum(degrees) if base.op == "mul" else max(degrees)

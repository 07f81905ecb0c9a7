"""The syntax of claims: Python's expressions, read with `ast` and never evaluated.

`parse` gives the syntax tree of a text, with positions, or says in one line what it has no place for. It knows no name
and no function: `formula_reader.py` reads formulas from the tree, and `verify.paper.facts` statements about problems.
Names, numbers (exactly as written: 0.99 is 99/100), strings, lists, `True`, `False`, `+ - * / **`, comparisons,
`and or not`, the attributes `.T` and `.H`, and calls of a function by its name are all that there is.
"""

from __future__ import annotations

import ast
import re
import warnings
from fractions import Fraction
from functools import lru_cache

from tdrc_theory.errors import TheoryError

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
    """Return the error that names the place of a node in its text.

    Args:
        node: where it is; one without a position is the whole text.
        message: what was read, and what is allowed.
    """
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
    tdrc_theory.formula.parsed.BadStatement: column 1: only functions with a name are called
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

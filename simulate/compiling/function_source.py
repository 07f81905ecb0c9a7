"""The source text of an elementwise function, made self-contained: what it uses comes along, under the kernel's names.

Compiling text instead of function objects is what lets a kernel be kept on disk under the hash of everything in it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import math
import numbers
import operator
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadAlgorithm

BUILTINS = {"abs", "min", "max", "float", "int", "bool", "round", "pow", "range", "len", "True", "False", "None"}
"""What a function may call besides its file's own: arithmetic, nothing that reads, writes or runs anything."""
MODULES = ("math", "numpy")
INLINED = '@njit(nogil=True, error_model="numpy", forceinline=True)'
"""The decorator of functions that become part of the loop that calls them."""

_FOLDED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
}
_LARGEST_POWER = 1000


class FunctionSource:
    """Collects functions with their helpers and constants, and renders them as text.

    Every name of a function that is not local to it is looked up in the function's own module and closure: another
    function is collected too, an int, float or Fraction becomes a float literal or an int, math and numpy are imported.
    """

    def __init__(self, decorator: str) -> None:
        self._decorator = decorator
        self._names: dict[Callable[..., Any], str] = {}
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """Return all functions collected so far, each after what it calls."""
        return "\n\n".join(self._parts)

    def add(self, function: Callable[..., Any], name: str, owner: str) -> None:
        """Collect a function.

        Args:
            function: a plain function, defined by `def`.
            name: what the text calls it.
            owner: whose function it is, for messages.

        Raises:
            BadAlgorithm: it uses something that cannot be compiled, or its source text is not to be had.
        """
        node = _definition(function, owner)
        self._names[function] = name
        _bind_defaults(node, function, owner)
        rewriter = _Rewriter(self, function, name, owner)
        node.body = [rewriter.visit(statement) for statement in _without_docstring(node.body)]
        node.name, node.returns = name, None
        for argument in node.args.args:
            argument.annotation = None
        self._parts.append(f"{self._decorator}\n{ast.unparse(ast.fix_missing_locations(node))}")

    def name_of(self, function: Callable[..., Any], caller: str, owner: str) -> str:
        """Return what the text calls a helper function; collect it first where it is new."""
        if function not in self._names:
            taken = set(self._names.values())
            name = f"{caller}_{function.__name__}"
            while name in taken:
                name += "_"
            self.add(function, name, owner)
        return self._names[function]


class _Rewriter(ast.NodeTransformer):
    """Replaces the names that a function takes from outside by literals or by the kernel's own names."""

    def __init__(self, sources: FunctionSource, function: Any, name: str, owner: str) -> None:
        self._sources, self._name, self._owner = sources, name, owner
        code = function.__code__
        self._local = {*code.co_varnames, *code.co_cellvars}
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        self._outside = {**vars(builtins), **function.__globals__, **{n: cell.cell_contents for n, cell in cells}}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._local:
            return node
        if node.id not in self._outside:
            raise BadAlgorithm(f"{self._owner} (line {node.lineno}) uses {node.id}, which is not defined")
        value = self._outside[node.id]
        if getattr(builtins, node.id, None) is value and node.id in BUILTINS:
            return node
        if isinstance(value, bool | numbers.Rational | float):
            return _literal(value)
        if inspect.isfunction(value):
            return ast.Name(self._sources.name_of(value, self._name, self._owner))
        if isinstance(value, types.ModuleType) and value.__name__ in MODULES:
            return ast.Name("np" if value.__name__ == "numpy" else value.__name__)
        if inspect.isbuiltin(value) and getattr(value, "__self__", None) is math:
            return ast.Attribute(ast.Name("math"), value.__name__)
        raise BadAlgorithm(
            f"{self._owner} (line {node.lineno}) uses {node.id}, a {type(value).__name__}; a compiled algorithm uses "
            "numbers, functions of its file, math and numpy, and abs, min, max"
        )

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and self._outside.get(node.func.id) is Fraction:
            try:
                return _literal(Fraction(*(ast.literal_eval(argument) for argument in node.args)))
            except (ValueError, TypeError, ArithmeticError):
                raise BadAlgorithm(f"{self._owner} (line {node.lineno}) calls Fraction with a variable") from None
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, bool | int | float | None):
            raise BadAlgorithm(f"{self._owner} (line {node.lineno}) uses {node.value!r}, which is no number")
        return node if node.value is None else _literal(node.value)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        # Python's whole numbers have no end, a compiled 10**20 would.
        self.generic_visit(node)
        if node.op.__class__ in _FOLDED and all(isinstance(part, ast.Constant) for part in (node.left, node.right)):
            left, right = node.left.value, node.right.value  # type: ignore[attr-defined]
            if isinstance(left, int) and isinstance(right, int) and (abs(left) < 2 or abs(right) <= _LARGEST_POWER):
                return _literal(_FOLDED[node.op.__class__](left, right))
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        raise BadAlgorithm(f"{self._owner} (line {node.lineno}) imports inside; import at the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        raise BadAlgorithm(f"{self._owner} (line {node.lineno}) imports inside; import at the top of the file")

    def visit_Return(self, node: ast.Return) -> ast.AST:
        # `return x, 0` and `return x, y` in one function would be tuples of two types.
        self.generic_visit(node)
        if isinstance(node.value, ast.Tuple):
            node.value.elts = [ast.Call(ast.Name("float"), [part], []) for part in node.value.elts]
        return node


def _definition(function: Any, owner: str) -> ast.FunctionDef:
    """Return the syntax tree of a function's definition, which is certainly the one that the function was made of."""
    if not inspect.isfunction(function) or hasattr(function, "__wrapped__"):
        raise BadAlgorithm(f"{owner} is wrapped, or made otherwise than by def; only a plain function is compiled")
    try:
        text = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(text)
    except (OSError, SyntaxError):
        raise BadAlgorithm(f"{owner} has no source text of its own (define it by def, in a file)") from None
    node = tree.body[0]
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        raise BadAlgorithm(f"{owner} is decorated, or a lambda; only a plain function is compiled")
    if any(isinstance(constant, types.CodeType) for constant in function.__code__.co_consts):
        raise BadAlgorithm(f"{owner} has a function or a comprehension inside; a compiled one has none")
    if not _same_code(function):
        raise BadAlgorithm(f"{owner}: its file has changed since it was loaded")
    ast.increment_lineno(node, function.__code__.co_firstlineno - 1)
    return node


def _same_code(function: Any) -> bool:
    """Return whether the function's file, as it is known now, still gives the code that the function has."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename))
    return any(
        (found.co_qualname, found.co_firstlineno, found.co_code, found.co_consts)
        == (code.co_qualname, code.co_firstlineno, code.co_code, code.co_consts)
        for found in _codes(compile(text, code.co_filename, "exec", dont_inherit=True))
    )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _bind_defaults(node: ast.FunctionDef, function: Any, owner: str) -> None:
    """Turn parameters with defaults into locals with those values."""
    positional = [*node.args.posonlyargs, *node.args.args]
    defaults = function.__defaults__ or ()
    given = dict(zip([a.arg for a in positional[len(positional) - len(defaults) :]], defaults, strict=True))
    given.update(function.__kwdefaults__ or {})
    for name, value in given.items():
        if not isinstance(value, bool | numbers.Rational | float):
            raise BadAlgorithm(f"{owner}: the default of {name} is a {type(value).__name__}, not a number")
    body = _without_docstring(node.body)
    node.body = [*(ast.Assign([ast.Name(n)], _literal(v)) for n, v in given.items()), *body]
    names = [a for a in positional if a.arg not in given]
    node.args = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return body[1:] or [ast.Pass()] if told else body


def _literal(value: Any) -> ast.expr:
    """Return a number as a literal; a fraction, and an integer that no machine word holds, as the nearest float."""
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < sys.maxsize):
        return ast.Constant(value)
    try:
        number = float(value)
    except OverflowError:
        number = math.copysign(math.inf, value)
    if math.isfinite(number):
        return ast.Constant(number)
    return ast.Call(ast.Name("float"), [ast.Constant(str(number))], [])

"""From functions in the part of Python that kernels are written in to a module of LLVM.

Numbers are float64, int64 or bool. Arrays have one or two dimensions, are contiguous, and are indexed from their start,
within their lengths. A variable keeps the type of its first value. A function becomes part of what calls it. A float
divided by 0 is inf or nan.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from typing import Any, NamedTuple, NoReturn

from llvmlite import ir

from tdrc_theory.errors import BadAlgorithm

_FLOAT, _INT, _BOOL, _POINTER = ir.DoubleType(), ir.IntType(64), ir.IntType(1), ir.PointerType()
TYPES = {"float": _FLOAT, "int": _INT, "float[:]": (_FLOAT, 1), "float[:, :]": (_FLOAT, 2), "int[:]": (_INT, 1)}
"""Types of arguments by name; of an array its element's, and the number of dimensions."""


class _Array(NamedTuple):
    """An array, or, without lengths, the place of one element."""

    element: Any
    start: Any
    lengths: tuple[Any, ...]


_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_WAYS = {
    (ast.Add, _FLOAT): "fadd",
    (ast.Sub, _FLOAT): "fsub",
    (ast.Mult, _FLOAT): "fmul",
    (ast.Div, _FLOAT): "fdiv",
    (ast.Add, _INT): "add",
    (ast.Sub, _INT): "sub",
    (ast.Mult, _INT): "mul",
    (ast.BitAnd, _INT): "and_",
    (ast.RShift, _INT): "ashr",
}
_CONVERSIONS = {(_INT, _FLOAT): "sitofp", (_BOOL, _FLOAT): "uitofp", (_BOOL, _INT): "zext"}
_OF_C = {
    "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh": ("math.{}", "np.{}"),
    "hypot cbrt floor ceil trunc fabs copysign fmod nextafter": ("math.{}", "np.{}"),
    "asin acos atan atan2 asinh acosh atanh erf erfc lgamma remainder pow": ("math.{}",),
    "rint fmax fmin": ("np.{}",),
}
_LIBRARY = {
    **{form.format(name): name for names, forms in _OF_C.items() for name in names.split() for form in forms},
    **{f"np.arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")},
    "math.gamma": "tgamma",
    "np.absolute": "fabs",
    "np.float_power": "pow",
}
"""Functions of floats, and what the C library calls them."""
_INTRINSIC = (
    *("sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos"),
    *("floor", "ceil", "trunc", "rint", "fabs", "copysign", "pow"),
)
"""Those of which LLVM knows what they do."""
_PRELUDE = """
def float_mod(x, y):
    rest = math.fmod(x, y)
    return math.copysign(0.0, y) if rest == 0.0 else rest + y if (rest < 0.0) != (y < 0.0) else rest
def float_floordiv(x, y):
    rest = math.fmod(x, y)
    quotient = (x - rest) / y - (1.0 if rest != 0.0 and (rest < 0.0) != (y < 0.0) else 0.0)
    whole = math.floor(quotient)
    return math.copysign(0.0, x / y) if quotient == 0.0 else whole + 1.0 if quotient - whole > 0.5 else whole
def int_mod(x, y):
    rest = int_remainder(x, y)
    return rest + y if rest != 0 and (rest < 0) != (y < 0) else rest
def int_floordiv(x, y):
    return int_quotient(x - int_mod(x, y), y)
def maximum(x, y):
    return x if x >= y or x != x else y
def minimum(x, y):
    return x if x <= y or x != x else y
def sign(x):
    return x if x != x else float((x > 0) - (x < 0))
def heaviside(x, at_zero):
    return x if x != x else at_zero if x == 0 else float(x > 0)
def square(x):
    return x * x
def reciprocal(x):
    return 1.0 / x
def negative(x):
    return -x
def isfinite(x):
    return math.fabs(x) < math.inf
def isnan(x):
    return x != x
def isinf(x):
    return math.fabs(x) == math.inf
def positive(x):
    return x
def radians(x):
    return x * 0.017453292519943295
def deg2rad(x):
    return radians(x)
def degrees(x):
    return x * 57.29577951308232
def rad2deg(x):
    return degrees(x)
def logaddexp(x, y):
    return x + math.log(2.0) if x == y else max(x, y) + math.log1p(math.exp(-math.fabs(x - y)))
"""
"""What Python and NumPy mean by some operations, in this part of Python."""


def lowered(text: str, name: str, types: Sequence[str], symbol: str) -> str:
    """Return the text of an LLVM module with one function that others can call.

    Args:
        text: the source of functions, and of constants, each a literal; annotations are not read.
        name: the function. It returns nothing or one number.
        types: of its arguments, of `TYPES`; arrays that it writes into overlap no other.
        symbol: what the module calls it.

    Raises:
        BadAlgorithm: it does what this part of Python does not have.
    """
    return str(_Lowering(text).module(name, [TYPES[of] for of in types], symbol))


@dataclass
class _Call:
    """A function while it is lowered: where it goes on after it, its variables and the loops around a statement."""

    after: ir.Block
    variables: dict[str, tuple[Any, list[Any]]] = field(default_factory=dict)
    loops: list[tuple[ir.Block, ir.Block]] = field(default_factory=list)


class _Lowering(ast.NodeVisitor):
    """Visits statements and expressions; an expression becomes an LLVM value, an `_Array`, or a tuple of those."""

    _builder: ir.IRBuilder
    _call: _Call

    def __init__(self, text: str) -> None:
        self._sources: dict[str, ast.FunctionDef] = {}
        self._constants: dict[str, Any] = {}
        self._temporary = count()
        for node in [*ast.parse(_PRELUDE).body, *ast.parse(text).body]:
            if isinstance(node, ast.FunctionDef):
                self._sources[node.name] = node
            elif isinstance(node, ast.Assign):
                self._constants[ast.unparse(node.targets[0])] = ast.literal_eval(node.value)

    def module(self, name: str, types: Sequence[Any], symbol: str) -> ir.Module:
        """Return a module with one function."""
        module, parts = ir.Module(), []
        for of in types:
            parts += [_POINTER, *[_INT] * of[1]] if isinstance(of, tuple) else [of]
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [*parts, _POINTER]), symbol)
        for part in function.args:
            if part.type == _POINTER:
                part.add_attribute("noalias")
        self._builder = ir.IRBuilder(function.append_basic_block())
        given = iter(function.args)
        arguments = [
            _Array(of[0], next(given), tuple(next(given) for _ in range(of[1])))
            if isinstance(of, tuple)
            else next(given)
            for of in types
        ]
        result = self._called(name, arguments)
        if result != ():
            self._builder.store(self._converted(result, _FLOAT), next(given))
        self._builder.ret_void()
        return module

    def generic_visit(self, node: ast.AST) -> NoReturn:
        """Refuse what has no method here."""
        raise BadAlgorithm(f"{ast.unparse(node)!r} is not in the part of Python that is compiled")

    # Statements

    def _statements(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            self.visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.visit(node.value)
        for target in node.targets:
            self._assign(target, value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._assign(node.target, self._binary(type(node.op), self.visit(node.target), self.visit(node.value)))

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self._set(target.id, value)
        elif isinstance(target, ast.Tuple):
            for part, of_part in zip(target.elts, value, strict=True):
                self._assign(part, of_part)
        else:
            assert isinstance(target, ast.Subscript)
            place = self._place(target)
            self._builder.store(self._converted(value, place.element), place.start)

    def _set(self, name: str, value: Any) -> None:
        """Store the value of a variable."""
        parts = _parts(value)
        if name not in self._call.variables:
            with self._builder.goto_entry_block():
                slots = [self._builder.alloca(part.type) for part in parts]
            self._call.variables[name] = value, slots
        for part, slot in zip(parts, self._call.variables[name][1], strict=True):
            self._builder.store(self._converted(part, slot.allocated_type), slot)

    def _get(self, name: str) -> Any:
        first, slots = self._call.variables[name]
        return _of_parts(first, iter([self._builder.load(slot, typ=slot.allocated_type) for slot in slots]))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._set("return", self.visit(node.value))
        self._leave(self._call.after)

    def visit_Break(self, _: ast.Break) -> None:
        self._leave(self._call.loops[-1][1])

    def visit_Continue(self, _: ast.Continue) -> None:
        self._leave(self._call.loops[-1][0])

    def _leave(self, to: ir.Block) -> None:
        """Go to a block; what follows here is never reached."""
        self._builder.branch(to)
        self._builder.position_at_end(self._builder.append_basic_block())

    def _goes_on_in(self, block: ir.Block) -> None:
        self._builder.branch(block)
        self._builder.position_at_end(block)

    def visit_If(self, node: ast.If) -> None:
        with self._builder.if_else(self._truth(node.test)) as (then, otherwise):
            with then:
                self._statements(node.body)
            with otherwise:
                self._statements(node.orelse)

    def visit_For(self, node: ast.For) -> None:
        """Lower `for NAME in range(...)`; the step is positive."""
        if not (isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"):
            self.generic_visit(node.iter)
        bounds = [self._whole(argument) for argument in node.iter.args]
        first, last, step = [*([_INT(0)] if len(bounds) == 1 else []), *bounds, _INT(1)][:3]
        counter = f"counter {next(self._temporary)}"
        self._set(counter, first)

        def body() -> None:
            self._assign(node.target, self._get(counter))
            self._statements(node.body)

        def onward() -> None:
            self._set(counter, self._builder.add(self._get(counter), step, flags=["nsw"]))

        self._loop(lambda: self._builder.icmp_signed("<", self._get(counter), last), body, onward)

    def visit_While(self, node: ast.While) -> None:
        self._loop(lambda: self._truth(node.test), lambda: self._statements(node.body), lambda: None)

    def _loop(self, goes_on: Callable[[], Any], body: Callable[[], None], onward: Callable[[], None]) -> None:
        head, inside, next_, after = (self._builder.append_basic_block() for _ in range(4))
        self._goes_on_in(head)
        self._builder.cbranch(goes_on(), inside, after)
        self._builder.position_at_end(inside)
        self._call.loops.append((next_, after))
        body()
        self._call.loops.pop()
        self._goes_on_in(next_)
        onward()
        self._builder.branch(head)
        self._builder.position_at_end(after)

    # Expressions

    def visit_Constant(self, node: ast.Constant) -> Any:
        return _number(node.value)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self._call.variables:
            return self._get(node.id)
        if node.id in self._constants:
            return _number(self._constants[node.id])
        raise BadAlgorithm(f"name {node.id!r} is not defined")

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.visit(part) for part in node.elts)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if node.attr == "shape":
            return self.visit(node.value).lengths
        name = ast.unparse(node)
        if name not in ("math.inf", "math.nan"):
            self.generic_visit(node)
        return _FLOAT(float(name.removeprefix("math.")))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.value, ast.Attribute):
            return self.visit(node.value)[ast.literal_eval(node.slice)]
        place = self._place(node)
        return place if place.lengths else self._builder.load(place.start, typ=place.element)

    def _place(self, node: ast.Subscript) -> _Array:
        """Return an element's place, a row, or a part of a row."""
        array: _Array = self.visit(node.value)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        left = array.lengths[len(indices) :]
        numbers = []
        for index in indices:
            if isinstance(index, ast.Slice):
                assert index.lower, "a slice says from where"
                assert index.upper, "and to where"
                numbers.append(self._whole(index.lower))
                left = (self._builder.sub(self._whole(index.upper), numbers[-1]), *left)
            else:
                numbers.append(self._whole(index))
        at = numbers[0]
        if len(array.lengths) == 2:
            at = self._builder.mul(at, array.lengths[1], flags=["nsw"])
            if len(numbers) == 2:
                at = self._builder.add(at, numbers[1], flags=["nsw"])
        start = self._builder.gep(array.start, [at], inbounds=True, source_etype=array.element)
        return _Array(array.element, start, left)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self._builder.not_(self._truth(node.operand))
        if not isinstance(node.op, ast.USub):
            self.generic_visit(node)
        value = self.visit(node.operand)
        return self._builder.fneg(value) if value.type == _FLOAT else self._builder.neg(self._converted(value, _INT))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left = self.visit(node.left)
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant) and type(node.right.value) is int:
            return self._power(left, node.right.value)
        return self._binary(type(node.op), left, self.visit(node.right))

    def _power(self, base: Any, exponent: int) -> Any:
        """Return a power by repeated squaring."""
        result, rest = _number(1), abs(exponent)
        while rest:
            if rest & 1:
                result = base if isinstance(result, ir.Constant) else self._binary(ast.Mult, result, base)
            if rest := rest >> 1:
                base = self._binary(ast.Mult, base, base)
        return result if exponent >= 0 else self._binary(ast.Div, _FLOAT(1.0), result)

    def _binary(self, operation: type[ast.operator], left: Any, right: Any) -> Any:
        if operation is ast.BitAnd and left.type == right.type == _BOOL:
            return self._builder.and_(left, right)
        floats = operation in (ast.Div, ast.Pow) or _FLOAT in (left.type, right.type)
        kind = _FLOAT if floats else _INT
        left, right = self._converted(left, kind), self._converted(right, kind)
        if operation is ast.Pow:
            return self._library("pow", [left, right])
        if operation in (ast.Mod, ast.FloorDiv):
            of = "mod" if operation is ast.Mod else "floordiv"
            return self._called(f"{'float' if floats else 'int'}_{of}", [left, right])
        if (operation, kind) not in _WAYS:
            raise BadAlgorithm(f"the operation {operation.__name__} of these numbers is not compiled")
        return getattr(self._builder, _WAYS[operation, kind])(left, right)

    def visit_Compare(self, node: ast.Compare) -> Any:
        values = [self.visit(part) for part in (node.left, *node.comparators)]
        each = [self._compared(_COMPARED[type(o)], a, b) for o, a, b in zip(node.ops, values, values[1:], strict=False)]
        return reduce(self._builder.and_, each)

    def _compared(self, relation: str, left: Any, right: Any) -> Any:
        kind = _FLOAT if _FLOAT in (left.type, right.type) else _INT
        left, right = self._converted(left, kind), self._converted(right, kind)
        if kind == _INT:
            return self._builder.icmp_signed(relation, left, right)
        return (self._builder.fcmp_unordered if relation == "!=" else self._builder.fcmp_ordered)(relation, left, right)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        result, after = f"truth {next(self._temporary)}", self._builder.append_basic_block()
        for operand in node.values:
            truth, onward = self._truth(operand), self._builder.append_basic_block()
            self._set(result, truth)
            blocks = (after, onward) if isinstance(node.op, ast.Or) else (onward, after)
            self._builder.cbranch(truth, *blocks)
            self._builder.position_at_end(onward)
        self._goes_on_in(after)
        return self._get(result)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        result, after = f"choice {next(self._temporary)}", self._builder.append_basic_block()
        blocks = [self._builder.append_basic_block() for _ in range(2)]
        self._builder.cbranch(self._truth(node.test), *blocks)
        ends = []
        for block, expression in zip(blocks, (node.body, node.orelse), strict=True):
            self._builder.position_at_end(block)
            ends.append((self.visit(expression), self._builder.block))
        floats = any(getattr(value, "type", None) == _FLOAT for value, _ in ends)
        for value, block in ends:
            self._builder.position_at_end(block)
            self._set(result, self._converted(value, _FLOAT) if floats else value)
            self._builder.branch(after)
        self._builder.position_at_end(after)
        return self._get(result)

    def visit_Call(self, node: ast.Call) -> Any:
        name = ast.unparse(node.func)
        if name == "np.empty":
            return self._new(node)
        arguments = [self.visit(argument) for argument in node.args]
        if name == "len":
            return arguments[0].lengths[0]
        if name in ("int", "int64") and arguments[0].type == _FLOAT:
            return self._builder.fptosi(arguments[0], _INT)
        if name in ("int", "int64", "float"):
            return self._converted(arguments[0], _FLOAT if name == "float" else _INT)
        if name in ("min", "max"):
            return reduce(lambda best, other: self._better("<" if name == "min" else ">", best, other), arguments)
        if name == "abs":
            return self._library("fabs", arguments)
        if name in ("int_remainder", "int_quotient"):
            return (self._builder.srem if name == "int_remainder" else self._builder.sdiv)(*arguments)
        if name in _LIBRARY:
            return self._library(_LIBRARY[name], arguments)
        if (own := name.removeprefix("math.").removeprefix("np.")) in self._sources:
            return self._called(own, arguments)
        raise BadAlgorithm(f"{name} is not among the functions that are compiled")

    def _called(self, name: str, arguments: Sequence[Any]) -> Any:
        """Return what a function returns, () for nothing; its statements become part of what calls it."""
        outer, source = getattr(self, "_call", None), self._sources[name]
        self._call = call = _Call(self._builder.append_basic_block())
        for argument, value in zip(source.args.args, arguments, strict=True):
            self._set(argument.arg, value)
        self._statements(source.body)
        self._goes_on_in(call.after)
        result = self._get("return") if "return" in call.variables else ()
        if outer is not None:
            self._call = outer
        return result

    def _library(self, name: str, arguments: Sequence[Any]) -> Any:
        """Return what a function of the C library returns."""
        floats = [self._converted(argument, _FLOAT) for argument in arguments]
        symbol = f"llvm.{name}.f64" if name in _INTRINSIC else name
        function = self._builder.module.globals.get(symbol)
        if function is None:
            function = ir.Function(self._builder.module, ir.FunctionType(_FLOAT, [_FLOAT] * len(floats)), symbol)
        return self._builder.call(function, floats)

    def _better(self, relation: str, best: Any, other: Any) -> Any:
        """Return `other if other < best else best`, or with `>`."""
        kind = _FLOAT if _FLOAT in (best.type, other.type) else _INT
        best, other = self._converted(best, kind), self._converted(other, kind)
        return self._builder.select(self._compared(relation, other, best), other, best)

    def _new(self, node: ast.Call) -> _Array:
        """Return a small array of a function's own, whose length is a literal, of floats if nothing else is said."""
        length, element = _INT(ast.literal_eval(node.args[0])), _INT if len(node.args) > 1 else _FLOAT
        with self._builder.goto_entry_block():
            return _Array(element, self._builder.alloca(element, length), (length,))

    def _whole(self, node: ast.expr) -> Any:
        return self._converted(self.visit(node), _INT)

    def _truth(self, node: ast.expr) -> Any:
        value = self.visit(node)
        return value if value.type == _BOOL else self._compared("!=", value, _number(0))

    def _converted(self, value: Any, to: Any) -> Any:
        """Return a number as one of another type; everything else is what it is. Only `int` makes a float whole."""
        of = getattr(value, "type", to)
        if of == to:
            return value
        if (of, to) not in _CONVERSIONS:
            raise BadAlgorithm("a float is put where a whole number or a truth is; write int(...) or a comparison")
        return getattr(self._builder, _CONVERSIONS[of, to])(value, to)


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return _BOOL(value)
    if not isinstance(value, (int, float)):
        raise BadAlgorithm(f"{value!r} is no number")
    return _INT(value) if isinstance(value, int) and abs(value) < 2**63 else _FLOAT(float(value))


def _parts(value: Any) -> list[Any]:
    """Return the LLVM values of which a value consists."""
    if isinstance(value, _Array):
        return [value.start, *value.lengths]
    return [part for each in value for part in _parts(each)] if isinstance(value, tuple) else [value]


def _of_parts(like: Any, parts: Iterator[Any]) -> Any:
    """Return a value that consists of others as one like it did."""
    if isinstance(like, _Array):
        return _Array(like.element, next(parts), tuple(next(parts) for _ in like.lengths))
    return tuple(_of_parts(each, parts) for each in like) if isinstance(like, tuple) else next(parts)

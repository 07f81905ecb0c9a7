"""Statements on problems from text: `on("baird", converges("tdrc", beta=1))`.

`and or not` and `implies(hypothesis, ..., conclusion)` join statements, `<` and the like compare numbers.
`on("NAME NAME", statement)` speaks of problems, `each(eta, [1, 2], statement)` of the values that are listed, and
`everywhere(statement, beta > 0, problem="skewed", beta=1)` of all problems and all such beta: what is named after them
is the witness that refutes it. `every(statement, eta > 0, eta=1/7)` is the same without "all problems", and takes
`sample` or `policies` for what is no problem. The other functions are those of `functions.py`.
"""

from __future__ import annotations

import ast
from typing import Any

from tdrc_theory.errors import UnknownName
from tdrc_theory.formula.formula_reader import called, fault, parse
from verify.paper.facts.distributions import Geometric, Policies
from verify.paper.facts.functions import FUNCTIONS, Context, Function, listed, number, parameter, problems
from verify.paper.facts.quantities import Compared, Constant, Term
from verify.paper.facts.statement import All, Either, ForEach, ForEvery, If, Not, Over, Statement

QUANTIFIERS = ("on", "each", "every", "everywhere")
RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=", ast.NotEq: "!="}
PARAMETERS = ("alpha", "beta", "eta")
"""What quantifiers give a value."""

KINDS: dict[str, type] = {"problem": tuple, "sample": Geometric, "policies": Policies}
"""What else they range over, and what a witness of it is."""


def read_statement(text: str, context: Context) -> Statement:
    """Return the statement that a text writes.

    Raises:
        BadStatement: it is none; the message names the place and what is allowed.
    """
    return _statement(parse(text), context)


def _statement(node: ast.expr, context: Context) -> Statement:
    """Return the statement at a node."""
    node = context.resolved(node)
    result = _read(node, context)
    if not isinstance(result, Statement):
        raise fault(node, "a statement is needed here, not a number or a distribution")
    return result


def _read(node: ast.expr, context: Context) -> Any:
    match node:
        case ast.BoolOp(op=op, values=values):
            join: type[All | Either] = All if isinstance(op, ast.And) else Either
            return join(tuple(_statement(value, context) for value in values))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return Not(_statement(part, context))
        case ast.Compare():
            return _compared(node, context)
        case ast.Call():
            return _call(node, context)
    raise fault(node, f"a statement is needed here, such as converges(...); functions: {', '.join(_all_functions())}")


def _all_functions() -> list[str]:
    return sorted([*FUNCTIONS, *QUANTIFIERS, "implies"])


def _compared(node: ast.Compare, context: Context) -> Statement:
    """Return a comparison of numbers, or all of a chain of them."""
    terms = [_term(side, context) for side in (node.left, *node.comparators)]
    parts = tuple(
        Compared(terms[i], RELATIONS[type(op)], terms[i + 1])  # the language has no other comparisons
        for i, op in enumerate(node.ops)
    )
    return parts[0] if len(parts) == 1 else All(parts)


def _term(node: ast.expr, context: Context) -> Term:
    node = context.resolved(node)
    if not isinstance(node, ast.Call):
        return Constant(parameter(node, context))
    result = _read(node, context)
    if not isinstance(result, Term):
        raise fault(node, "a number is needed here: digits, a parameter, or entry, rate, second_reward, noise_constant")
    return result


def _call(node: ast.Call, context: Context) -> Any:
    name = called(node)
    if name == "implies":
        return _implication(node, context)
    if name in QUANTIFIERS:
        return {"on": _on, "each": _each}.get(name, _every)(node, context)
    if name not in FUNCTIONS:
        raise fault(node, str(UnknownName("function of statements", name, _all_functions())))
    result = FUNCTIONS[name].build(**_arguments(node, FUNCTIONS[name], context))
    needs = getattr(result, "needs", "")
    if needs and needs not in context.bound:
        raise fault(node, f"{name} speaks of a {needs}; write it inside {_GIVEN_BY[needs]}")
    return result


_GIVEN_BY = {
    "problem": 'on("NAME", ...) or everywhere(..., problem="NAME")',
    "sample": "every(..., sample, sample=geometric(...))",
    "policies": "every(..., policies, policies=policies(...))",
}


def _arguments(node: ast.Call, function: Function, context: Context) -> dict[str, Any]:
    """Return the arguments of a function by name."""
    signature = function.signature
    try:
        bound = signature.bind(*node.args, **_named(node))
    except TypeError as error:
        usage = ", ".join(f"{p.name}{'' if p.default is p.empty else '=...'}" for p in signature.parameters.values())
        raise fault(node, f"{called(node)}: {error}; it is {called(node)}({usage})") from None
    return {name: function.readers[name](part, context) for name, part in bound.arguments.items()}


def _named(node: ast.Call) -> dict[str, ast.expr]:
    """Return the named arguments of a call; the parser refuses `**` and a name that stands twice."""
    return {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}


def _implication(node: ast.Call, context: Context) -> Statement:
    if len(node.args) < 2 or node.keywords:
        raise fault(node, "implies takes one hypothesis or more, and the conclusion")
    *hypotheses, conclusion = (_statement(each, context) for each in node.args)
    return If(hypotheses[0] if len(hypotheses) == 1 else All(tuple(hypotheses)), conclusion)


def _on(node: ast.Call, context: Context) -> Statement:
    if len(node.args) != 2 or node.keywords:
        raise fault(node, 'on takes problems and a statement: on("baird two-state", ...)')
    return ForEach("problem", problems(node.args[0], context), _statement(node.args[1], context.within("problem")))


def _each(node: ast.Call, context: Context) -> Statement:
    match node.args:
        case [ast.Name(id=name), values, body] if name in PARAMETERS and not node.keywords:
            numbers = tuple(number(each, context) for each in listed(values, context))
            return ForEach(name, numbers, _statement(body, context.within(name)))
    allowed = ", ".join(PARAMETERS)
    raise fault(node, f"each takes a parameter ({allowed}), a list of numbers and a statement: each(eta, [1, 2], ...)")


def _every(node: ast.Call, context: Context) -> Statement:
    """Return a statement on all of something, with the witness that is to refute it."""
    if not node.args:
        raise fault(node, f"{called(node)} takes a statement, what it ranges over, and a witness of each")
    over = [Over("problem")] if called(node) == "everywhere" else []
    over += [_over(part, context) for part in node.args[1:]]
    names, given = [each.name for each in over], _named(node)
    if sorted(names) != sorted(given) or not names:
        wanted = ", ".join(f"{name}=..." for name in names) or "such as beta > 0 and beta=1"
        raise fault(node, f"{called(node)} takes a witness of each that it ranges over, and of no more: {wanted}")
    witness = tuple((name, _witness(name, given[name], context)) for name in given)
    return ForEvery(tuple(over), _statement(node.args[0], context.within(*names)), witness)


def _over(node: ast.expr, context: Context) -> Over:
    """Return what a quantifier ranges over: `beta > 0`, or one of `KINDS`."""
    match node:
        case ast.Name(id=name) if name in KINDS:
            return Over(name)
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[bound]) if name in PARAMETERS:
            return Over(name, RELATIONS[type(op)], number(bound, context))
    raise fault(node, f"a quantifier ranges over {', '.join(KINDS)}, or values of {', '.join(PARAMETERS)}: beta > 0")


def _witness(name: str, node: ast.expr, context: Context) -> Any:
    if name == "problem":
        result = problems(node, context)
        if len(result) != 1:
            raise fault(node, "a witness is one problem")
        return result[0]
    if name not in KINDS:
        return number(node, context)
    value = _read(context.resolved(node), context)
    if not isinstance(value, KINDS[name]):
        raise fault(node, f"a witness of {name} is {KINDS[name].__name__.lower()}(...)")
    return value

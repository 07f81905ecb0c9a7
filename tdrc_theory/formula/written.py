"""A formula as plain text and as LaTeX, from the one tree."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import entry

_TEXT = {
    "=": "=",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "implies": "=>",
    "iff": "<=>",
    "and": "and",
    "or": "or",
}
_LATEX = {
    **_TEXT,
    "!=": r"\neq",
    "<=": r"\leq",
    ">=": r"\geq",
    "implies": r"\implies",
    "iff": r"\iff",
    "and": r"\land",
    "or": r"\lor",
}
_BINDING = {
    "implies": 0,
    "iff": 0,
    "or": 1,
    "and": 2,
    "=": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "add": 4,
    "mul": 5,
}
_FUNCTIONS = {
    "det": ("det", r"\det"),
    "E": ("E", r"\mathbb{E}"),
    "eigmax": ("lambda_max", r"\lambda_{\max}"),
    "eigmin": ("lambda_min", r"\lambda_{\min}"),
    "re": ("Re", r"\operatorname{Re}"),
    "im": ("Im", r"\operatorname{Im}"),
    "not": ("not", r"\lnot"),
    "diag": ("diag", r"\operatorname{diag}"),
    "diagonal": ("diagonal", r"\operatorname{diagonal}"),
    "absolute": ("abs", r"\operatorname{abs}"),
    "before": ("before", r"\operatorname{before}"),
    "earlier": ("earlier", r"\operatorname{earlier}"),
}
_OF_ONE = {
    "posdef": ("is positive definite", r"\succ 0"),
    "semidefinite": ("is positive semidefinite", r"\succeq 0"),
    "hurwitz": ("is Hurwitz", r"\ \text{is Hurwitz}"),
    "diagonalizable": ("has a full set of eigenvectors", r"\ \text{has a full set of eigenvectors}"),
    "nonnegative": ("has no negative entry", r"\geq 0\ \text{entry by entry}"),
    "positive": ("has positive entries only", r"> 0\ \text{entry by entry}"),
}


def text(formula: Expr) -> str:
    """Return plain text."""
    return _written(formula, latex=False)


def latex(formula: Expr) -> str:
    """Return LaTeX, without the surrounding dollars."""
    return _written(formula, latex=True)


def _written(formula: Expr, latex: bool) -> str:
    op, args = formula.op, formula.args
    if op == "number":
        return _number(Fraction(formula.name), latex)
    if op == "symbol":
        return entry(formula.name).latex if latex else formula.name
    if op == "add":
        return _sum(args, latex)
    if op == "mul":
        return _product(args, latex)
    if op in _TEXT:
        sign = (_LATEX if latex else _TEXT)[op]
        return f" {sign} ".join(_inside(part, op, latex) for part in args)
    if op == "block":
        return _block(args, latex)
    if op in _OF_ONE:
        sign = _OF_ONE[op][latex]
        return f"{_inside(args[0], 'mul', latex)}{'' if sign.startswith(chr(92) + ' ') else ' '}{sign}"
    if op == "definite_where":
        inner, weights = _inside(args[0], "mul", latex), _written(args[1], latex)
        if latex:
            return rf"{inner} \succ 0\ \text{{where}}\ {weights} > 0"
        return f"{inner} is positive definite where {weights} > 0, and 0 elsewhere"
    return _postfix(formula, latex)


def _postfix(formula: Expr, latex: bool) -> str:
    op, args = formula.op, formula.args
    if op == "grad":
        name = rf"\nabla_{{{entry(formula.name).latex}}}" if latex else f"grad_{formula.name}"
        return rf"{name}\left({_written(args[0], latex)}\right)" if latex else f"{name}({_written(args[0], latex)})"
    if op in _FUNCTIONS:
        left, right = (r"\left(", r"\right)") if latex else ("(", ")")
        return f"{_FUNCTIONS[op][latex]}{left}{', '.join(_written(part, latex) for part in args)}{right}"
    if op == "sqrt":
        return rf"\sqrt{{{_written(args[0], latex)}}}" if latex else f"sqrt({_written(args[0], latex)})"
    if op == "norm2":
        inner = _written(args[0], latex)
        return rf"\lVert {inner} \rVert^2" if latex else f"|{inner}|^2"
    base = _inside(args[0], "power", latex)
    if op == "power":
        exponent = _written(args[1], latex)
        if latex:
            return f"{base}^{{{exponent}}}"
        return f"{base}^{exponent if args[1].op in ('symbol', 'number') else f'({exponent})'}"
    sign = {"T": ("^T", r"^\top"), "star": ("^*", "^*"), "inv": ("^-1", "^{-1}")}[op][latex]
    return base + sign


def _inside(part: Expr, outer: str, latex: bool) -> str:
    """Return a part with brackets where it binds less than what surrounds it."""
    inner = _written(part, latex)
    negative = part.op == "number" and (inner.startswith("-") or "/" in inner)
    loose = _BINDING.get(part.op, 9) <= _BINDING.get(outer, 8)
    postfix = outer == "power" and part.op in ("T", "star", "inv", "power", "norm2")
    if loose or postfix or (negative and outer == "power"):
        return rf"\left({inner}\right)" if latex else f"({inner})"
    return inner


def _number(value: Fraction, latex: bool) -> str:
    if not latex or value.denominator == 1:
        return str(value)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _sum(args: tuple[Expr, ...], latex: bool) -> str:
    written = ""
    for part in args:
        inner = _inside(part, "add", latex) if part.op == "add" else _written(part, latex)
        if inner.startswith("-"):
            written += f" - {inner[1:]}" if written else inner
        else:
            written += f" + {inner}" if written else inner
    return written


def _product(args: tuple[Expr, ...], latex: bool) -> str:
    sign, rest = "", args
    if len(args) > 1 and args[0].op == "number" and Fraction(args[0].name) == -1:
        sign, rest = "-", args[1:]
    parts = [_inside(part, "mul", latex) for part in rest]
    return sign + (r" \, " if latex else " ").join(parts)


def _block(rows: tuple[Expr, ...], latex: bool) -> str:
    cells = [[_written(cell, latex) for cell in row.args] for row in rows]
    if latex:
        inside = r" \\ ".join(" & ".join(row) for row in cells)
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"
    return f"[{'; '.join(', '.join(row) for row in cells)}]"

"""Formulas with one mistake in them: what a judge of formulas must not let pass.

A mutant differs from a true formula in one place: a sign, an exponent, a transpose, a symbol, a number, a relation,
an inverse, a hypothesis left out, or two blocks exchanged. Each goes through the same judge as the claims. It is
refuted by a counterexample, or proven true all the same (the mistake made another true formula), or it survives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.formula.expression import DIM, RELATIONS, Expr, conjuncts, number, symbol
from tdrc_theory.formula.vocabulary import MATRIX, IllTyped, shape
from tdrc_theory.formula.written import text

_SWAPS: tuple[tuple[str, ...], ...] = (
    ("A", "C"),
    ("A_beta", "A", "C_beta"),
    ("C_beta", "C", "A_beta"),
    ("C", "C_beta"),
    ("H", "A", "C"),
    ("beta", "eta"),
    ("eta", "beta"),
    ("lambda", "beta"),
    ("x", "x'"),
    ("x'", "x"),
    ("h", "w"),
    ("w", "h"),
    ("rho", "gamma"),
    ("gamma", "rho"),
    ("b_c", "b_a"),
    ("b_a", "b_c"),
    ("lambda_r", "lambda_c"),
    ("lambda_c", "lambda_r"),
    ("Omega", "Xi"),
    ("u_1", "u_2", "v_1"),
    ("v_1", "v_2", "u_1"),
    ("u_2", "v_2"),
    ("v_2", "u_2"),
    ("alpha", "eta"),
    ("b", "w"),
    ("G_tdrc", "G_tdc++", "G_gtd2", "G_tdc"),
    ("G_tdc++", "G_tdrc"),
    ("G_tdc", "G_tdrc", "G_gtd2"),
    ("step_w_tdrc", "step_h_tdrc", "step_w_gtd2"),
    ("step_h_tdrc", "step_w_tdrc", "step_h_tdc"),
    ("Gamma", "Lambda"),
    ("Lambda", "Gamma"),
    ("D_pi", "D_b"),
    ("d_pi", "d_b"),
    ("d_b", "d_pi", "ones"),
    ("b_s", "pi_s"),
    ("pi_s", "b_s"),
    ("interests", "ones", "m"),
    ("f", "m"),
    ("f_0", "d_b"),
    ("m", "f", "interests"),
    ("P_lambda", "P_pi"),
    ("P_pi", "P_lambda"),
    ("K", "M"),
    ("B_a", "Pi_a"),
    ("Pi_a", "B_a"),
    ("rho_a", "B_a"),
    ("rho_t", "gamma_t"),
    ("gamma_t", "lambda_t"),
    ("lambda_t", "gamma_t"),
    ("interest_t", "F_t"),
    ("F_t", "M_t"),
    ("M_t", "F_t"),
)
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "="}
_SYMMETRIC = ("C", "C_beta", "H", "I", "P", "Gamma", "Lambda", "D_pi", "D_b", "B_a", "Pi_a", "rho_a")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed formula, and what was changed."""

    kind: str
    formula: Expr

    def __str__(self) -> str:
        return f"{self.kind}: {text(self.formula)}"


def mutants(formula: Expr) -> Iterator[Mutant]:
    """Yield the well-formed mutants of a formula, each once."""
    seen = {formula}
    turned = {path for path, node in formula.walk() if node.op == "T"}
    for path, node in formula.walk():
        for kind, changed in _changes(node, path == ()):
            mutant = formula.replaced(path, changed)
            if mutant in seen or (kind == "transpose added" and path[:-1] in turned):
                continue
            seen.add(mutant)
            try:
                shape(mutant)
            except IllTyped:
                continue
            yield Mutant(kind, mutant)


def _changes(node: Expr, outermost: bool) -> Iterator[tuple[str, Expr]]:
    op, args = node.op, node.args
    if op == "add":
        for i, term in enumerate(args):
            yield "sign", Expr(op, (*args[:i], -term, *args[i + 1 :]))
    elif op == "power":
        yield from _exponents(node)
    elif op == "symbol":
        yield from _symbols(node)
    elif op == "number":
        yield from _numbers(node)
    elif op == "T" and args[0].op == "symbol":
        yield "transpose dropped", args[0]
    elif op in ("inv", "star", "norm2"):
        yield f"{op} dropped", args[0]
    elif op == "block":
        yield from _exchanged(node)
    elif op in _TURNED:
        yield "relation", Expr(_TURNED[op], args)
    elif op in ("nonnegative", "positive"):
        yield "sign", Expr(op, (-args[0],))
        yield "strictness", Expr("positive" if op == "nonnegative" else "nonnegative", args)
    elif op == "before":
        yield "before dropped", args[0]
    elif op == "definite_where":
        yield "strictness", Expr("posdef", args[:1])
        yield "sign", Expr(op, (-args[0], args[1]))
    elif op == "semidefinite":
        yield "strictness", Expr("posdef", args)
        yield "sign", Expr(op, (-args[0],))
    elif op in ("posdef", "hurwitz"):
        yield "sign", Expr(op, (-args[0],))
    elif op == "implies":
        yield from _without(node)
    if op in RELATIONS and op != "=":
        yield "strictness", Expr({"<": "<=", ">": ">=", "<=": "<", ">=": ">", "!=": ">"}[op], args)
    if outermost and op == "=":
        yield "sign", Expr(op, (-args[0], args[1]))


def _exponents(node: Expr) -> Iterator[tuple[str, Expr]]:
    base, exponent = node.args
    if DIM in (exponent, *(n for _, n in exponent.walk())):
        yield "exponent", base ** (2 * DIM if exponent == DIM else DIM)
        yield "exponent", base ** (DIM + 1)
    elif exponent.op == "number":
        yield "exponent", base ** number(Fraction(exponent.name) + 1)


def _symbols(node: Expr) -> Iterator[tuple[str, Expr]]:
    if shape(node) == MATRIX and node.name not in _SYMMETRIC:
        yield "transpose added", node.T
    for first, *others in _SWAPS:
        if node.name == first:
            for other in others:
                yield "symbol", symbol(other)


def _numbers(node: Expr) -> Iterator[tuple[str, Expr]]:
    value = Fraction(node.name)
    if value == -1:
        yield "sign", number(1)
    elif value:
        yield "number", number(value + 1)


def _exchanged(node: Expr) -> Iterator[tuple[str, Expr]]:
    for row in range(len(node.args)):
        cells = node.args[row].args
        if len(cells) == 2:
            turned = Expr("row", (cells[1], cells[0]))
            yield "blocks exchanged", Expr("block", (*node.args[:row], turned, *node.args[row + 1 :]))
    if len(node.args) == 2:
        yield "blocks exchanged", Expr("block", (node.args[1], node.args[0]))


def _without(node: Expr) -> Iterator[tuple[str, Expr]]:
    hypotheses, conclusion = conjuncts(node.args[0]), node.args[1]
    for i in range(len(hypotheses)):
        kept = (*hypotheses[:i], *hypotheses[i + 1 :])
        if not kept:
            yield "hypothesis dropped", conclusion
        else:
            joined = kept[0] if len(kept) == 1 else Expr("and", kept)
            yield "hypothesis dropped", Expr("implies", (joined, conclusion))

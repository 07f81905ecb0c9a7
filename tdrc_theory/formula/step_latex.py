"""The plain text of a step of algebra as LaTeX, symbol by symbol."""

from __future__ import annotations

import re
from collections.abc import Callable

from tdrc_theory.formula.vocabulary import VOCABULARY

_SIGNS = {">=": r"\geq", "<=": r"\leq", "!=": r"\neq", "->": r"\to", "=>": r"\implies", "and": r"\land"}
_NAMES = {entry.name: entry.glyph.latex for entry in VOCABULARY if entry.name != "0"} | {
    "det": r"\det",
    "F": r"\mathbb{E}[\rho \mathbf{x} \mathbf{x}'^\top]",
    "z*": r"\mathbf{z}^*",
    "lambda_z": r"\lambda_z",
}
_TOKEN = re.compile(
    r"\s+|>=|<=|!=|->|=>|\^-1\^T|\^-1|\^T|\^\([^()]*\)|\^-?\w+|z\*|x'|[A-Za-z][A-Za-z_0-9]*(?:\+\+)?|\d+(?:/\d+)?|[-+=<>()\[\];,]"
)


def step_latex(text: str) -> str | None:
    """Return LaTeX for text that is all symbols; None for a sentence, or what is not known.

    >>> step_latex("-eta A^T - beta eta I")
    '-\\\\eta \\\\mathbf{A}^\\\\top - \\\\beta \\\\eta \\\\mathbf{I}'
    >>> step_latex("nothing of the kind") is None
    True
    """
    if text.startswith("[") and text.endswith("]") and text.count("[") == 1:
        rows = [[step_latex(cell) for cell in row.split(", ")] for row in text[1:-1].split("; ")]
        if any(cell is None for row in rows for cell in row):
            return None
        inside = r" \\ ".join(" & ".join(str(cell) for cell in row) for row in rows)
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"
    written, place = "", 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        token = None if match is None else _translated(match[0])
        if match is None or token is None:
            return None
        written, place = written + token, match.end()
    return written


def _translated(token: str) -> str | None:
    for begins, how in _RULES:
        if begins(token):
            return how(token)
    return None


_RULES: tuple[tuple[Callable[[str], bool], Callable[[str], str]], ...] = (
    (lambda t: not t.strip(), lambda _: " "),
    (lambda t: t in _SIGNS, lambda t: _SIGNS[t]),
    (lambda t: t == "^-1^T", lambda _: r"^{-\top}"),
    (lambda t: t == "^T", lambda _: r"^\top"),
    (lambda t: t.startswith("^("), lambda t: f"^{{{t[2:-1]}}}"),
    (lambda t: t.startswith("^"), lambda t: f"^{{{t[1:]}}}"),
    (lambda t: t in _NAMES, lambda t: _NAMES[t]),
    (lambda t: re.fullmatch(r"[sf]\d+", t) is not None, lambda t: f"{t[0]}_{{{t[1:]}}}"),
    (lambda t: "/" in t, lambda t: rf"\frac{{{t.split('/')[0]}}}{{{t.split('/')[1]}}}"),
    (lambda t: t.isdigit() or t in "-+=<>()[];,", lambda t: t),
)

"""A statement in words as LaTeX: text, with the paper's symbols in it set as such."""

from __future__ import annotations

import re

from tdrc_theory.notation import NOTATION

_SYMBOLS = {symbol.name: symbol.latex for symbol in NOTATION if len(symbol.name) > 1 and symbol.latex != symbol.name}
_FOUND = re.compile(rf"\b({'|'.join(sorted(_SYMBOLS, key=len, reverse=True))})\b|([\\^_%&#$~{{}}])")


def words_as_latex(words: str) -> str:
    r"""Return LaTeX of a statement in words.

    >>> print(words_as_latex("eta > 0 and x_1 < beta"))
    \text{$\eta$ > 0 and x\_1 < $\beta$}
    """
    return rf"\text{{{_FOUND.sub(_written, words)}}}"


def _written(match: re.Match[str]) -> str:
    name, special = match.groups()
    if name is not None:
        return f"${_SYMBOLS[name]}$"
    return {"^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}.get(
        special, f"\\{special}"
    )

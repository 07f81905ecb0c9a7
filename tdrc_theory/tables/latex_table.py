r"""A table as LaTeX with booktabs: numbers in math mode, text escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tdrc_theory.cli.command import printable
from tdrc_theory.notation import GREEK

PACKAGES = r"% \usepackage{booktabs,longtable,array}"
_PAGE = 40
"""Rows that a page holds; a longer table goes on over pages."""
_WIDE = 40
"""Letters of a text beyond which its column has a width, and lines of its own."""
_LINE, _LETTER, _GAP = 345, 5.0, 12
"""Points of a line of LaTeX's own page, of a letter on it, and between two columns."""
_SMALL_LETTER, _SMALL_GAP = 4.5, 6
"""The same in a table that is wider than the page, and is set in a smaller size for that."""
_NUMBER = r"[+-]?(?:\d+(?:,\d{3})*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_MATH = re.compile(rf"(?:{_NUMBER}|infinity|infinite| and |\+-|[-\[\]()/,*+ ])+")
_TERM = r"(?:\d+\*)?t(?:\^\d+)?|\d+"
_INSIDE = re.compile(
    rf"(?<![\w.^*/-])(?:-?(?:\d+\*)?t(?:\^\d+)?(?: [+-] (?:{_TERM}))+|{_NUMBER}(?:/\d+)?)(?![\w*^/-]|[.,]\d|\.\w)"
)
"""What is math within a text: a polynomial in t, or a number that is no part of a name."""
_TOKEN = re.compile(
    rf"(?P<number>(?<![\d.)]){_NUMBER}|\d+)|(?P<power>\^\d+)|(?P<word>infinity|infinite| and |\+-| [+-] |, |,|\*| )"
)
_WORDS = {
    "infinity": r"\infty",
    "infinite": r"\infty",
    "+-": r"\pm",
    " and ": r"\ \mathrm{and}\ ",
    ", ": r",\ ",
    ",": ",",
    "*": "^{*}",
    " ": r"\ ",
}
_GREEK = {"alpha", "beta", "gamma", "eta", "kappa", "rho", "tau", "lambda"}
_SIGNS = {"+-": r"$\pm$", "-": "--"}
_BREAK = re.compile(r"(?<=[a-z}+])(\\_|\.)(?=[a-zA-Z])")
"""Where a name may go on in the next line of its cell; after a hyphen LaTeX knows."""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "-{}",  # two in a row would be a dash
    **{character: f"\\{character}" for character in "{}#$%&_"},
}
_LETTERS = {*GREEK, "upsilon"}
_SYMBOLS = {
    **{sign: f"_{{{digit}}}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{sign: f"^{{{digit}}}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    "\u2212": "-",
    "≤": r"\le",
    "≥": r"\ge",
    "≠": r"\ne",
    "≈": r"\approx",
    "∞": r"\infty",
    "∈": r"\in",
    "√": r"\surd",
}
_PRINTED = re.compile(r"[ -~\xa0-\u017f\u2013\u2014\u2018-\u201d\u2026\u2190-\u2193]")
_UNPRINTED = "«»ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ"
"""What LaTeX prints in its default encoding, as a pattern, and what of that it does not."""


def latex_table(name: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Return rows under their titles as a tabular, or a longtable where they are many.

    >>> print(latex_table("bounds", ("bound", "+-"), [("beta_printed", "-1e-05"), ("eta", "[0, 1/2)")]))
    % bounds
    \begin{tabular}{@{}lr@{}}
    \toprule
    bound & $\pm$ \\
    \midrule
    beta\_printed & $-1 \times 10^{-5}$ \\
    $\eta$ & $[0,\ 1/2)$ \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    environment = "longtable" if len(rows) > _PAGE else "tabular"
    columns = [[row[place] for row in rows] for place in range(len(titles))]
    wide = _is_wide(titles, columns)
    layout = _within_a_line(titles, columns) if wide else "".join(map(_column, columns))
    before = [r"\begingroup\footnotesize", rf"\setlength{{\tabcolsep}}{{{_SMALL_GAP // 2}pt}}"] if wide else []
    start = r"\noindent" if wide and environment == "tabular" else ""
    lines = [
        f"% {printable(name)}",
        *before,
        rf"{start}\begin{{{environment}}}{{@{{}}{layout}@{{}}}}",
        r"\toprule",
        _row(titles),
        r"\midrule",
        *([r"\endhead"] if environment == "longtable" else []),
        *(_BREAK.sub(r"\1\\allowbreak ", row) if wide else row for row in map(_row, rows)),
        r"\bottomrule",
        rf"\end{{{environment}}}",
        *([r"\endgroup"] if wide else []),
    ]
    return "\n".join(lines) + "\n"


def _is_wide(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Return whether columns as wide as their texts, or as a long text's, are wider together than a line."""
    most = 0.4 * _LINE
    widths = (max(map(len, (title, *cells))) * _LETTER for title, cells in zip(titles, columns, strict=True))
    return sum(min(width, most) for width in widths) + _GAP * (len(titles) - 1) > _LINE


def _within_a_line(titles: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    """Return columns that share a line: each holds its longest word, and the longer has more of the rest."""
    texts = [(title, *cells) for title, cells in zip(titles, columns, strict=True)]
    least = [max(map(_unbroken, column)) + 1 for column in texts]
    most = [max(map(len, column)) + 1 for column in texts]
    letters = max(1, (_LINE - _SMALL_GAP * (len(titles) - 1)) / _SMALL_LETTER)
    left = max(0, letters - sum(least)) / ((sum(most) - sum(least)) or 1)
    widths = [low + left * (high - low) for low, high in zip(least, most, strict=True)]
    line = _LINE / _SMALL_LETTER * max(1, sum(widths) / letters)
    sides = ("left" if _column(cells) == "r" else "right" for cells in columns)
    return "".join(
        # The blank of no width lets LaTeX divide the first word too.
        rf">{{\ragged{side}\arraybackslash\hspace{{0pt}}}}p{{{int(1000 * width / line) / 1000}\linewidth}}"
        for side, width in zip(sides, widths, strict=True)
    )


def _unbroken(text: str) -> int:
    """Return the letters of the longest part of a text that stays in one line."""
    return len(text) if _is_math(text) else max(map(len, re.split(r"[\s_-]|(?<=[a-z+])\.", text)))


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(map(latex_cell, cells))} \\\\"


def latex_cell(cell: str) -> str:
    r"""Return a cell: math where it consists of numbers, else its text, whatever is in it.

    >>> latex_cell("0.5 +- 0.01"), latex_cell("a_b & 50%"), latex_cell("["), latex_cell("λ₁ of Ł")
    ('$0.5 \\pm 0.01$', 'a\\_b \\& $50$\\%', '{[}', '$\\lambda$$_{1}$ of Ł')
    """
    if cell in _GREEK:
        return rf"$\{cell}$"
    if cell in _SIGNS:
        return _SIGNS[cell]
    if _is_math(cell):
        return f"${_math(cell)}$"
    text, end = "", 0
    for one in _INSIDE.finditer(cell):
        text += _escaped(cell[end : one.start()]) + f"${_math(one.group())}$"
        end = one.end()
    text += _escaped(cell[end:])
    # After a row's end, LaTeX takes a star or a bracket for an argument.
    return f"{{{text[0]}}}{text[1:]}" if text[:1] in ("[", "*") else text


def _escaped(text: str) -> str:
    return "".join(map(_sign, printable(text)))


def _sign(sign: str) -> str:
    """Return a sign as every LaTeX prints it: as it is, as mathematics, without its accents, or by its number."""
    size, _, letter = unicodedata.name(sign, "").lower().replace("lamda", "lambda").rpartition(" letter ")
    greek = {"greek small": letter, "greek capital": letter.capitalize()}.get(size)
    if sign in _SYMBOLS or greek in _LETTERS:
        return f"${_SYMBOLS.get(sign, f'{chr(92)}{greek}')}$"
    if _PRINTED.fullmatch(sign) and sign not in _UNPRINTED:
        return _SPECIAL.get(sign, sign)
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return "".join(_SPECIAL.get(each, each) for each in plain) or f"U+{ord(sign):04X}"


def _is_math(cell: str) -> bool:
    return _MATH.fullmatch(cell) is not None and re.search(r"\d|infinit", cell) is not None


def _math(cell: str) -> str:
    return _TOKEN.sub(_token, cell.strip()).replace(r"\ \pm\ ", r" \pm ")


def _token(match: re.Match[str]) -> str:
    if match["word"] is not None:
        times = match["word"] == "*" and match.string[match.end() : match.end() + 1] == "t"
        return "" if times else _WORDS.get(match["word"], match["word"])
    if match["power"] is not None:
        return f"^{{{match['power'][1:]}}}"
    number = match["number"].lower().replace(",", "{,}")
    mantissa, e, exponent = number.partition("e")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}" if e else mantissa


def _column(cells: Sequence[str]) -> str:
    """Return how a column is laid out: numbers to the right, long texts over several lines."""
    if any(len(cell) > _WIDE for cell in cells):
        return r"p{0.4\linewidth}"
    return "r" if any(map(_is_math, cells)) and all(_is_math(cell) or cell in ("", "-") for cell in cells) else "l"

r"""How a symbol is drawn: a letter or a word, bold where it is a vector or matrix, with marks and scripts.

LaTeX is written here, MathML in `reports.page.mathml`; nothing reads either of them back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho varrho sigma tau phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
GREEK = dict(zip(_NAMES.split(), "αβγδϵζηθικλμνξπρϱστϕχψωΓΔΘΛΞΠΣΥΦΨΩ", strict=True))
"""The Greek letters by their names, which are those of LaTeX too."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """What a symbol looks like.

    Attributes:
        letter: one letter or digit, the name of a Greek letter, or a word.
        bold: whether it is of a vector or a matrix.
        mark: `hat` or `bar` above the letter.
        prime: whether a prime follows.
        below: what stands below: letters, numbers, signs and words.
        above: what stands above, in the same way.
        change: whether a Delta stands in front.
    """

    letter: str
    bold: bool = False
    mark: str = ""
    prime: bool = False
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    change: bool = False

    @classmethod
    def of(cls, name: str, bold: bool = False) -> Glyph:
        r"""Return how a name is drawn: a letter with what follows it below, anything else as the word that it is.

        >>> print(Glyph.of("lambda_r").latex, Glyph.of("s1").latex, Glyph.of("step_size", bold=True).latex)
        \lambda_r s_1 \mathbf{step\_size}
        """
        parts = re.fullmatch(r"([^\W\d_]+)((?:_?\d+|_[^\W_]+|\[\d+\])*)", name)
        if parts is None or (len(parts[1]) > 1 and parts[1] not in GREEK):
            return cls(name, bold)
        below = re.findall(r"[^\W_]+", parts[2])
        return cls(parts[1], bold, below=tuple(token for part in below for token in (",", part))[1:])

    def at(self, time: tuple[str, ...]) -> Glyph:
        """Return it with a time below, if there is one, behind what stands there."""
        return replace(self, below=(*self.below, *([","] if self.below and time else []), *time))

    @property
    def latex(self) -> str:
        r"""LaTeX, without the surrounding dollars.

        >>> print(Glyph("x", bold=True, mark="bar", prime=True).latex)
        \bar{\mathbf{x}}'
        """
        written = _letter(self.letter, self.bold)
        written = rf"\{self.mark}{{{written}}}" if self.mark else written
        written = f"{written}{_script('_', self.below)}{self.prime * chr(39)}"  # so that a transpose may follow
        written = f"{{{written}{_script('^', self.above)}}}" if self.above else written
        return rf"\Delta{written}" if self.change else written


_DRAWN = {
    "rho_before": Glyph("rho", below=("t", "-", "1")),
    "rho_next": Glyph("rho", below=("t", "+", "1")),
    "gamma_next": Glyph("gamma", below=("t", "+", "1")),
    "interest": Glyph("i"),
    "interest_t": Glyph("i", below=("t",)),
    "interests": Glyph("i", bold=True),
    "lam": Glyph("lambda", below=("e",)),
    "x'": Glyph("x", bold=True, prime=True),
    "x_next": Glyph("x", bold=True, prime=True),
    "x_bar": Glyph("x", bold=True, mark="bar", prime=True),
    "x_next_2": Glyph("x", bold=True, prime=True, below=("2",)),
    "x_bar_2": Glyph("x", bold=True, mark="bar", prime=True, below=("2",)),
    "rho_next_2": Glyph("rho", below=("t", "+", "1", ",", "2")),
    "gamma_next_2": Glyph("gamma", below=("t", "+", "1", ",", "2")),
    "delta_bar": Glyph("delta", mark="bar"),
    "delta_hat": Glyph("delta", mark="hat"),
    "d": Glyph("d"),
    "I_2d": Glyph("I", bold=True),
    "eta_0": Glyph("eta"),
    "ones": Glyph("1", bold=True),
    "P_lambda": Glyph("P", bold=True, below=("pi",), above=("lambda",)),
    "f_0": Glyph("f", bold=True),
    "A_m": Glyph("A", bold=True),
    "b_m": Glyph("b", bold=True),
}


def drawn(name: str, bold: bool) -> Glyph:
    """Return how a symbol of the project is drawn: by its name, but for a few that papers write in another way."""
    return _DRAWN.get(name) or Glyph.of(name, bold)


def _letter(letter: str, bold: bool) -> str:
    if letter in GREEK:
        return rf"\{letter}" if not bold else rf"\{'mathbf' if letter[0].isupper() else 'boldsymbol'}{{\{letter}}}"
    written = letter.replace("_", r"\_")
    if len(letter) == 1 and not bold:
        return written
    return rf"\{'mathbf' if bold else 'operatorname'}{{{written}}}"


def _script(sign: str, tokens: tuple[str, ...]) -> str:
    if not tokens:
        return ""
    parts = [_letter(token, bold=False) if len(token) == 1 or token in GREEK else _word(token) for token in tokens]
    alone = len(parts) == 1 and (len(tokens[0]) == 1 or tokens[0] in GREEK)
    return f"{sign}{parts[0]}" if alone else f"{sign}{{{''.join(parts)}}}"


def _word(token: str) -> str:
    return token if token.isdigit() else rf"\text{{{token}}}"

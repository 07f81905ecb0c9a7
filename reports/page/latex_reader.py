r"""The LaTeX of symbols, and of what is derived from an algorithm, as MathML: read strictly, nothing passed on unread.

Formulas do not come this way: `mathml` writes them from their trees. Every macro is in `latex_symbols`, or below; any
other, and every bracket without its partner, is refused.
"""

from __future__ import annotations

import re
from html import escape

from reports.page.latex_symbols import BETWEEN, FENCES, LETTERS, NAMES, SIGN_TEXT, SIGNS, SPACES
from tdrc_theory.errors import TheoryError


class BadFormula(TheoryError, ValueError):
    """A formula that is not in the language of this module."""


_TOKEN = re.compile(r"\s+|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]|[-+=<>()\[\]{},;:|*/!'&^_.]", re.DOTALL)


def read(latex: str) -> str:
    r"""Return LaTeX as MathML, without the `math` element around it.

    Raises:
        BadFormula: a macro is not known, or a bracket has no partner.

    >>> read(r"\mathbf{A}^\top")
    '<msup><mi class="bold" mathvariant="normal">A</mi><mi mathvariant="normal">⊤</mi></msup>'
    >>> read(r"\frac{1}{2")
    Traceback (most recent call last):
    reports.page.latex_reader.BadFormula: '\\frac{1}{2': ends before '}'
    """
    reader = _Reader(latex)
    if not reader.peek():
        raise reader.refuse("nothing is there")
    return reader.row(())


class _Reader:
    """Reads tokens from the left; each method returns the MathML of what it has read."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.place = 0

    def refuse(self, why: str) -> BadFormula:
        return BadFormula(f"{self.latex!r}: {why}")

    def peek(self) -> str:
        """Return the next token that is no blank, "" at the end, and leave it there."""
        while match := _TOKEN.match(self.latex, self.place):
            if not match[0].isspace():
                return match[0]
            self.place = match.end()
        if self.place < len(self.latex):
            raise self.refuse(f"{self.latex[self.place]!r} is not understood")
        return ""

    def take(self, wanted: str | None = None) -> str:
        token = self.peek()
        if wanted is not None and token != wanted:
            raise self.refuse(f"{token!r} stands where {wanted!r} is missing" if token else f"ends before {wanted!r}")
        if not token:
            raise self.refuse("ends where something is missing")
        self.place += len(token)
        return token

    def row(self, ends: tuple[str, ...]) -> str:
        """Read up to one of some tokens, which stays, or to the end where there are none."""
        parts: list[str] = []
        operand = False  # whether what stands to the left is one, so that a sign between is no sign of its own
        while (token := self.peek()) not in ends:
            if not token:
                if ends:
                    raise self.refuse(f"ends before {ends[0]!r}")
                break
            if token in "+-" and not operand:
                parts.append(f'<mo form="prefix">{SIGN_TEXT[self.take()]}</mo>')
            elif token[1:] in NAMES and operand:
                parts.append(space(",") + self.scripted())
            else:
                parts.append(self.scripted())
            operand = operand if token[1:] in SPACES else token[1:] not in BETWEEN and token not in BETWEEN
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def scripted(self) -> str:
        """Read something with what is below and above it."""
        base, below, above, primes = self.atom(), "", "", ""
        while (token := self.peek()) in ("_", "^", "'"):
            self.take()
            if token == "'":
                primes += "<mo>′</mo>"
            elif below if token == "_" else above:
                raise self.refuse(f"two {token!r} after one another")
            elif token == "_":
                below = self.argument()
            else:
                above = self.argument()
        if primes:
            above = f"<mrow>{primes}{above}</mrow>" if above or primes.count("<") > 2 else primes
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        return f"<msub>{base}{below}</msub>" if below else f"<msup>{base}{above}</msup>" if above else base

    def argument(self) -> str:
        """Read a group in braces, or one token."""
        if self.peek() == "*":
            return operator(self.take())
        return self.atom()

    def group(self) -> str:
        self.take("{")
        inside = self.row(("}",))
        self.take("}")
        return inside

    def atom(self) -> str:
        token = self.peek()
        if token == "{":
            return self.group()
        self.take()
        if token.startswith("\\"):
            return self.macro(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{token}</mi>"
        if token in "}&^_'":
            raise self.refuse(f"{token!r} has no partner")
        return operator(token)

    def macro(self, name: str) -> str:
        if name in LETTERS:
            upright = ' mathvariant="normal"' if name == "top" else ""
            return f"<mi{upright}>{LETTERS[name]}</mi>"
        if name in NAMES:
            return f"<mi>{name}</mi>"
        if name in SIGNS:
            return operator(SIGNS[name])
        if name in SPACES:
            return space(name)
        with_arguments = {
            "mathbf": self.bold,
            "boldsymbol": self.bold,
            "mathbb": self.double_struck,
            "operatorname": lambda: f"<mi>{self.word()}</mi>",
            "text": self.words,
            "frac": lambda: f"<mfrac>{self.group()}{self.group()}</mfrac>",
            "sqrt": lambda: f"<msqrt>{self.group()}</msqrt>",
            "hat": lambda: f'<mover accent="true">{self.argument()}<mo stretchy="false">^</mo></mover>',
            "bar": lambda: f'<mover accent="true">{self.argument()}<mo stretchy="false">\u00af</mo></mover>',
            "left": self.fenced,
            "begin": self.table,
        }
        if name not in with_arguments:
            raise self.refuse(f"\\{name} is not known")
        return with_arguments[name]()

    def bold(self) -> str:
        inside = self.group()
        return re.sub(r"<(mi|mn)[^>]*>", r'<\1 class="bold" mathvariant="normal">', inside)

    def double_struck(self) -> str:
        if self.word() != "E":
            raise self.refuse(r"\mathbb of anything but E is not known")
        return '<mi mathvariant="normal">𝔼</mi>'

    def word(self) -> str:
        """Read letters in braces."""
        match = re.compile(r"\s*\{([A-Za-z ]+)\}").match(self.latex, self.place)
        if match is None:
            raise self.refuse("a name in braces is missing")
        self.place = match.end()
        return match[1]

    def words(self) -> str:
        """Read text in braces."""
        match = re.compile(r"\s*\{([^\\{}$^_&#%~]+)\}").match(self.latex, self.place)
        if match is None:
            raise self.refuse("text in braces is missing")
        self.place = match.end()
        return f"<mtext>{escape(match[1])}</mtext>"

    def fenced(self) -> str:
        left = self.fence()
        inside = self.row((r"\right",))
        self.take(r"\right")
        return f"<mrow>{left}{inside}{self.fence()}</mrow>"

    def fence(self) -> str:
        token = self.take()
        if token not in ("(", ")", "[", "]", "|", ".", r"\{", r"\}"):
            raise self.refuse(f"{token!r} is no bracket")
        return "" if token == "." else f'<mo fence="true" stretchy="true">{token[-1]}</mo>'

    def table(self) -> str:
        name = self.word()
        if name not in FENCES:
            raise self.refuse(f"\\begin{{{name}}} is not known")
        rows: list[list[str]] = [[]]
        end = r"\end"
        while True:
            rows[-1].append(f"<mtd>{self.row(('&', chr(92) * 2, end))}</mtd>")
            token = self.take()
            if token == end:
                break
            if token != "&":
                rows.append([])
        if self.word() != name:
            raise self.refuse(f"\\begin{{{name}}} has another \\end")
        if len({len(row) for row in rows}) != 1:
            raise self.refuse("rows of a matrix differ in length")
        inside = "".join(f"<mtr>{''.join(row)}</mtr>" for row in rows)
        left, right = (f'<mo fence="true" stretchy="true">{sign}</mo>' if sign else "" for sign in FENCES[name])
        return f"<mrow>{left}<mtable>{inside}</mtable>{right}</mrow>"


def space(name: str) -> str:
    """Return a space by its macro."""
    return f'<mspace width="{SPACES[name]}"></mspace>'


def operator(sign: str) -> str:
    """Return a sign, which grows with what it encloses only where it is a bracket around it."""
    stretch = ' stretchy="false"' if sign in "()[]|‖{}" else ""
    return f"<mo{stretch}>{escape(SIGN_TEXT.get(sign, sign))}</mo>"

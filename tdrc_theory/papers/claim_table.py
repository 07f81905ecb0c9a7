"""A claim from its TOML table: its keys, each read with its type, its statements, and the counterexample it gives."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, TypeVar

from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.exact.number import parse_number
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import FUNCTION_NAMES, SYMBOLS
from tdrc_theory.formula.parsed import called, parse
from tdrc_theory.formula.vocabulary import COLUMN, MATRIX, SCALAR, entry, expanded
from tdrc_theory.papers.claim import BadClaim, Claim, Content, Kind, Places, Role, Severity, Text, Words
from tdrc_theory.problem.reader import shown

LONGEST = 2000
"""Characters of a sentence."""

Choice = TypeVar("Choice", bound=Enum)


class Table:
    """A table of TOML whose keys are known.

    Args:
        data: what was read.
        allowed: its keys.

    Raises:
        BadClaim: it is no table, or has another key.
    """

    def __init__(self, data: Any, allowed: Iterable[str]) -> None:
        if not isinstance(data, Mapping):
            raise BadClaim(f"{shown(data)} is not a table; its keys are {', '.join(allowed)}")
        for key in data:
            if key not in allowed:
                raise BadClaim(str(UnknownName("key", key, allowed)))
        self.data = data

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def value(self, key: str) -> Any:
        """Return what a key has.

        Raises:
            BadClaim: it is missing.
        """
        if key not in self.data:
            raise BadClaim(f"{key} is missing")
        return self.data[key]

    def text(self, key: str, default: str | None = None) -> str:
        """Return text, on one line; the default where the key is missing and there is one."""
        if default is not None and key not in self.data:
            return default
        return line(key, self.value(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.value(key)
        if not isinstance(value, list):
            raise BadClaim(f'{key}: {shown(value)} is not a list of texts, such as ["one", "two"]')
        return tuple(line(key, each) for each in value)

    def whole(self, key: str) -> int:
        """Return an integer."""
        value = self.value(key)
        if type(value) is not int:
            raise BadClaim(f"{key}: {shown(value)} is not a whole number")
        return value

    def flag(self, key: str) -> bool:
        """Return true or false, which is the default."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            raise BadClaim(f"{key}: {shown(value)} is not true or false")
        return value

    def choice(self, key: str, kind: type[Choice]) -> Choice | None:
        """Return one of the values of an enumeration, None where the key is missing."""
        if key not in self.data:
            return None
        written, allowed = self.text(key), [each.value for each in kind]
        if written not in allowed:
            raise BadClaim(f"{key}: {UnknownName('word', written, allowed)}")
        return kind(written)

    def pairs(self, key: str) -> dict[str, str]:
        """Return a table of texts, empty where the key is missing."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            raise BadClaim(f"{key}: {shown(value)} is not a table of texts")
        return {name: line(f"{key}, {name}", text) for name, text in value.items()}


def line(key: str, value: Any) -> str:
    """Return a text with its white space made single blanks."""
    if not isinstance(value, str) or not value.strip():
        raise BadClaim(f"{key}: {shown(value)} is not a text")
    if len(value) > LONGEST:
        raise BadClaim(f"{key}: {len(value)} characters; allowed: up to {LONGEST}")
    return " ".join(value.split())


def pair(key: str, value: Any) -> tuple[str, str]:
    """Return a list of two texts as a pair."""
    if not isinstance(value, list) or len(value) != 2:
        raise BadClaim(f"{key}: {shown(value)} is not a list of two texts")
    return line(key, value[0]), line(key, value[1])


KEYS, WORDS_KEYS, PLACES_KEYS = (tuple(field.name for field in fields(each)) for each in (Claim, Words, Places))
MOST = 100
"""Lemmas, and steps, of an argument."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")
_ERRATUM = re.compile(r"[ER][1-9][0-9]{0,3}")

ReadFormula = Callable[[str], Expr]


def identifier(table: Table) -> str:
    """Return the id of a claim.

    Raises:
        BadClaim: there is none, or it is no id.
    """
    result = table.text("id")
    if not _ID.fullmatch(result):
        raise BadClaim(f"id: {result[:60]!r} is no id; allowed: letters, digits, and . - + _ between them")
    return result


def claim_of(table: Table, read: ReadFormula) -> Claim:
    """Return the claim of a table.

    Args:
        table: as it stands in a file.
        read: reads a formula of the same paper.

    Raises:
        BadClaim: a key is missing or not as it has to be; the message names it.
    """
    kind = table.choice("kind", Kind)
    if kind is None:
        raise BadClaim(f"kind is missing; allowed: {', '.join(each.value for each in Kind)}")
    erratum, severity = table.text("erratum", "") or None, table.choice("severity", Severity)
    if erratum is not None and not _ERRATUM.fullmatch(erratum):
        raise BadClaim(f"erratum: {erratum[:60]!r} is no number; allowed: E or R and a number, such as E1")
    if (erratum is None) is not (severity is None):
        missing, there = ("severity", "an erratum") if severity is None else ("erratum", "a severity")
        raise BadClaim(f"{missing} is missing; {there} needs one: {', '.join(each.value for each in Severity)}")
    printed = _content(table, "printed", kind, read)
    return Claim(
        id=identifier(table),
        title=table.text("title"),
        source=table.text("source"),
        kind=kind,
        role=table.choice("role", Role) or Role.REMARK,
        printed=printed,
        corrected=_content(table, "corrected", kind, read) if "corrected" in table else None,
        erratum=erratum,
        severity=severity,
        undecided=table.flag("undecided"),
        theorem=table.text("theorem", "") or None,
        refutation=table.text("refutation", "") or None,
        witness=_witness(table, printed),
        sweep=table.text("sweep", "") or None,
        remark=table.text("remark", ""),
    )


def _witness(table: Table, printed: Content) -> Mapping[str, Any] | None:
    if "witness" not in table:
        return None
    if not isinstance(printed, Expr):
        raise BadClaim("witness: is for formulas; a statement on problems names its own: everywhere(..., problem=...)")
    return read_witness(table.value("witness"), printed)


def _content(table: Table, key: str, kind: Kind, read: ReadFormula) -> Content:
    """Return what a claim says, as printed or corrected: a text in the language, an argument, or two places."""
    value = table.value(key)
    try:
        if isinstance(value, str):
            return read(value) if kind is Kind.FORMULA else _statement(value, read)
        if isinstance(value, dict) and "quantity" in value:
            places = Table(value, PLACES_KEYS)
            return Places(places.text("quantity"), *(pair(each, places.value(each)) for each in ("here", "there")))
        if isinstance(value, dict):
            return _words(Table(value, WORDS_KEYS), read)
    except TheoryError as error:
        raise BadClaim(f"{key}: {error}") from None
    raise BadClaim(f"{key} is not a text, nor a table with {', '.join(WORDS_KEYS)} or {', '.join(PLACES_KEYS)}")


def _words(table: Table, read: ReadFormula) -> Words:
    lemmas, steps = table.data.get("lemmas", []), table.data.get("steps", [])
    for key, listed in (("lemmas", lemmas), ("steps", steps)):
        if not isinstance(listed, list) or len(listed) > MOST:
            raise BadClaim(f"{key} is not a list of up to {MOST}")
    if not all(isinstance(each, str) for each in lemmas):
        raise BadClaim("lemmas are texts in the language of claims")
    return Words(
        says=table.text("says"),
        lemmas=tuple(_lemma(i, each, read) for i, each in enumerate(lemmas)),
        steps=tuple(pair("steps", each) for each in steps),
        refuted=table.flag("refuted"),
    )


def _lemma(i: int, written: str, read: ReadFormula) -> Expr | Text:
    try:
        return _statement(written, read)
    except TheoryError as error:
        raise BadClaim(f"lemma {i}: {error}") from None


def _statement(written: str, read: ReadFormula) -> Expr | Text:
    """Return a formula where there are only functions of formulas in a text, and the text of a statement otherwise."""
    calls = [called(node) for node in ast.walk(parse(written)) if isinstance(node, ast.Call)]
    return read(written) if FUNCTION_NAMES.issuperset(calls) else Text(written.strip())


LARGEST = 6
"""Rows of a matrix: determinants are checked by Leibniz sums."""


def read_witness(data: Any, formula: Expr) -> dict[str, Any]:
    """Return a counterexample as the independent checker reads it.

    Args:
        data: `{symbol: [[number, ...], ...]}`, for the symbols of the formula, which range over all real values: of
            other domains a formula's "for all" leaves values out, so these are not taken.
        formula: the formula.

    Raises:
        BadClaim: a symbol is missing or too many, or its value has no such shape.
    """
    free = sorted(expanded(formula).names())
    written = {name: spelling for spelling, name in SYMBOLS.items()}
    allowed = [written[name] for name in free if entry(name).domain == "real"]
    if len(allowed) < len(free) or not isinstance(data, Mapping):
        raise BadClaim(f"witness: a table of the values of {', '.join(free)}, each a symbol that is any real value")
    for name in data:
        if name not in allowed:
            raise BadClaim(f"witness: {UnknownName('symbol of the formula', name, allowed)}")
    values = {SYMBOLS[name]: _rows(name, rows) for name, rows in data.items()}
    if len(values) < len(free):
        raise BadClaim(f"witness: a value of each symbol is needed: {', '.join(allowed)}")
    sizes = {len(rows) for name, rows in values.items() if entry(name).shape != SCALAR}
    dimension = max(sizes, default=1)
    for name, rows in values.items():
        shape = {MATRIX: (dimension, dimension), COLUMN: (dimension, 1), SCALAR: (1, 1)}[entry(name).shape]
        if len(rows) != shape[0] or any(len(row) != shape[1] for row in rows) or dimension > LARGEST:
            raise BadClaim(f"witness: {written[name]} is not {shape[0]} by {shape[1]}, or larger than {LARGEST}")
    return {"dimension": dimension, "values": values}


def _rows(name: str, rows: Any) -> list[list[str]]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise BadClaim(f"witness: {name}: {shown(rows)} is not a list of rows, such as [[1, 2], [3, 4]]")
    try:
        return [[str(parse_number(str(value))) for value in row] for row in rows]
    except TheoryError as error:
        raise BadClaim(f"witness: {name}: {error}") from None

"""A claim from its TOML table: the keys of every kind, and the forms of the printed and the corrected statement."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from tdrc_theory.errors import TheoryError
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import FUNCTION_NAMES
from tdrc_theory.formula.parsed import called, parse
from tdrc_theory.papers.claim import BadClaim, Claim, Content, Kind, Places, Role, Severity, Text, Words
from tdrc_theory.papers.keys import Table, pair
from tdrc_theory.papers.witness import read_witness

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

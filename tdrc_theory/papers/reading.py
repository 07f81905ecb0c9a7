"""A paper from its folder of TOML files; an error is one line with the file, the claim, the key and what is allowed.

`paper.toml` says what the paper is (`title`, `authors`, `year`, `link`), which files follow it and in which order
(`files`; without it, all of the folder by name), and has `[definitions]`: names, and the text that each stands for.
Every file holds `[[claims]]`. Nothing in a folder is executed.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import TheoryError, UnknownName, errors_at
from tdrc_theory.exact.number import parse_number
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import FUNCTION_NAMES, SYMBOLS, called, formula, parse, read_formula
from tdrc_theory.formula.vocabulary import COLUMN, MATRIX, SCALAR, entry, expanded
from tdrc_theory.papers.claim import (
    BadClaim,
    Claim,
    Content,
    Kind,
    Notation,
    Paper,
    Places,
    Role,
    Severity,
    Text,
    Words,
)
from tdrc_theory.problem.reader import shown

LONGEST = 2000
"""Characters of a sentence."""

Choice = TypeVar("Choice", bound=Enum)


class Table:
    """A table of TOML whose keys are known; `allowed` are these.

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

    def of_type(self, key: str, kind: type, what: str, *default: Any) -> Any:
        """Return a value of just this type, which errors call `what`; the default where the key is missing."""
        value = self.value(key) if not default else self.data.get(key, *default)
        if type(value) is not kind:
            raise BadClaim(f"{key}: {shown(value)} is not {what}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        listed = self.of_type(key, list, 'a list of texts, such as ["one", "two"]')
        return tuple(line(key, each) for each in listed)

    def flag(self, key: str) -> bool:
        """Return true or false, which is the default."""
        return bool(self.of_type(key, bool, "true or false", False))

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
        table = self.of_type(key, dict, "a table of texts", {})
        return {name: line(f"{key}, {name}", text) for name, text in table.items()}


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
    """Return the claim of a table; `read` reads a formula of the same paper.

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
    with errors_at(BadClaim, key):
        if isinstance(value, str):
            return read(value) if kind is Kind.FORMULA else _statement(value, read)
        if isinstance(value, dict) and "quantity" in value:
            places = Table(value, PLACES_KEYS)
            return Places(places.text("quantity"), *(pair(each, places.value(each)) for each in ("here", "there")))
        if isinstance(value, dict):
            return _words(Table(value, WORDS_KEYS), read)
    raise BadClaim(f"{key} is not a text, nor a table with {', '.join(WORDS_KEYS)} or {', '.join(PLACES_KEYS)}")


def _words(table: Table, read: ReadFormula) -> Words:
    written, steps = table.data.get("lemmas", []), table.data.get("steps", [])
    for key, listed in (("lemmas", written), ("steps", steps)):
        if not isinstance(listed, list) or len(listed) > MOST:
            raise BadClaim(f"{key} is not a list of up to {MOST}")
    lemmas = []
    for i, each in enumerate(written):
        if not isinstance(each, str):
            raise BadClaim("lemmas are texts in the language of claims")
        with errors_at(BadClaim, f"lemma {i}"):
            lemmas.append(_statement(each, read))
    pairs = tuple(pair("steps", each) for each in steps)
    return Words(says=table.text("says"), lemmas=tuple(lemmas), steps=pairs, refuted=table.flag("refuted"))


def _statement(written: str, read: ReadFormula) -> Expr | Text:
    """Return a formula where there are only functions of formulas in a text, and the text of a statement otherwise."""
    calls = [called(node) for node in ast.walk(parse(written)) if isinstance(node, ast.Call)]
    return read(written) if FUNCTION_NAMES.issuperset(calls) else Text(written.strip())


LARGEST = 6
"""Rows of a matrix: determinants are checked by Leibniz sums."""


def read_witness(data: Any, formula: Expr) -> dict[str, Any]:
    """Return a counterexample as the independent checker reads it, from `{symbol: [[number, ...], ...]}`.

    The symbols are those of the formula, which range over all real values: of other domains a formula's "for all"
    leaves values out, so these are not taken.

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
    with errors_at(BadClaim, "witness", name):
        return [[str(parse_number(str(value))) for value in row] for row in rows]


FIRST = "paper.toml"
PAPER_KEYS = ("title", "authors", "year", "link", "files", "definitions", "withdrawn", "claims")
LARGEST_FILE, MOST_FILES, MOST_CLAIMS = 2**20, 100, 2000
"""Bytes of a file, files of a folder, and claims of a paper."""


def read_paper(folder: Path, name: str) -> Paper:
    """Return the paper of a folder, where `paper.toml` and its other files are, by the name that it is called.

    Raises:
        BadClaim: a file cannot be read, or something in it is not as papers have it.
    """
    first = folder / FIRST
    data = _data(first)
    with errors_at(BadClaim, first):
        head = Table(data, PAPER_KEYS)
        title, link = map(head.text, ("title", "link"))
        authors, year = head.texts("authors"), head.of_type("year", int, "a whole number")
        definitions = _definitions(head.data.get("definitions", {}))
        withdrawn = head.pairs("withdrawn")
        files = _files(folder, head)
    written = _written({first: data, **{file: _data(file) for file in files}})
    read = _formula_reader({name_of_claim: table.data for name_of_claim, (_, table) in written.items()}, definitions)
    claims = []
    for name_of_claim, (file, table) in written.items():
        with errors_at(BadClaim, file, f"claim {name_of_claim}"):
            claims.append(claim_of(table, read))
    return Paper(
        name=name,
        folder=folder,
        title=title,
        authors=authors,
        year=year,
        link=link,
        claims=tuple(claims),
        definitions=definitions,
        notation=_notation(definitions),
        withdrawn=withdrawn,
    )


def _data(path: Path) -> dict[str, Any]:
    """Return what is in a file."""
    with errors_at(BadClaim, path):
        if not path.is_file():
            raise BadClaim("there is no such file" if not path.exists() else "is no file")
        if path.stat().st_size > LARGEST_FILE:
            raise BadClaim(f"has {path.stat().st_size} bytes; allowed: up to {LARGEST_FILE}")
    with toml_file(path, BadClaim) as data:
        return data


def _definitions(data: Any) -> Mapping[str, str]:
    """Return the names that a paper defines; each uses only names of the language and those before it."""
    result: dict[str, str] = {}
    for name, text in Table(data, data if isinstance(data, dict) else ()).data.items():
        if not name.isidentifier() or name in SYMBOLS or name in FUNCTION_NAMES:
            raise BadClaim(f"definitions: {name[:60]!r} is no name, or one that the language has already")
        if not isinstance(text, str):
            raise BadClaim(f"definitions, {name}: is not a text in the language of claims")
        with errors_at(BadClaim, f"definitions, {name}"):
            used = {node.id for node in ast.walk(parse(text)) if isinstance(node, ast.Name)}
        late = sorted(used & (data.keys() - result.keys()))
        if late:
            raise BadClaim(f"definitions, {name}: uses {late[0]}, which is not defined above it")
        result[name] = text
    return result


def _notation(definitions: Mapping[str, str]) -> Notation:
    """Return what the definitions that are symbols, terms or relations of formulas stand for."""
    result: dict[str, Expr] = {}
    for name, written in definitions.items():
        with contextlib.suppress(TheoryError):  # a list of problems, or a statement
            meaning = read_formula(parse(written), definitions)
            if meaning.op != "number":
                result[name] = meaning
    return Notation(result)


def _files(folder: Path, head: Table) -> list[Path]:
    """Return the files that follow `paper.toml`, in order; none of the folder is left out."""
    there = sorted(file.name for file in folder.glob("*.toml") if file.name != FIRST)
    listed = list(head.texts("files")) if "files" in head else there
    for name in listed:
        if name not in there:
            raise BadClaim(f"files: {UnknownName('file', name, there)}")
    left = [name for name in there if name not in listed]
    if left or len(set(listed)) < len(listed):
        raise BadClaim(f"files: {left[0]} is left out" if left else "files: a file is listed twice")
    if len(listed) > MOST_FILES:
        raise BadClaim(f"{len(listed)} files; allowed: up to {MOST_FILES}")
    return [folder / name for name in listed]


def _written(contents: Mapping[Path, dict[str, Any]]) -> dict[str, tuple[Path, Table]]:
    """Return the claims of all files, as they stand there, by their ids."""
    result: dict[str, tuple[Path, Table]] = {}
    for file, data in contents.items():
        with errors_at(BadClaim, file):
            if "features" in data:
                raise BadClaim("describes a problem; such files belong in a folder of their own, problems/ say")
            listed = (data if file.name == FIRST else Table(data, ("claims",)).data).get("claims", [])
            if not isinstance(listed, list):
                raise BadClaim("claims is no list of tables; a claim begins with [[claims]]")
            for i, entry in enumerate(listed):
                known = entry.get("id") if isinstance(entry, dict) else None
                with errors_at(BadClaim, f"claim {known if isinstance(known, str) else f'number {i + 1}'}"):
                    table = Table(entry, KEYS)
                    name = identifier(table)
                    if name in result:
                        raise BadClaim(f"there is another of this id, in {result[name][0]}")
                result[name] = file, table
            if len(result) > MOST_CLAIMS:
                raise BadClaim(f"more than {MOST_CLAIMS} claims in the paper")
    return result


def _formula_reader(written: Mapping[str, Mapping[str, Any]], definitions: Mapping[str, str]) -> ReadFormula:
    """Return the reader of a paper's formulas, in which `lemma` is the true formula of another claim."""
    reading: list[str] = []

    def read(text: str) -> Expr:
        return formula(text, definitions, lemma)

    def lemma(name: str) -> Expr:
        if name not in written:
            raise UnknownName("claim", name, written)
        if name in reading:
            raise BadClaim(f"lemma {name}: it rests on itself, by {' and '.join(reading)}")
        text = written[name].get("corrected", written[name].get("printed"))
        if not isinstance(text, str):
            raise BadClaim(f"lemma {name}: that claim is no formula")
        reading.append(name)
        try:
            return read(text)
        finally:
            reading.pop()

    return read

"""A paper from its folder of TOML files; an error is one line with the file, the claim, the key and what is allowed.

`paper.toml` says what the paper is (`title`, `authors`, `year`, `link`), which files follow it and in which order
(`files`; without it, all of the folder by name), and has `[definitions]`: names, and the text that each stands for.
Every file holds `[[claims]]`. Nothing in a folder is executed.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import FUNCTION_NAMES, SYMBOLS, formula, read_formula
from tdrc_theory.formula.parsed import parse
from tdrc_theory.papers.claim import BadClaim
from tdrc_theory.papers.claim_table import KEYS, Table, claim_of, identifier
from tdrc_theory.papers.notation import Notation
from tdrc_theory.papers.paper import Paper

FIRST = "paper.toml"
PAPER_KEYS = ("title", "authors", "year", "link", "files", "definitions", "withdrawn", "claims")
LARGEST_FILE, MOST_FILES, MOST_CLAIMS = 2**20, 100, 2000
"""Bytes of a file, files of a folder, and claims of a paper."""


class _Written(NamedTuple):
    """A claim as it stands in a file."""

    file: Path
    table: Table


def read_paper(folder: Path, name: str) -> Paper:
    """Return the paper of a folder.

    Args:
        folder: where `paper.toml` and its other files are.
        name: what the paper is called.

    Raises:
        BadClaim: a file cannot be read, or something in it is not as papers have it.
    """
    first = folder / FIRST
    data = _data(first)
    with _at(first):
        head = Table(data, PAPER_KEYS)
        title, authors, year, link = head.text("title"), head.texts("authors"), head.whole("year"), head.text("link")
        definitions = _definitions(head.data.get("definitions", {}))
        withdrawn = head.pairs("withdrawn")
        files = _files(folder, head)
    written = _written({first: data, **{file: _data(file) for file in files}})
    read = _formula_reader(written, definitions)
    claims = []
    for name_of_claim, each in written.items():
        with _at(each.file, name_of_claim):
            claims.append(claim_of(each.table, read))
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
    with _at(path):
        if not path.is_file():
            raise BadClaim("there is no such file" if not path.exists() else "is no file")
        if path.stat().st_size > LARGEST_FILE:
            raise BadClaim(f"has {path.stat().st_size} bytes; allowed: up to {LARGEST_FILE}")
    with toml_file(path, BadClaim) as data:
        return data


@contextlib.contextmanager
def _at(file: Path, claim: str | None = None) -> Iterator[None]:
    """Name the file, and the claim, in an error."""
    try:
        yield
    except TheoryError as error:
        where = f"{file}: " + ("" if claim is None else f"claim {claim}: ")
        raise BadClaim(where + str(error)) from None


def _definitions(data: Any) -> Mapping[str, str]:
    """Return the names that a paper defines; each uses only names of the language and those before it."""
    result: dict[str, str] = {}
    for name, text in Table(data, data if isinstance(data, dict) else ()).data.items():
        if not name.isidentifier() or name in SYMBOLS or name in FUNCTION_NAMES:
            raise BadClaim(f"definitions: {name[:60]!r} is no name, or one that the language has already")
        if not isinstance(text, str):
            raise BadClaim(f"definitions, {name}: is not a text in the language of claims")
        try:
            used = {node.id for node in ast.walk(parse(text)) if isinstance(node, ast.Name)}
        except TheoryError as error:
            raise BadClaim(f"definitions, {name}: {error}") from None
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


def _written(contents: Mapping[Path, dict[str, Any]]) -> dict[str, _Written]:
    """Return the claims of all files by their ids."""
    result: dict[str, _Written] = {}
    for file, data in contents.items():
        with _at(file):
            if "features" in data:
                raise BadClaim("describes a problem; such files belong in a folder of their own, problems/ say")
            listed = (data if file.name == FIRST else Table(data, ("claims",)).data).get("claims", [])
            if not isinstance(listed, list):
                raise BadClaim("claims is no list of tables; a claim begins with [[claims]]")
            for i, entry in enumerate(listed):
                table, name = _with_id(entry, i)
                if name in result:
                    raise BadClaim(f"claim {name}: there is another of this id, in {result[name].file}")
                result[name] = _Written(file, table)
            if len(result) > MOST_CLAIMS:
                raise BadClaim(f"more than {MOST_CLAIMS} claims in the paper")
    return result


def _with_id(entry: Any, i: int) -> tuple[Table, str]:
    known = entry.get("id") if isinstance(entry, dict) else None
    try:
        table = Table(entry, KEYS)
        return table, identifier(table)
    except BadClaim as error:
        raise BadClaim(f"claim {known if isinstance(known, str) else f'number {i + 1}'}: {error}") from None


def _formula_reader(written: Mapping[str, _Written], definitions: Mapping[str, str]) -> Callable[[str], Expr]:
    """Return the reader of a paper's formulas, in which `lemma` is the true formula of another claim."""
    reading: list[str] = []

    def read(text: str) -> Expr:
        return formula(text, definitions, lemma)

    def lemma(name: str) -> Expr:
        if name not in written:
            raise UnknownName("claim", name, written)
        if name in reading:
            raise BadClaim(f"lemma {name}: it rests on itself, by {' and '.join(reading)}")
        table = written[name].table.data
        text = table.get("corrected", table.get("printed"))
        if not isinstance(text, str):
            raise BadClaim(f"lemma {name}: that claim is no formula")
        reading.append(name)
        try:
            return read(text)
        finally:
            reading.pop()

    return read

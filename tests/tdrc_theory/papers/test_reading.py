"""A paper's folder: what is read; and what is wrong is one line with file, claim, key, and what is allowed."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

import tdrc_theory
from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.papers.claim import BadClaim, Kind, Severity, Text
from tdrc_theory.papers.reading import LARGEST_FILE

HEAD = 'title = "T"\nauthors = ["A"]\nyear = 2023\nlink = "https://example.org"\n'
CLAIM = '[[claims]]\nid = "one"\ntitle = "t"\nsource = "s"\nkind = "formula"\nprinted = "det(A) == det(A.T)"\n'


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes files of a paper and reads it."""

    def write(files, head=HEAD):
        for name, text in {"paper.toml": head, **files}.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return find_paper(str(tmp_path))

    return write


def test_every_file_of_the_built_in_papers_is_packaged():
    package = Path(tdrc_theory.__file__).parent
    project = tomllib.loads((package.parent / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["tdrc_theory"]
    packaged = {file for pattern in patterns for file in package.glob(pattern)}
    assert set((package / "papers").rglob("*.toml")) <= packaged


@pytest.mark.parametrize("name", PAPERS)
def test_a_built_in_paper_is_read_once_and_whole(name):
    paper = find_paper(name)
    assert paper is find_paper(name)
    assert paper.title
    assert paper.authors
    assert len({claim.id for claim in paper.claims}) == len(paper.claims) > 10


def test_a_folder_of_the_users_is_a_paper(folder):
    paper = folder({"b.toml": CLAIM, "a.toml": CLAIM.replace("one", "two")}, HEAD + CLAIM.replace("one", "zero"))
    assert [claim.id for claim in paper.claims] == ["zero", "two", "one"]
    assert paper.claim("one").printed == paper.claim("two").printed


def test_files_are_in_the_order_that_is_listed_and_none_is_left_out(folder):
    files = {"a.toml": CLAIM, "b.toml": CLAIM.replace("one", "two")}
    assert [claim.id for claim in folder(files, 'files = ["b.toml", "a.toml"]\n' + HEAD).claims] == ["two", "one"]
    with pytest.raises(BadClaim, match=r"paper\.toml: files: a\.toml is left out"):
        folder(files, 'files = ["b.toml"]\n' + HEAD)
    with pytest.raises(BadClaim, match=r"unknown file 'c\.toml'"):
        folder(files, 'files = ["b.toml", "c.toml", "a.toml"]\n' + HEAD)


def test_definitions_and_lemmas_stand_for_their_formulas(folder):
    definitions = '[definitions]\nM = "A + C"\nN_ = "M.T*K"\n'.replace("M", "S_1").replace("K", "S_1")
    text = CLAIM.replace("det(A) == det(A.T)", "N_ == (A + C).T*(A + C)")
    again = CLAIM.replace('"one"', '"two"').replace('"det(A) == det(A.T)"', "'implies(beta > 0, lemma(\"one\"))'")
    paper = folder({"a.toml": again + text}, HEAD + definitions)
    assert paper.claim("two").printed.args[1] == paper.claim("one").printed
    assert paper.claim("one").printed.args[0] == paper.claim("one").printed.args[1]


def test_a_statement_on_problems_keeps_its_text(folder):
    text = CLAIM.replace('"formula"', '"problem"').replace('"det(A) == det(A.T)"', '\'on("baird", converges("tdrc"))\'')
    claim = folder({"a.toml": text}).claim("one")
    assert (claim.kind, claim.printed) == (Kind.PROBLEM, Text('on("baird", converges("tdrc"))'))


def test_an_erratum_has_its_severity(folder):
    graded = folder({"a.toml": CLAIM + 'erratum = "E1"\nseverity = "wrong step"\n'}).claim("one")
    assert graded.severity is Severity.WRONG_STEP


BAD = {
    "no such key": (CLAIM + "remarks = 'r'\n", ["a.toml: claim one: unknown key 'remarks' (did you mean remark?)"]),
    "a missing key": (CLAIM.replace('source = "s"\n', ""), ["a.toml: claim one: source is missing"]),
    "no id": (CLAIM.replace('id = "one"\n', ""), ["a.toml: claim number 1: id is missing"]),
    "an id with blanks": (CLAIM.replace('"one"', '"o n e"'), ["id: 'o n e' is no id; allowed: letters"]),
    "a kind of its own": (
        CLAIM.replace('"formula"', '"formulas"'),
        ["kind: unknown word 'formulas' (did you mean formula?)"],
    ),
    "the same id": (CLAIM + CLAIM, ["a.toml: claim one: there is another of this id"]),
    "a symbol": (CLAIM.replace("A.T", "B"), ["claim one: printed: column 15: unknown symbol 'B'", "allowed: "]),
    "shapes": (CLAIM.replace("A.T", "w"), ["claim one: printed: column 1", "do not fit"]),
    "no severity": (CLAIM + 'erratum = "E1"\n', ["severity is missing", "wrong result, wrong step, overstated, slip"]),
    "no erratum": (CLAIM + 'severity = "slip"\n', ["erratum is missing"]),
    "a correction alone": (
        CLAIM + 'corrected = "det(A) == 1"\n',
        ["one: a correction or a refutation needs an erratum"],
    ),
    "a number as a title": (CLAIM.replace('"t"', "7"), ["title: 7 is not a text"]),
    "an erratum": (CLAIM + 'erratum = "X1"\nseverity = "slip"\n', ["erratum: 'X1' is no number; allowed: E or R"]),
    "a lemma without a claim": (
        CLAIM.replace('"det(A) == det(A.T)"', "'lemma(\"two\")'"),
        ["claim one: printed: column 1: unknown claim 'two'"],
    ),
    "a lemma of itself": (CLAIM.replace('"det(A) == det(A.T)"', "'lemma(\"one\")'"), ["it rests on itself"]),
    "words in a formula": (CLAIM.replace('"det(A) == det(A.T)"', '{says = "so it is"}'), ["no claim of kind formula"]),
    "no TOML": ("[[claims]\n", ["a.toml: is not TOML"]),
    "no list": ("claims = 7\n", ["a.toml: claims is no list of tables"]),
    "a list of numbers": ("claims = [7]\n", ["a.toml: claim number 1: 7 is not a table"]),
    "deep nesting": ("claims = " + "[" * 5000, ["a.toml: is not TOML"]),
    "a huge file": ("#" * (LARGEST_FILE + 1), [f"allowed: up to {LARGEST_FILE}"]),
    "undecided without a reason": (CLAIM + "undecided = true\n", ["needs a remark"]),
}


@pytest.mark.parametrize(("text", "says"), BAD.values(), ids=BAD.keys())
def test_what_is_wrong_is_one_line_that_says_where_and_what_is_allowed(folder, text, says):
    with pytest.raises(BadClaim) as refused:
        folder({"a.toml": text})
    result = str(refused.value)
    assert all(part in result for part in says), result
    assert "\n" not in result
    assert len(result) < 900


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("", "title is missing"),
        (HEAD.replace("2023", "'2023'"), "year: '2023' is not a whole number"),
        (HEAD.replace('["A"]', '"A"'), "authors: 'A' is not a list of texts"),
        (HEAD + '[definitions]\nA = "C"\n', "definitions: 'A' is no name, or one that the language has"),
        (HEAD + '[definitions]\nS1 = "S2"\nS2 = "A"\n', "definitions, S1: uses S2, which is not defined above it"),
        (HEAD + '[definitions]\nS1 = "S1 + A"\n', "definitions, S1: uses S1"),
        (HEAD + '[definitions]\nS1 = "A +"\n', "definitions, S1: not an expression: it ends too early"),
        (HEAD + "[definitions]\nS1 = 7\n", "definitions, S1: is not a text"),
    ],
)
def test_what_is_wrong_with_the_first_file_is_said_of_it(folder, head, says):
    with pytest.raises(BadClaim, match=r"paper\.toml: ") as refused:
        folder({"a.toml": CLAIM}, head)
    assert says in str(refused.value)


def test_what_is_no_paper_is_refused_with_those_there_are(tmp_path):
    for name in ("tdrcc", str(tmp_path / "none"), "x" * 5000, "a\0b"):
        with pytest.raises(UnknownName, match=r"unknown paper .*allowed: tdrc"):
            find_paper(name)
    with pytest.raises(BadClaim, match=r"paper\.toml: there is no such file"):
        find_paper(str(tmp_path))


def test_a_pipe_instead_of_a_file_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "paper.toml")
    with pytest.raises(TheoryError, match="is no file"):
        find_paper(str(tmp_path))

"""Results are shown in a paper's own notation, which its folder defines; what is judged stays as it is."""

from __future__ import annotations

import pytest

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import formula
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.formula.written import text
from tdrc_theory.papers.claim import Notation
from tdrc_theory.papers.reading import read_paper

HEAD = 'title = "T"\nauthors = ["A"]\nyear = 2023\nlink = "https://example.org"\n'
DEFINITIONS = {
    "phi": "x",
    "walks": '["boyan"]',
    "good": "5/4",
    "U": "A + beta*I",
    "regular": "nonsingular(U)",
    "small": "U*A",
}


@pytest.fixture
def notation(tmp_path):
    """Return the notation of a paper with definitions of every kind."""
    lines = "\n".join(f"{name} = '{written}'" for name, written in DEFINITIONS.items())
    (tmp_path / "paper.toml").write_text(f"{HEAD}[definitions]\n{lines}\n", encoding="utf-8")
    return read_paper(tmp_path, "mine").notation


def read(written) -> Expr:
    return formula(written, DEFINITIONS)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("E(x*x.T) == C", "E[phi phi^T] = C"),
        ("implies(regular, det(A) != 0)", "regular => det(A) != 0"),
        ("A.T*(A + beta*I)*A == 2*U", "A^T small = 2 U"),
        ("A + C + beta*I == C", "A + C + beta I = C"),  # a run of terms only
        ("A + beta*I + C == C", "U + C = C"),
    ],
)
def test_symbols_terms_and_relations_are_shown_by_the_names_that_the_paper_gives_them(notation, written, shown):
    assert text(notation.written(read(written))) == shown


def test_names_of_lists_and_numbers_are_in_no_formula(notation):
    assert set(notation.definitions) == {"phi", "U", "regular", "small"}
    assert text(notation.written(read("beta == 5/4"))) == "beta = 5/4"


def test_what_a_name_stands_for_is_shown_with_the_names_in_it(notation):
    meanings = notation.meanings(read("implies(regular, E(x*x.T) == C)"))
    assert [text(meaning) for meaning in meanings] == ["regular <=> det(U) != 0", "U = A + beta I"]


def test_a_matrix_is_bold_and_a_letter_greek(notation):
    assert latex(notation.written(read("E(x*x.T) == U"))) == (
        r"\mathbb{E}\left[\boldsymbol{\phi} \, \boldsymbol{\phi}^\top\right] = \mathbf{U}"
    )


def test_without_definitions_all_stays(notation):
    message = read("A*(A + beta*I) == C")
    assert Notation().written(message) == message
    assert list(Notation().meanings(message)) == []

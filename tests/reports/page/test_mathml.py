from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from reports.page.latex_reader import BadFormula
from reports.page.latex_reader import read as read_latex

from reports.page.mathml import mathml
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.derive.symbolic import derive
from tdrc_theory.formula.vocabulary import VOCABULARY
from tdrc_theory.formula.written import text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind

FORMULAS = {
    f"{claim.id} {n}": f
    for claim in find_paper().of_kind(Kind.FORMULA)
    for n, f in enumerate((claim.printed, claim.corrected))
    if f
}
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "η": "eta", "λ": "lambda", "μ": "mu", "ρ": "rho"}
WORDS = {**GREEK, "ϱ": "varrho", "Ω": "Omega", "Ξ": "Xi", "−": "-", "⊤": "T", "𝔼": "E", "∇": "grad", "¬": "not"}
WORDS |= {"≠": "!=", "≤": "<=", "≥": ">=", "⟹": "=>", "⟺": "<=>", "∧": "and", "∨": "or", "′": "'", "‖": "|"}
NOT_AS_NAMED = [("I_2d", "I"), ("eta_0", "eta"), ("step_w_", "Δw_"), ("step_h_", "Δh_"), ("'", "^'")]


def drawing(inside):
    return ET.fromstring(f"<math>{inside}</math>")


def read(element):
    """Return drawn mathematics in the words of plain text."""
    parts = [read(child) for child in element]
    if not parts:
        return WORDS.get(element.text or "", element.text or "")
    if element.tag == "msubsup":
        return f"{parts[0]}_{parts[1]}^{parts[2]}"
    sign = {"msub": "_", "msup": "^", "mfrac": "/", "mtr": ","}.get(element.tag, ";" if element.tag == "mtable" else "")
    return sign.join(parts)


def letters(written):
    """Return all that is not a bracket or a blank: where brackets stand, the two ways of writing differ."""
    for name, drawn in NOT_AS_NAMED:
        written = written.replace(name, drawn)
    return re.sub(r"[\s(){}]|\^(?=\^)", "", written).lower()


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS.keys())
def test_what_is_drawn_reads_as_the_plain_text_beside_it(formula):
    plain = text(formula).replace(" is positive definite", " ≻ 0")
    assert letters(read(drawing(mathml(formula)))) == letters(plain)


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_what_is_derived_of_every_algorithm_can_be_drawn(algorithm):
    update = derive(algorithm)
    drawn = [read_latex(each) for each in (*update.update_latex().values(), update.G_latex(), update.g_latex())]
    assert all(len(drawing(each)) for each in drawn)


def test_every_symbol_of_formulas_can_be_drawn():
    assert all(len(drawing(read_latex(entry.latex))) for entry in VOCABULARY)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        r"\href{a}{b}",
        r"\unknown",
        r"\frac{1}{2",
        r"\frac12",
        r"\left(a",
        r"a\right)",
        r"\left(a\right",
        "a}",
        "x^2^3",
        "x_1_2",
        "x^",
        "a & b",
        r"\begin{bmatrix} a & b \\ c \end{bmatrix}",
        r"\begin{bmatrix} a",
        r"\begin{bmatrix} a \end{cases}",
        r"\begin{document}\end{document}",
        r"\text{open",
        r"\text{a $b}",
        r"\text{\input{c}}",
        '"',
        "é",
        "\x00",
    ],
)
def test_what_is_not_understood_is_refused(broken):
    with pytest.raises(BadFormula):
        read_latex(broken)


def test_a_minus_with_nothing_before_it_is_a_sign():
    signs = [
        [mo.get("form") for mo in drawing(read_latex(each)).iter("mo") if mo.text == "−"] for each in ("-a-b", "(-a)")
    ]
    assert signs == [["prefix", None], ["prefix"]]


def branching(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    if rho > 3 or rho < beta:
        return rho**3 * delta * x / (1 + gamma), -h
    return delta * x_next, max(rho, 2) * delta * x


def test_what_is_derived_of_a_users_algorithm_that_branches_can_be_drawn():
    update = derive(Algorithm("branching", branching))
    drawn = [drawing(read_latex(each)) for each in (*update.update_latex().values(), update.G_latex())]
    assert all(len(list(each.iter("mtable"))) > 0 for each in drawn)

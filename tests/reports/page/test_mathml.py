from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from reports.page.mathml import mathml
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.derive.symbolic import derive
from tdrc_theory.formula import expression as tree
from tdrc_theory.formula import latex, text
from tdrc_theory.formula.vocabulary import VOCABULARY
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.notation import NOTATION
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind

FORMULAS = {
    f"{claim.id} {n}": f
    for claim in find_paper().of_kind(Kind.FORMULA)
    for n, f in enumerate((claim.printed, claim.corrected))
    if f
}
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "η": "eta", "λ": "lambda", "μ": "mu", "ρ": "rho"}
GREEK |= {"θ": "theta", "π": "pi", "κ": "kappa", "Λ": "Lambda", "Γ": "Gamma", "\u03a5": "Upsilon"}
WORDS = {**GREEK, "ϱ": "varrho", "Ω": "Omega", "Ξ": "Xi", "−": "-", "⊤": "T", "𝔼": "E", "∇": "grad", "¬": "not"}
WORDS |= {"^": "_hat", "¯": "_bar", "∘": "*"}
WORDS |= {"≠": "!=", "≤": "<=", "≥": ">=", "⟹": "=>", "⟺": "<=>", "∧": "and", "∨": "or", "′": "'", "‖": "|"}
NOT_AS_NAMED = [
    (" lam ", "lambda_e"),
    ("x_next_2", "x_2'"),
    ("rho_before", "rho_t-1"),
    ("I_2d", "I"),
    ("eta_0", "eta"),
    ("step_w_", "Δw_"),
    ("step_h_", "Δh_"),
]


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
    return re.sub(r"x_bar(?!')", "x_bar'", re.sub(r"[\s(){},]|\^(?=['^])|(?<=')\^", "", written)).lower()


@pytest.mark.quick(40)
@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS.keys())
def test_what_is_drawn_reads_as_the_plain_text_beside_it(formula):
    plain = text(formula).replace(" is positive definite", " ≻ 0")
    assert letters(read(drawing(mathml(formula)))) == letters(plain)


def branching_update(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    if rho > 3 or rho < beta:
        return rho**3 * delta * x / (1 + gamma), -h
    return delta * x_next, max(rho, 2) * delta * x


branching = Algorithm("branching", branching_update)


@learner(weights="w target_net", memory="e_b kappa", scalars="kappa")
def own_names(x, x_next, w, target_net, e_b, kappa, gamma_next, rho, rho_before, reward, my_rate=1, theta=2):
    error = reward + gamma_next * dot(w, x_next) - dot(w, x)
    trace, seen = rho * (theta * e_b + x), rho_before * kappa + 1
    return Step(w=my_rate * error * trace, target_net=(w - target_net) / (1 + theta), e_b=trace, kappa=seen)


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, branching, own_names], ids=lambda a: a.name)
def test_what_is_derived_of_every_learner_reads_as_the_plain_text_beside_it(algorithm):
    update = derive(algorithm)
    trees = [*map(update.direction, algorithm.stacked), update.G_tree(), update.g_tree()]
    for derived in trees:
        assert letters(read(drawing(mathml(derived)))) == letters(text(derived))
    for derived in (*trees, *update.equations().values()):
        written = latex(derived)
        assert written.count("{") == written.count("}")
        assert written.count(r"\left") == written.count(r"\right")


def test_every_symbol_is_drawn_as_its_latex_says():
    for symbol in (*VOCABULARY, *NOTATION):
        plain = re.sub(r"\\(mathbf|boldsymbol|text|hat|bar|operatorname)|[\\{}]", "", symbol.glyph.latex)
        drawn = read(drawing(mathml(tree.symbol(symbol.name))))
        drawn = re.sub(r"_hat|_bar|\^(?=')|[()]", "", drawn)
        assert drawn == re.sub("^(Delta|Pi)", lambda capital: {"Delta": "Δ", "Pi": "Π"}[capital[0]], plain)


def test_the_transpose_of_every_symbol_has_one_superscript_in_tex():
    for symbol in (*VOCABULARY, *NOTATION):
        written = latex(tree.symbol(symbol.name).T)
        while re.search(r"\{[^{}]*\}", written):  # what is in a group of its own is set by itself
            written = re.sub(r"\{[^{}]*\}", "", written)
        assert written.replace("'^", "^").count("^") == 1, symbol.name
        assert "'" not in written.replace("'^", "^"), symbol.name


def test_two_symbols_of_the_table_are_not_drawn_alike():
    assert len({symbol.glyph for symbol in NOTATION}) == len(NOTATION)


def test_what_a_user_calls_a_weight_is_no_markup():
    named = tree.Expr("vector", (), "<b>&_x")
    assert drawing(mathml(named))[0].text == "<b>&_x"
    assert latex(tree.Expr("vector", (), "step_size")) == r"\mathbf{step\_size}"


def test_a_minus_in_front_is_a_sign_and_one_between_is_not():
    a, b = tree.symbols("A C")
    signs = [mo.get("form") for mo in drawing(mathml(-a - b)).iter("mo") if mo.text == "−"]
    assert signs == ["prefix", None]


def test_what_branches_is_drawn_as_cases():
    drawn = drawing(mathml(derive(branching).G_tree()))
    assert len([row for row in drawn.iter("mtr") if "otherwise" in [text.text for text in row.iter("mtext")]]) > 3

"""The language of claims: what it reads, and what it refuses, in one line with the place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tdrc_theory.formula.expression import (
    DIM,
    I,
    block,
    both,
    det,
    equal,
    grad,
    hurwitz,
    implies,
    less,
    posdef,
    symbols,
)
from tdrc_theory.formula.formula_reader import LONGEST, SYMBOLS, BadStatement, formula, parse
from tdrc_theory.formula.vocabulary import VOCABULARY

A, C, beta, eta, h, w, x, x_next, lam, zero, G = symbols("A C beta eta h w x x' lambda 0 G_tdrc")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("det(G_tdrc) == eta**d * det(A.T + beta*I) * det(A)", equal(det(G), eta**DIM * det(A.T + beta * I) * det(A))),
        ("implies(posdef(A), beta < eta, hurwitz(G_tdrc))", implies(posdef(A), less(beta, eta), hurwitz(G))),
        ("0 < beta < eta", both(less(0, beta), less(beta, eta))),
        ("x*x_next.T*w == zero", equal(x * x_next.T * w, zero)),
        ("-1/2*lam == 0.25", equal(Fraction(-1, 2) * lam, Fraction(1, 4))),
        ("grad(h.T*C*h, h) == [[w]]", equal(grad(h.T * C * h, "h"), block([[w]]))),
        ("h.H*A*h\n  - w.H*w == 1", equal(h.star * A * h - w.star * w, 1)),
    ],
)
def test_a_formula_reads_as_the_tree_that_python_operators_build(text, tree):
    assert formula(text) == tree


def test_every_symbol_of_the_vocabulary_can_be_written():
    assert sorted(SYMBOLS.values()) == sorted(entry.name for entry in VOCABULARY)
    assert all(name.isidentifier() and parse(name) for name in SYMBOLS)


def test_numbers_are_those_that_are_written():
    assert parse("0.1").value == Fraction(1, 10)
    assert parse("0.10000000000000000001").value == Fraction(10**19 + 1, 10**20) / 1 - Fraction(0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("foo(A) == 1", "unknown function 'foo'"),
        ("det(AA) == 1", "unknown symbol 'AA'"),
        ("det(A", "not an expression"),
        ("det(A) == 1 +", "not an expression"),
        ("A", "a relation"),
        ("det(A) + A == 1", "do not fit"),
        ("det(A, C) == 1", "det takes 1 arguments, not 2"),
        ("det(x=A) == 1", "no named argument"),
        ("beta ^ 2 == 1", "a power is **"),
        ("beta == 1_000", "no number of the language"),
        ("beta == 1e9", "no number of the language"),
        ("beta == 1j", "no number of the language"),
        ("beta == 1/0", "a division by 0"),
        ("beta == 'one'", "no place in a formula"),
        ("beta == True", "no place in a formula"),
        ("beta == 9**(9**9)", "not an exponent"),
        ("((beta**99)**99)**99 == 1", "not an exponent"),
        ("[[A, C], [A]] == 1", "rows of one length"),
        ("(lambda: 1) == 1", "Lambda is not in the language"),
        ("A.__class__ == A", "no attribute"),
        ("A.T() == A", "only functions with a name"),
        ("[each for each in A] == A", "ListComp is not in the language"),
        ("__import__('os') == A", "unknown function '__import__'"),
        ("", "0 characters"),
        ("beta == 1 if beta else 2", "IfExp is not in the language"),
        ("(beta := 1) == 1", "NamedExpr is not in the language"),
        ("det(*A) == 1", "Starred is not in the language"),
        ("det(**A) == 1", "** gives no arguments"),
        ("\x00", "not an expression"),
        ("(" * 1000, "not"),
        ("-" * 3000 + "1 == 1", "nested"),
        ("1" + " + 1" * 600 + " == 1", "nested more than"),
        ("beta == " + "9" * LONGEST, "characters; allowed"),
    ],
)
def test_what_is_no_formula_is_refused_in_one_line(text, says):
    with pytest.raises(BadStatement) as refused:
        formula(text)
    result = str(refused.value)
    assert says in result
    assert "\n" not in result
    assert len(result) < 700


def test_an_error_names_the_line_and_the_column():
    with pytest.raises(BadStatement, match=r"line 2, column 6: unknown symbol 'AA' \(did you mean"):
        formula("det(A) ==\n det(AA)")
    with pytest.raises(BadStatement, match="column 10: unknown symbol"):
        formula("det(A) + BB == 1")


def test_definitions_that_double_each_other_are_refused_before_they_fill_the_memory():
    names = {"a0": "A + A"} | {f"a{n}": f"a{n - 1} + a{n - 1}" for n in range(1, 60)}
    with pytest.raises(BadStatement, match="all definitions written out"):
        formula("a59 == A", names)

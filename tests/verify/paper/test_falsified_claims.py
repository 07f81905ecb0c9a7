"""A claim of the paper falsified by hand, in its text: the judge says otherwise, or it was argued or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from said import PAPER

from tdrc_theory.errors import TheoryError
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import formula
from tdrc_theory.papers.claim import Kind, Text
from tdrc_theory.toml_file import toml_file
from verify.paper.facts.content import judged, ready

TABLES = {}
for file in sorted(PAPER.folder.glob("*.toml")):
    with toml_file(file, TheoryError) as data:
        TABLES |= {table["id"]: table for table in data.get("claims", [])}
WRITTEN = [c.id for c in PAPER.claims if c.sweep is None and c.kind not in (Kind.WORDS, Kind.CONTRADICTION)]
OTHER_WORDS = {
    "converges(": "diverges(",
    "diverges(": "converges(",
    "converges_at_some(": "converges_at_no(",
    "converges_at_no(": "converges_at_some(",
    '"nonsingular"': '"singular"',
    '"<="': '">"',
    '">"': '"<="',
    "alone=False": "alone=True",
    '"alone=True"': '"alone=False"',
}
OTHER_PARTS = (
    *(("A.T", "A"), ("lemma(", "not lemma("), ("eta*", ""), ("has(", "not has("), ("not ", ""), (" and ", " or ")),
    *(("whole=False", "whole=True"), ("h_is_zero=True", "h_is_zero=False")),
    *(("of_the_paper", "definite"), ("definite", "of_the_paper"), ("C3, C2", "C2, C3")),
)


def altered(text: str) -> Iterator[str]:
    """Yield texts with one thing changed: a relation turned, a word, a number, a sign, a transpose, a factor."""
    for found in re.finditer(r" (==|!=|<=|>=|<|>) ", text):
        turned = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}[found[1]]
        yield f"{text[: found.start(1)]}{turned}{text[found.end(1) :]}"
    for word, other in OTHER_WORDS.items():
        for found in re.finditer(re.escape(word), text):
            yield text[: found.start()] + other + text[found.end() :]
    for found in re.finditer(r"(?<![\w.])\d+(?![\w.])", text):
        yield f"{text[: found.start()]}{int(found[0]) + 1}{text[found.end() :]}"
    for found in re.finditer(r"posdef\(|hurwitz\(|eigmax\(|eigmin\(", text):
        yield f"{text[: found.end()]}-{text[found.end() :]}"
    for found in re.finditer(r"\+ ", text):
        yield f"{text[: found.start()]}- {text[found.end() :]}"
    for one, other in OTHER_PARTS:
        if one in text:
            yield text.replace(one, other, 1)


def read(identifier: str, text: str):
    if PAPER.claim(identifier).kind is Kind.FORMULA or "(" not in text:
        return formula(text, PAPER.definitions, lambda name: PAPER.claim(name).true_formula)
    return ready(Text(text), PAPER)


def true_text(identifier: str) -> str | None:
    """Return the text of what is true in a claim; None where that is argued."""
    table = TABLES[identifier]
    text = table.get("corrected", table["printed"])
    return text if isinstance(text, str) else None


def notices(identifier: str) -> bool:
    """Return whether the judge says otherwise of some alteration of a claim."""
    text = true_text(identifier)
    claim = PAPER.claim(identifier)
    if text is None:  # what is true is argued: then what is printed, which the judge refutes, is altered
        text, said = TABLES[identifier]["printed"], ready(claim.printed, PAPER)
    else:
        content = claim.printed if claim.corrected is None else claim.corrected
        if isinstance(content, Expr) and claim.kind is not Kind.FORMULA:
            return True  # the formula of another claim, which is altered there
        said = ready(content, PAPER)
    before = judged(said).status
    for other in altered(text):
        try:
            changed = read(identifier, other)
        except TheoryError:
            continue  # what says nothing is refused
        if changed != said and judged(changed).status is not before:
            return True
    return False


@pytest.mark.parametrize("identifier", WRITTEN[::8])
def test_a_falsified_claim_comes_out_otherwise(identifier):
    assert notices(identifier)


@pytest.mark.slow
@pytest.mark.parametrize("identifier", WRITTEN)
def test_every_falsified_claim_comes_out_otherwise(identifier):
    assert notices(identifier)

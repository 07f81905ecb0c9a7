"""A claim of the paper falsified by hand, in its text: the judge says otherwise, or it was argued or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from claim_facts import true_formula

from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import TheoryError
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import formula
from tdrc_theory.papers import PAPERS, Paper, find_paper
from tdrc_theory.papers.claim import Claim, Kind, Text
from verify.paper.facts.content import Assertion, judged, ready

READ = {name: find_paper(name) for name in PAPERS}
TABLES = {}
for name, paper in READ.items():
    for file in sorted(paper.folder.glob("*.toml")):
        with toml_file(file, TheoryError) as data:
            TABLES |= {(name, table["id"]): table for table in data.get("claims", [])}
WRITTEN = [
    (paper.name, claim.id)
    for paper in READ.values()
    for claim in paper.claims
    if claim.sweep is None and claim.kind not in (Kind.WORDS, Kind.CONTRADICTION)
]
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
    *(
        ("(K", "(-K"),
        ("I - P_pi", "I + P_pi"),
        ("from_key_matrix(", "not from_key_matrix("),
        ("stable(", "not stable("),
        ("nonsingular(", "not nonsingular("),
    ),
    *(("of_the_paper", "definite"), ("definite", "of_the_paper"), ("C3, C2", "C2, C3")),
)


def altered(text: str) -> Iterator[str]:
    """Yield texts with one thing changed: a relation turned, a word, a number, a sign, a transpose, a factor."""
    for each in re.finditer(r" (==|!=|<=|>=|<|>) ", text):
        turned = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}[each[1]]
        yield f"{text[: each.start(1)]}{turned}{text[each.end(1) :]}"
    for word, other in OTHER_WORDS.items():
        for each in re.finditer(re.escape(word), text):
            yield text[: each.start()] + other + text[each.end() :]
    for each in re.finditer(r"(?<![\w.])\d+(?![\w.])", text):
        yield f"{text[: each.start()]}{int(each[0]) + 1}{text[each.end() :]}"
    for each in re.finditer(r"posdef\(|hurwitz\(|eigmax\(|eigmin\(", text):
        yield f"{text[: each.end()]}-{text[each.end() :]}"
    for each in re.finditer(r"\+ ", text):
        yield f"{text[: each.start()]}- {text[each.end() :]}"
    for one, other in OTHER_PARTS:
        if one in text:
            yield text.replace(one, other, 1)


def read(paper: Paper, claim: Claim, text: str) -> Assertion:
    if claim.kind is Kind.FORMULA or "(" not in text:
        return formula(text, paper.definitions, lambda name: true_formula(paper.claim(name)))
    return ready(Text(text), paper)


def notices(paper: Paper, claim: Claim) -> bool:
    """Return whether the judge says otherwise of some alteration of what is true, or of what is printed."""
    table = TABLES[paper.name, claim.id]
    text = table.get("corrected", table["printed"])
    content = claim.printed if claim.corrected is None else claim.corrected
    if not isinstance(text, str) and isinstance(claim.printed, Expr):
        return True  # what is true is argued, and what is printed refuted
    if not isinstance(text, str):  # what is true is argued: then what is printed, which a problem refutes, is altered
        text, content = table["printed"], claim.printed
    elif isinstance(content, Expr) and claim.kind is not Kind.FORMULA:
        return True  # the formula of another claim, which is altered there
    message = ready(content, paper)
    before = judged(message).status
    for other in altered(text):
        try:
            changed = read(paper, claim, other)
        except TheoryError:
            continue  # what says nothing is refused
        if changed != message and judged(changed).status is not before:
            return True
    return False


@pytest.mark.parametrize(
    ("name", "identifier"),
    [pytest.param(*case, marks=pytest.mark.slow if place % 8 else []) for place, case in enumerate(WRITTEN)],
)
def test_every_falsified_claim_comes_out_otherwise(name, identifier):
    assert notices(READ[name], READ[name].claim(identifier))

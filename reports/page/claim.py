"""A claim of the paper as a page shows it: what is printed, what is true, and how each is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from reports.page.mathml import Formula
from reports.page.section import Content
from reports.page.table import data_link
from tdrc_theory.formula.expression import Expr
from tdrc_theory.judgement import Judgement
from tdrc_theory.papers.claim import Severity
from tdrc_theory.proofs.coq import CoqAnswer
from verify.check import Proof, Status
from verify.paper.facts.content import Assertion, sentence
from verify.paper.report import Answer, Finding, proof_name
from verify.paper.terminal import evidence, is_a_pair, labels

NOUNS = {severity: severity.value for severity in Severity} | {Severity.OVERSTATED: "overstated remark"}
"""What an erratum of each grade is called."""


def shown(answer: Answer, kernel: Mapping[str, CoqAnswer]) -> Content:
    """Return an answer of the referee as a page shows it; `kernel` is what is known of theorems, by name."""
    claim = answer.claim
    overstated = answer.finding is Finding.OVERSTATED and answer.printed.status is Status.FAILS
    printed, corrected = labels(answer)
    derivations = [
        _derivation(printed, answer.statement, answer.printed, answer.printed_proof, answer.meanings(claim.printed))
    ]
    if answer.correction is not None and answer.corrected is not None:
        meanings = answer.meanings(claim.corrected)
        derivations.append(
            _derivation(corrected, answer.correction, answer.corrected, answer.corrected_proof, meanings)
        )
    return Content(
        id=claim.id,
        title=claim.title,
        source=claim.source,
        remark=claim.remark,
        erratum=claim.erratum or "",
        severity="" if claim.severity is None else claim.severity.value,
        finding="" if answer.finding is None else answer.finding.value,
        printed=Finding.OVERSTATED.value if overstated else answer.printed.status.value,
        corrected="" if answer.corrected is None else answer.corrected.status.value,
        printed_proof=proof_name(answer.printed_proof) or "",
        corrected_proof=proof_name(answer.corrected_proof) or "",
        kind=answer.claim.kind.value,
        expected=answer.as_expected,
        derivations=tuple(derivations),
        evidence=tuple(evidence(answer.statement, answer.printed)),
        pair=is_a_pair(answer),
        theorems=[
            Content(name=name, role=role, statement=statement, reason=kernel[name].reason if name in kernel else "")
            for name, role, statement in answer.theorems
        ],
    )


def _derivation(
    label: str, statement: Assertion, judgement: Judgement, known: Proof | None, meanings: Iterable[Expr]
) -> Content:
    steps = [("where", Formula.of(meaning)) for meaning in meanings]
    steps += [(step.reason, Formula(step.text, step.formula)) for step in judgement.steps]
    witness = judgement.witness
    return Content(
        label=label,
        statement=Formula.of(statement if isinstance(statement, Expr) else sentence(statement)),
        status=judgement.status.value,
        proof=proof_name(known) or "",
        rule=judgement.rule,
        steps=tuple(steps),
        witness="" if witness is None else data_link("application/json", json.dumps(witness, indent=1)),
    )

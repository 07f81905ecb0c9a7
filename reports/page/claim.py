"""A claim of the paper as a page shows it: what is printed, what is true, and how each is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reports.page.formula import Formula
from reports.page.table import data_link
from tdrc_theory.formula.expression import Expr
from tdrc_theory.judgement import Judgement
from tdrc_theory.papers.claim import Severity
from tdrc_theory.proofs.coq import CoqAnswer
from verify.check import Proof, Status
from verify.paper.facts.content import Said, sentence
from verify.paper.report import Answer, Finding, proof_name
from verify.paper.terminal import evidence, is_a_pair, labels

NOUNS = {severity: severity.value for severity in Severity} | {Severity.OVERSTATED: "overstated remark"}
"""What an erratum of each grade is called."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How one statement was judged.

    Attributes:
        label: `printed`, `corrected`, or what these are called of a remark.
        statement: what was judged.
        status, rule: the outcome, and the kind of argument.
        proof: its kind of evidence; "" where none is claimed.
        steps: (reason, what then stands there) pairs.
        witness: a link that holds the counterexample as JSON; "" where there is none.
    """

    label: str
    statement: Formula
    status: str
    proof: str
    rule: str
    steps: tuple[tuple[str, Formula], ...]
    witness: str


@dataclass(frozen=True, slots=True)
class ShownTheorem:
    """A theorem of the proof assistant, of a claim.

    Attributes:
        name: its name in Coq.
        role: what it does with the claim, after a comma; "" where it states it.
        statement: what was accepted here, "" where it was not.
        reason: why it was not; "" where nothing is known of it.
    """

    name: str
    role: str
    statement: str
    reason: str


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim.

    Attributes:
        id, title, source, role, remark: as the registry has them.
        erratum, severity: the finding's number, and how much it matters, or "".
        finding: `error`, `contradiction`, `overstated`, or "" for what holds as printed.
        printed, corrected: statuses; corrected is "" where nothing needs correcting.
        printed_proof, corrected_proof: the kinds of evidence; "" where none is claimed.
        proof: the weaker of both.
        kind: `formula`, `problem`, `words` or `contradiction`.
        expected: whether it came out as the registry expects.
        derivations: of what is printed, and of what is corrected.
        evidence: why it fails, in lines; shown with findings.
        pair: whether it is two places that contradict each other.
        theorems: of the proof assistant: that which states it, and that which refutes what is printed.
    """

    id: str
    title: str
    source: str
    role: str
    remark: str
    erratum: str
    severity: str
    finding: str
    printed: str
    corrected: str
    printed_proof: str
    corrected_proof: str
    proof: str
    kind: str
    expected: bool
    derivations: tuple[Derivation, ...]
    evidence: tuple[str, ...]
    pair: bool
    theorems: tuple[ShownTheorem, ...]

    @property
    def accepted(self) -> bool:
        """Return whether it has theorems, and the proof assistant accepted here each of them."""
        return bool(self.theorems) and all(each.statement for each in self.theorems)


def shown(answer: Answer, kernel: Mapping[str, CoqAnswer]) -> ShownClaim:
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
    return ShownClaim(
        id=claim.id,
        title=claim.title,
        source=claim.source,
        role=claim.role.value,
        remark=claim.remark,
        erratum=claim.erratum or "",
        severity="" if claim.severity is None else claim.severity.value,
        finding="" if answer.finding is None else answer.finding.value,
        printed=Finding.OVERSTATED.value if overstated else answer.printed.status.value,
        corrected="" if answer.corrected is None else answer.corrected.status.value,
        printed_proof=proof_name(answer.printed_proof) or "",
        corrected_proof=proof_name(answer.corrected_proof) or "",
        proof=proof_name(answer.proof) or "",
        kind=answer.claim.kind.value,
        expected=answer.as_expected,
        derivations=tuple(derivations),
        evidence=tuple(evidence(answer.statement, answer.printed)),
        pair=is_a_pair(answer),
        theorems=tuple(
            ShownTheorem(name, role, statement or "", kernel[name].reason if name in kernel else "")
            for name, role, statement in answer.theorems
        ),
    )


def _derivation(
    label: str, statement: Said, judgement: Judgement, known: Proof | None, meanings: Iterable[Expr]
) -> Derivation:
    steps = [("where", Formula.of(meaning)) for meaning in meanings]
    steps += [(step.reason, Formula(step.text, step.formula)) for step in judgement.steps]
    witness = judgement.witness
    return Derivation(
        label=label,
        statement=Formula.of(statement if isinstance(statement, Expr) else sentence(statement)),
        status=judgement.status.value,
        proof=proof_name(known) or "",
        rule=judgement.rule,
        steps=tuple(steps),
        witness="" if witness is None else data_link("application/json", json.dumps(witness, indent=1)),
    )

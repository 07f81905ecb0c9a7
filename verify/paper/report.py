"""The referee's report: every claim judged, and compared with what the registry expects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any

from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.workers import process_pool, within, worker_count
from tdrc_theory.errors import errors_at
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.formula.vocabulary import domains
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Judgement, Step
from tdrc_theory.notation import NOTATION
from tdrc_theory.papers.claim import BadClaim, Claim, Content, Kind, Paper
from tdrc_theory.proofs.coq import CoqAnswer
from tdrc_theory.tables.shown import Shown
from verify.check import Proof, Status, weakest
from verify.paper.facts.content import Assertion, judged, ready, sentence
from verify.refute.realised import realised


class Finding(Enum):
    """What is found of a statement that does not hold as printed."""

    ERROR = "error"
    CONTRADICTION = "contradiction"
    OVERSTATED = "overstated"
    UNDECIDED = "undecided"


MEANING = {
    Finding.ERROR: "Errors (E): as printed these are false, by a counterexample; where it says argued, by an argument.",
    Finding.CONTRADICTION: "Contradictions: two places of the paper, or the paper and what reproduces its tables, do "
    "not agree. Where they are only quoted, in our words, no proof is claimed.",
    Finding.OVERSTATED: "Overstated (R): remarks that go too far only when they are read word for word, without what "
    "the paper says elsewhere or what a reader would supply. These are no errors; each stands here with the reading "
    "that fails and with what is true.",
    Finding.UNDECIDED: "Undecided: what there is as evidence decides nothing of these as printed; no number is given.",
}

COUNTED = {
    Finding.ERROR: "errors",
    Finding.CONTRADICTION: "contradictions",
    Finding.OVERSTATED: "overstated remarks",
    Finding.UNDECIDED: "undecided claims",
}
"""What several of a kind are called."""


def finding(number: str | None, paper: Paper) -> Finding | None:
    """Return what an erratum's number says in a paper; None where there is none.

    >>> from tdrc_theory.papers import find_paper
    >>> [finding(number, find_paper()) for number in ("E1", "E12", "R1", None)]
    [<Finding.ERROR: 'error'>, <Finding.CONTRADICTION: 'contradiction'>, <Finding.OVERSTATED: 'overstated'>, None]
    """
    if number is None:
        return None
    if number.startswith("R"):
        return Finding.OVERSTATED
    shared = {claim.erratum for claim in paper.of_kind(Kind.CONTRADICTION)}
    return Finding.CONTRADICTION if number in shared else Finding.ERROR


def order(number: str) -> int:
    """Return where a finding stands among those of its kind: E12 is 12th; what is no number, last."""
    digits = number[1:]
    return int(digits) if digits.isdigit() else 10**6


_SYMBOLS = {symbol.name: symbol.latex for symbol in NOTATION if len(symbol.name) > 1 and symbol.latex != symbol.name}
_FOUND = re.compile(rf"\b({'|'.join(sorted(_SYMBOLS, key=len, reverse=True))})\b|([\\^_%&#$~{{}}])")


def words_as_latex(words: str) -> str:
    r"""Return LaTeX of a statement in words.

    >>> print(words_as_latex("eta > 0 and x_1 < beta"))
    \text{$\eta$ > 0 and x\_1 < $\beta$}
    """
    return rf"\text{{{_FOUND.sub(_written, words)}}}"


def _written(match: re.Match[str]) -> str:
    name, special = match.groups()
    if name is not None:
        return f"${_SYMBOLS[name]}$"
    return {"^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}.get(
        special, f"\\{special}"
    )


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What is found of a claim.

    Attributes:
        statement, printed: what is printed, formulas in the paper's notation, and its judgement.
        correction, corrected: what is true, where that is not, and its judgement.
        kernel: the statement that the proof assistant accepted here, or None where it was not run.
        refutation: the statement that it accepted here and that refutes what is printed, likewise.
    """

    paper: Paper
    claim: Claim
    statement: Assertion
    printed: Judgement
    correction: Assertion | None
    corrected: Judgement | None
    kernel: str | None = None
    refutation: str | None = None

    @property
    def as_expected(self) -> bool:
        """Return whether both formulas came out as the registry says."""
        corrected = None if self.corrected is None else self.corrected.status.value
        return (self.printed.status.value, corrected) == self.claim.expected

    @property
    def judgement(self) -> Judgement:
        """Return the judgement of the formula that should be true."""
        return self.printed if self.corrected is None else self.corrected

    @property
    def finding(self) -> Finding | None:
        """Return whether this is an error, a contradiction, overstated or undecided; None for what holds as printed."""
        undecided = self.claim.erratum is None and self.printed.status is Status.UNDECIDED
        return Finding.UNDECIDED if undecided else finding(self.claim.erratum, self.paper)

    @property
    def printed_proof(self) -> Proof | None:
        """Return how the status of what is printed is known; None of two places that contradict each other."""
        if self.printed.status is Status.FAILS and self.refutation is not None:
            return Proof.KERNEL
        return self._proof(self.printed, self.corrected is None)

    @property
    def corrected_proof(self) -> Proof | None:
        """Return how the status of what is corrected is known."""
        return None if self.corrected is None else self._proof(self.corrected, True)

    @property
    def theorems(self) -> list[tuple[str, str, str | None]]:
        """Return the claim's theorems in Coq: name, its part, and the statement that was accepted here, if any."""
        claim = self.claim
        parts = (claim.theorem, "", self.kernel), (claim.refutation, ", which refutes what is printed", self.refutation)
        return [(name, part, statement) for name, part, statement in parts if name is not None]

    def _proof(self, judgement: Judgement, stated_in_coq: bool) -> Proof | None:
        """Return a judgement's evidence: the proof assistant's where it proved what holds and just this statement."""
        known = stated_in_coq and self.kernel is not None and judgement.status is Status.HOLDS
        return Proof.KERNEL if known else judgement.proof

    @property
    def proof(self) -> Proof | None:
        """Return the weaker of both."""
        proofs = [each for each in (self.printed_proof, self.corrected_proof) if each is not None]
        return weakest(proofs) if proofs else None

    def __repr__(self) -> str:
        kinds = [f"printed {self.printed.status.value} ({proof_name(self.printed_proof) or '-'})"]
        if self.corrected is not None:
            kinds.append(f"corrected {self.corrected.status.value} ({proof_name(self.corrected_proof) or '-'})")
        return f"<{self.claim.id}: {', '.join(kinds)}>"

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        claim = self.claim
        return {
            "claim": claim.id,
            "title": claim.title,
            "source": claim.source,
            "role": claim.role.value,
            "printed": self.printed.status.value,
            "corrected": None if self.corrected is None else self.corrected.status.value,
            "proof": proof_name(self.proof),
            "printed_proof": proof_name(self.printed_proof),
            "corrected_proof": proof_name(self.corrected_proof),
            "kind": claim.kind.value,
            "witness": None if self.printed.witness is None else dict(self.printed.witness),
            "expected": self.as_expected,
            "erratum": claim.erratum,
            "severity": None if claim.severity is None else claim.severity.value,
            "finding": None if self.finding is None else self.finding.value,
            "formula": self._written(self.statement, claim.printed),
            "correction": None if self.correction is None else self._written(self.correction, claim.corrected),
            "rule": self.judgement.rule,
            "derivation": [
                {"reason": step.reason, "text": step.text, "latex": step.latex or None} for step in self.judgement.steps
            ],
            "kernel_statement": self.kernel,
            "kernel_refutation": self.refutation,
        }

    def meanings(self, content: Content | None) -> list[Expr]:
        """Return what the paper's own names in a formula that it prints, or that is true instead, stand for."""
        return list(self.paper.notation.meanings(content)) if isinstance(content, Expr) else []

    def ranges(self, content: Content | None) -> str:
        """Return what the symbols of a formula range over; "" of what is none."""
        return domains(content, self.paper.notation.names) if isinstance(content, Expr) else ""

    def _written(self, statement: Assertion, content: Content | None) -> dict[str, Any]:
        """Return a statement as text and LaTeX."""
        ranges = {"for_every": self.ranges(content)} if isinstance(content, Expr) else {}
        where = {"where": [text(meaning) for meaning in self.meanings(content)]} if self.meanings(content) else {}
        return {"text": sentence(statement), "latex": statement_latex(statement), **ranges, **where}


class Answers(Shown, list[Answer]):
    """What is found of the claims of a paper, in their order."""

    __slots__ = ()


def proof_name(proof: Proof | None) -> str | None:
    """Return the name of a kind of evidence; None where none is claimed."""
    return None if proof is None else proof.value


def statement_latex(statement: Assertion) -> str:
    """Return a statement as LaTeX."""
    return latex(statement) if isinstance(statement, Expr) else words_as_latex(sentence(statement))


_Asked = tuple[Claim, Assertion, Assertion | None]
"""A claim, what it prints and what is true, ready to be judged, by another process too."""


def _asked(claim: Claim, paper: Paper) -> _Asked:
    with errors_at(BadClaim, f"claim {claim.id}"):
        return claim, ready(claim.printed, paper), None if claim.corrected is None else ready(claim.corrected, paper)


def _nothing() -> None:
    """Do nothing, so that a process begins."""


def _judged(asked: _Asked, seconds: float | None = None) -> tuple[Judgement, Judgement | None]:
    claim, printed, true = asked
    with errors_at(BadClaim, f"claim {claim.id}"):
        judgement = _as_a_problem(_within(seconds, printed, claim.witness))
        return judgement, None if true is None else _within(seconds, true)


def _within(seconds: float | None, statement: Assertion, witness: Mapping[str, Any] | None = None) -> Judgement:
    """Return the judgement of a statement, which is undecided where it takes longer than so many seconds."""
    if seconds is None:
        return judged(statement, witness)
    try:
        return within(seconds, lambda given: judged(*given), (statement, witness))
    except TimeoutError:
        step = Step("not decided within", f"{seconds:g} s (--limit-seconds)")
        return Judgement(Status.UNDECIDED, None, "limit of time", (step,))


def _answer(
    asked: _Asked, judged: tuple[Judgement, Judgement | None], paper: Paper, kernel: Mapping[str, CoqAnswer]
) -> Answer:
    (claim, statement, correction), (printed, corrected), notation = asked, judged, paper.notation
    return Answer(
        paper=paper,
        claim=claim,
        statement=notation.written(statement) if isinstance(statement, Expr) else statement,
        printed=notation.judgement(printed),
        correction=notation.written(correction) if isinstance(correction, Expr) else correction,
        corrected=None if corrected is None else notation.judgement(corrected),
        kernel=_accepted(kernel, claim.theorem),
        refutation=_accepted(kernel, claim.refutation),
    )


def answer(claim: Claim, paper: Paper, kernel: Mapping[str, CoqAnswer] | None = None) -> Answer:
    """Judge one claim of a paper; what the proof assistant says of its theorem is taken from `kernel`."""
    return answers(paper, [claim], kernel)[0]


def _accepted(kernel: Mapping[str, CoqAnswer], name: str | None) -> str | None:
    """Return the statement of a theorem that the proof assistant accepted here, or None."""
    result = kernel.get(name or "")
    return str(result.theorem) if result is not None and result.accepted else None


def _as_a_problem(judgement: Judgement) -> Judgement:
    """Return the judgement with a Markov chain that has the matrices of its counterexample, where it is in matrices."""
    witness = judgement.witness or {}
    problem = realised(witness["values"]) if "values" in witness else None
    if problem is None:
        return judgement
    mrp = problem["mrp"]
    states = len(problem["features"])
    text = f"features {problem['features']}, P {mrp['P']}, r {mrp['r']}, d {mrp['d']}, gamma {problem['gamma']}"
    reason = f"a Markov chain of {states} states, weighted by the d given, has these matrices"
    step = Step(reason, text.replace("'", ""))
    return replace(judgement, steps=(step, *judgement.steps), witness={**witness, "problem": problem})


def claims_judged(paper: Paper) -> tuple[Claim, ...]:
    """Return the claims of a paper that are judged without runs: all but those on its experiments."""
    return tuple(claim for claim in paper.claims if claim.sweep is None)


def answers(
    paper: Paper,
    claims: Iterable[Claim] | None = None,
    kernel: Mapping[str, CoqAnswer] | None = None,
    workers: int | None = 1,
    seconds: float | None = None,
) -> Answers:
    """Judge claims, in order; each alone, so that the answers do not depend on the number of processes.

    Args:
        paper, claims: whose, and which of them; None: all that are judged without runs.
        kernel: what the proof assistant says of theorems.
        workers: processes; None: one for each usable core.
        seconds: in which each statement is judged; one that takes longer is undecided. None: no limit.

    Raises:
        BadClaim: a text is no statement, or speaks of what cannot be judged.
    """
    chosen = claims_judged(paper) if claims is None else tuple(claims)
    count = min(worker_count(workers), len(chosen))
    result = Answers()
    with process_pool(count) if count > 1 or seconds is not None else nullcontext() as pool:
        if pool is not None:
            for _ in range(count):
                pool.submit(_nothing)  # processes begin, and import this module, while the claims are read here
        asked, judge = [_asked(claim, paper) for claim in chosen], partial(_judged, seconds=seconds)
        with progress_bar("claims", len(asked)) as tell:
            for each, judgements in zip(asked, (map if pool is None else pool.map)(judge, asked), strict=True):
                result.append(_answer(each, judgements, paper, kernel or {}))
                tell(len(result))
    return result

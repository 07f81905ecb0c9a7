"""The checker checked: every mutant of a claim's true formula, and of a statement in words, is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tdrc_theory.claims import Claim
from tdrc_theory.columns import columns
from tdrc_theory.cores import worker_count
from tdrc_theory.formula.expression import RELATIONS, Expr
from tdrc_theory.formula.shapes import TRUTH, shape
from tdrc_theory.formula.vocabulary import SCALAR
from tdrc_theory.formula.written import text
from tdrc_theory.processes import process_pool
from tdrc_theory.progress import progress_bar
from verify.check import Proof, Status
from verify.paper.facts import Fact
from verify.paper.facts.fact import judged, sentence
from verify.paper.facts.mutants import StatementMutant, statement_mutants
from verify.paper.judge import SAYS_NOTHING, judge
from verify.paper.meaning import OutsideTheAlgebra
from verify.paper.mutants import Mutant, mutants
from verify.paper.pencils import pencil_of

_CHUNK = 20


@dataclass(frozen=True, slots=True)
class MutantOutcome:
    """What the judge says of one mutant."""

    claim: str
    mutant: Mutant
    status: Status
    rule: str


@dataclass(frozen=True, slots=True)
class Score:
    """The outcomes of all mutants, in the registry's order."""

    outcomes: tuple[MutantOutcome, ...]

    def count(self, status: Status, kind: str | None = None) -> int:
        """Return how many, of a kind or of all, came out so."""
        return sum(o.status is status and kind in (None, o.mutant.kind) for o in self.outcomes)

    @property
    def survivors(self) -> tuple[MutantOutcome, ...]:
        """Return the mutants that are neither refuted nor proven."""
        return tuple(o for o in self.outcomes if o.status is Status.UNDECIDED and o.rule != SAYS_NOTHING)

    @property
    def void(self) -> tuple[MutantOutcome, ...]:
        """Return the mutants that say nothing, for want of an inverse where their hypotheses hold."""
        return tuple(o for o in self.outcomes if o.rule == SAYS_NOTHING)

    def lines(self) -> Iterator[str]:
        """Yield the score by kind of mutant, what survived, and the sum."""
        kinds = Counter(o.mutant.kind for o in self.outcomes)
        rows = [(k, str(n), *map(str, self._row(k))) for k, n in sorted(kinds.items())]
        yield columns(("mutation", "mutants", "refuted", "true as well", "say nothing", "survived"), rows)
        for outcome in self.void:
            yield f"says nothing: {outcome.claim}: {outcome.mutant}"
        for outcome in self.survivors:
            yield f"survived: {outcome.claim}: {outcome.mutant}"
            yield f"          because {why_undecided(outcome.mutant.formula)}"
        yield self.summary

    def to_json(self) -> dict[str, Any]:
        """Return every mutant with what the judge says of it, and the counts."""
        refuted, true, void, survived = self._row(None)
        return {
            "mutants": len(self.outcomes),
            "refuted": refuted,
            "true_as_well": true,
            "without_meaning": void,
            "survived": survived,
            "outcomes": [
                {"claim": o.claim, "mutation": o.mutant.kind, "formula": str(o.mutant), "status": o.status.value}
                for o in self.outcomes
            ],
        }

    def _row(self, kind: str | None) -> tuple[int, int, int, int]:
        void, survived = (sum(kind in (None, o.mutant.kind) for o in some) for some in (self.void, self.survivors))
        return self.count(Status.FAILS, kind), self.count(Status.HOLDS, kind), void, survived

    @property
    def summary(self) -> str:
        """Return the score in one line."""
        refuted, true, void, survived = self._row(None)
        told = f"{refuted} refuted, {true} proven true as well, {void} without meaning, {survived} survived"
        return f"{len(self.outcomes)} mutants: {told}"


def why_undecided(formula: Expr) -> str:
    """Return what stands in the way of a proof and of a counterexample."""
    for _, node in formula.walk():
        if node.op in RELATIONS and node.has("eigmax", "eigmin"):
            try:
                pencil = pencil_of(node)
            except OutsideTheAlgebra as reason:
                return f"{text(node)} is no definite pencil ({reason}), and no instance near its boundary refutes it"
            if not pencil.strict:
                return f"{text(node)} allows equality, where a form that the proof needs may vanish"
    scalars = not formula.has("block") and all(shape(node) in (SCALAR, TRUTH) for _, node in formula.walk())
    if scalars:
        return "no certificate of the degrees that are tried exists, and no values that are tried refute it"
    return "no rule applies, and no instance that is tried refutes it"


def mutation_score(claims: Sequence[Claim], every: int = 1, workers: int | None = None) -> Score:
    """Judge the mutants of claims' true formulas.

    Args:
        claims: whose formulas are changed.
        every: take each `every`-th mutant only.
        workers: processes; default one for each usable core.
    """
    made = [(claim.id, mutant) for claim in claims for mutant in mutants(claim.true_formula)][::every]
    with progress_bar("mutants", len(made)) as tell:
        found = []
        for outcome in _judged(made, worker_count(workers)):
            found.append(outcome)
            tell(len(found))
    return Score(tuple(found))


def _judged(made: Sequence[tuple[str, Mutant]], workers: int) -> Iterable[MutantOutcome]:
    if workers == 1:
        yield from map(_outcome, made)
        return
    with process_pool(workers) as pool:
        yield from pool.map(_outcome, made, chunksize=_CHUNK)


def _outcome(made: tuple[str, Mutant]) -> MutantOutcome:
    claim, mutant = made
    judgement = judge(mutant.formula)
    return MutantOutcome(claim, mutant, judgement.status, judgement.rule)


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """What evaluation says of one mutant of a statement.

    Attributes:
        claim: the statement's id.
        mutant: the changed statement.
        status: of the mutant. proof: how it is known.
        before: the status of the statement itself.
    """

    claim: str
    mutant: StatementMutant
    status: Status
    proof: Proof | None
    before: Status


@dataclass(frozen=True, slots=True)
class StatementScore:
    """The outcomes of all mutants of statements in words, in the registry's order."""

    outcomes: tuple[StatementOutcome, ...]

    def counts(self, before: Status) -> tuple[int, int, int]:
        """Return how many mutants of statements with a status fail, hold, and are undecided."""
        found = Counter(o.status for o in self.outcomes if o.before is before)
        return found[Status.FAILS], found[Status.HOLDS], found[Status.UNDECIDED]

    def lines(self) -> Iterator[str]:
        """Yield the score by status of the statement, and the sum."""
        rows = [(status.value, *map(str, self.counts(status))) for status in (Status.HOLDS, Status.FAILS)]
        yield columns(("statement", "mutants fail", "hold", "undecided"), rows)
        count, same = len(self.outcomes), sum(o.status is o.before for o in self.outcomes)
        yield f"{count} mutants of statements in words: {count - same} come out otherwise, {same} alike"

    def to_json(self) -> dict[str, Any]:
        """Return every mutant with what evaluation says of it."""
        return {
            "mutants": len(self.outcomes),
            "outcomes": [
                {
                    "claim": o.claim,
                    "mutation": o.mutant.kind,
                    "statement": sentence(o.mutant.statement),
                    "before": o.before.value,
                    "status": o.status.value,
                    "proof": None if o.proof is None else o.proof.value,
                }
                for o in self.outcomes
            ],
        }


def statement_score(facts: Sequence[Fact], every: int = 1) -> StatementScore:
    """Evaluate the mutants of statements, printed and corrected.

    Args:
        facts: whose statements are changed.
        every: take each `every`-th mutant only.
    """
    statements = [(fact.id, said) for fact in facts for said in (fact.printed, fact.corrected) if said is not None]
    altered = [(name, said, mutant) for name, said in statements for mutant in statement_mutants(said)][::every]
    outcomes = []
    with progress_bar("statements", len(altered)) as tell:
        for done, (name, said, mutant) in enumerate(altered, 1):
            found = mutant.statement.judged()
            outcomes.append(StatementOutcome(name, mutant, found.status, found.proof, judged(said).status))
            tell(done)
    return StatementScore(tuple(outcomes))

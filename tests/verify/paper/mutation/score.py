"""The checker checked: every mutant of a true formula, and of a statement in words, is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from mutation.formulas import Mutant, mutants
from mutation.statements import StatementMutant, statement_mutants

from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.workers import process_pool, worker_count
from tdrc_theory.formula.expression import RELATIONS, Expr
from tdrc_theory.formula.vocabulary import SCALAR, TRUTH, shape
from tdrc_theory.formula.written import text
from tdrc_theory.papers.claim import Claim, Content, Kind, Paper, Words
from tdrc_theory.tables.table import Table
from verify.check import Proof, Status
from verify.paper.facts.content import Argument, judged, ready
from verify.paper.judge import SAYS_NOTHING, judge
from verify.prove.knowledge import pencil_of
from verify.prove.meaning import OutsideTheAlgebra

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
        yield Table(
            "mutants", ("mutation", "mutants", "refuted", "true as well", "say nothing", "survived"), rows
        ).text()
        for outcome in self.void:
            yield f"says nothing: {outcome.claim}: {outcome.mutant}"
        for outcome in self.survivors:
            yield f"survived: {outcome.claim}: {outcome.mutant}"
            yield f"          because {why_undecided(outcome.mutant.formula)}"
        yield self.summary

    def _row(self, kind: str | None) -> tuple[int, int, int, int]:
        void, survived = (sum(kind in (None, o.mutant.kind) for o in some) for some in (self.void, self.survivors))
        return self.count(Status.FAILS, kind), self.count(Status.HOLDS, kind), void, survived

    @property
    def summary(self) -> str:
        """Return the score in one line."""
        refuted, true, void, survived = self._row(None)
        counts = f"{refuted} refuted, {true} proven true as well, {void} without meaning, {survived} survived"
        return f"{len(self.outcomes)} mutants: {counts}"


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


def formulas(paper: Paper) -> list[tuple[str, Expr]]:
    """Return (id, formula): the true formula of every claim that is one, and those of other claims and their lemmas."""
    claims = [claim for claim in paper.claims if claim.sweep is None]
    claims.sort(key=lambda claim: claim.kind is not Kind.FORMULA)
    seen: dict[Expr, str] = {}
    for claim in claims:
        for content in (claim.corrected or claim.printed,) if claim.kind is Kind.FORMULA else statements_of(claim):
            for part in content.lemmas if isinstance(content, Words) else (content,):
                if isinstance(part, Expr):
                    seen.setdefault(part, claim.id)
    return [(name, formula) for formula, name in seen.items()]


def statements_of(claim: Claim) -> tuple[Content, ...]:
    """Return what is printed and what is corrected in a claim."""
    return (claim.printed,) if claim.corrected is None else (claim.printed, claim.corrected)


def mutation_score(paper: Paper, every: int = 1, workers: int | None = None) -> Score:
    """Judge the mutants of formulas.

    Args:
        paper: whose formulas are changed, each once.
        every: take each `every`-th mutant only.
        workers: processes; default one for each usable core.
    """
    result = [(name, mutant) for name, formula in formulas(paper) for mutant in mutants(formula)][::every]
    with progress_bar("mutants", len(result)) as tell:
        results = []
        for outcome in _judged(result, worker_count(workers)):
            results.append(outcome)
            tell(len(results))
    return Score(tuple(results))


def _judged(result: Sequence[tuple[str, Mutant]], workers: int) -> Iterable[MutantOutcome]:
    if workers == 1:
        yield from map(_outcome, result)
        return
    with process_pool(workers) as pool:
        yield from pool.map(_outcome, result, chunksize=_CHUNK)


def _outcome(result: tuple[str, Mutant]) -> MutantOutcome:
    claim, mutant = result
    judgement = judge(mutant.formula)
    return MutantOutcome(claim, mutant, judgement.status, judgement.rule)


class Agreement(Enum):
    """What comes of a mutant of a statement in words."""

    OTHERWISE = "otherwise"
    CONFIRMED = "alike, and the other code finds the same"
    OPEN = "undecided, as before"
    UNCONFIRMED = "alike, and the other code does not decide it"
    CONTRADICTED = "the other code finds the opposite"


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """What evaluation says of one mutant of a statement.

    Attributes:
        claim: the statement's id.
        mutant: the changed statement.
        status: of the mutant. proof: how it is known.
        before: the status of the statement itself.
        again: what the other code finds of the altered statement, None where it does not decide it.
    """

    claim: str
    mutant: StatementMutant
    status: Status
    proof: Proof | None
    before: Status
    again: bool | None

    @property
    def agreement(self) -> Agreement:
        """Return what comes of it; an argument that stands says that its altered lemma is true."""
        value = {Status.HOLDS: True, Status.FAILS: isinstance(self.mutant.statement, Argument)}.get(self.status)
        if None not in (value, self.again) and value is not self.again:
            return Agreement.CONTRADICTED
        if self.status is not self.before:
            return Agreement.OTHERWISE
        if value is None:
            return Agreement.OPEN
        return Agreement.UNCONFIRMED if self.again is None else Agreement.CONFIRMED


@dataclass(frozen=True, slots=True)
class StatementScore:
    """The outcomes of all mutants of statements in words, in the registry's order."""

    outcomes: tuple[StatementOutcome, ...]

    def count(self, result: Agreement) -> int:
        """Return of how many mutants that comes."""
        return sum(o.agreement is result for o in self.outcomes)

    def lines(self) -> Iterator[str]:
        """Yield the score by what was changed, every mutant that is not settled, and the sum."""
        kinds = Counter((o.mutant.kind, o.agreement) for o in self.outcomes)
        rows = [(kind, *(str(kinds[kind, each]) for each in Agreement)) for kind in sorted({kind for kind, _ in kinds})]
        yield Table(
            "statements", ("alteration", "otherwise", "confirmed", "undecided", "unconfirmed", "contradicted"), rows
        ).text()
        for outcome in self.outcomes:
            if outcome.agreement in (Agreement.UNCONFIRMED, Agreement.CONTRADICTED):
                yield f"{outcome.claim}: {outcome.status.value}, {outcome.agreement.value}: "
                yield f"          {outcome.mutant.altered}"
        counts = ", ".join(f"{self.count(each)} {each.value}" for each in Agreement)
        yield f"{len(self.outcomes)} mutants of statements in words: {counts}"


def statement_score(paper: Paper, every: int = 1) -> StatementScore:
    """Evaluate the mutants of statements, printed and corrected, by both codes.

    Args:
        paper: whose statements are changed.
        every: take each `every`-th mutant only.
    """
    claims = [claim for claim in paper.claims if claim.sweep is None]
    statements = [(claim.id, ready(content, paper)) for claim in claims for content in statements_of(claim)]
    altered = [(name, statement, mutant) for name, statement in statements for mutant in statement_mutants(statement)][
        ::every
    ]
    outcomes = []
    with progress_bar("statements", len(altered)) as tell:
        for done, (name, statement, mutant) in enumerate(altered, 1):
            result, again = mutant.statement.judged(), mutant.altered.recheck({})
            outcomes.append(
                StatementOutcome(name, mutant, result.status, result.proof, judged(statement).status, again)
            )
            tell(done)
    return StatementScore(tuple(outcomes))

"""A paper as data, and its claims: what is printed, what is true, and where. There is one type for every kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from tdrc_theory.errors import TheoryError
from tdrc_theory.formula.expression import Expr, equal, iff
from tdrc_theory.formula.vocabulary import SCALAR, TRUTH, shape
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Judgement, Step
from tdrc_theory.registry import named

_JOINED = ("add", "mul", "and", "or")


@dataclass(frozen=True, slots=True)
class Notation:
    """What a paper calls what: formulas are shown with the names that its folder defines, and what these stand for.

    A definition that is one symbol is another name of it; any other is a name of a term or of a relation, wherever that
    stands. Formulas are read, judged and kept with the symbols of the vocabulary.

    Attributes:
        definitions: names, and the symbol, term or relation that each stands for; each uses none but those before it.
        names: what the paper calls symbols of the vocabulary, by their names.
    """

    definitions: Mapping[str, Expr] = field(default_factory=dict)
    names: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Collect the other names of symbols."""
        object.__setattr__(self, "names", {of.name: name for name, of in self.definitions.items() if of.op == "symbol"})

    def written(self, formula: Expr) -> Expr:
        """Return a formula to be shown: its largest parts that have a name are replaced by that name."""
        return self._written(formula, dict(self.definitions))

    def meanings(self, formula: Expr) -> Iterator[Expr]:
        """Yield what each name of a term or relation that is shown in a formula stands for, as it is shown."""
        todo, seen = [self.written(formula)], set[str]()
        while todo:
            shown = {node.name for _, node in todo.pop(0).walk() if node.op in ("scalar", "vector")}
            for name in sorted(shown - seen - {*self.names.values()}):
                seen.add(name)
                meaning = self.definitions[name]
                before = {other: of for other, of in self.definitions.items() if other != name}
                inside = self._written(meaning, before)
                yield (iff if shape(meaning) == TRUTH else equal)(_named(name, meaning), inside)
                todo.append(inside)

    def judgement(self, judged: Judgement) -> Judgement:
        """Return a judgement with its steps in this notation; its data stay."""
        return replace(judged, steps=tuple(map(self._step, judged.steps))) if self.definitions else judged

    def _step(self, step: Step) -> Step:
        about = None if step.about is None else self.written(step.about)
        if step.formula is None:
            return replace(step, about=about)
        formula = self.written(step.formula)
        if step.text == text(step.formula):
            return Step(step.why, text(formula), formula, about)
        renamed = re.sub(r"[\w']+", lambda word: self.names.get(word[0], word[0]), step.text)  # values of symbols
        return Step(step.why, renamed, formula, about)

    def _written(self, formula: Expr, definitions: Mapping[str, Expr]) -> Expr:
        for name, meaning in reversed(list(definitions.items())):
            if formula == meaning:
                return _named(name, meaning)
        parts = list(formula.args)
        for name, meaning in reversed(list(definitions.items())):
            if formula.op in _JOINED and meaning.op == formula.op:
                parts = _replaced(parts, meaning.args, _named(name, meaning))
        if not parts:
            return formula
        return Expr(formula.op, tuple(self._written(part, definitions) for part in parts), formula.name)


def _replaced(parts: list[Expr], run: tuple[Expr, ...], name: Expr) -> list[Expr]:
    """Return parts with a name for each run of them."""
    i = 0
    while i + len(run) <= len(parts):
        if tuple(parts[i : i + len(run)]) == run:
            parts = [*parts[:i], name, *parts[i + len(run) :]]
        i += 1
    return parts


def _named(name: str, meaning: Expr) -> Expr:
    return Expr("scalar" if shape(meaning) in (SCALAR, TRUTH) else "vector", (), name)


class Role(Enum):
    """What a claim is for."""

    IDENTITY = "identity"
    NECESSARY = "necessary"
    SUFFICIENT = "sufficient"
    DEFINITION = "definition"
    REMARK = "remark"


class Kind(Enum):
    """What a claim speaks of, and so how it is judged."""

    FORMULA = "formula"
    PROBLEM = "problem"
    WORDS = "words"
    EXPERIMENT = "experiment"
    CONTRADICTION = "contradiction"


class Severity(Enum):
    """How much an erratum matters, the worst first."""

    WRONG_RESULT = "wrong result"
    WRONG_STEP = "wrong step"
    OVERSTATED = "overstated"
    SLIP = "slip"


class BadClaim(TheoryError, ValueError):
    """A claim, or a paper's folder, that cannot be read or contradicts itself."""


@dataclass(frozen=True, slots=True)
class Text:
    """A statement on problems or experiments, in the language of claims; `verify` and `simulate` know what it means."""

    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence that a person concludes from lemmas which the machine checks.

    Attributes:
        says: the sentence.
        lemmas: formulas or statements; all are to hold.
        steps: (reason, what follows) pairs, in words.
        refuted: whether the argument is that the sentence is false.
    """

    says: str
    lemmas: tuple[Expr | Text, ...]
    steps: tuple[tuple[str, str], ...]
    refuted: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """Two places that give one quantity different values, in our words.

    Attributes:
        quantity: what they speak of.
        here, there: (place, value).
    """

    quantity: str
    here: tuple[str, str]
    there: tuple[str, str]


Content = Expr | Text | Words | Places
"""What a claim says: a formula, a statement, a sentence with its argument, or two places."""

CONTENTS = {
    Kind.FORMULA: Expr,
    Kind.PROBLEM: Text,
    Kind.EXPERIMENT: Text,
    Kind.WORDS: Words,
    Kind.CONTRADICTION: Places,
}
"""What is printed in a claim of each kind; what is corrected may be of any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of a paper that can be true or false.

    Attributes:
        id: unique in its paper; words with dots and hyphens.
        title: one line.
        source: the place in the paper.
        kind: what it speaks of.
        role: what it is for.
        printed: what the paper says.
        corrected: what is true, where the printed is not.
        erratum: its number among the errata, such as "E1".
        severity: how much the erratum matters; there is one exactly where there is an erratum.
        undecided: whether what is known decides nothing of what is printed; the remark says why.
        theorem: the theorem of `tdrc_theory/proofs` that states the claim (the corrected one where there is one).
        refutation: the theorem of `tdrc_theory/proofs` that refutes what is printed.
        witness: a counterexample to the formula that is printed, tried first: its dimension, and values of its symbols.
        sweep: the experiment of the paper's folder whose runs what is printed is about; None where it is about none.
        remark: what a reader should know, in a sentence.
    """

    id: str
    title: str
    source: str
    kind: Kind
    printed: Content
    role: Role = Role.REMARK
    corrected: Content | None = None
    erratum: str | None = None
    severity: Severity | None = None
    undecided: bool = False
    theorem: str | None = None
    refutation: str | None = None
    witness: Mapping[str, Any] | None = None
    sweep: str | None = None
    remark: str = ""

    def __repr__(self) -> str:
        return f"<{self.id} ({self.source}): {self.title}>"

    def __post_init__(self) -> None:
        """Check that its parts belong to each other."""
        if not isinstance(self.printed, CONTENTS[self.kind]):
            raise BadClaim(f"{self.id}: what is printed is no claim of kind {self.kind.value}")
        if self.sweep is not None and self.kind is not Kind.EXPERIMENT:
            raise BadClaim(f"{self.id}: a claim of kind {self.kind.value} is about no sweep")
        if self.erratum is None and (self.corrected is not None or self.refutation is not None):
            raise BadClaim(f"{self.id}: a correction or a refutation needs an erratum")
        if self.undecided and (self.erratum is not None or not self.remark):
            raise BadClaim(f"{self.id}: what is undecided needs a remark, and is no erratum")

    @property
    def expected(self) -> tuple[str, str | None]:
        """Return the statuses that the paper's folder expects of what is printed and what is corrected."""
        printed = "undecided" if self.undecided else "holds" if self.erratum is None else "fails"
        return (printed, None if self.corrected is None else "holds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper that is refereed.

    Attributes:
        name: what the command calls it: a built-in name, or the path of its folder.
        folder: where its files are; what its claims name is relative to it.
        title, authors, year, link: as a list of references has them.
        claims: in the order of its files.
        definitions: names of its own and the text that each stands for.
        notation: those of them that are shown in formulas, in the place of what they stand for.
        withdrawn: numbers of errata that are no longer used, and the number of the same claim now.
    """

    name: str
    folder: Path
    title: str
    authors: tuple[str, ...]
    year: int
    link: str
    claims: tuple[Claim, ...]
    definitions: Mapping[str, str] = field(default_factory=dict)
    notation: Notation = field(default_factory=Notation)
    withdrawn: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title} ({self.year}), {len(self.claims)} claims>"

    def claim(self, identifier: str) -> Claim:
        """Return a claim by its id.

        Raises:
            UnknownName: there is no such claim.
        """
        return named("claim", identifier, self.claims, by="id")

    def of_kind(self, *kinds: Kind) -> tuple[Claim, ...]:
        """Return its claims of some kinds."""
        return tuple(claim for claim in self.claims if claim.kind in kinds)

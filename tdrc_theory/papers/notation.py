"""A paper's own notation: formulas are shown with the names that its folder defines, and what these stand for.

A definition that is one symbol is another name of it; any other is a name of a term or of a relation, wherever that
stands. Formulas are read, judged and kept with the symbols of the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from tdrc_theory.formula.expression import Expr, equal, iff
from tdrc_theory.formula.vocabulary import SCALAR, TRUTH, shape
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Judgement, Step

_JOINED = ("add", "mul", "and", "or")


@dataclass(frozen=True, slots=True)
class Notation:
    """What a paper calls what.

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

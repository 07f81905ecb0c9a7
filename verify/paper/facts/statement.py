"""Statements of the paper as data: one tree, from which the sentence, its truth and its mutants come.

A leaf is an atom (`atoms.py`): something exact arithmetic decides of a problem and a learner. `All`, `Any`, `Not` and
`If` join statements. `ForEach` ranges over values that are listed, and holds where the statement does at each of them.
`ForEvery` ranges over all problems, or all values of a parameter: it is refuted by its witness, where the statement is
false and `recheck/` finds the same, and is undecided otherwise; examples never prove it.

Names of parameters (`"eta"`) stand for the value that a quantifier around them gives; a scope holds those values.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tdrc_theory.judgement import Judgement, Step
from verify.check import Proof, Status, weakest
from verify.paper.facts.problems import problem_named

Scope = Mapping[str, Any]
"""The problem's name and the parameters' values that quantifiers give."""


def at_values(scope: Scope) -> str:
    """Return the numbers of a scope, to stand behind a statement.

    >>> at_values({"problem": "baird", "eta": Fraction(1, 7)})
    ', eta = 1/7'
    """
    return "".join(f", {name} = {value}" for name, value in scope.items() if isinstance(value, int | Fraction))


@dataclass(frozen=True, slots=True)
class Truth:
    """What evaluation gives: True, False or None where unknown, the weakest evidence, and the atoms evaluated.

    Where it is false, `witness` has the problem as data, and what holds there.
    """

    value: bool | None
    proof: Proof
    steps: tuple[Step, ...] = ()
    witness: Mapping[str, Any] | None = None


class Statement:
    """A node of the tree."""

    __slots__ = ()

    rule: ClassVar[str] = "evaluation of its parts"
    needs: ClassVar[str] = ""
    """What a quantifier around it has to give: "problem", "sample", "policies"; "" for nothing."""
    says: ClassVar[str] = ""
    """The English sentence, with fields of the statement, {0}, in it."""

    def __str__(self) -> str:
        return self.says.format(self)

    def truth(self, scope: Scope) -> Truth:
        """Evaluate it."""
        raise NotImplementedError

    def recheck(self, _: Scope) -> bool | None:
        """Evaluate it by code that shares nothing with `truth`; None where there is no such code."""
        return None

    def inside(self, _: Scope) -> Iterable[tuple[Statement, Scope]]:
        """Return its parts, each with the scope in which it stands."""
        return ()

    def data(self, scope: Scope) -> tuple[Mapping[str, Any], ...]:
        """Return what the witness of a refutation says of the atoms in it."""
        return tuple(each for part, inner in self.inside(scope) for each in part.data(inner))

    def judged(self) -> Judgement:
        """Return the judgement: the very statement that its sentence is made of is evaluated."""
        result = self.truth({})
        witness = dict(result.witness or {}) if result.value is False else None
        return Judgement(Status.of(result.value), result.proof, self.rule, result.steps, witness)


RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return a list in words.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = parts
    return f"{', '.join(first)} {word} {last}" if first else last


def _bracketed(part: Statement) -> str:
    """Return the sentence of a part, in brackets where it is joined itself."""
    return f"({part})" if isinstance(part, _Joined | If | ForEvery) else str(part)


def _merged(value: bool | None, parts: Iterable[Truth]) -> Truth:
    result = list(parts)
    steps = tuple(dict.fromkeys(step for part in result for step in part.steps))
    witness = next((part.witness for part in result if part.witness is not None), None)
    return Truth(value, weakest(part.proof for part in result), steps, witness)


class _Joined(Statement):
    """Statements of which one whose value is `_decides` settles the whole."""

    __slots__ = ()
    _decides: ClassVar[bool] = False

    def truth(self, scope: Scope) -> Truth:
        """Evaluate the parts; those that settle the whole count alone."""
        result = [self._evaluated(part, inner) for part, inner in self.inside(scope)]
        settling = [each for each in result if each.value is self._decides]
        if settling:
            return _merged(self._decides, settling)
        return _merged(_three(each.value for each in result), result)

    @staticmethod
    def _evaluated(part: Statement, scope: Scope) -> Truth:
        return part.truth(scope)

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate the parts by the other code."""
        result = [part.recheck(inner) for part, inner in self.inside(scope)]
        return self._decides if self._decides in result else _three(result)


def _three(values: Iterable[bool | None]) -> bool | None:
    """Return what all of them are, None where one is unknown."""
    result = list(values)
    return None if None in result else result[0]


@dataclass(frozen=True, slots=True)
class _Parts(_Joined):
    """Statements that are joined by a word."""

    parts: tuple[Statement, ...]

    _word: ClassVar[str]

    def __str__(self) -> str:
        return joined(map(_bracketed, self.parts), self._word)

    def inside(self, scope: Scope) -> Iterable[tuple[Statement, Scope]]:
        """Return the parts."""
        return [(part, scope) for part in self.parts]


class All(_Parts):
    """Every part holds."""

    __slots__ = ()
    _word = "and"


class Either(_Parts):
    """Some part holds."""

    __slots__ = ()
    _word, _decides = "or", True


@dataclass(frozen=True, slots=True)
class Not(Statement):
    """The part does not hold."""

    part: Statement

    def __str__(self) -> str:
        return f"it is not so that {_bracketed(self.part)}"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate the part."""
        result = self.part.truth(scope)
        return _merged(None if result.value is None else not result.value, [result])

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate the part by the other code."""
        result = self.part.recheck(scope)
        return None if result is None else not result

    def inside(self, scope: Scope) -> Iterable[tuple[Statement, Scope]]:
        """Return the part."""
        return [(self.part, scope)]


@dataclass(frozen=True, slots=True)
class If(Statement):
    """The first statement implies the second."""

    hypothesis: Statement
    conclusion: Statement

    def __str__(self) -> str:
        hypothesis = str(self.hypothesis) if isinstance(self.hypothesis, All) else _bracketed(self.hypothesis)
        return f"if {hypothesis}, then {_bracketed(self.conclusion)}"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate both."""
        first, second = self.hypothesis.truth(scope), self.conclusion.truth(scope)
        if first.value is False:
            return _merged(True, [first])
        if second.value is True:
            return _merged(True, [second])
        return _merged(False if first.value and second.value is False else None, [first, second])

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate both by the other code."""
        first, second = self.hypothesis.recheck(scope), self.conclusion.recheck(scope)
        if first is False or second is True:
            return True
        return False if first and second is False else None

    def inside(self, scope: Scope) -> Iterable[tuple[Statement, Scope]]:
        """Return both."""
        return [(self.hypothesis, scope), (self.conclusion, scope)]


def _at(part: Statement, scope: Scope) -> Truth:
    """Evaluate a statement in a scope; where it is false, with that scope as its witness."""
    result = part.truth(scope)
    if result.value is not False or result.witness is not None:
        return result
    shown: dict[str, Any] = {}
    for name, value in scope.items():
        if name == "problem":
            shown |= problem_named(value).plain
        else:
            shown |= {name: str(value)} if isinstance(value, Fraction | int) else value.data()
    return Truth(False, result.proof, result.steps, {**shown, "evaluated": list(part.data(scope))})


@dataclass(frozen=True, slots=True)
class ForEach(_Joined):
    """It holds for each of the values of "problem", or of a parameter, that are listed."""

    name: str
    values: tuple[Any, ...]
    body: Statement

    _evaluated = staticmethod(_at)

    def __str__(self) -> str:
        if self.name == "problem":
            names = [problem_named(value).title for value in self.values]
            return f"on {'each of ' if names[1:] else ''}{joined(names)}: {self.body}"
        return f"for each {self.name} in {{{', '.join(map(str, self.values))}}}: {self.body}"

    def inside(self, scope: Scope) -> Iterable[tuple[Statement, Scope]]:
        """Return the body at every value."""
        return [(self.body, {**scope, self.name: value}) for value in self.values]


@dataclass(frozen=True, slots=True)
class Over:
    """What a statement is quantified over: all problems (or distributions, ...), or the values of a parameter.

    Attributes:
        name: "problem", "sample", "policies", or a parameter.
        relation, bound: which values of a parameter; "" for what is no number.
    """

    name: str
    relation: str = ""
    bound: Fraction | int = 0

    def __str__(self) -> str:
        """Return what it ranges over."""
        return f"every {self.name} {self.relation} {self.bound}" if self.relation else f"every {_KINDS[self.name]}"

    def contains(self, value: Any) -> bool:
        """Return whether a value is one of them."""
        return bool(RELATIONS[self.relation](value, self.bound)) if self.relation else self.name in _KINDS


_KINDS = {"problem": "problem", "sample": "distribution of samples", "policies": "pair of policies"}


@dataclass(frozen=True, slots=True)
class ForEvery(Statement):
    """It holds for all of what it ranges over: refuted by its witness, (name, value) pairs, undecided otherwise."""

    over: tuple[Over, ...]
    body: Statement
    witness: tuple[tuple[str, Any], ...]

    rule: ClassVar[str] = "a counterexample"

    def __str__(self) -> str:
        return f"for {joined(map(str, self.over))}: {self.body}"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate the body at the witness; it is false where both codes say so."""
        ((body, inner),) = self.inside(scope)
        result = _at(body, inner)
        if result.value is False and self.recheck(scope) is False:
            return result
        why = "the witness does not refute it" if result.value else "the witness is not confirmed to refute it"
        return Truth(None, Proof.SAMPLED, (*result.steps, Step(why, "and examples prove nothing")))

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate the body at the witness by the other code."""
        ((body, inner),) = self.inside(scope)
        is_one = all(each.name in inner and each.contains(inner[each.name]) for each in self.over)
        return False if is_one and body.recheck(inner) is False else None

    def inside(self, scope: Scope) -> Iterable[tuple[Statement, Scope]]:
        """Return the body at the witness."""
        return [(self.body, {**scope, **dict(self.witness)})]

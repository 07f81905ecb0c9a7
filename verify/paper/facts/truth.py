"""What evaluating a statement gives, and what every node of a statement's tree has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tdrc_theory.judgement import Judgement, Step
from verify.check import Proof, Status

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
    """What evaluation gives.

    Attributes:
        value: True, False, or None where it is not known.
        proof: the weakest evidence that it rests on.
        steps: the atoms that were evaluated.
        witness: where it is false: the problem as data, and what holds there.
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

    def sentence(self) -> str:
        """Return the English sentence."""
        raise NotImplementedError

    def truth(self, scope: Scope) -> Truth:
        """Evaluate it."""
        raise NotImplementedError

    def recheck(self, _: Scope) -> bool | None:
        """Evaluate it by code that shares nothing with `truth`; None where there is no such code."""
        return None

    def data(self, _: Scope) -> tuple[Mapping[str, Any], ...]:
        """Return what the witness of a refutation says of the atoms in it."""
        return ()

    def judged(self) -> Judgement:
        """Return the judgement: the very statement that `sentence` writes is evaluated."""
        result = self.truth({})
        witness = dict(result.witness or {}) if result.value is False else None
        return Judgement(Status.of(result.value), result.proof, self.rule, result.steps, witness)

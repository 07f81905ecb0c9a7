"""The truth of statements that are joined, at one instance, where some may have no value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tdrc_theory.formula.expression import Expr, conjuncts
from verify.refute.instance import Instance
from verify.refute.quadratic_surd import NoValue

Truth = Callable[[Instance], bool]


def connected(op: str, args: Sequence[Expr], truth: Callable[[Expr], Truth]) -> Truth:
    """Return the truth of parts that are joined by a connective, as a function of the instance."""
    if op == "implies":
        hypotheses, conclusion = [truth(part) for part in conjuncts(args[0])], truth(args[1])
        return lambda instance: not all(read(instance) for read in hypotheses) or conclusion(instance)
    reads = [truth(part) for part in args]
    if op == "and":
        return partial(_every, reads)
    joined: Callable[[list[bool]], bool] = {
        "not": lambda answers: not answers[0],
        "iff": lambda answers: answers[0] == answers[1],
        "or": any,
    }[op]
    return lambda instance: joined([read(instance) for read in reads])  # where one has no value, neither has the whole


def _every(reads: Sequence[Truth], instance: Instance) -> bool:
    """Return whether all hold: where one does not, whether the others have a value does not matter."""
    missing: NoValue | None = None
    for read in reads:
        try:
            if not read(instance):
                return False
        except NoValue as reason:
            missing = reason
    if missing is not None:
        raise missing
    return True

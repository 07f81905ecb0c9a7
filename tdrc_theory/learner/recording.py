"""Recording: a function is called on symbols, once for each way through its comparisons, and the ways are joined."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.fork import Comparison, every_path
from tdrc_theory.learner.place import place_of_error, place_of_return
from tdrc_theory.learner.record import Node, Record
from tdrc_theory.learner.stand_ins import with_stand_ins
from tdrc_theory.learner.time_limit import time_limit

Outputs = dict[str, Node]


def recorded(
    record: Record,
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    read: Callable[[Any], Mapping[str, Node]],
    owner: str,
) -> Outputs:
    """Return what a function calculates of symbols; comparisons become selections.

    Args:
        record: where it is recorded.
        function: any; what it and the functions that it calls by name call of `math` is recorded too.
        arguments: by name: symbols, or numbers.
        read: from what the function returns to nodes by name.
        owner: whose function it is, for messages.

    Raises:
        BadAlgorithm: it does what is not recorded, or it remembers something between its calls.
    """
    called = with_stand_ins(function)

    def once() -> Outputs:
        try:
            with contextlib.redirect_stdout(sys.stderr), time_limit():  # what it prints is not the answer
                return dict(read(called(**arguments)))
        except (BadAlgorithm, KeyboardInterrupt):
            raise
        except BaseException as error:
            reason = BadAlgorithm(f"fails where its equation is read: {one_line(error)}")
            raise reason.with_traceback(error.__traceback__) from None

    try:
        ways, again = (list(every_path(once)) for _ in range(2))
    except BadAlgorithm as error:
        raise BadAlgorithm(f"{place_of_error(function, error)}{owner} {error}") from None
    if [outputs for _, outputs in ways] != [outputs for _, outputs in again]:
        raise BadAlgorithm(
            f"{place_of_return(function)}{owner} is no equation: called twice with the same, it returns different "
            "directions"
        )
    return _joined(record, ways)


def _joined(record: Record, ways: Sequence[tuple[tuple[Comparison, ...], Outputs]], known: int = 0) -> Outputs:
    """Return the outputs of ways, whose first `known` answers agree, joined by selections."""
    comparisons, outputs = ways[0]
    if len(ways) == 1:
        return outputs
    asked = comparisons[known]
    condition = record.node(asked.relation, asked.left, asked.right)
    yes, no = (_joined(record, [w for w in ways if w[0][known].taken is taken], known + 1) for taken in (True, False))
    return {name: record.select(condition, yes[name], no[name]) for name in yes}


def one_line(error: BaseException) -> str:
    """Return an error's type and message on one line."""
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be shown"
    return " ".join(f"{type(error).__name__}: {message}".split())

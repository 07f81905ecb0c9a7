"""The text of a function of numbers that does what another function was recorded to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulate.compiling.statements import Body
from tdrc_theory.learner.record import Node, Record
from tdrc_theory.learner.recording import recorded
from tdrc_theory.learner.symbol import Symbol, node_of


def straight_line(function: Callable[..., Any], name: str, arguments: Sequence[str], owner: str) -> str:
    """Return the definition of a compiled function.

    Args:
        function: of numbers; it returns a tuple of numbers.
        name: what the text calls it.
        arguments: those that it is called with; others have defaults, which count.
        owner: whose function it is, for messages.

    Raises:
        BadAlgorithm: it does what is not recorded.
    """
    record = Record()
    leaves = {argument: record.leaf(argument) for argument in arguments}
    symbols = {argument: Symbol(record, leaf) for argument, leaf in leaves.items()}

    def read(returned: Any) -> dict[str, Node]:
        return {str(i): node_of(record, part) for i, part in enumerate(returned)}

    outputs = recorded(record, function, symbols, read, owner).values()
    body = Body({leaf: argument for argument, leaf in leaves.items()}, "v")
    body.count_uses(outputs)
    values = ", ".join(f"float({body.value(node)})" for node in outputs)
    lines = [*body.lines, f"return ({values},)"]
    return f"def {name}({', '.join(arguments)}):\n" + "".join(f"    {line}\n" for line in lines)

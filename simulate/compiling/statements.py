"""From recorded calculations to the statements that do them, in the order in which they were recorded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from tdrc_theory.learner.record import INFIX, LEAF, NUMBER, SELECT, Node, Record, machine_number, reached
from tdrc_theory.learner.recording import recorded
from tdrc_theory.learner.symbol import Symbol, node_of


class Body:
    """The statements of one loop; what is needed more than once is a variable.

    Args:
        places: the text by which what is known already is reached.
        prefix: how variables begin.
        numbers: what they end with; one for all bodies that see each other's variables.
        outer: the body around, which calculates what does not belong here.
        belongs: whether a node is calculated here; others are left to `outer`.
    """

    def __init__(
        self,
        places: Mapping[Node, str],
        prefix: str,
        numbers: Iterator[int] | None = None,
        outer: Body | None = None,
        belongs: Callable[[Node], bool] = lambda _: True,
    ) -> None:
        self.lines: list[str] = []
        self.places = dict(places)
        self.prefix = prefix
        self.numbers = count() if numbers is None else numbers
        self._outer = outer
        self._belongs = belongs
        self._uses: Counter[Node] = Counter()

    def count_uses(self, targets: Iterable[Node]) -> None:
        """Note what the nodes that will be asked for need, so that what is needed twice becomes a variable."""
        self._uses.update(wanted := list(targets))
        for node in reached(wanted, self.places):
            self._uses.update(node.operands)

    def fresh(self, node: Node, start: Node) -> str:
        """Return the variable of a node whose value begins as another and is changed by other statements."""
        self.places[node] = self._variable(self.value(start))
        return self.places[node]

    def value(self, node: Node, variable: bool = False) -> str:
        """Return an expression of one node, a variable's name where that is asked for."""
        if node.operation == NUMBER:
            return literal(node.value)  # no variable: the compiler knows what to do with a constant
        if node not in self.places and self._outer is not None and not self._belongs(node):
            return self._outer.value(node, variable=True)
        if node not in self.places:
            text = self._expression(node)
            if not variable and self._uses[node] < 2:
                return text
            self.places[node] = self._variable(text)
        elif variable and not self.places[node].isidentifier():
            self.places[node] = self._variable(self.places[node])
        return self.places[node]

    def _variable(self, text: str) -> str:
        name = f"{self.prefix}{next(self.numbers)}"
        self.lines.append(f"{name} = {text}")
        return name

    def _expression(self, node: Node) -> str:
        assert node.operation != LEAF, f"{node.value} has no place"
        if node.operation == SELECT:
            condition = self.value(node.operands[0])
            one, other = (self.value(operand, variable=True) for operand in node.operands[1:])
            return f"({one} if {condition} else {other})"
        parts = [self.value(operand) for operand in node.operands]
        if node.operation in INFIX:
            return f"({parts[0]} {node.operation} {parts[1]})"
        return f"(-{parts[0]})" if node.operation == "neg" else f"{node.operation}({', '.join(parts)})"


def literal(value: float) -> str:
    """Return a number as text that compiles to what kernels calculate with."""
    plain = machine_number(value)
    if not math.isfinite(plain):
        return "math.nan" if math.isnan(plain) else "math.inf" if plain > 0 else "(-math.inf)"
    return f"({plain!r})" if plain < 0 else repr(plain)


def straight_line(function: Callable[..., Any], name: str, arguments: Sequence[str], owner: str) -> str:
    """Return the definition, under a name, of what a function of numbers does, which returns a tuple of numbers.

    Arguments besides those that it is called with have defaults, which count; messages name the owner.

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

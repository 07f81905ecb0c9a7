"""Cassandra's file format of MDPs (pomdp.org): states, actions, T and R, with names, wildcards, rows and matrices.

Later entries replace earlier ones. Where `values` is cost, rewards are its negatives. What has observations is a
partially observed process, and refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tdrc_theory.errors import BadProblem
from tdrc_theory.model_files.model import MOST_ACTIONS, MOST_STATES, Line, Model, lines_of

_KEYS = ("discount", "values", "states", "actions", "start", "T", "R", "observations", "O")
_MOST_CELLS = 10_000_000
"""Of T and of R, so that a wildcard does not fill the memory."""

Word = tuple[str, Line]
"""A word or a colon, and where it stands."""


def read(path: str) -> Model:
    """Return the model of a file."""
    words = [(word, line) for line in lines_of(path, "#") for word in line.text.replace(":", " : ").split()]
    reader = _Reader(words, Model())
    while reader.at < len(reader.words):
        reader.statement()
    model = reader.model
    if not model.states or not reader.actions:
        raise BadProblem(f"{path}: {'actions' if model.states else 'states'}: missing")
    model.moves = {pair: {t: p for t, p in row.items() if p} for pair, row in model.moves.items()}
    if reader.costs:
        model.rewards = {key: -value for key, value in model.rewards.items()}
    return model


class _Reader:
    """Reads one statement after the other."""

    def __init__(self, words: list[Word], model: Model) -> None:
        self.words, self.model, self.at = words, model, 0
        self.states: list[str] = []
        self.actions: list[str] = []
        self.costs = False
        self.filled = 0

    def statement(self) -> None:
        """Read one."""
        key, line = self.words[self.at]
        form = self._taken()
        if key == "start" and self._word(self.at) in ("include", "exclude"):
            form = self._taken()
        if key not in _KEYS or self._word(self.at) != ":":
            raise line.refused(f"{key!r}", f"one of {', '.join(_KEYS)} and a colon")
        self.at += 1
        if key in ("observations", "O"):
            raise line.refused(f"{key}: a partially observed process", "an MDP, without observations")
        if key == "discount":
            self.model.gamma = self.model.probability(line, self._taken())
        elif key == "values":
            kind = self._taken()
            if kind not in ("reward", "cost"):
                raise line.refused(f"values: {kind}", "reward or cost")
            self.costs = kind == "cost"
        elif key in ("states", "actions"):
            self._names(key, line)
        elif key == "start":
            self._start(line, form)
        else:
            self._entries(key, line)

    def _names(self, key: str, line: Line) -> None:
        listed = self._until_key()
        most = MOST_STATES if key == "states" else MOST_ACTIONS
        if len(listed) == 1 and listed[0].isdigit():
            listed = [str(i) for i in range(line.count(listed[0], most, key))]
        elif key == "states":
            self.model.state_names = tuple(listed)
        if not listed or len(set(listed)) < len(listed) or len(listed) > most:
            raise line.refused(f"{len(listed)} {key}", f"a number or different names, at most {most}")
        setattr(self, key, listed)
        setattr(self.model, key, len(listed))

    def _start(self, line: Line, form: str) -> None:
        words = self._until_key()
        n = len(self.states)
        if form == "start" and len(words) == n and (n > 1 or words[0] not in self.states):
            self.model.start = [self.model.probability(line, word) for word in words]
            return
        if words == ["uniform"]:
            chosen = set(range(n))
        else:
            chosen = {i for word in words for i in self._numbers(word, self.states, "state", line)}
        if form == "exclude":
            chosen = set(range(n)) - chosen
        if not chosen:
            raise line.refused("no state to start in", "one or more")
        self.model.start = [Fraction(int(s in chosen), len(chosen)) for s in range(n)]

    def _entries(self, key: str, line: Line) -> None:
        """Read `T: a [: s [: t]] numbers` or the same of R, which may have one more wildcard."""
        if not self.states or not self.actions:
            raise line.refused(f"{key} before states and actions", "after them")
        chosen = [self._numbers(self._taken(), self.actions, "action", line)]
        while self._word(self.at) == ":":
            self.at += 1
            word = self._taken()
            if len(chosen) < 3:
                chosen.append(self._numbers(word, self.states, "state", line))
            elif key == "T" or word != "*":
                raise line.refused(f"{word!r} as a fourth place", "action, state and next state")
        n = len(self.states)
        places = [*chosen, *[range(n)] * (3 - len(chosen))]
        self.filled += len(places[0]) * len(places[1]) * len(places[2])
        if self.filled > _MOST_CELLS:
            raise line.refused(f"{self.filled} entries of T and R in all", f"at most {_MOST_CELLS}")
        values = self._values(key, line, 3 - len(chosen))
        for i, s in enumerate(places[1]):
            for j, t in enumerate(places[2]):
                value = values[(i if len(chosen) == 1 else 0) * n + j] if len(chosen) < 3 else values[0]
                for a in places[0]:
                    if key == "T":
                        self.model.moves.setdefault((s, a), {})[t] = value
                    else:
                        self.model.rewards[s, a, t] = value

    def _values(self, key: str, line: Line, axes: int) -> list[Fraction]:
        """Return as many numbers as a place, a row or a matrix has, which has so many axes."""
        n = len(self.states)
        if key == "T" and axes and self._word(self.at) in ("uniform", "identity"):
            kind = self._taken()
            if kind == "identity" and axes == 1:
                raise line.refused("identity for one row", "uniform, or numbers")
            if kind == "uniform":
                return [Fraction(1, n)] * n**axes
            return [Fraction(int(i == j)) for i in range(n) for j in range(n)]
        read = self.model.probability if key == "T" else self.model.number
        count = n**axes
        if self.at + count > len(self.words):
            raise line.refused("the file ends within its numbers", f"{count} numbers")
        taken = self.words[self.at : self.at + count]
        self.at += count
        return [read(at, word) for word, at in taken]

    def _numbers(self, word: str, names: list[str], what: str, line: Line) -> Sequence[int]:
        if word == "*":
            return range(len(names))
        if word in names:
            return [names.index(word)]
        return [line.index(word, len(names), f"{what} by name, nor its number")]

    def _word(self, at: int) -> str:
        return self.words[at][0] if at < len(self.words) else ""

    def _taken(self) -> str:
        """Return the next word, and go on behind it."""
        if self.at == len(self.words):
            raise self.words[-1][1].refused("the file ends within a statement", "the whole of it")
        self.at += 1
        return self.words[self.at - 1][0]

    def _until_key(self) -> list[str]:
        """Return the words before the next statement."""
        start = self.at
        while self.at < len(self.words) and not self._begins(self.at):
            self.at += 1
        return [word for word, _ in self.words[start : self.at]]

    def _begins(self, at: int) -> bool:
        word, after = self._word(at), self._word(at + 1)
        also = word == "start" and after in ("include", "exclude") and self._word(at + 2) == ":"
        return (word in _KEYS and after == ":") or also

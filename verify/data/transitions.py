"""Logged transitions: what a row has, what is refused, and episodes as d3rlpy and minari keep them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tdrc_theory.errors import BadData

VECTORS = ("x", "x_next", "x_bar")
NUMBERS = ("reward", "rho", "behaviour", "target", "terminated", "truncated", "episode", "interest", "rho_next")
NEEDED = ("x", "x_next", "reward")
FLAGS = ("terminated", "truncated")
NOT_NEGATIVE = ("rho", "behaviour", "target", "interest", "rho_next")
ORDERED = ("terminated", "truncated", "episode")
"""Columns each of which tells where an episode ends, and so that rows are in the order in which they were made."""

Columns = Mapping[str, Any]
"""{name: array}: vectors (n, k), numbers (n,)."""


@dataclass(frozen=True, eq=False)
class Transitions:
    """Some rows.

    Attributes:
        vectors: {x, x_next, perhaps x_bar: (n, k)}, floats; x_next and x_bar are 0 where the episode terminated.
        numbers: {reward, rho, interest, perhaps pi and rho_next: (n,)}.
        starts: (n,), whether a row is the first of an episode.
    """

    vectors: dict[str, np.ndarray]
    numbers: dict[str, np.ndarray]
    starts: np.ndarray

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.starts)


class Source(Protocol):
    """Where rows come from.

    Attributes:
        name: of the file, for messages.
        rows: how many there are, or about so many where only reading tells.
        columns: the names of the columns that are there.
        ignored: columns that no name is known for, which are not read.
    """

    name: str
    rows: int
    columns: tuple[str, ...]
    ignored: tuple[str, ...]

    def chunks(self, rows: int) -> Iterator[Columns]:
        """Yield all columns of so many consecutive rows, or fewer, again and again to the end."""


@dataclass
class Arrays:
    """Rows that are in memory, by column."""

    arrays: Columns
    name: str = "data"
    ignored: tuple[str, ...] = ()
    rows: int = field(init=False)
    columns: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Check names and lengths."""
        self.arrays = {key: np.asarray(value) for key, value in self.arrays.items()}
        unknown = sorted(set(self.arrays) - {*VECTORS, *NUMBERS})
        if unknown:
            raise BadData(f"{self.name}: unknown column {unknown[0]!r}; allowed: {', '.join((*VECTORS, *NUMBERS))}")
        self.columns = tuple(self.arrays)
        check_columns(self.name, self.columns)
        check_lengths(self.name, {key: a.shape for key, a in self.arrays.items()})
        self.rows = len(self.arrays["reward"])

    def chunks(self, rows: int) -> Iterator[Columns]:
        """Yield slices."""
        for first in range(0, self.rows, rows):
            yield {key: a[first : first + rows] for key, a in self.arrays.items()}


def check_lengths(name: str, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse columns of different lengths or of another number of axes, and data without a row."""
    count = shapes["reward"][0] if shapes["reward"] else 0
    for key, shape in shapes.items():
        most = 2 if key in VECTORS else 1
        if not shape or len(shape) > most:
            allowed = "(rows, features)" if most == 2 else "(rows,)"
            raise BadData(f"{name}: column {key}: its shape is {shape}; allowed: {allowed}")
        if shape[0] != count:
            raise BadData(f"{name}: column {key}: {shape[0]} rows, but reward has {count}")
    if not count:
        raise BadData(f"{name}: there is no row")


def check_columns(name: str, columns: Iterable[str]) -> None:
    """Refuse data that lack a column, or that have two columns for one thing."""
    there = set(columns)
    for key in NEEDED:
        if key not in there:
            raise BadData(f"{name}: no column {key}; needed: x, x_next, reward, and rho or behaviour and target")
    pair = {"behaviour", "target"} & there
    if "rho" in there:
        if "behaviour" in there:
            raise BadData(f"{name}: both rho and behaviour; rho is target over behaviour, so give one of the two")
    elif len(pair) < 2:
        lacks = "behaviour" if pair == {"target"} else "target" if pair else "rho"
        raise BadData(
            f"{name}: no column {lacks}; needed: rho, or behaviour and target, the probabilities of the action that "
            "was taken; of data that the target policy made itself, rho is 1"
        )


def read_rows(source: Source, rows: int) -> Iterator[Transitions]:
    """Yield all rows of a source, checked, so many at a time.

    Raises:
        BadData: a shape or a number is not allowed; the message has file, column and row, which count from 0.
    """
    check_columns(source.name, source.columns)
    first, width, before = 0, 0, None
    for columns in source.chunks(rows):
        result = _numbers(source.name, columns, first)
        k = result["x"].shape[1]
        width = width or k
        for key in VECTORS:
            if key in result and result[key].shape[1] != width:
                raise BadData(f"{source.name}: column {key}: {result[key].shape[1]} features, but x has {width}")
        _check_values(source.name, result, first)
        starts, before = _starts(result, before)
        yield _transitions(result, starts)
        first += len(starts)
    if not first:
        raise BadData(f"{source.name}: there is no row")


def _numbers(name: str, columns: Columns, first: int) -> dict[str, np.ndarray]:
    """Return the columns as floats, vectors with two axes."""
    result = {}
    for key, column in columns.items():
        values = np.asarray(column)
        if values.dtype.kind not in "fiub":
            raise BadData(f"{name}: column {key}: values of type {values.dtype}; allowed: numbers")
        values = values.astype(np.float64, copy=False)
        if key in VECTORS and values.ndim == 1:
            values = values[:, None]
        if values.ndim != (2 if key in VECTORS else 1):
            raise BadData(f"{name}: column {key}, from row {first}: its shape is {values.shape}")
        result[key] = values
    return result


def _check_values(name: str, columns: Mapping[str, np.ndarray], first: int) -> None:
    for key, values in columns.items():
        _refuse(name, key, first, values, ~np.isfinite(values), "is no finite number; allowed: finite numbers")
        if key in NOT_NEGATIVE:
            _refuse(name, key, first, values, values < 0, "is negative; allowed: 0 or more")
        if key in ("behaviour", "target"):
            _refuse(name, key, first, values, values > 1, "is above 1; allowed: a probability")
        if key == "behaviour":
            wrong = values == 0
            _refuse(name, key, first, values, wrong, "as the probability of an action that was taken; allowed: above 0")
        if key in FLAGS:
            _refuse(name, key, first, values, (values != 0) & (values != 1), "is no flag; allowed: 0 and 1")


def _refuse(name: str, key: str, first: int, values: np.ndarray, wrong: np.ndarray, why: str) -> None:
    if wrong.any():
        at = np.argwhere(wrong)[0]
        entry = f"{key}_{at[1]}" if len(at) > 1 else key
        raise BadData(f"{name}: column {entry}, row {first + at[0]}: {values[tuple(at)]:g} {why}")


Before = tuple[bool, float]
"""Whether the last row of what was read ended an episode, and its `episode`."""


def _starts(columns: Mapping[str, np.ndarray], before: Before | None) -> tuple[np.ndarray, Before]:
    """Return which rows begin an episode."""
    count = len(columns["reward"])
    ended, number = np.zeros(count, dtype=bool), np.zeros(count)
    for key in FLAGS:
        ended |= columns.get(key, number) == 1
    number = columns.get("episode", number)
    last_ended, last_number = before or (True, float(number[0]))
    starts = np.concatenate([[last_ended], ended[:-1]]) | (np.concatenate([[last_number], number[:-1]]) != number)
    return starts, (bool(ended[-1]), float(number[-1]))


def _transitions(columns: Mapping[str, np.ndarray], starts: np.ndarray) -> Transitions:
    vectors = {key: columns[key] for key in VECTORS if key in columns}
    if "terminated" in columns:
        goes_on = 1 - columns["terminated"][:, None]
        vectors |= {key: vectors[key] * goes_on for key in ("x_next", "x_bar") if key in vectors}
    rho = columns["rho"] if "rho" in columns else columns["target"] / columns["behaviour"]
    numbers = {"reward": columns["reward"], "rho": rho, "interest": columns.get("interest", np.ones(len(starts)))}
    numbers |= {new: columns[key] for key, new in (("target", "pi"), ("rho_next", "rho_next")) if key in columns}
    return Transitions(vectors, numbers, starts)


Features = Callable[[Any], Any]
Ratio = Callable[[Any, Any], Any]


def from_episodes(
    episodes: Iterable[Any] | Any, features: Features, rho: Ratio | None, *, name: str = "episodes"
) -> Arrays:
    """Return the transitions of episodes, with the features of their observations.

    An episode has `observations`, `actions` and `rewards`, and either of these:

    - as of minari: one observation more than rewards, with `terminations` and `truncations`, one flag a step;
    - as of d3rlpy: as many observations as rewards, with `terminated`, one flag for the episode. What follows the last
      step of an episode that did not terminate is not there, so that this step is left out.

    Args:
        episodes: a list of them, a d3rlpy dataset (its `episodes`), or a minari dataset (`iterate_episodes()`).
        features: takes observations (n, ...), returns x (n, k).
        rho: takes observations (n, ...) and actions (n, ...), returns the importance ratios (n,); None of data that the
            target policy made itself, whose ratios are 1.
        name: for messages.

    Raises:
        BadData: an episode lacks something, or lengths do not fit.
    """
    parts: list[dict[str, np.ndarray]] = []
    if hasattr(episodes, "iterate_episodes"):
        episodes = episodes.iterate_episodes()
    for number, episode in enumerate(getattr(episodes, "episodes", episodes)):
        result = _of_episode(episode, features, rho, number, f"{name}: episode {number}")
        if len(result["reward"]):
            parts.append(result)
    if not parts:
        raise BadData(f"{name}: there is no transition")
    widths = {part["x"].shape[1] for part in parts}
    if len(widths) > 1:
        raise BadData(f"{name}: features have lengths {', '.join(map(str, sorted(widths)))} in different episodes")
    return Arrays({key: np.concatenate([part[key] for part in parts]) for key in parts[0]}, name)


def _of_episode(episode: Any, features: Features, rho: Ratio | None, number: int, where: str) -> dict[str, np.ndarray]:
    observations, actions, rewards = (_of(episode, key, where) for key in ("observations", "actions", "rewards"))
    reward = np.asarray(rewards, dtype=np.float64).reshape(len(rewards), -1)
    if reward.shape[1] != 1:
        raise BadData(f"{where}: rewards: {reward.shape[1]} numbers a step; allowed: 1")
    steps = len(reward)
    if len(actions) != steps:
        raise BadData(f"{where}: {len(actions)} actions, but {steps} rewards")
    if hasattr(episode, "terminations"):
        if len(observations) != steps + 1:
            raise BadData(f"{where}: {len(observations)} observations for {steps} rewards; allowed: one more")
        terminated = np.asarray(episode.terminations, dtype=np.float64)
        truncated = np.asarray(_of(episode, "truncations", where), dtype=np.float64)
        if not len(terminated) == len(truncated) == steps:
            raise BadData(f"{where}: {len(terminated)} terminations, {len(truncated)} truncations, {steps} rewards")
        used, x = steps, _features(features, observations, where)
    else:
        if len(observations) != steps:
            raise BadData(f"{where}: {len(observations)} observations for {steps} rewards; allowed: as many")
        ended = bool(_of(episode, "terminated", where))
        used, x = (steps if ended else max(steps - 1, 0)), _features(features, observations, where)
        x = np.vstack([x, np.zeros((1, x.shape[1]))])
        terminated = np.zeros(steps)
        terminated[steps - 1 :] = ended
        truncated = np.zeros(steps)
    ratios = np.ones(used)
    if rho is not None:
        ratios = np.asarray(rho(observations[:used], actions[:used]), dtype=np.float64)
        if ratios.shape != (used,):
            raise BadData(f"{where}: rho returns shape {ratios.shape} for {used} steps; allowed: ({used},)")
    return {
        "x": x[:used],
        "x_next": x[1 : used + 1],
        "reward": reward[:used, 0],
        "rho": ratios,
        "terminated": terminated[:used],
        "truncated": truncated[:used],
        "episode": np.full(used, float(number)),
    }


def _of(episode: Any, key: str, where: str) -> Any:
    if not hasattr(episode, key):
        raise BadData(
            f"{where} has no {key}; needed: observations, actions, rewards, and terminations with truncations, or "
            "terminated"
        )
    return getattr(episode, key)


def _features(features: Features, observations: Any, where: str) -> np.ndarray:
    x = np.asarray(features(observations), dtype=np.float64)
    if x.ndim != 2 or len(x) != len(observations):
        raise BadData(f"{where}: features return shape {x.shape} for {len(observations)} observations; allowed: (n, k)")
    return x

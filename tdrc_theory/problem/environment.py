"""Environments of gymnasium: by their names on a command line, and their published transition tables, exact."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.cli.extras import importing
from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import exact
from tdrc_theory.problem import END
from tdrc_theory.problem.decision_table import DecisionTable

PREFIX = "gymnasium:"
FORM = "gymnasium:[MODULE:]ID[?NAME=VALUE&NAME=VALUE]"


class EnvironmentId(NamedTuple):
    """What `gymnasium:[MODULE:]ID[?NAME=VALUE&...]` says.

    Attributes:
        text: all of it, on one line.
        module: imported first, since it registers the environment; "" where gymnasium itself does.
        identifier: as gymnasium registers it, such as `FrozenLake-v1`.
        arguments: of the environment: true, false, null, numbers and lists as JSON writes them, all else as text.
    """

    text: str
    module: str
    identifier: str
    arguments: dict[str, Any]


def parse_environment_id(text: str) -> EnvironmentId:
    """Return what names an environment.

    >>> parse_environment_id("gymnasium:FrozenLake-v1?is_slippery=false&map_name=8x8")[1:]
    ('', 'FrozenLake-v1', {'is_slippery': False, 'map_name': '8x8'})

    Raises:
        BadProblem: it is not of the form.
    """
    shown = " ".join(text.split())
    name, _, query = text.removeprefix(PREFIX).partition("?")
    parts = name.split(":")
    if len(parts) > 2 or not all(parts):
        raise BadProblem(f"{shown}: is not of the form {FORM}")
    arguments: dict[str, Any] = {}
    for entry in query.split("&") if query else ():
        key, equals, value = entry.partition("=")
        if not equals or not key.isidentifier() or key in arguments:
            raise BadProblem(f"{shown}: {entry!r} is not NAME=VALUE with a name of its own; the form is {FORM}")
        arguments[key] = _value(value)
    return EnvironmentId(shown, parts[0] if len(parts) == 2 else "", parts[-1], arguments)


def make_environments(name: EnvironmentId, count: int = 1, **options: Any) -> tuple[list[Any], int | None]:
    """Return copies of an environment, and the time limit with which it is registered.

    Raises:
        MissingExtra: gymnasium is not installed.
        BadProblem: the module or the environment is not there, or it does not take the arguments.
    """
    with importing(f"{name.text} needs", "gymnasium", "gymnasium"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import gymnasium
    try:
        # Apart from the import, which puts a warnings filter of gymnasium's own before this one.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            full = f"{name.module}:{name.identifier}" if name.module else name.identifier
            environments = [gymnasium.make(full, **name.arguments, **options) for _ in range(count)]
            return environments, gymnasium.spec(name.identifier).max_episode_steps  # known once the module is imported
    except Exception as error:  # gymnasium has errors of its own, and a module or a constructor may raise any
        raise BadProblem(f"{name.text}: {' '.join(str(error).split()) or type(error).__name__}") from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def published_table(environment: Any) -> DecisionTable:
    """Return the table of an environment, of which floats become the simplest fractions near them.

    Args:
        environment: an id as `tdrc_theory.problem.environment.FORM` says, or an environment, wrapped or not: an
            object with `P` and `initial_state_distrib`, or the older `isd`.

    Raises:
        MissingExtra: gymnasium is not installed.
        BadProblem: there is no such environment, or it publishes no table.
    """
    if isinstance(environment, str):
        parsed = parse_environment_id(environment)
        name = PREFIX + parsed.text.removeprefix(PREFIX)
        environment = make_environments(parsed._replace(text=name))[0][0]
    else:
        spec = getattr(environment, "spec", None)
        name = PREFIX + (getattr(spec, "id", None) or type(getattr(environment, "unwrapped", environment)).__name__)
    inner = getattr(environment, "unwrapped", environment)
    table = getattr(inner, "P", None)
    start = next(
        (result for key in ("initial_state_distrib", "isd") if (result := getattr(inner, key, None)) is not None), None
    )
    if table is None or start is None:
        raise BadProblem(
            f"{name}: publishes no transition table (P and initial_state_distrib, or isd); "
            "FrozenLake-v1, CliffWalking-v1 and Taxi-v3 do"
        )
    try:
        states, actions = len(table), len(table[0])
        transitions = [
            (s, a, END if ended else int(s_next), _fraction(p), _fraction(reward))
            for s in range(states)
            for a in range(actions)
            for p, s_next, reward, ended in table[s][a]
            if p
        ]
        first = [_fraction(p) for p in start]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise BadProblem(
            f"{name}: P is no table of P[state][action] = [(probability, next state, reward, terminated), ...], "
            f"states and actions from 0 on: {' '.join(str(error).split())}"
        ) from None
    note = "published floats were read as the simplest fractions near them (0.3333333333333333 as 1/3)"
    notes = (f"{name.removeprefix(PREFIX)}: {note}",)
    return DecisionTable(name=name, states=states, actions=actions, transitions=transitions, start=first, notes=notes)


def _fraction(value: Any) -> Fraction:
    number = exact(value)
    assert isinstance(number, Fraction)
    return number

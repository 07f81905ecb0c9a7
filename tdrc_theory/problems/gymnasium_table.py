"""Gymnasium environments that publish their transition table, as exact problems."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import exact
from tdrc_theory.problem import END
from tdrc_theory.problem.decision_table import DecisionTable
from tdrc_theory.problem.environment_id import PREFIX, make_environments, parse_environment_id


def published_table(environment: Any) -> DecisionTable:
    """Return the table of an environment, of which floats become the simplest fractions near them.

    Args:
        environment: an id as `tdrc_theory.problem.environment_id.FORM` says, or an environment, wrapped or not: an
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

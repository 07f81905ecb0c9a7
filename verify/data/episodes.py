"""Episodes as d3rlpy and minari keep them, and as anyone can make them, as transitions with features of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tdrc_theory.errors import BadData
from verify.data.transitions import Arrays

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
    for number, episode in enumerate(_listed(episodes)):
        result = _transitions(episode, features, rho, number, f"{name}: episode {number}")
        if len(result["reward"]):
            parts.append(result)
    if not parts:
        raise BadData(f"{name}: there is no transition")
    widths = {part["x"].shape[1] for part in parts}
    if len(widths) > 1:
        raise BadData(f"{name}: features have lengths {', '.join(map(str, sorted(widths)))} in different episodes")
    return Arrays({key: np.concatenate([part[key] for part in parts]) for key in parts[0]}, name)


def _listed(episodes: Any) -> Iterable[Any]:
    if hasattr(episodes, "iterate_episodes"):
        return episodes.iterate_episodes()
    return getattr(episodes, "episodes", episodes)


def _transitions(episode: Any, features: Features, rho: Ratio | None, number: int, where: str) -> dict[str, np.ndarray]:
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
    ratios = np.ones(used) if rho is None else _ratios(rho, observations[:used], actions[:used], where)
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


def _ratios(rho: Ratio, observations: Any, actions: Any, where: str) -> np.ndarray:
    ratios = np.asarray(rho(observations, actions), dtype=np.float64)
    if ratios.shape != (len(actions),):
        raise BadData(f"{where}: rho returns shape {ratios.shape} for {len(actions)} steps; allowed: ({len(actions)},)")
    return ratios

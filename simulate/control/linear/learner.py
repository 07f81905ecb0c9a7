"""Many independent runs of a linear agent on Mountain Car, in a loop that is made of the functions of what is run."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.cache import compiled, source_text
from simulate.compiling.statements import straight_line
from simulate.compute import in_threads
from simulate.control.environments import mountain_car
from simulate.control.environments.mountain_car import FASTEST, LEFT, REWARD, RIGHT, at_goal, dynamics, start
from simulate.control.history import Learned
from simulate.control.linear.agent import TILES, LinearAgent, LinearSettings
from simulate.step_sizes import StepSize
from simulate.step_sizes.step_size import arguments
from tdrc_theory.cli.workers import worker_count
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import SIGNATURE

CHUNK = 2**16
"""Steps whose random numbers are drawn at once."""
MOST_RECORDS = 10**7
"""Of all runs together."""


def learn(
    settings: LinearSettings,
    runs: range,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Learned:
    """Run an agent many times, each run with a stream of its own, by its number and the seed.

    Threads, by default one a core, change no bit. `progress` is called with the number of runs done.

    Raises:
        BadOption: workers is out of range, or there is more to record than is kept.
        BadAlgorithm: the agent's algorithm cannot be compiled.
    """
    if (records := len(runs) * (settings.most_steps // settings.every)) > MOST_RECORDS:
        raise BadOption(
            f"--every: {records} records of {len(runs)} runs are more than the {MOST_RECORDS} that are kept"
        )
    count, loop, began = worker_count(workers), _loop(settings.agent), time.perf_counter()
    finished: dict[int, tuple[np.ndarray, int, int, int, np.ndarray]] = {}

    def one(run: int) -> None:
        finished[run] = live(loop, settings, np.random.SeedSequence(seed, spawn_key=(run,)))

    in_threads(one, runs, count, progress)
    steps, last, updates, diverged, measures = zip(*(finished[run] for run in runs), strict=True)
    points = max(updates) // settings.every
    return Learned(
        settings=settings,
        seed=seed,
        runs=runs,
        steps=steps,
        returns=tuple(-run.astype(np.float64) for run in steps),
        ends=tuple(np.cumsum(run) for run in steps),
        last_steps=np.array(last),
        last_returns=-np.array(last, np.float64),
        diverged=np.array(diverged),
        updates=np.arange(1, points + 1) * settings.every,
        **dict(zip(MEASURES, np.stack([one[:points] for one in measures]).transpose(2, 0, 1), strict=True)),
        seed_updates=sum(updates),
        seconds=time.perf_counter() - began,
    )


def live(
    loop: Any, settings: LinearSettings, stream: np.random.SeedSequence
) -> tuple[np.ndarray, int, int, int, np.ndarray]:
    """Do one run of a compiled loop.

    Returns:
        Steps of each episode that ended, or was cut off, and of that in which the run ended; updates of all; the update
        at which the TD error, or its estimate, was not finite, -1 for never; and (points, len(MEASURES)), nan where the
        run had ended.
    """
    agent, uniforms, most = settings.agent, np.random.default_rng(stream), settings.most_steps
    critic = _rows(agent, "critic", 1 if agent.actor else ACTIONS)
    actor = _rows(agent, "actor", ACTIONS)
    car = np.array([start(uniforms.random()), 0.0])
    counts = np.zeros(len(COUNTS), np.int64)
    counts[COUNTS.index("lost")] = -1
    steps = np.zeros(most if settings.episodes is None else settings.episodes, np.int64)
    measures = np.zeros((most // settings.every, len(MEASURES)))
    cutoff = most + 1 if settings.cutoff is None else settings.cutoff
    for begun in range(0, most, CHUNK):
        drawn = uniforms.random((min(CHUNK, most - begun), 3))
        loop(drawn, settings.numbers, cutoff, settings.every, counts, car, critic, actor, steps, measures)
        episodes, elapsed, updates, lost = (int(count) for count in counts)
        if episodes == len(steps) or lost >= 0:
            break
    measures[updates // settings.every :] = np.nan
    return steps[:episodes].copy(), elapsed, updates, lost, measures


def _rows(agent: LinearAgent, weights: str, actions: int) -> np.ndarray:
    first = np.array(rows_of(agent.rule, weights))
    return np.repeat(first[:, None], actions * agent.features, axis=1)


@functools.lru_cache(maxsize=32)
def _loop(agent: LinearAgent) -> Any:
    return compiled(agent_text(agent), "run", ARGUMENTS, agent.algorithm.placed_name)


ACTIONS = 3
SETTINGS = ("alpha", "eta", "beta", "gamma", "epsilon")
"""What `settings` holds, before the rule's parameters."""
COUNTS = ("episodes", "elapsed", "updates", "lost")
"""What `counts` holds: episodes that have ended, steps of the present one, updates, and the update whose TD error, or
its estimate, was not finite, -1 for none."""
MEASURES = ("h_norm", "correction_norm", "error_norm", "direction_norm", "largest_value", "peak_value")
"""What `measures` holds: |h| at the end of a stretch, means over it, and the largest value in it."""

_F1, _F2, _I1 = "float[:]", "float[:, :]", "int[:]"
ARGUMENTS = (_F2, _F1, "int", "int", _I1, _F1, _F2, _F2, _I1, _F2)
"""The types of the loop's arguments."""
_CONSTANTS = ("LEFT", "RIGHT", "GOAL", "FASTEST", "FORCE", "GRAVITY", "LOWEST_START", "HIGHEST_START")
_MODULE = '''
{constants}

{functions}


def sense(car, active):
    """Write the active features of the car's state."""
    u, v = (car[0] - {left!r}) / {width!r}, (car[1] + {fastest!r}) / {breadth!r}
    for j in range({tilings}):
        active[j] = tile(j, u, v, {tilings}, {tiles})


def value(weights, active, first):
    """Return the value of an action (whose features begin at `first`), or of the state."""
    total = 0.0
    for j in range({tilings}):
        total += weights[first + active[j]]
    return total


def best(weights, active):
    """Return the first of the actions whose value is largest, and that value."""
    action, largest = 0, value(weights, active, 0)
    for a in range(1, {actions}):
        candidate = value(weights, active, a * {features})
        if candidate > largest:
            action, largest = a, candidate
    return action, largest


def size(weights, active):
    """Return the largest of the actions' values without their signs."""
    largest = 0.0
    for a in range({actions}):
        largest = max(largest, abs(value(weights, active, a * {features})))
    return largest


def one_of_the_best(weights, active, uniform):
    """Return an action whose value is largest, each of several with the same probability."""
    _, largest = best(weights, active)
    equal = 0
    for a in range({actions}):
        equal += value(weights, active, a * {features}) == largest
    left = int(uniform * equal)
    for a in range({actions}):
        if value(weights, active, a * {features}) == largest:
            if left == 0:
                return a
            left -= 1
    return {actions} - 1  # values are not finite


def softmax(preferences, active, policy):
    """Write the policy in the state."""
    _, largest = best(preferences, active)
    total = 0.0
    for a in range({actions}):
        policy[a] = math.exp(value(preferences, active, a * {features}) - largest)
        total += policy[a]
    for a in range({actions}):
        policy[a] /= total


def drawn(policy, uniform):
    """Return an action of the policy."""
    for a in range({actions} - 1):
        uniform -= policy[a]
        if uniform < 0:
            return a
    return {actions} - 1


def run(uniforms, settings, cutoff, every, counts, car, critic, actor, lengths, measures):
    """Live through a step for each row of `uniforms`, or until all episodes have ended or a number is not finite."""
    {unpacked} = {settings}
    episode, elapsed, t, lost = counts[0], counts[1], counts[2], counts[3]
    active, active_next = np.empty({tilings}, np.int64), np.empty({tilings}, np.int64)
    x, x_next, nothing = np.empty({features}), np.empty({features}), np.empty({features})
    for i in range({features}):
        x[i] = x_next[i] = nothing[i] = 0.0
    policy = np.empty({actions})
    w, h, theta = critic[0], critic[1], actor[0]
    sense(car, active)
    for n in range(uniforms.shape[0]):
        if episode == lengths.shape[0] or lost >= 0:
            break
{act}
        car[0], car[1] = dynamics(car[0], car[1], a)
        ended = at_goal(car[0], car[1])
        elapsed += 1
        t += 1
        sense(car, active_next)
        for j in range({tilings}):
            x[active[j]] = 1.0
            if not ended:
                x_next[active_next[j]] = 1.0
        added = whole = 0.0
{update}
        if not (math.isfinite(delta) and math.isfinite(delta_hat)):
            lost = t
        point = (t - 1) // every
        if point < measures.shape[0]:
            measures[point, 1] += math.sqrt(added) / every
            measures[point, 2] += math.sqrt({tilings}.0) * abs(delta) / every
            measures[point, 3] += math.sqrt(whole) / every
            measures[point, 4] += largest / every
            measures[point, 5] = max(measures[point, 5], largest)
            if t % every == 0:
                square = 0.0
                for i in range(h.shape[0]):
                    square += h[i] ** 2
                measures[point, 0] = math.sqrt(square)
        for j in range({tilings}):
            x[active[j]] = 0.0
            x_next[active_next[j]] = 0.0
        if ended or elapsed == cutoff:
            lengths[episode] = elapsed
            episode += 1
            elapsed = 0
            car[0], car[1] = start(uniforms[n, 2]), 0.0
            sense(car, active)
        else:
            active, active_next = active_next, active
    counts[0], counts[1], counts[2], counts[3] = episode, elapsed, t, lost
'''


def agent_text(agent: LinearAgent) -> str:
    """Return the functions of which `run`, called with `ARGUMENTS`, runs an agent on Mountain Car.

    Raises:
        BadAlgorithm: the algorithm's function cannot be compiled.
    """
    functions = [
        *(source_text(of) for of in (tile, start, dynamics, at_goal)),
        straight_line(agent.algorithm.direction, "direction", SIGNATURE, agent.algorithm.name),
        straight_line(agent.rule.function, "rule", arguments(agent.rule.function), agent.rule.name),
    ]
    parts = STATE_VALUES if agent.actor else ACTION_VALUES
    numbers = {"tilings": agent.tilings, "features": agent.features, "actions": ACTIONS, "reward": REWARD}
    weights = {"w": "critic", "h": "critic", "theta": "actor"}
    steps = {f"step_{name}": _step(name, array, agent.rule) for name, array in weights.items()}
    direction = f"direction({', '.join(_GIVEN.get(name, name) for name in SIGNATURE)})"
    names = [*SETTINGS, *agent.rule.parameters]
    return _MODULE.format(
        **numbers,
        tiles=TILES,
        left=LEFT,
        width=RIGHT - LEFT,
        fastest=FASTEST,
        breadth=2 * FASTEST,
        constants="\n".join(f"{name} = {getattr(mountain_car, name)!r}" for name in _CONSTANTS),
        functions="\n\n".join(functions),
        unpacked=", ".join(names),
        settings=", ".join(f"settings[{row}]" for row in range(len(names))),
        act=indent(parts.act.format(**numbers).strip("\n"), " " * 8),
        update=indent(parts.update.format(**numbers, **steps, direction=direction).strip("\n"), " " * 8),
    ).lstrip()


_GIVEN = {"x": "x_i", "x_next": "x_next_i", "h": "h_i", "rho": "1.0"}


def rows_of(rule: StepSize, weights: str) -> list[float]:
    """Return the first values of the rows that hold a kind of weights and their accumulators, and before them w's."""
    kinds = 2 if weights == "critic" else 1
    return [*[0.0] * kinds, *list(rule.state.values()) * kinds]


def _step(name: str, array: str, rule: StepSize) -> str:
    """Return the statements that move component k of some weights by the rule along g."""
    kinds, which = (2, "wh".index(name)) if array == "critic" else (1, 0)
    first = kinds + which * len(rule.state)
    states = {state: f"{array}[{first + row}, k]" for row, state in enumerate(rule.state)}
    places = {"g": "g", "t": "t", "alpha": "eta * alpha" if name == "h" else "alpha", **states}
    call = f"rule({', '.join(places.get(argument, argument) for argument in arguments(rule.function))})"
    return f"{', '.join(['step', *states.values()])}, = {call}; {name}[k] += step"


class Parts(NamedTuple):
    """What differs between the two.

    Attributes:
        act: chooses action a in the state with features `active`.
        update: learns from x, a, the reward and x_next; leaves delta, delta_hat, `largest`, the size of the largest
            value, and the sums of squares `added`, of what the direction adds to delta x, and `whole`, of all of it.
    """

    act: str
    update: str


_LEARN = """
dw, dh = {direction}
added += (dw - delta * x_i) ** 2
whole += dw**2
g = dw
{step_w}
g = dh
{step_h}
"""
"""Component k learns from x_i, x_next_i and h_i."""

ACTION_VALUES = Parts(
    act="""
a = one_of_the_best(w, active, uniforms[n, 1])
if uniforms[n, 0] < epsilon:
    a = int(uniforms[n, 1] * {actions})
""",
    update="""
largest = size(w, active)
a_next, value_next = best(w, active_next)
delta = {reward} - value(w, active, a * {features})
if not ended:
    delta += gamma * value_next
delta_hat = value(h, active, a * {features})
# The features of an action are those of the state in the action's own block. Where both actions are the same x and
# x_next meet in it; otherwise the other block has x_next alone, and its h has no target and is left as it is.
shared = x_next if a_next == a else nothing
for i in range({features}):
    k = a * {features} + i
    x_i, x_next_i, h_i = x[i], shared[i], h[k]"""
    + indent(_LEARN, "    ")
    + """\
if a_next != a:
    for i in range({features}):
        k = a_next * {features} + i
        x_i, x_next_i, h_i = 0.0, x_next[i], h[k]
        dw, _ = {direction}
        added += dw**2
        whole += dw**2
        g = dw
        {step_w}
""",
)
"""Q-learning and its relatives: x_next is that of the greedy action."""

STATE_VALUES = Parts(
    act="""
softmax(theta, active, policy)
a = drawn(policy, uniforms[n, 1])
""",
    update="""
largest = abs(value(w, active, 0))
delta = {reward} - value(w, active, 0)
if not ended:
    delta += gamma * value(w, active_next, 0)
delta_hat = value(h, active, 0)
for k in range({features}):
    x_i, x_next_i, h_i = x[k], x_next[k], h[k]"""
    + indent(_LEARN, "    ")
    + """\
for b in range({actions}):
    slope = delta * ((b == a) - policy[b])
    for i in range({features}):
        k = b * {features} + i
        g = slope * x[i]
        {step_theta}
""",
)
"""One-step actor-critic: the gradient of ln pi(a) in the features of action b is (1[b = a] - pi(b)) x."""


def tile(tiling: int, u: float, v: float, tilings: int, tiles: int) -> int:
    """Return the feature that a point of the unit square makes active in one tiling.

    A tiling is a grid of tiles x tiles. Tiling j is displaced against tiling 0 by j and 3 j, modulo their number and
    over it, of a tile's sides: unequal displacements, since along a common diagonal points would generalise further
    than across (Sutton and Barto 2018, section 9.5.4). What a displaced grid does not cover belongs to its last row or
    column, so that each tiling has exactly tiles x tiles features and divides the whole square.

    Args:
        tiling: from 0 to tilings - 1.
        u, v: in [0, 1].
        tilings: how many there are.
        tiles: on a side.

    Returns:
        A number from 0 to tilings tiles^2 - 1; tilings share none.
    """
    row = min(int(u * tiles + tiling % tilings / tilings), tiles - 1)
    column = min(int(v * tiles + 3 * tiling % tilings / tilings), tiles - 1)
    return (tiling * tiles + row) * tiles + column

"""What is to be learnt, by which algorithm, and with which settings; the paper's are the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar

from simulate.control.algorithms import find_control_algorithm
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text, short_number
from tdrc_theory.parameters import parameter

OPTIMIZERS = ("adam", "rmsprop")
MOST = 10**9
"""Of anything that is counted."""
EPISODES = 100
"""Of a run where nothing says how long it is: as many as the paper's on Mountain Car."""
_SMALLEST, _LARGEST = Fraction(1, 2**126), Fraction(2**128 - 2**104)
"""Of floats of 32 bits with all their digits."""


@dataclass(frozen=True, kw_only=True)
class LearnerSettings:
    """What decides a run, besides its seed, of an agent with a network and of one with tiles alike.

    Attributes:
        episodes, steps: how long each run is: one of them, the other None.
        alpha: step size of the values' weights; eta alpha is that of h.
        beta, eta: regulariser of h, and its step over that of the values; None where the algorithm has none.
        gamma: discount.
        epsilon: probability of a uniformly random action, where the agent has no policy of its own.
        cutoff: steps after which an episode is cut off, which is no termination.
        every: updates between records.
    """

    episodes: int | None = None
    steps: int | None = None
    alpha: Fraction = Fraction(1, 1024)
    beta: Fraction | None = Fraction(1)
    eta: Fraction | None = Fraction(1)
    gamma: Fraction = Fraction(99, 100)
    epsilon: Fraction = Fraction(1, 10)
    cutoff: int | None = None
    every: int = 100

    most: ClassVar[int] = MOST

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        for name in ("beta", "eta"):
            if (value := getattr(self, name)) is not None:
                parameter(name, value)
        if self.alpha <= 0:
            raise BadOption(f"--alpha: {self.alpha} is not positive; alpha is above 0")
        for name in ("gamma", "epsilon"):
            _check_range(name, getattr(self, name), 0, 1)
        if (self.episodes is None) == (self.steps is None):
            raise BadOption("--episodes, --steps: one of them says how long a run is")
        for name in ("episodes", "steps", "cutoff", "every"):
            _check_range(name, getattr(self, name), 1, self.most)

    def to_json(self) -> dict[str, Any]:
        """Return all of them; exact numbers are text."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: number_text(v) if isinstance(v, Fraction) else v for name, v in values.items()}


@dataclass(frozen=True, kw_only=True)
class Settings(LearnerSettings):
    """Everything but the seed that decides what a run with networks does.

    Attributes:
        environment: its name; where `cutoff` is None, its own limit cuts episodes off.
        algorithm: qrc, qc or q-learning.
        hidden: units of each hidden layer.
        buffer: transitions in the replay buffer.
        warm_up: transitions before the first update.
        batch: transitions an update.
        first_epsilon, annealing: where the probability of a random action begins, and the steps in which it falls
            linearly to `epsilon`.
        reward_scale: factor of every reward that is learnt from.
        target_every: updates between synchronisations of the target network; 0 is none.
        updates_per_step: updates after each step in the environment.
        prioritized: draw from the buffer in proportion to the squared TD error.
        optimizer: adam or rmsprop.
    """

    environment: str
    algorithm: str
    hidden: tuple[int, ...] = (32, 32)
    buffer: int = 4000
    warm_up: int = 32
    batch: int = 32
    first_epsilon: Fraction = Fraction(1, 10)
    annealing: int = 0
    reward_scale: Fraction = Fraction(1)
    target_every: int = 0
    updates_per_step: int = 1
    prioritized: bool = False
    optimizer: str = "adam"

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        super().__post_init__()
        for name in ("alpha", "beta", "eta", "reward_scale"):
            if (value := getattr(self, name)) and not _SMALLEST <= abs(value) <= _LARGEST:
                raise BadOption(
                    f"{_option(name)}: {short_number(value)} is outside the range in which networks compute (floats of "
                    "32 bits), 1.2e-38 to 3.4e38 in size"
                )
        _check_range("first_epsilon", self.first_epsilon, 0, 1)
        least = {"buffer": 1, "batch": 1, "updates_per_step": 1, "target_every": 0, "annealing": 0}
        for name in least:
            _check_range(name, getattr(self, name), least[name], MOST)
        _check_range("warm_up", self.warm_up, 1, self.buffer)
        if self.every < self.updates_per_step:
            raise BadOption(f"--every: {self.every} is less than the {self.updates_per_step} updates of one step")
        if not self.hidden:
            raise BadOption("--hidden: there is at least one hidden layer; h is linear in the last one's features")
        for units in self.hidden:
            _check_range("hidden", units, 1, MOST)
        if self.optimizer not in OPTIMIZERS:
            raise BadOption(f"--optimizer: {self.optimizer}; allowed: {', '.join(OPTIMIZERS)}")

    def exploration(self, step: int) -> float:
        """Return the probability of a random action in this step, counted from 0."""
        left = max(0.0, 1 - step / self.annealing) if self.annealing else 0.0
        return float(self.epsilon) + left * float(self.first_epsilon - self.epsilon)

    @property
    def how(self) -> list[str]:
        """Return, in words, what is learnt with."""
        units = " x ".join(map(str, self.hidden))
        target = f", target network every {self.target_every} updates" if self.target_every else ""
        drawn = "in proportion to squared errors" if self.prioritized else "uniformly"
        many = f", {self.updates_per_step} updates a step" if self.updates_per_step > 1 else ""
        return [
            f"{units} units, {self.optimizer}{target}",
            f"batches of {self.batch} from {self.buffer}, drawn {drawn}{many}",
        ]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Settings:
        """Return the settings of which `to_json` gave the form."""
        taken: dict[str, Any] = {
            name: parameter(name, v) if name in NUMBERS and v is not None else v for name, v in stored.items()
        }
        taken["hidden"] = tuple(stored["hidden"])
        return cls(**taken)


NUMBERS = frozenset(field.name for field in fields(Settings) if isinstance(field.default, Fraction))
"""Settings that are exact numbers."""

_MINATAR: Mapping[str, Any] = {
    "steps": 5_000_000,
    "hidden": (128,),
    "buffer": 100_000,
    "warm_up": 5000,
    "first_epsilon": Fraction(1),
    "annealing": 100_000,
    "reward_scale": Fraction(1, 100),
    "optimizer": "rmsprop",
    "every": 1000,
}
"""Of both games; the reward's scale is 1 - gamma, and `hidden` comes after the convolutions."""
PAPER: Mapping[str, Mapping[str, Any]] = {
    "mountain-car": {
        "episodes": EPISODES,
        "cutoff": 1000,
        "hidden": (32, 32),
        "buffer": 4000,
        "alpha": {"qrc": Fraction(1, 2**10), "qc": Fraction(1, 2**10), "q-learning": Fraction(1, 2**8)},
    },
    "cart-pole": {
        "steps": 50_000,
        "cutoff": 500,
        "hidden": (64, 64),
        "buffer": 4096,
        "alpha": {"qrc": Fraction(1, 2**10), "qc": Fraction(1, 2**9), "q-learning": Fraction(1, 2**11)},
    },
    "minatar:breakout": {**_MINATAR, "alpha": dict.fromkeys(("qrc", "qc", "q-learning"), Fraction(1, 2**8))},
    "minatar:space_invaders": {**_MINATAR, "alpha": dict.fromkeys(("qrc", "qc", "q-learning"), Fraction(1, 2**10))},
}
"""Settings of the paper by environment; step sizes are those that learnt best in its grid.

Of MinAtar they are the middle of the paper's grid for the game; to measure them would take weeks. With 2^-6, QRC learns
Breakout sooner, but its values leave all bounds: over 60 after 24,000 updates, where none can be above 1.
"""


def settings(environment: str, algorithm: str, **asked: Any) -> Settings:
    """Return the paper's settings for an environment, with what is given in their place.

    Asked are fields of `Settings`; None is the default. Numbers may be text: "1/1024".

    Raises:
        UnknownName: there is no such algorithm.
        BadOption: a setting has no meaning, or none for this algorithm.
    """
    kind = find_control_algorithm(algorithm)
    chosen = {name: value for name, value in asked.items() if value is not None}
    defaults = dict(PAPER.get(environment, {"episodes": EPISODES}))
    by_algorithm = defaults.pop("alpha", {})
    if "episodes" in chosen or "steps" in chosen:
        defaults = {name: value for name, value in defaults.items() if name not in ("episodes", "steps")}
    if algorithm in by_algorithm:
        defaults["alpha"] = by_algorithm[algorithm]
    for name, there in (("beta", kind.regularised), ("eta", kind.corrected)):
        if not there:
            if name in chosen:
                raise BadOption(f"--{name}: {algorithm} has none")
            defaults[name] = None
    for name, value in chosen.items():
        defaults[name] = parameter(name.replace("_", "-"), value) if name in NUMBERS else value
    if "epsilon" in chosen and "first_epsilon" not in chosen and "annealing" not in chosen:
        defaults["first_epsilon"] = defaults["epsilon"]
    if "buffer" in chosen and "warm_up" not in chosen:
        defaults["warm_up"] = min(defaults.get("warm_up", Settings.warm_up), defaults["buffer"])
    return Settings(environment=environment, algorithm=algorithm, **defaults)


def _check_range(name: str, value: Fraction | int | None, least: int, most: int) -> None:
    if value is not None and not least <= value <= most:
        raise BadOption(f"{_option(name)}: {value} is not from {least} to {most}")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")

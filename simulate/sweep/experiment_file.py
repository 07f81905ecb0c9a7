"""Experiment files: TOML, every number exact; an error names file, key and value in one line."""

from __future__ import annotations

import math
import os.path
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from simulate.control.algorithms import find_control_algorithm
from simulate.control.linear.agent import LinearAgent, find_agent
from simulate.control.settings import EPISODES, MOST, PAPER
from simulate.environment import SAMPLINGS
from simulate.kernels import check_reads, used_parameters
from simulate.kernels.kernel_residual_gradient import find_learner, smoothing_of
from simulate.kernels.plan import needs_chain
from simulate.legacy_stream import without_stream
from simulate.step_sizes import find_step_size
from simulate.sweep.experiment import (
    AXES,
    BATCH,
    CONTROL_AXES,
    EXPERIENCES,
    MEASURES,
    RMSPBE,
    AgentsWithGrids,
    ControlExperiment,
    EnvironmentWithLength,
    Experiment,
    FigureAxes,
    Grid,
    Learners,
    PredictionExperiment,
    ProblemWithSteps,
    with_error_weights,
)
from simulate.work import MOST_RUNS
from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import BadExperiment, UnknownName, errors_at
from tdrc_theory.exact.number import ALLOWED, parse_number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.model_files import is_model_file
from tdrc_theory.parameters import RANGES, out_of_range
from tdrc_theory.problem.environment import PREFIX
from tdrc_theory.problem.reader import shown, shown_key, whole
from tdrc_theory.problem.sampling import without_chain
from tdrc_theory.problems import PROBLEMS, find_problem

FULL, VARIANTS = "full", "variants"
ONE = (Fraction(1),)
RESERVED = ("algorithms", "step_sizes", "steps", "reward_scale", "name", "along")
"""Keys and axes that no parameter can be called by."""
_MOST_CONFIGURATIONS = 10**5
"""Of an algorithm and a rule: 200 runs of them fill about a gigabyte of a store."""
ENVIRONMENTS = "environments"
"""A file with this key is of control."""
TILES, LINEAR_ENVIRONMENT = "tiles", "mountain-car"
FEATURES = ("networks", TILES)
"""What agents learn with; with tiles, in one environment."""
_MOST_OF_AGENT = 10**4
"""Configurations of an agent: each takes seconds at least."""
_MISSING: Any = object()
_MOST_VALUES = 1000
T = TypeVar("T")


def built_in() -> dict[str, Path]:
    """Return the experiments that come with the package, by name."""
    folder = Path(__file__).parents[1] / "experiments"
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def find_experiment(name: str, full: bool = False) -> Experiment:
    """Return the experiment of a file, or one that comes with the package.

    Args:
        name: a path, or the bare name of a built-in one.
        full: with what the file's [full] puts in the place of its other keys.

    Raises:
        UnknownName: there is neither such a name nor such a file.
        BadExperiment: the file cannot be read or describes no experiment; the message names file, key and value.
    """
    known = built_in()
    if name in known or name.endswith(".toml") or os.path.exists(name):
        return load_experiment(known.get(name, name), full)
    raise UnknownName("experiment", name, known, "an experiment file (TOML)")


def load_experiment(path: str | Path, full: bool = False) -> Experiment:
    """Read an experiment file; see `find_experiment`."""
    folder = Path(path).parent
    with toml_file(path, BadExperiment) as data:
        own = data.pop(FULL, None)
        plain = parse_experiment(data, folder)
        if own is None and full:
            raise BadExperiment("--full is given, but there is no table [full] in the file")
        if own is None:
            return plain
        # It is read in any case: a mistake in it is not left to whoever asks for it.
        with errors_at(BadExperiment, f"with [{FULL}]"):
            grown = parse_experiment(data | _table(FULL, own), folder)
        return grown if full else plain


def load_variants(
    path: str | Path, full: bool = False, read: Callable[[dict[str, Any], Path], Any] | None = None
) -> dict[str, Any]:
    """Return the experiment of a file under each of its [variants], by their names; without any, under its own name.

    A variant, as [full], puts its values in the place of the file's; [full] may have variants of its own, and a file
    without it is the same with it. By default `parse_experiment` reads a file's content, given its folder.
    """
    folder, read = Path(path).parent, read or parse_experiment
    with toml_file(path, BadExperiment) as data:
        grown = _table(FULL, data.pop(FULL, {}))
        data |= grown if full else {}
        if VARIANTS not in data:
            plain = read(data, folder)
            return {plain.name: plain}
        variants = _table(VARIANTS, data.pop(VARIANTS))
        experiments = {}
        for name, own in variants.items():
            with errors_at(BadExperiment, f"{VARIANTS}.{shown(name)}"):
                experiments[name] = read(data | _table(VARIANTS, own), folder)
        return experiments


def _table(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadExperiment(f"{key}: {shown(value)} is not a table")
    return value


def parse_experiment(data: Mapping[str, Any], folder: Path) -> Experiment:
    """Return the experiment of a file's content without [full]; paths in it are relative to `folder`."""
    return _control(data) if ENVIRONMENTS in data else _prediction(data, folder)


def _prediction(data: Mapping[str, Any], folder: Path) -> PredictionExperiment:
    top = TableReader(data, "")
    sampling = top.one_of("sampling", SAMPLINGS, SAMPLINGS[0])
    data_of = top if sampling == BATCH else TableReader({}, "")
    experiment = PredictionExperiment(
        name=top.text("name"),
        places=tuple(_place(entry, folder) for entry in top.tables("problems", "problem")),
        learners=tuple(_learners(table, folder) for table in top.tables("learners")),
        sampling=sampling,
        batch=data_of.whole("batch", 1, MOST, 8),
        data_set=data_of.whole("data", 1, MOST, 100_000),
        steps=top.wholes("steps", 1, MOST),
        runs=top.whole("runs", 1, MOST_RUNS),
        seed=top.whole("seed", 0, 2**64 - 1, 0),
        measure=MEASURES[top.one_of("measure", tuple(MEASURES), next(iter(MEASURES)))],
        first=top.whole("first", 1, MOST, 1),
        every=top.whole("every", 1, MOST, 10),
        reward_scale=top.grid("reward_scale", ONE, least=Fraction(0), open_end=True),
        replays=top.one_of("experience", EXPERIENCES, EXPERIENCES[0]) == "replayed",
        curves=top.truth("curves", True),
        extend_alpha=top.truth("extend_alpha", False),
        figure=_figure_axes(top.table("figure")),
    )
    top.finish()
    longest = min(steps for place in experiment.places for steps in place.steps or experiment.steps)
    if experiment.first > longest:
        raise BadExperiment(f"first: {experiment.first} is more than the {longest} updates of a run")
    _check_learners(experiment)
    _check_places(experiment)
    parameters = [name for _, _, grid in experiment.learned() for one in grid for name, _ in one.parameters]
    _check_axes(experiment.figure, list(dict.fromkeys([*AXES, *parameters])))
    return experiment


def _place(entry: TableReader, folder: Path) -> ProblemWithSteps:
    name = entry.text("problem")
    gamma = entry.number("gamma", None)
    target = entry.text("target", None)
    steps = entry.wholes("steps", 1, MOST, None)
    weights = entry.numbers("error_weights", None)
    entry.finish()
    if not name.startswith(PREFIX) and name not in [known for known, _ in PROBLEMS]:
        name = str(folder / name) if name.endswith(".toml") or is_model_file(name) else name
    problem = entry.converted("problem", lambda: find_problem(name, gamma=gamma, target=target))
    if weights is not None:
        entry.converted("error_weights", lambda: with_error_weights(problem, weights))
    return ProblemWithSteps(problem, steps, weights)


def _learners(table: TableReader, folder: Path) -> Learners:
    names = table.texts("algorithms")
    rule_names = table.texts("step_sizes", "constant")
    rules = tuple(table.converted("step_sizes", partial(find_step_size, name)) for name in rule_names)
    algorithms = tuple(table.converted("algorithms", partial(_algorithm, name, folder)) for name in names)
    called, along = table.text("name", None), table.text("along", None)
    if called is not None:
        if len(algorithms) > 1:
            raise table.refuse("name", f"{shown(called)} is to be the name of {len(algorithms)} algorithms")
        algorithms = (algorithms[0].with_(name=called),)
    of_rules = dict.fromkeys(name for rule in rules for name in rule.parameters)
    alpha = table.grid("alpha", least=Fraction(0), open_end=True)
    grids = _own_grids(table, algorithms, of_rules)
    grids |= {name: table.grid(name, least=Fraction(0), open_end=True) for name in of_rules if table.has(name)}
    for rule in rules:
        for own in rule.parameters:
            for value in grids.get(own, ()):
                if not rule.allows(own, value):
                    raise table.refuse(own, f"{shown(value)} is not {rule.allowed(own)}, as {rule.name} needs it")
    table.finish()
    _check_size(table, [alpha, *grids.values()], _MOST_CONFIGURATIONS)
    if along not in (None, *grids):
        raise table.refuse("along", f"{shown(along)} has no grid; allowed: {', '.join(grids)}")
    return Learners(algorithms=algorithms, rules=rules, alpha=alpha, grids=grids, along=along)


def _own_grids(table: TableReader, algorithms: Sequence[Algorithm], of_rules: Iterable[str]) -> dict[str, Grid]:
    """Return the grids of the algorithms' own parameters, any of which may have beta and eta."""
    owners = {
        name: algorithm.name
        for algorithm in reversed(algorithms)
        for name in table.converted("algorithms", partial(used_parameters, algorithm, {}))
    }
    if shared := sorted(owners.keys() & {"alpha", *RESERVED, *of_rules}):
        raise table.refuse("algorithms", f"{owners[shared[0]]} has a parameter {shared[0]}, which names something else")
    grids = {}
    for name in dict.fromkeys(("eta", "beta", *owners)):
        if table.has(name):
            grids[name] = table.grid(name)
            for value in grids[name]:
                if out_of_range(name, value):
                    raise table.refuse(name, f"{shown(value)} is not {RANGES[name].allowed}")
    return grids


def _algorithm(name: str, folder: Path) -> Algorithm:
    file, colon, function = name.rpartition(":")
    return find_learner(f"{folder / file}:{function}" if colon and file.endswith(".py") else name)


def _check_size(table: TableReader, grids: Iterable[Sequence[Any]], most: int) -> None:
    size = math.prod(map(len, grids))
    if size > most:
        raise table.refuse("alpha", f"{size} configurations an algorithm; at most {most}")


def _check_learners(experiment: PredictionExperiment) -> None:
    """Refuse learners that results could not distinguish, or that the samples are not for, and an unknown baseline."""
    sources: dict[str, str] = {}
    for algorithm in (algorithm for learners in experiment.learners for algorithm in learners.algorithms):
        if sources.setdefault(algorithm.name, algorithm.source) != algorithm.source:
            raise BadExperiment(f"learners: two different algorithms are called {shown(algorithm.name)}")
        if needs_chain(algorithm) and experiment.sampling != "markov":
            raise BadExperiment(f'learners: {algorithm.name} has memory, which needs sampling = "markov"')
        if smoothing_of(algorithm) and not (experiment.sampling == BATCH and experiment.batch > 1):
            raise BadExperiment(f'learners: {algorithm.name} needs sampling = "batch" with a batch of at least 2')
    if experiment.figure.baseline not in (None, *sources):
        baseline = shown(experiment.figure.baseline)
        raise BadExperiment(f"figure.baseline: {baseline} is not run; allowed: {', '.join(sources)}")


def _check_places(experiment: PredictionExperiment) -> None:
    """Refuse problems that results could not distinguish, cannot be sampled, or do not offer what a learner reads."""
    if experiment.replays and experiment.sampling != "markov":
        raise BadExperiment('experience: the paper\'s random streams are of sampling = "markov"')
    names = [place.problem.name for place in experiment.places]
    for number, place in enumerate(experiment.places):
        with errors_at(BadExperiment, f"problems, entry {number}"):
            if (first := names.index(place.problem.name)) < number:
                raise BadExperiment(f"is called {shown(place.problem.name)}, as entry {first} is")
            if why := without_chain(place.problem, experiment.sampling):
                raise BadExperiment(f"sampling: {why}")
            if place.error_weights is not None and experiment.measure is not RMSPBE:
                raise BadExperiment("error_weights: are those of the projected Bellman error")
            if experiment.replays and (why := without_stream(place.problem)):
                raise BadExperiment(f"experience: {why}")
            for algorithm in {a.name: a for learners in experiment.learners for a in learners.algorithms}.values():
                check_reads(place.problem, algorithm)


def _control(data: Mapping[str, Any]) -> ControlExperiment:
    """Return the experiment of a file with `environments` and `[[agents]]`, not `problems` and `[[learners]]`."""
    top = TableReader(data, "")
    experiment = ControlExperiment(
        name=top.text("name"),
        places=tuple(_environment(entry) for entry in top.tables(ENVIRONMENTS, "environment")),
        learners=tuple(_agents(table) for table in top.tables("agents")),
        runs=top.whole("runs", 1, MOST_RUNS),
        seed=top.whole("seed", 0, 2**64 - 1, 0),
        figure=_figure_axes(top.table("figure"), baseline=False),
    )
    top.finish()
    _check_axes(experiment.figure, CONTROL_AXES)
    names = [long.environment for long in experiment.places]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise BadExperiment(f"environments, entry {number}: {shown(name)} is listed twice")
        if name != LINEAR_ENVIRONMENT and any(
            isinstance(agent, LinearAgent) for learners in experiment.learners for agent in learners.agents
        ):
            raise BadExperiment(f"agents: tiles are for {LINEAR_ENVIRONMENT} alone, not for {name}")
    list(experiment.cases())  # refuses configurations that have no meaning
    return experiment


def _environment(entry: TableReader) -> EnvironmentWithLength:
    name = entry.text("environment")
    paper = PAPER.get(name, {"episodes": EPISODES})
    lengths = {key: entry.whole(key, 1, MOST, None) for key in ("episodes", "steps")}
    if lengths["episodes"] is None and lengths["steps"] is None:
        lengths |= {key: paper.get(key) for key in lengths}
    elif None not in (lengths["episodes"], lengths["steps"]):
        raise entry.refuse("episodes", "steps are given too; one of them says how long a run is")
    lengths["cutoff"] = entry.whole("cutoff", 0, MOST, paper.get("cutoff"))
    entry.finish()
    return EnvironmentWithLength(name, **lengths)


def _agents(table: TableReader) -> AgentsWithGrids:
    find = find_agent if table.one_of("features", FEATURES, FEATURES[0]) == TILES else find_control_algorithm
    names = table.texts("algorithms")
    called = table.texts("called") if table.has("called") else names
    if len(called) != len(names):
        raise table.refuse("called", f"{len(called)} names for {len(names)} algorithms")
    read = AgentsWithGrids(
        agents=tuple(map(find, names)),
        called=called,
        alpha=table.grid("alpha", None, least=Fraction(0), open_end=True),
        eta=table.grid("eta", ONE, least=Fraction(0), open_end=True),
        beta=table.grid("beta", ONE, least=Fraction(0), open_end=False),
        own={
            "target_every": table.wholes("target_every", 0, MOST, (0,)),
            "updates_per_step": table.wholes("updates_per_step", 1, 100, (1,)),
        },
    )
    table.finish()
    _check_size(table, [read.alpha or ONE, read.eta, read.beta, *read.own.values()], _MOST_OF_AGENT)
    return read


def _figure_axes(figure: TableReader, *, baseline: bool = True) -> FigureAxes:
    """Return what [figure] says, which may name a baseline or not."""
    along, by = figure.text("along", "alpha"), figure.text("by", None)
    axes = FigureAxes(along, by, figure.text("baseline", None) if baseline else None)
    figure.finish()
    return axes


def _check_axes(figure: FigureAxes, axes: Sequence[str]) -> None:
    for key, value in (("along", figure.along), ("by", figure.by)):
        if value is not None and value not in axes:
            raise BadExperiment(f"figure.{key}: {shown(value)} is none; allowed: {', '.join(axes)}")


class TableReader:
    """Reads the keys of a table of tomllib with `parse_float=str`; `finish` refuses those that nobody asked for.

    In messages, `where` is put before a key.
    """

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self._data, self._where = data, where
        self._asked: list[str] = []

    def has(self, key: str) -> bool:
        """Return whether the key is there; it counts as asked for."""
        self._asked.append(key)
        return key in self._data

    def refuse(self, key: str, reason: str) -> BadExperiment:
        """Return an error about a key."""
        return BadExperiment(f"{self._where}{key}: {reason}")

    def finish(self) -> None:
        """Refuse keys that were not asked for."""
        for key in self._data:
            if key not in self._asked:
                raise self.refuse(shown_key(key), f"unknown key; allowed: {', '.join(dict.fromkeys(self._asked))}")

    def text(self, key: str, default: Any = _MISSING) -> Any:
        """Return one line of text."""
        value = self._get(key, default)
        if value is not default and (not isinstance(value, str) or value.splitlines() != [value] or not value.strip()):
            raise self.refuse(key, f"{shown(value)} is not one line of text")
        return value

    def one_of(self, key: str, allowed: Sequence[str], default: Any = _MISSING) -> Any:
        """Return one of some words."""
        value = self._get(key, default)
        if value is not default and value not in allowed:
            raise self.refuse(key, f"{shown(value)} is none; allowed: {', '.join(allowed)}")
        return value

    def whole(self, key: str, least: int, most: int, default: Any = _MISSING) -> Any:
        """Return an integer in a range."""
        value = self._get(key, default)
        return value if value is default else self._whole(value, key, least, most)

    def wholes(self, key: str, least: int, most: int, default: Any = _MISSING) -> Any:
        """Return one integer, or a list of different ones, or a range."""
        value = self._get(key, default)
        if value is default:
            return value
        values = self._range(value, key) if isinstance(value, dict) else value if isinstance(value, list) else [value]
        plain = [int(v) if isinstance(v, Fraction) and v.denominator == 1 else v for v in values]
        return self._different(key, [self._whole(v, key, least, most) for v in plain])

    def number(self, key: str, default: Any = _MISSING) -> Any:
        """Return an exact number."""
        value = self._get(key, default)
        return value if value is default else self._number(value, key)

    def numbers(self, key: str, default: Any = _MISSING) -> Any:
        """Return a list of exact numbers, which may be alike."""
        value = self._get(key, default)
        if value is default:
            return value
        if not isinstance(value, list) or not 1 <= len(value) <= _MOST_VALUES:
            raise self.refuse(key, f"{shown(value)} is not a list of 1 to {_MOST_VALUES} numbers")
        return tuple(self._number(v, key) for v in value)

    def truth(self, key: str, default: Any = _MISSING) -> bool:
        """Return true or false."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, f"{shown(value)} is not true or false")
        return value

    def grid(self, key: str, default: Any = _MISSING, *, least: Fraction | None = None, open_end: bool = False) -> Any:
        """Return one number, or a list of different ones, or a range; at least `least`, or above it."""
        value = self._get(key, default)
        if value is default:
            return value
        listed = value if isinstance(value, list) else [value]
        values = self._range(value, key) if isinstance(value, dict) else [self._number(v, key) for v in listed]
        for v in values:
            if least is not None and (v < least or (open_end and v == least)):
                raise self.refuse(key, f"{shown(v)} is not {'above' if open_end else 'at least'} {least}")
        return self._different(key, values)

    def texts(self, key: str, default: Any = _MISSING) -> tuple[str, ...]:
        """Return one text, or a list of different ones."""
        value = self._get(key, default)
        values = value if isinstance(value, list) else [value]
        for v in values:
            if not isinstance(v, str):
                raise self.refuse(key, f"{shown(v)} is not text")
        return self._different(key, values)

    def table(self, key: str) -> TableReader:
        """Return a table inside, empty where it is missing."""
        return TableReader(_table(f"{self._where}{key}", self._get(key, {})), f"{self._where}{key}.")

    def tables(self, key: str, bare: str | None = None) -> list[TableReader]:
        """Return a list of tables; where `bare` is given, a text stands for a table with that key alone."""
        value = self._get(key, _MISSING)
        if not isinstance(value, list) or not value:
            raise self.refuse(key, f"{shown(value)} is not a list with something in it")
        read = []
        for number, entry in enumerate(value):
            where = f"{self._where}{key}, entry {number}"
            entry = {bare: entry} if bare is not None and isinstance(entry, str) else _table(where, entry)
            read.append(TableReader(entry, f"{where}: "))
        return read

    def converted(self, key: str, make: Callable[[], T]) -> T:
        """Return what is made of a key's value; its errors name the key."""
        with errors_at(BadExperiment, f"{self._where}{key}"):
            return make()

    def _get(self, key: str, default: Any) -> Any:
        self._asked.append(key)
        if key in self._data:
            return self._data[key]
        if default is _MISSING:
            raise self.refuse(key, "missing")
        return default

    def _whole(self, value: Any, key: str, least: int, most: int) -> int:
        number = whole(value)
        if number is None or not least <= number <= most:
            raise self.refuse(key, f"{shown(value)} is not an integer from {least} to {most}")
        return number

    def _number(self, value: Any, key: str) -> Fraction:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise self.refuse(key, f"{shown(value)} is not a number; {ALLOWED}")
        number = self.converted(key, lambda: parse_number(value) if isinstance(value, str) else Fraction(value))
        try:
            float(number)
        except OverflowError:
            raise self.refuse(key, f"{shown(number)} is too large to compute with") from None
        return number

    def _range(self, value: Mapping[str, Any], key: str) -> list[Fraction]:
        """Return times * base^n for n = from, ..., to."""
        read = TableReader(value, f"{self._where}{key}.")
        base, times = read.number("base"), read.number("times", Fraction(1))
        low, high = (read.whole(end, -1000, 1000) for end in ("from", "to"))
        read.finish()
        if base <= 0 or base == 1:
            raise read.refuse("base", f"{shown(base)} is not positive, or is 1")
        if low > high:
            raise read.refuse("to", f"{high} is below from = {low}")
        return [self._number(str(times * base**n), key) for n in range(low, high + 1)]

    def _different(self, key: str, values: Sequence[T]) -> tuple[T, ...]:
        if not 1 <= len(values) <= _MOST_VALUES:
            raise self.refuse(key, f"{len(values)} values; 1 to {_MOST_VALUES} are allowed")
        for i, value in enumerate(values):
            if value in values[:i]:
                raise self.refuse(key, f"{shown(value)} is listed twice")
        return tuple(values)

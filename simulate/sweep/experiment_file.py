"""Experiment files: TOML, every number exact; an error names file, key and value in one line."""

from __future__ import annotations

import math
import os.path
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from simulate.control.settings import MOST
from simulate.kernels import check_reads, used_parameters
from simulate.kernels.kernel_residual_gradient import find_learner, smoothing_of
from simulate.kernels.step import needs_chain
from simulate.legacy_stream import without_stream
from simulate.sampling import SAMPLINGS
from simulate.step_sizes import find_step_size
from simulate.step_sizes.step_size import StepSize
from simulate.sweep.case import Experiment
from simulate.sweep.control_experiment import ENVIRONMENTS, figure_axes, parse_control
from simulate.sweep.experiment import (
    AXES,
    BATCH,
    EXPERIENCES,
    MEASURES,
    RMSPBE,
    Grid,
    Learners,
    PredictionExperiment,
    ProblemWithSteps,
    with_error_weights,
)
from simulate.sweep.table import Table
from simulate.work import MOST_RUNS
from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import BadExperiment, TheoryError, UnknownName
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.model_files import is_model_file
from tdrc_theory.parameters import RANGES, out_of_range
from tdrc_theory.problem.environment_id import PREFIX
from tdrc_theory.problem.reader import shown
from tdrc_theory.problem.sampling import without_chain
from tdrc_theory.problems import PROBLEMS, find_problem

FULL, VARIANTS = "full", "variants"
ONE = (Fraction(1),)
RESERVED = ("algorithms", "step_sizes", "steps", "reward_scale", "name", "along")
"""Keys and axes that no parameter can be called by."""
_MOST_CONFIGURATIONS = 10**5
"""Of an algorithm and a rule: 200 runs of them fill about a gigabyte of a store."""


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
    if name in known:
        return load_experiment(known[name], full)
    if name.endswith(".toml") or os.path.exists(name):
        return load_experiment(name, full)
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
        with _errors_of(f"with [{FULL}]"):
            grown = parse_experiment(data | _table(FULL, own), folder)
        return grown if full else plain


def load_variants(
    path: str | Path, full: bool = False, read: Callable[[dict[str, Any], Path], Any] | None = None
) -> dict[str, Any]:
    """Return the experiment of a file under each of its [variants], by their names; without any, under its own name.

    A variant, as [full], puts its values in the place of the file's; [full] may have variants of its own.

    Args:
        path, full: see `find_experiment`; a file without [full] is the same with it.
        read: what makes an experiment of a file's content and folder, by default `parse_experiment`.
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
            with _errors_of(f"{VARIANTS}.{shown(name)}"):
                experiments[name] = read(data | _table(VARIANTS, own), folder)
        return experiments


def _table(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadExperiment(f"{key}: {shown(value)} is not a table")
    return value


@contextmanager
def _errors_of(where: str) -> Iterator[None]:
    """Put before an error of the block where in the file it is."""
    try:
        yield
    except TheoryError as error:
        raise BadExperiment(f"{where}: {error}") from None


def parse_experiment(data: Mapping[str, Any], folder: Path) -> Experiment:
    """Return the experiment of a file's content without [full]; paths in it are relative to `folder`."""
    return parse_control(data) if ENVIRONMENTS in data else _prediction(data, folder)


def _prediction(data: Mapping[str, Any], folder: Path) -> PredictionExperiment:
    top = Table(data, "")
    sampling = top.one_of("sampling", SAMPLINGS, SAMPLINGS[0])
    data_of = top if sampling == BATCH else Table({}, "")
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
        figure=figure_axes(top.table("figure")),
    )
    top.finish()
    longest = min(steps for place in experiment.places for steps in place.steps or experiment.steps)
    if experiment.first > longest:
        raise BadExperiment(f"first: {experiment.first} is more than the {longest} updates of a run")
    _check_names(experiment)
    _check_chains(experiment)
    _check_figure(experiment)
    _check_batches(experiment)
    return experiment


def _place(entry: Table, folder: Path) -> ProblemWithSteps:
    name = entry.text("problem")
    gamma = entry.number("gamma", None)
    target = entry.text("target", None)
    steps = entry.wholes("steps", 1, MOST) if entry.has("steps") else None
    weights = entry.numbers("error_weights") if entry.has("error_weights") else None
    entry.finish()
    if not name.startswith(PREFIX) and name not in [known for known, _ in PROBLEMS]:
        name = str(folder / name) if name.endswith(".toml") or is_model_file(name) else name
    problem = entry.converted("problem", lambda: find_problem(name, gamma=gamma, target=target))
    if weights is not None:
        entry.converted("error_weights", lambda: with_error_weights(problem, weights))
    return ProblemWithSteps(problem, steps, weights)


def _learners(table: Table, folder: Path) -> Learners:
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
        _check_rule(table, rule, grids)
    table.finish()
    size = math.prod(len(grid) for grid in (alpha, *grids.values()))
    if size > _MOST_CONFIGURATIONS:
        raise table.refuse("alpha", f"{size} configurations an algorithm; at most {_MOST_CONFIGURATIONS}")
    if along not in (None, *grids):
        raise table.refuse("along", f"{shown(along)} has no grid; allowed: {', '.join(grids)}")
    return Learners(algorithms=algorithms, rules=rules, alpha=alpha, grids=grids, along=along)


def _check_rule(table: Table, rule: StepSize, grids: Mapping[str, Grid]) -> None:
    """Refuse values of a rule's parameters that are out of range."""
    for name in rule.parameters:
        for value in grids.get(name, ()):
            if not rule.allows(name, value):
                raise table.refuse(name, f"{shown(value)} is not {rule.allowed(name)}, as {rule.name} needs it")


def _own_grids(table: Table, algorithms: Sequence[Algorithm], of_rules: Iterable[str]) -> dict[str, Grid]:
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


def _check_names(experiment: PredictionExperiment) -> None:
    """Refuse different problems, and different algorithms, that results could not distinguish."""
    problems = [place.problem.name for place in experiment.places]
    for number, name in enumerate(problems):
        if name in problems[:number]:
            raise BadExperiment(
                f"problems, entry {number}: is called {shown(name)}, as entry {problems.index(name)} is"
            )
    sources: dict[str, str] = {}
    for algorithm in (algorithm for learners in experiment.learners for algorithm in learners.algorithms):
        if sources.setdefault(algorithm.name, algorithm.source) != algorithm.source:
            raise BadExperiment(f"learners: two different algorithms are called {shown(algorithm.name)}")


def _check_chains(experiment: PredictionExperiment) -> None:
    """Refuse problems that cannot be sampled as all are to be, or that do not offer what a learner reads."""
    if experiment.replays and experiment.sampling != "markov":
        raise BadExperiment('experience: the paper\'s random streams are of sampling = "markov"')
    for number, place in enumerate(experiment.places):
        why = without_chain(place.problem, experiment.sampling)
        if why:
            raise BadExperiment(f"problems, entry {number}: sampling: {why}")
        if place.error_weights is not None and experiment.measure is not RMSPBE:
            raise BadExperiment(f"problems, entry {number}: error_weights: are those of the projected Bellman error")
        if experiment.replays and (why := without_stream(place.problem)):
            raise BadExperiment(f"problems, entry {number}: experience: {why}")
        for algorithm in experiment.algorithms:
            with _errors_of(f"problems, entry {number}"):
                check_reads(place.problem, algorithm)


def _check_figure(experiment: PredictionExperiment) -> None:
    """Refuse a figure of what the experiment does not have."""
    parameters = [name for _, _, grid in experiment.learned() for one in grid for name, _ in one.parameters]
    experiment.figure.check_axes(list(dict.fromkeys([*AXES, *parameters])))
    names = [algorithm.name for algorithm in experiment.algorithms]
    if experiment.figure.baseline not in (None, *names):
        baseline = shown(experiment.figure.baseline)
        raise BadExperiment(f"figure.baseline: {baseline} is not run; allowed: {', '.join(names)}")


def _check_batches(experiment: PredictionExperiment) -> None:
    """Refuse algorithms that compare the samples of a mini-batch where there are none, or need a chain."""
    batches = experiment.sampling == BATCH and experiment.batch > 1
    for algorithm in experiment.algorithms:
        if needs_chain(algorithm) and experiment.sampling != "markov":
            raise BadExperiment(f'learners: {algorithm.name} has memory, which needs sampling = "markov"')
        if smoothing_of(algorithm) and not batches:
            raise BadExperiment(f'learners: {algorithm.name} needs sampling = "batch" with a batch of at least 2')

"""Whatever is registered by name is complete: a file of a registry's folder that the registry lacks is named here."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import reports.sections
import simulate.control.environments
import simulate.step_sizes
import tdrc_theory.algorithms
import tdrc_theory.model_files
import tdrc_theory.papers
import tdrc_theory.problems
from reports.page.section import Section
from reports.sections import SECTIONS, section_of
from simulate.control import algorithms as control_algorithms
from simulate.control.algorithms import CONTROL_ALGORITHMS, ControlAlgorithm
from simulate.control.environments import BUILT_IN
from simulate.control.environments.environment import Environments
from simulate.step_sizes import STEP_SIZES
from simulate.step_sizes.step_size import StepSize
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.formula.vocabulary import VOCABULARY
from tdrc_theory.learner.algorithm import SIGNATURE, Algorithm
from tdrc_theory.notation import NOTATION
from tdrc_theory.papers import PAPERS
from tdrc_theory.problem import Problem
from tdrc_theory.problems import PROBLEMS

ROOT = Path(__file__).parent.parent
NOT_BUILT_IN = {
    "averaged": "makes a problem of anyone's arrays",
    "by_action": "makes a problem of another",
    "garnet": "makes as many as there are seeds",
    "gymnasium_table": "reads another package's table",
    "problem_file": "reads a user's file",
    "write_file": "writes one",
}


def modules(package):
    return [f"{package.__name__}.{each.name}" for each in pkgutil.iter_modules(package.__path__)]


def defined(module, kind):
    return [value for value in vars(module).values() if isinstance(value, kind)]


@pytest.mark.parametrize("name", modules(tdrc_theory.algorithms))
def test_no_algorithm_file_is_forgotten_in_the_registry(name):
    module = importlib.import_module(name)
    values = defined(module, Algorithm)
    assert values, f"{name} defines no Algorithm"
    assert all(any(algorithm is registered for registered in ALGORITHMS) for algorithm in values)
    # A function with the signature of an algorithm that no Algorithm uses would be forgotten as silently.
    directions = [f for f in defined(module, type(defined)) if tuple(inspect.signature(f).parameters) == SIGNATURE]
    assert all(any(f is algorithm.direction for algorithm in values) for f in directions)


def test_every_registered_algorithm_comes_from_a_file_of_the_folder():
    results = [a for name in modules(tdrc_theory.algorithms) for a in defined(importlib.import_module(name), Algorithm)]
    assert all(any(algorithm is f for f in results) for algorithm in ALGORITHMS)


def makes_a_problem(function):
    """Return whether calling it without arguments makes a problem."""
    signature = inspect.signature(function)
    needs = [p for p in signature.parameters.values() if p.default is p.empty]
    return not needs and signature.return_annotation in (Problem, "Problem")


def makers(name):
    """Return the public functions of a module, its own, that need no argument and make a problem."""
    functions = inspect.getmembers(importlib.import_module(name), inspect.isfunction)
    return [f for n, f in functions if f.__module__ == name and not n.startswith("_") and makes_a_problem(f)]


@pytest.mark.parametrize("name", modules(tdrc_theory.problems))
def test_no_problem_file_is_forgotten_in_the_registry(name):
    registered = [make for _, make in PROBLEMS]
    if name.rpartition(".")[2] in NOT_BUILT_IN:
        assert makers(name) == []
        return
    assert makers(name), f"{name} makes no problem, and is not among those that are no built-ins"
    assert all(make in registered for make in makers(name))


def test_every_registered_problem_bears_the_name_it_is_registered_by():
    assert [make().name for _, make in PROBLEMS] == [name for name, _ in PROBLEMS]


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_every_parameter_of_an_algorithm_is_in_the_table_of_symbols(algorithm):
    named = {symbol.name for symbol in NOTATION} | {"reward"} | {*algorithm.weights, *algorithm.memory}
    assert set(inspect.signature(algorithm.direction).parameters) <= named


def test_symbols_of_formulas_that_are_in_the_table_of_symbols_are_written_as_there():
    glyphs = {symbol.name: symbol.glyph for symbol in NOTATION}
    shared = [entry for entry in VOCABULARY if entry.name in glyphs]
    assert len(shared) > 20
    assert [entry.name for entry in shared if entry.glyph != glyphs[entry.name]] == []


@pytest.mark.parametrize(
    "names",
    [
        [a.name for a in ALGORITHMS],
        [rule.name for rule in STEP_SIZES],
        [name for name, _ in PROBLEMS],
        [s.name for s in NOTATION],
        [s.latex for s in NOTATION],
    ],
    ids=["algorithms", "step sizes", "problems", "symbols", "latex"],
)
def test_names_are_unique(names):
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", modules(simulate.step_sizes))
def test_no_step_size_file_is_forgotten_in_the_registry(name):
    values = defined(importlib.import_module(name), StepSize)
    assert values or name == StepSize.__module__, f"{name} defines no StepSize"
    assert all(any(rule is registered for registered in STEP_SIZES) for rule in values)


def test_every_algorithm_says_where_its_equation_stands():
    assert all(algorithm.source and algorithm.direction.__doc__ for algorithm in ALGORITHMS)


@pytest.mark.parametrize("name", modules(reports.sections))
def test_no_section_of_a_report_is_forgotten_in_the_registry(name):
    values = defined(importlib.import_module(name), Section)
    file = name.rpartition(".")[2]
    assert [section.name.replace("-", "_") for section in values] == [file]
    assert [listed for listed, _ in SECTIONS].count(file) == 1
    assert section_of(file) is values[0]


def test_every_section_has_its_own_template_and_every_template_its_section():
    templates = sorted(file.stem for file in (ROOT / "reports/templates/sections").iterdir())
    assert templates == sorted(section_of(name).name for name, _ in SECTIONS)


def test_no_built_in_paper_is_forgotten():
    folders = {file.parent.name for file in Path(tdrc_theory.papers.__file__).parent.glob("*/paper.toml")}
    assert folders == set(PAPERS)


@pytest.mark.parametrize("name", modules(simulate.control.environments))
def test_no_environment_is_forgotten(name):
    named = [kind for kind in defined(importlib.import_module(name), type) if kind.__module__ == name]
    results = [kind for kind in named if issubclass(kind, Environments) and isinstance(vars(kind).get("name"), str)]
    assert set(results) <= set(BUILT_IN)


def test_no_control_algorithm_is_forgotten():
    assert tuple(defined(control_algorithms, ControlAlgorithm)) == CONTROL_ALGORITHMS


def test_no_reader_of_model_files_is_forgotten():
    shared = f"{tdrc_theory.model_files.__name__}.model"
    readers = {reader.__module__ for _, reader in tdrc_theory.model_files.READERS}
    assert readers == set(modules(tdrc_theory.model_files)) - {shared}

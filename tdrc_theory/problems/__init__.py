"""The problems, one a file. Adding one is a new file and a new line here."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from typing import Any

from tdrc_theory.errors import BadOption, BadProblem, UnknownName
from tdrc_theory.model_files import is_model_file, load_model
from tdrc_theory.problem import Problem
from tdrc_theory.problem.environment import PREFIX, published_table
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import baird, boyan, five_state, random_walk, theta_2theta, two_state
from tdrc_theory.problems.problem_file import load_problem

PROBLEMS: tuple[tuple[str, Callable[[], Problem]], ...] = (
    ("baird", baird.baird),
    ("random-walk-tabular", random_walk.tabular),
    ("random-walk-inverted", random_walk.inverted),
    ("random-walk-dependent", random_walk.dependent),
    ("boyan", boyan.boyan),
    ("two-state", two_state.two_state),
    ("theta-2theta", theta_2theta.theta_2theta),
    ("theta-2theta-ending", theta_2theta.theta_2theta_ending),
    ("five-state", five_state.five_state),
)


def find_problem(name: Any, *, normalise: bool = False, **choices: Any) -> Problem:
    """Return the problem of `find_problem_or_matrices` where its process is known, which steps are taken from.

    Raises:
        BadProblem: A, b and C alone are given.
    """
    result = find_problem_or_matrices(name, normalise=normalise, **choices)
    if isinstance(result, MatrixProblem):
        raise BadProblem(
            f"{result.name}: A, b and C alone are given, and this takes steps of the process; give it as [mdp] or [mrp]"
        )
    return result


def find_problem_or_matrices(name: Any, *, normalise: bool = False, **choices: Any) -> Problem | MatrixProblem:
    """Return a built-in problem, that of a file or of an environment of gymnasium, or the problem that is given.

    Args:
        name: a built-in name, a path to a problem file or a model file, `gymnasium:ID`, or an environment, wrapped or
            not: an object with `P` and `initial_state_distrib`, or the older `isd`.
        normalise: whether probabilities of a file or an environment that sum to 1 up to 1e-6 are divided by their sum.
        choices: of environments and model files only, as `DecisionTable.problem` takes them.

    Raises:
        UnknownName: there is neither such a name nor such a file.
        MissingExtra: gymnasium is needed, and not installed.
        BadProblem: the file or the environment does not describe a problem.
        BadOption: a choice has another form, or is given for another kind of problem.
    """
    if isinstance(name, os.PathLike):
        name = os.fspath(name)
    if not isinstance(name, str | Problem | MatrixProblem) or (isinstance(name, str) and name.startswith(PREFIX)):
        return published_table(name).problem(normalise=normalise, **choices)
    if isinstance(name, str) and is_model_file(name):
        return load_model(name).problem(normalise=normalise, **choices)
    for choice, value in choices.items():
        if value is not None:
            option, owner = f"--{choice.replace('_', '-')}", name if isinstance(name, str) else name.name
            raise BadOption(
                f"{option}: {value} given, but only gymnasium:ID and model files take it; {owner} has its own"
            )
    if isinstance(name, Problem | MatrixProblem):
        return name
    for built_in, make in PROBLEMS:
        if built_in == name:
            return make()
    if name.endswith(".toml") or (name and os.path.exists(name)):
        return load_problem(name, normalise)
    raise UnknownName("problem", name, [n for n, _ in PROBLEMS], "a problem file, a model file, or gymnasium:ID")

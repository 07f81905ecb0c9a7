"""The problems, one a file. Adding one is a new file and a new line here."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from fractions import Fraction

from tdrc_theory.errors import BadOption, UnknownName
from tdrc_theory.problem import Problem
from tdrc_theory.problems import baird, boyan, gymnasium_table, random_walk, two_state
from tdrc_theory.problems.problem_file import load_problem

PROBLEMS: tuple[tuple[str, Callable[[], Problem]], ...] = (
    ("baird", baird.baird),
    ("random-walk-tabular", random_walk.tabular),
    ("random-walk-inverted", random_walk.inverted),
    ("random-walk-dependent", random_walk.dependent),
    ("boyan", boyan.boyan),
    ("two-state", two_state.two_state),
)


def find_problem(
    name: str | Problem, gamma: Fraction | None = None, target: str | None = None, normalise: bool = False
) -> Problem:
    """Return a built-in problem, the problem of a file, or of `gymnasium:ID`; a problem itself is found already.

    Args:
        name: a built-in name, a path, or `gymnasium:ID`.
        gamma, target: for gymnasium only: the discount (default 99/100), and `uniform` or `greedy` (default).
        normalise: whether probabilities of a file or an environment that sum to 1 up to 1e-6 are divided by their sum.

    Raises:
        UnknownName: there is neither such a name nor such a file.
        BadProblem: the file or the environment does not describe a problem.
        BadOption: gamma or target given for another kind of problem.
    """
    if isinstance(name, str) and name.startswith(gymnasium_table.PREFIX):
        environment_id = name.removeprefix(gymnasium_table.PREFIX)
        discount = gymnasium_table.DEFAULT_GAMMA if gamma is None else gamma
        return gymnasium_table.gymnasium_problem(environment_id, discount, target or "greedy", normalise)
    for option, value in (("--gamma", gamma), ("--target", target)):
        if value is not None:
            raise BadOption(f"{option}: {value} given, but only gymnasium:ID takes it; {name} has its own")
    if isinstance(name, Problem):
        return name
    for built_in, make in PROBLEMS:
        if built_in == name:
            return make()
    if name.endswith(".toml") or (name and os.path.exists(name)):
        return load_problem(name, normalise)
    raise UnknownName("problem", name, [n for n, _ in PROBLEMS], "a problem file, or gymnasium:ID")

"""Algorithms, problems, and the expected updates that follow from them, all exact."""

import tdrc_theory.cli.start  # noqa: F401 - before all others
from tdrc_theory.algorithms import ALGORITHMS, OF_THE_PAPER, find_algorithm
from tdrc_theory.errors import TheoryError
from tdrc_theory.exact import Matrix, sqrt
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import ExpectationTable, ExpectedUpdate, expected_update
from tdrc_theory.learner.files import load_algorithm
from tdrc_theory.problem import END, Problem, Transition
from tdrc_theory.problem.key_matrices import KeyMatrices, key_matrices
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import ChainStep, steps_of
from tdrc_theory.problems import PROBLEMS, find_problem
from tdrc_theory.problems.averaged import averaged_process
from tdrc_theory.problems.problem_file import load_problem, problem_text, write_problem

__all__ = [
    "ALGORITHMS",
    "END",
    "OF_THE_PAPER",
    "PROBLEMS",
    "Algorithm",
    "ChainStep",
    "ExpectationTable",
    "ExpectedUpdate",
    "KeyMatrices",
    "Matrix",
    "MatrixProblem",
    "Problem",
    "TheoryError",
    "Transition",
    "averaged_process",
    "expected_update",
    "find_algorithm",
    "find_problem",
    "key_matrices",
    "load_algorithm",
    "load_problem",
    "problem_text",
    "sqrt",
    "steps_of",
    "write_problem",
]

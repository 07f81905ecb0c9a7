"""Options that several commands have, in the same words."""

from __future__ import annotations

from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.cli.command import PICTURES, TABLES, Parser, exact_number, file_ending_in
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.supervised import begin_limit
from tdrc_theory.errors import BadOption
from tdrc_theory.model_files import SUFFIXES
from tdrc_theory.parameters import step_size_of
from tdrc_theory.problem import Problem
from tdrc_theory.problem.decision_table import FORMS, POLICIES, WEIGHTS
from tdrc_theory.problem.environment import FORM
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import PROBLEMS, find_problem, find_problem_or_matrices

MOST_SECONDS = 10**6
"""Largest value of --limit-seconds."""


def _add_problem(parser: Parser, nargs: str | None) -> None:
    """Add PROBLEM, how it is read, and what tables without features take besides."""
    built_in = ", ".join(name for name, _ in PROBLEMS)
    accepted = f"{built_in}; a problem file (TOML); a model file ({', '.join(SUFFIXES)}); or {FORM}"
    parser.add_argument("problem", metavar="PROBLEM", nargs=nargs, help=accepted)
    parser.add_argument(
        "--normalise", action="store_true", help="divide probabilities that sum to 1 up to 1e-6 by their sum"
    )
    tables = parser.add_argument_group("for gymnasium:ID and model files")
    tables.add_argument("--gamma", type=exact_number, help="discount (default: the file's own, or 0.99)")
    tables.add_argument("--features", metavar="BASIS", help=f"{FORMS} (default: one-hot)")
    tables.add_argument("--behaviour", metavar="POLICY", help=f"{POLICIES} (default: uniform)")
    tables.add_argument(
        "--target", metavar="POLICY", help="greedy, by value iteration, or as --behaviour (default: greedy)"
    )
    tables.add_argument("--state-weights", metavar="WEIGHTS", help=f"{WEIGHTS} (default: stationary)")


def chosen_problems(options: Namespace) -> list[Problem | MatrixProblem]:
    """Return the problems that PROBLEM and its options name."""
    names = [options.problem] if isinstance(options.problem, str) else options.problem
    asked = {
        name: getattr(options, name)
        for name in ("gamma", "target", "features", "behaviour", "state_weights", "normalise")
    }
    return [find_problem_or_matrices(name, **asked) for name in names]


def chosen_problem(options: Namespace) -> Problem:
    """Return what `chosen_problem_or_matrices` does, where its process is known."""
    return find_problem(chosen_problem_or_matrices(options))


def chosen_problem_or_matrices(options: Namespace) -> Problem | MatrixProblem:
    """Return the problem that PROBLEM and its options name, with the weights of --initial-weights if any."""
    (problem,) = chosen_problems(options)
    weights = getattr(options, "initial_weights", None)
    if weights is None:
        return problem
    if len(weights) != problem.k:
        numbers, features = counted(len(weights), "number"), counted(problem.k, "feature")
        raise BadOption(f"--initial-weights: {numbers} for {features} of {problem.name}")
    return replace(problem, initial_weights=weights)


def read_files(options: Namespace) -> list[str]:
    """Return what a command's options name to be read, of which those that are files are not to be overwritten."""
    problems = [options.problem] if isinstance(options.problem, str) else options.problem
    tables = [getattr(options, name) or "" for name in ("features", "behaviour", "target", "state_weights")]
    algorithm = getattr(options, "algorithm", "").rpartition(":")[0]
    return [*problems, algorithm, *(written.rpartition(":")[2] for written in tables)]


def chosen_parameters(options: Namespace) -> dict[str, Fraction]:
    """Return the parameters that --beta, --eta and --set name, exact."""
    named = {"beta": options.beta, "eta": options.eta, **dict(options.set)}
    return {name: value for name, value in named.items() if value is not None}


def exact_numbers(text: str) -> list[Fraction]:
    """Return the exact numbers between commas."""
    return [exact_number(part.strip()) for part in text.split(",")]


def named_number(text: str) -> tuple[str, Fraction]:
    """Return the name and the exact number of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, exact_number(value)


def step_size(text: str) -> Fraction:
    """Return the step size, exact and above 0, that an option names."""
    try:
        return step_size_of(exact_number(text))
    except BadOption as error:
        raise ArgumentTypeError(str(error).removeprefix("--alpha: ")) from None


def step_sizes(text: str) -> list[Fraction]:
    """Return the step sizes between commas."""
    return [step_size(part.strip()) for part in text.split(",")]


def limit_seconds(text: str) -> float:
    """Convert the value of --limit-seconds."""
    seconds = exact_number(text)
    if not 0 < seconds <= MOST_SECONDS:
        raise ArgumentTypeError(f"{text} is not above 0 and at most {MOST_SECONDS:,}")
    return float(seconds)


class _BeginLimit(Action):
    def __call__(self, _: ArgumentParser, namespace: Namespace, values: Any, __: str | None = None) -> None:
        setattr(namespace, self.dest, values)
        begin_limit(values)


_FILE: dict[str, Any] = {"metavar": "FILE"}
_COUNT: dict[str, Any] = {"type": int, "metavar": "N"}
_OWN = "(default: the function's own, else 1)"
_ALPHA = "(default: a power of 1/2, up to 1/16, that is stable, and is named in the output)"
_OPTIONS: dict[str, dict[str, Any]] = {
    "--algorithm": {
        "default": "tdrc",
        "metavar": "NAME",
        "help": f"{', '.join(a.name for a in ALGORITHMS)}; or FILE.py:FUNCTION, which is run (default: tdrc)",
    },
    "--beta": {"type": exact_number, "help": f"regulariser of h, at least 0 {_OWN}"},
    "--eta": {"type": exact_number, "help": f"step of h over that of w, above 0 {_OWN}"},
    "--set": {
        "type": named_number,
        "action": "append",
        "default": [],
        "metavar": "NAME=VALUE",
        "help": "any parameter of the algorithm, lam = 1/2 say; may be repeated",
    },
    "--alpha": {"type": step_size, "help": f"step size of w, above 0 {_ALPHA}"},
    "--steps": {**_COUNT, "default": 1000, "help": "number of updates, at least 1 (default: 1000)"},
    "--initial-weights": {
        "type": exact_numbers,
        "metavar": "LIST",
        "help": "w before any update, exact numbers with commas between them: --initial-weights=-1,1/2 "
        "(default: the problem's)",
    },
    "--copy": {
        "metavar": "TARGET=SOURCE",
        "help": "weights that become others at the start and after every --period updates: target=w, of td-target",
    },
    "--period": {**_COUNT, "help": "number of updates from one copy to the next"},
    "--sampling": {
        "choices": ("markov", "iid"),
        "help": "where transitions come from (default: markov; iid for a problem that has no chain)",
    },
    "--runs": {**_COUNT, "default": 1000, "help": "independent runs (default: %(default)s)"},
    "--every": {**_COUNT, "help": "updates between errors (default: steps/100)"},
    "--seed": {"type": int, "default": 0, "help": "at least 0; determines everything (default: 0)"},
    "--workers": {**_COUNT, "help": "{workers}; they change no result (default: one a core)"},
    "--cluster": {"metavar": "ADDRESS", "help": "compute on this Dask cluster of your own (tcp://host:port) instead"},
    "--store": {**_FILE, "help": "keep what is done in FILE, and go on from there another time"},
    "--csv": {**_FILE, "help": "{csv}"},
    "--plot": {**_FILE, "type": file_ending_in(*PICTURES), "help": "{plot}: FILE.svg, FILE.png or FILE.pdf"},
    "--table": {
        **_FILE,
        "type": file_ending_in(*TABLES),
        "help": "write what is printed in columns as a table: FILE.csv, FILE.json or FILE.tex (LaTeX, booktabs)",
    },
    "--json": {"action": "store_true", "help": "print one JSON object"},
    "--prove": {"action": "store_true", "help": "also have Coq prove {prove} (needs Coq)"},
    "--coq-file": {**_FILE, "help": "keep the file that --prove asks Coq about; implies --prove"},
    "--limit-seconds": {
        "type": limit_seconds,
        "action": _BeginLimit,
        "metavar": "N",
        "help": "end after so many seconds, with {limit_seconds}",
    },
}
"""What argparse takes, by name. A help text has a word in braces where commands differ."""


_WORDS = {"workers": "threads", "limit_seconds": "one line and exit status 2"}


def add_options(parser: Parser, names: str, **words: str) -> None:
    """Add options that several commands have, in this order.

    Args:
        parser: of the command.
        names: with their dashes, and blanks between; PROBLEM, or PROBLEM... for any number of them, with the options
            that say how it is read. The time of --limit-seconds begins when it is read.
        words: what stands in help texts: what `workers` are, what the command ends with at its limit
            (`limit_seconds`), what `csv` writes and `plot` draws, and what Coq is to `prove`.
    """
    for name in names.split():
        if name.startswith("PROBLEM"):
            _add_problem(parser, "*" if name.endswith("...") else None)
            continue
        settings = _OPTIONS[name]
        parser.add_argument(name, **settings | {"help": settings["help"].format(**_WORDS | words)})

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
from tdrc_theory.problem.decision_table import POLICIES, WEIGHTS
from tdrc_theory.problem.environment_id import FORM
from tdrc_theory.problem.features import FORMS
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import PROBLEMS, find_problem, find_problem_or_matrices

MOST_SECONDS = 10**6
"""Largest value of --limit-seconds."""


def add_problem(parser: Parser, nargs: str | None = None) -> None:
    """Add PROBLEM, as many of them as `nargs` says, how it is read, and what tables without features take besides."""
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
    """Return the problems that the options of `add_problem` name."""
    names = [options.problem] if isinstance(options.problem, str) else options.problem
    asked = {
        name: getattr(options, name)
        for name in ("gamma", "target", "features", "behaviour", "state_weights", "normalise")
    }
    return [find_problem_or_matrices(name, **asked) for name in names]


def add_initial_weights(parser: Parser) -> None:
    """Add --initial-weights, of what depends on where learning starts."""
    meaning = (
        "w before any update, exact numbers with commas between them: --initial-weights=-1,1/2 (default: the problem's)"
    )
    parser.add_argument("--initial-weights", type=exact_numbers, metavar="LIST", help=meaning)


def chosen_problem(options: Namespace) -> Problem:
    """Return what `chosen_problem_or_matrices` does, where its process is known."""
    return find_problem(chosen_problem_or_matrices(options))


def chosen_problem_or_matrices(options: Namespace) -> Problem | MatrixProblem:
    """Return the problem that the options of `add_problem` name, with the weights of `add_initial_weights` if any."""
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


def add_algorithm(parser: Parser) -> None:
    """Add --algorithm."""
    built_in = ", ".join(algorithm.name for algorithm in ALGORITHMS)
    meaning = f"{built_in}; or FILE.py:FUNCTION, which is run (default: tdrc)"
    parser.add_argument("--algorithm", default="tdrc", metavar="NAME", help=meaning)


def add_parameters(parser: Parser) -> None:
    """Add --beta and --eta."""
    default = "(default: the function's own, else 1)"
    parser.add_argument("--beta", type=exact_number, help=f"regulariser of h, at least 0 {default}")
    parser.add_argument("--eta", type=exact_number, help=f"step of h over that of w, above 0 {default}")


def add_set(parser: Parser) -> None:
    """Add --set, of any parameter by name."""
    meaning = "any parameter of the algorithm, lam = 1/2 say; may be repeated"
    parser.add_argument("--set", type=named_number, action="append", default=[], metavar="NAME=VALUE", help=meaning)


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


def add_steps(parser: Parser) -> None:
    """Add --alpha, None where `StepSizes.default` is to choose it, and --steps."""
    default = "a power of 1/2, up to 1/16, that is stable, and is named in the output"
    parser.add_argument("--alpha", type=step_size, help=f"step size of w, above 0 (default: {default})")
    parser.add_argument(
        "--steps", type=int, default=1000, metavar="N", help="number of updates, at least 1 (default: 1000)"
    )


def add_copy(parser: Parser) -> None:
    """Add --copy and --period, of weights that periodically become others."""
    meaning = "weights that become others at the start and after every --period updates: target=w, of td-target"
    parser.add_argument("--copy", metavar="TARGET=SOURCE", help=meaning)
    parser.add_argument("--period", type=int, metavar="N", help="number of updates from one copy to the next")


def add_runs(parser: Parser, runs: int) -> None:
    """Add --runs, whose default is given, --every, --seed and --workers."""
    parser.add_argument("--runs", type=int, default=runs, metavar="N", help=f"independent runs (default: {runs})")
    parser.add_argument("--every", type=int, metavar="N", help="updates between errors (default: steps/100)")
    add_seed(parser)
    add_workers(parser)


def add_seed(parser: Parser) -> None:
    """Add --seed."""
    parser.add_argument("--seed", type=int, default=0, help="at least 0; determines everything (default: 0)")


def add_sampling(parser: Parser) -> None:
    """Add --sampling, of what speaks of samples without a batch."""
    meaning = "where transitions come from (default: markov; iid for a problem that has no chain)"
    parser.add_argument("--sampling", choices=("markov", "iid"), help=meaning)


def add_workers(parser: Parser, kind: str = "threads") -> None:
    """Add --workers, which are threads unless something else is said."""
    meaning = f"{kind}; they change no result (default: one a core)"
    parser.add_argument("--workers", type=int, metavar="N", help=meaning)


def add_cluster(parser: Parser) -> None:
    """Add --cluster, of what is computed in pieces."""
    meaning = "compute on this Dask cluster of your own (tcp://host:port) instead"
    parser.add_argument("--cluster", metavar="ADDRESS", help=meaning)


def add_limit(parser: Parser, at_the_limit: str = "one line and exit status 2") -> None:
    """Add --limit-seconds, which begins when it is read, of what may compute for minutes."""
    meaning = f"end after so many seconds, with {at_the_limit}"
    parser.add_argument("--limit-seconds", type=limit_seconds, action=_BeginLimit, metavar="N", help=meaning)


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


def add_json(parser: Parser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_csv(parser: Parser, meaning: str) -> None:
    """Add --csv, of what is a table."""
    parser.add_argument("--csv", metavar="FILE", help=meaning)


def add_plot(parser: Parser, meaning: str) -> None:
    """Add --plot, of what can be drawn."""
    parser.add_argument(
        "--plot", type=file_ending_in(*PICTURES), metavar="FILE", help=f"{meaning}: FILE.svg, FILE.png or FILE.pdf"
    )


def add_table(parser: Parser) -> None:
    """Add --table, of what prints tables."""
    meaning = "write what is printed in columns as a table: FILE.csv, FILE.json or FILE.tex (LaTeX, booktabs)"
    parser.add_argument("--table", type=file_ending_in(*TABLES), metavar="FILE", help=meaning)


def add_store(parser: Parser) -> None:
    """Add --store, of what may be interrupted."""
    parser.add_argument("--store", metavar="FILE", help="keep what is done in FILE, and go on from there another time")

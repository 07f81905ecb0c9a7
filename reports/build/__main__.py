"""`tdrc build PROBLEM... -o FILE.html`: one HTML file that a person can read, check and pass on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import verify.blas_threads  # noqa: F401 - before NumPy
from tdrc_theory import algorithms
from tdrc_theory.algorithms import TDRC, find_algorithm
from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.files import check_writable, write_whole
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problems, read_files
from tdrc_theory.cli.progress import one_bar_at_a_time
from tdrc_theory.errors import BadOption
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.sampling import remarks
from tdrc_theory.problems import PROBLEMS, find_problem
from tdrc_theory.proofs.coq import coq_version

if TYPE_CHECKING:
    from reports.page.subject import OnData, Request

PROG = "python -m reports.build"
PASSED_ON = ("alpha", "steps", "sampling", "runs", "every", "seed", "workers")


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever the verdicts; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM...")
    about = f"report what a paper claims, proven or refuted: {', '.join(PAPERS)}, or a folder (default: {PAPERS[0]})"
    options.add_argument("--paper", nargs="?", const=PAPERS[0], metavar="PAPER", help=about)
    about = "have Coq prove the verdict on each PROBLEM, and with --paper check the theorems"
    options.add_argument("--prove", action="store_true", help=about)
    help_text = (
        "a site: a page for each built-in PROBLEM and those named, the learners, the paper, and an index of verdicts"
    )
    options.add_argument("--all", action="store_true", help=help_text)
    help_text = "the file to write, or with --all the folder"
    options.add_argument("-o", "--output", metavar="FILE.html", required=True, help=help_text)
    add_options(options, "--algorithm --beta --eta --set")
    options.add_argument("--with-simulation", action="store_true", help="run the learner too, beside its prediction")
    help_text = "what tdrc tables and tdrc sweep keep: shown with --paper as far as it is there"
    options.add_argument("--store", type=Path, metavar="FILE", help=help_text)
    help_text = "show what `tdrc control --json` wrote"
    options.add_argument(
        "--with-control", action="extend", nargs="+", default=[], type=Path, metavar="FILE", help=help_text
    )
    help_text = (
        "what tdrc data says of these transitions, .npz, .csv or .parquet, with --gamma, --algorithm, --beta, --eta"
    )
    options.add_argument(
        "--with-data", action="extend", nargs="+", default=[], type=Path, metavar="FILE", help=help_text
    )
    add_options(options, "--alpha --steps --sampling --runs --every --seed --workers")
    help_text = "leave out date and machine, so that the same inputs give the same bytes"
    options.add_argument("--reproducible", action="store_true", help=help_text)
    add_options(options, "--limit-seconds")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, write."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(words)
    if not (options.problem or options.paper or options.with_control or options.with_data or options.all):
        raise BadOption("nothing to report on; name a PROBLEM, or give --paper")
    if options.store and not (options.paper or options.all):
        raise BadOption("--store: is for the paper's page; give --paper or --all too")
    if options.prove and not (options.paper or options.all):  # those pages say what was not checked, and why
        if not options.problem:
            raise BadOption("--prove: is for problems and papers; name a PROBLEM, or give --paper or --all too")
        coq_version()
    if options.with_data and options.all:
        raise BadOption("--with-data: is for a page of its own; leave out --all")
    problems = chosen_problems(options)
    algorithm = find_algorithm(options.algorithm)
    # SciPy, which --help does not need.
    from reports.build.site import build, site, write_site
    from reports.page.subject import OnControl, OnLearners, OnPaper, OnProblem, Request, Subject
    from verify.predict.prediction import check_steps

    check_steps(options.steps, options.steps if options.every is None else options.every)
    known = [make() for _, make in PROBLEMS] if options.all else []
    _check_files(options, [*known, *problems])
    request = Request(
        command=tuple(_elsewhere(words, options.output, "site" if options.all else "report.html")),
        prove=options.prove,
        simulate=options.with_simulation,
        store=options.store,
        control=tuple(options.with_control),
        place_and_time=not options.reproducible,
        **{name: getattr(options, name) for name in PASSED_ON},
    )
    asked = chosen_parameters(options)
    algorithm.parameters(asked)
    control = OnControl.read(request)
    wanted = PAPERS if options.all else [options.paper] if options.paper else []
    papers = [OnPaper.judged(find_paper(name), request) for name in wanted]
    if options.all:
        columns = list(dict.fromkeys((TDRC, *algorithms.OF_THE_PAPER, algorithm)))
        every = tuple(dict.fromkeys((*algorithms.ALGORITHMS, algorithm)))
        shown = [*known, *map(find_problem, problems)]
        learners = OnLearners(request=request, algorithms=every, problems=tuple(shown))
        pages = site(shown, columns, papers, control, learners, request, parameters=asked)
        write_site(pages, options.output)
        _print_remarks(problems)
        print(printable(f"{counted(len(pages), 'page')} written to {options.output}"))
        return 0
    subjects: list[Subject] = [
        OnProblem(problem=problem, algorithm=algorithm, request=request, parameters=asked) for problem in problems
    ]
    subjects += [_on_data(path, options, request) for path in options.with_data]
    subjects += papers
    subjects += [control] if options.paper == PAPERS[0] or options.with_control else []
    write_whole(options.output, build(subjects, request))
    for subject in subjects:
        if subject.headline is not None:
            print(printable(f"{subject.title}: {subject.headline}"))
            _print_remarks([subject.problem] if isinstance(subject, OnProblem) else [])
    print(printable(f"written to {options.output}"))
    return 0


def _on_data(path: Path, options: argparse.Namespace, request: Request) -> OnData:
    """Return what logged transitions say of the learner that is asked about."""
    from reports.page.subject import OnData
    from verify.data import check_data, open_file

    source = open_file(path)
    passed = {name: getattr(options, name) for name in ("beta", "eta", "seed")}
    gamma = "99/100" if options.gamma is None else options.gamma
    with one_bar_at_a_time() as progress:
        report = check_data(source, find_algorithm(options.algorithm), gamma=gamma, progress=progress, **passed)
    return OnData(request=request, report=report)


def _print_remarks(problems: Sequence[Problem | MatrixProblem]) -> None:
    for problem in problems:
        for line in remarks(problem):
            print(f"  {line}")


def _check_files(options: argparse.Namespace, problems: Sequence[Problem | MatrixProblem]) -> None:
    """Refuse a store that is none, and an output in the place of another file, before the work."""
    from reports.build.site import check_folder
    from simulate.store import Store

    if options.store is not None and options.store.exists():
        with Store(options.store, only_read=True):
            pass
    if options.all:
        check_folder(options.output, [find_problem(problem) for problem in problems])
    else:
        check_writable(
            options.output, besides=(*read_files(options), options.store, *options.with_control, *options.with_data)
        )


def _elsewhere(words: Sequence[str], output: str, name: str) -> list[str]:
    """Return arguments that make the same page, whatever is called what it went to: `name` stands for it."""
    names_it = [text == output or (text.startswith("-") and text.endswith(output)) for text in words]
    return [
        f"{text.removesuffix(output)}{name}" if named else text for text, named in zip(words, names_it, strict=True)
    ]


if __name__ == "__main__":
    sys.exit(run(main, PROG))

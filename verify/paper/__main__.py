"""`tdrc paper [PAPER]`: every claim of a paper, proven or refuted."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, limit_seconds
from tdrc_theory.errors import BadOption
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.papers.claim import Paper
from verify.paper.kernel import kernel_results
from verify.paper.report import Answer, answers
from verify.paper.terminal import claims_table, errata, explanation, opening, table

PROG = "python -m verify.paper"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(
        PROG, __doc__, "0 every claim came out as the registry expects; 1 one did not; 2 bad input; 130 interrupted"
    )
    help_text = f"{', '.join(PAPERS)}, or a folder with a paper.toml (default: {PAPERS[0]})"
    options.add_argument("paper", nargs="?", default=PAPERS[0], metavar="PAPER", help=help_text)
    which = options.add_mutually_exclusive_group()
    which.add_argument("--claim", metavar="ID", help="judge this claim alone")
    which.add_argument(
        "--explain", metavar="ID", help="show a claim's derivation step by step, in plain text and LaTeX"
    )
    which.add_argument("--errata", action="store_true", help="show only what does not hold as printed")
    help_text = "have the proof assistant check the claims that have a theorem (up to a minute, then kept)"
    options.add_argument("--prove", action="store_true", help=help_text)
    add_options(options, "--workers --table --json", workers="processes")
    help_text = "judge each statement for so many seconds at most; one that takes longer is undecided"
    options.add_argument("--limit-seconds", type=limit_seconds, metavar="N", help=help_text)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    paper = find_paper(options.paper)
    one = options.claim or options.explain
    claims = None if one is None else [paper.claim(one)]
    if claims is not None and claims[0].sweep is not None:
        raise BadOption(f"{one}: is judged on runs of the experiment {claims[0].sweep}, by tdrc experiments")
    check_writable(options.table)
    result = answers(paper, claims, kernel_results(compile=options.prove), options.workers, options.limit_seconds)
    about = {"title": paper.title, "link": paper.link}
    answer(
        options,
        result,
        lambda each: "".join(f"{printable(line)}\n" for t in _texts(options, paper, each) for line in t.split("\n")),
        lambda each: {"paper": about, "claims": [one.to_json() for one in each]},
        tables=lambda each: [claims_table(each)],
    )
    return int(not all(each.as_expected for each in result))


def _texts(options: argparse.Namespace, paper: Paper, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what is shown: one derivation, one claim, what does not hold, or the whole report."""
    if options.explain is not None:
        yield from explanation(answers[0])
    elif options.claim is not None:
        yield from table(answers)
    else:
        yield from opening(paper, answers)
        yield ""
        yield from errata(answers) if options.errata else table(answers)
        runs = len(paper.claims) - len(answers)
        if runs:
            yield f"{counted(runs, 'claim')} besides, on runs of experiments: tdrc experiments {paper.name}"


if __name__ == "__main__":
    sys.exit(run(main, PROG))

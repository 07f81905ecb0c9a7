"""`tdrc region PROBLEM`: for which values of one parameter, or of two, does it converge?"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import PICTURES, Parser, exact_number, file_ending_in, printable, run, tell
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problem_or_matrices, read_files
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption
from tdrc_theory.figures.figure import write_picture
from tdrc_theory.problem.sampling import remarks
from tdrc_theory.tables.table import Table
from verify.conditions.setting import Setting
from verify.conditions.theorem import NOT_OF_THE_THEOREM
from verify.region.family import Family
from verify.region.map import compute_map, map_values, picture
from verify.region.plane import plane
from verify.region.rate import Rate, fastest
from verify.region.region import Region, family_region

PROG = "python -m verify.region"
_LONG = 60
"""Seconds that a region is estimated to take beyond which a line says so."""


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM --algorithm")
    asked = options.add_mutually_exclusive_group()
    asked.add_argument("--eta", type=exact_number, help="the region of beta at this eta (default: 1)")
    asked.add_argument("--beta", type=exact_number, help="the region of eta at this beta")
    over = "the region of this parameter, or of two (beta,eta), at the other ones' values; from 0 on"
    options.add_argument("--over", metavar="NAME[,NAME]", help=over)
    add_options(options, "--set")
    drawn = "draw two parameters (default: beta,eta): FILE.svg, FILE.png or FILE.pdf; with --json, print the rows too"
    options.add_argument("--map", type=file_ending_in(*PICTURES), metavar="FILE", help=drawn)
    options.add_argument("--rate", action="store_true", help="search for the fastest rate and recommend beta too")
    add_options(options, "--table --json --limit-seconds")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    names = tuple(options.over.split(",")) if options.over is not None else ()
    _check_together(options, names)
    problem = chosen_problem_or_matrices(options)
    algorithm = find_algorithm(options.algorithm)
    check_writable(options.map, options.table, besides=read_files(options))
    if len(names) == 2 or options.map is not None:
        setting = Setting.of(problem, algorithm, others=chosen_parameters(options))
        return _two(setting, (names[0], names[1]) if names else ("beta", "eta"), options)
    with progress_bar("region and rates" if options.rate else "region"):
        setting = Setting.of(problem, algorithm, options.beta, options.eta, chosen_parameters(options))
        asked = Family(setting, (options.over or ("beta" if options.beta is None else "eta"),))
        asked.duration.check(problem.name)
        if asked.duration.seconds > _LONG:
            tell(
                f"a region of numbers with so many digits may take {asked.duration}; --limit-seconds or Ctrl-C ends it"
            )
        result = family_region(asked)
        rates = _rates(result) if options.rate else {}
    answer(
        options,
        result,
        lambda each: "\n".join([*_lines(each, rates), *remarks(problem), ""]),
        lambda each: each.to_json() | {name: rate and rate.to_json() for name, rate in rates.items()},
        indent=1,
        tables=lambda each: [each.table],
    )
    return 0


def _check_together(options: Namespace, names: tuple[str, ...]) -> None:
    """Refuse options that do not go together."""
    if options.map is not None and options.rate:
        raise BadOption("--rate: not with --map, which asks for no single region")
    if options.over is not None and options.rate:
        raise BadOption("--over: not with --rate, which is of beta and eta")
    if len(names) > 2 or not all(names):
        raise BadOption(f"--over: {options.over!r} is not one parameter, or two with a comma between them")
    if options.map is not None and len(names) == 1:
        raise BadOption(f"--map: it draws two parameters; --over {options.over} names one")
    left_open = names or (("beta", "eta") if options.map is not None else ())
    for name in ("beta", "eta"):
        if getattr(options, name) is not None and name in left_open:
            raise BadOption(f"--{name}: not allowed with {'--over' if names else '--map'}, which leaves it open")


def _two(setting: Setting, names: tuple[str, str], options: Namespace) -> int:
    """Print the region of two parameters, and draw it where that is asked for."""
    text: dict[str, Any] = {}
    tables: list[Table] = []
    lines: list[str] = []
    if options.over is not None:
        with progress_bar("strips") as progress:
            both = plane(setting, names, progress)
        text = both.to_json()
        tables.append(both.table)
        if not options.json:
            print(*map(printable, both.text()), sep="\n")
    if options.map is not None:
        with progress_bar(f"values of {names[1]}", len(map_values(names[1]))) as progress:
            stability_map = compute_map(setting, names, progress)
        text |= stability_map.to_json()
        tables.append(stability_map.table)
        if options.over is None:
            lines = [printable(str(row)) for row in stability_map.rows]
    lines += remarks(setting.problem)
    try:
        answer(
            options,
            text,
            lambda _: "".join(f"{line}\n" for line in lines),
            lambda each: each,
            indent=1,
            tables=lambda _: tables,
        )
    finally:  # an error here must not lose the answer
        write_picture(options.map, lambda: picture(stability_map))
    return 0


def _rates(region: Region) -> dict[str, Rate | None]:
    setting = Setting.of(region.problem, region.algorithm, others=region.parameters)
    here = fastest(setting, (region.parameter,))
    both = fastest(setting, ("beta", "eta")) if region.fixed is not None and not region.algorithm.fixed else here
    return {f"recommended_{region.parameter}": here, "fastest": both}


def _lines(region: Region, rates: dict[str, Rate | None]) -> Iterator[str]:
    yield region.answer
    for interval in region.intervals:
        exact = interval.to_json()["exact"]
        for end in ("lower", "upper"):
            if exact[end] is not None:
                yield f"  {end} end: {exact[end]}"
    for point in region.undecided:
        yield f"undecided at {point.value:.8g}, {point.text()}"
    for interval in region.fails_for_every_eta:
        yield f"at no eta for beta in {interval}"
    for name in ("beta_printed", "beta_corrected", "eta"):
        bound = region.bounds[name]
        if bound == NOT_OF_THE_THEOREM:
            continue
        value = None if bound.value is None else f"{bound.value:.8g}"
        yield f"{name}: {'; '.join(filter(None, (value, bound.reason)))}"
    for name, rate in rates.items():
        yield f"{name}: {rate or 'none was found at which it converges'}"


if __name__ == "__main__":
    sys.exit(run(main, PROG))

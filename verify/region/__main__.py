"""`python -m verify.region PROBLEM`: for which beta at a given eta, or eta at a given beta, does it converge?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.command import Parser, exact_number, picture_file, printable, run
from tdrc_theory.errors import BadOption
from tdrc_theory.files import check_writable, write_whole
from tdrc_theory.options import (
    add_algorithm,
    add_json,
    add_problem,
    add_set,
    chosen_parameters,
    chosen_problem,
    read_files,
)
from tdrc_theory.progress import progress_bar
from verify.conditions.setting import Setting
from verify.region.map import compute_map, etas, svg
from verify.region.rate import Rate, fastest
from verify.region.region import Region, region

PROG = "python -m verify.region"


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    add_problem(made)
    add_algorithm(made)
    asked = made.add_mutually_exclusive_group()
    asked.add_argument("--eta", type=exact_number, help="the region of beta at this eta (default: 1)")
    asked.add_argument("--beta", type=exact_number, help="the region of eta at this beta")
    told = "draw beta and eta; with --json, print the rows too"
    asked.add_argument("--map", type=picture_file, metavar="FILE.svg", help=told)
    made.add_argument("--over", metavar="NAME", help="the region of this parameter, at the other ones' values")
    add_set(made)
    made.add_argument("--rate", action="store_true", help="search for the fastest rate and recommend beta too")
    add_json(made)
    made.epilog = "Exit status: 0 it ran; 2 bad input; 130 interrupted."
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem(options)
    algorithm = find_algorithm(options.algorithm)
    if options.map is not None and options.rate:
        raise BadOption("--rate: not with --map, which asks for no single region")
    check_writable(options.map, besides=read_files(options))
    if options.map is not None:
        with progress_bar("values of eta", len(etas())) as progress:
            made = compute_map(Setting.of(problem, algorithm, Fraction(1), Fraction(1)), progress)
        write_whole(options.map, svg(made))
        if options.json:
            print(json.dumps(made.to_json(), allow_nan=False, indent=1))
        else:
            for row in made.rows:
                print(printable(str(row)))
        return 0
    if options.over is not None and (options.rate or options.map is not None):
        raise BadOption("--over: not with --rate or --map, which are of beta and eta")
    given = {"over": options.over, "parameters": chosen_parameters(options)}
    found = region(problem, algorithm, beta=options.beta, eta=options.eta, **given)
    rates = _rates(found) if options.rate else {}
    if options.json:
        told = {name: None if rate is None else rate.to_json() for name, rate in rates.items()}
        print(json.dumps(found.to_json() | told, allow_nan=False, indent=1))
    else:
        _show(found, rates)
    return 0


def _rates(found: Region) -> dict[str, Rate | None]:
    fixed = found.fixed if found.fixed is not None else Fraction(1)
    beta, eta = (Fraction(1), fixed) if found.parameter == "beta" else (fixed, Fraction(1))
    setting = Setting.of(found.problem, found.algorithm, beta, eta)
    here = fastest(setting, (found.parameter,))
    both = fastest(setting, ("beta", "eta")) if found.fixed is not None and not found.algorithm.fixed else here
    return {f"recommended_{found.parameter}": here, "fastest": both}


def _show(found: Region, rates: dict[str, Rate | None]) -> None:
    print(printable(str(found)))
    for interval in found.intervals:
        exact = interval.to_json()["exact"]
        for end in ("lower", "upper"):
            if exact[end] is not None:
                print(f"  {end} end: {exact[end]}")
    for point in found.undecided:
        print(f"undecided at {point.value:.8g}, {point.text()}")
    for interval in found.fails_for_every_eta:
        print(f"at no eta for beta in {interval}")
    for name in ("beta_printed", "beta_corrected", "eta"):
        bound = found.bounds[name]
        value = None if bound.value is None else f"{bound.value:.8g}"
        print(f"{name}: {'; '.join(filter(None, (value, bound.reason)))}")
    for name, rate in rates.items():
        print(f"{name}: {rate or 'none was found at which it converges'}")


if __name__ == "__main__":
    sys.exit(run(main, PROG))

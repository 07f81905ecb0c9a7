"""`python -m simulate.control.statements`: what the paper concludes of control, supported or not, on runs made here."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from simulate.control.conclusions import (
    FULL,
    SMALL,
    conclusions,
    learner,
    linear_evidence,
    minatar_evidence,
    network_evidence,
)
from simulate.control.device import DEVICES
from simulate.control.linear.picture import picture
from simulate.statement import judged_text
from tdrc_theory.command import Parser, run
from tdrc_theory.errors import BadOption
from tdrc_theory.files import check_writable, write_whole
from tdrc_theory.options import add_json, add_plot, add_seed, add_workers

PROG = "python -m simulate.control.statements"
EXPERIMENTS = ("linear", "network", "minatar")
FEWEST = 30
"""Runs; of fewer, resampling says little, and says it too boldly: see `simulate.bootstrap`."""


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    told = f"which experiments: {', '.join(EXPERIMENTS)} (default: all; linear needs no torch)"
    made.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=told)
    told = f"{FULL.linear_runs} linear runs and {FULL.runs} of networks, target networks and ten updates a step too"
    made.add_argument("--full", action="store_true", help=f"{told} (default: {SMALL.linear_runs}, {SMALL.runs}, none)")
    made.add_argument("--runs", type=int, metavar="N", help=f"of everything, at least {FEWEST}, instead")
    made.add_argument("--minatar-steps", type=int, metavar="N", help="of each run of a game (default: none is run)")
    add_seed(made)
    add_workers(made, "threads of linear control")
    made.add_argument("--device", choices=DEVICES, default="cpu", help="where networks are (default: cpu)")
    made.add_argument("--checkpoints", metavar="FOLDER", help="keep networks' runs there, and go on from there")
    add_plot(made, "draw linear control")
    add_json(made)
    made.epilog = "Exit status: 0 it ran, whatever the answers; 2 bad input; 130 interrupted."
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    chosen = options.experiments or list(EXPERIMENTS)
    for name in chosen:
        if name not in EXPERIMENTS:
            raise BadOption(f"{name}: no such experiment; allowed: {', '.join(EXPERIMENTS)}")
    if options.plot is not None and "linear" not in chosen:
        raise BadOption("--plot: draws linear control, which was not chosen")
    for name, least in (("runs", FEWEST), ("minatar_steps", 1), ("seed", 0)):
        number = getattr(options, name)
        if number is not None and number < least:
            raise BadOption(f"--{name.replace('_', '-')}: {number} is less than {least}")
    check_writable(options.plot)
    size = FULL if options.full else SMALL
    size = size if options.runs is None else size._replace(linear_runs=options.runs, runs=options.runs)
    learn = learner(seed=options.seed, device=options.device, folder=_folder(options.checkpoints))
    linear = linear_evidence(size, seed=options.seed, workers=options.workers) if "linear" in chosen else {}
    if options.plot is not None:
        write_whole(options.plot, picture(linear))
    network = network_evidence(size, learn) if "network" in chosen else {}
    minatar = minatar_evidence(size.runs, options.minatar_steps, learn) if "minatar" in chosen else {}
    found = conclusions(linear, network, minatar)
    if options.json:
        about = {"seed": options.seed, **size._asdict(), "minatar_steps": options.minatar_steps}
        shown = {**about, "statements": [one.to_json("settings") for one in found]}
        print(json.dumps(shown, allow_nan=False, indent=1))
    else:
        print(judged_text(found), end="")
    return 0


def _folder(name: str | None) -> Path | None:
    if name is None:
        return None
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"--checkpoints: {name}: {error.strerror}") from None
    check_writable(folder / "runs.npz")
    return folder


if __name__ == "__main__":
    sys.exit(run(main, PROG))

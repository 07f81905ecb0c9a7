"""`tdrc control ENVIRONMENT`: QRC, QC or Q-learning with networks or with tiles, many runs together."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from simulate.control.algorithms import CONTROL_ALGORITHMS
from simulate.control.device import DEVICES, find_device
from simulate.control.history import History
from simulate.control.linear.agent import AGENTS, LinearSettings, find_agent, linear_settings
from simulate.control.linear.learner import learn
from simulate.control.settings import OPTIMIZERS, LearnerSettings, Settings, settings
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, exact_number, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption
from tdrc_theory.problem.environment import FORM

PROG = "python -m simulate.control"
MOST_RUNS = 10_000
FEATURES = ("network", "tiles")


def _units(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of units for each layer, as in 32,32") from None


_EXACT, _COUNT = {"type": exact_number}, {"type": int, "metavar": "N"}
SETTINGS: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "alpha": (_EXACT, "step size, above 0 (default: the paper's best)"),
    "beta": (_EXACT, "regulariser of h, at least 0 (default: 1)"),
    "eta": (_EXACT, "step of h over that of the network, above 0 (default: 1)"),
    "gamma": (_EXACT, "discount (default: 0.99)"),
    "epsilon": (_EXACT, "probability of a random action (default: as in the paper)"),
    "hidden": ({"type": _units, "metavar": "N,N"}, "units of each hidden layer (default: the paper's)"),
    "cutoff": (_COUNT, "steps of an episode at most (default: the paper's, or the environment's)"),
    "buffer": (_COUNT, "transitions that are kept (default: the paper's)"),
    "batch": (_COUNT, "transitions an update (default: 32)"),
    "target_every": (
        _COUNT,
        "updates between synchronisations of a target network (the paper: 4, 64, 256; default: 0, without one)",
    ),
    "updates_per_step": (_COUNT, "after each step (default: 1)"),
    "prioritized": ({"action": "store_true"}, "draw in proportion to the squared TD error"),
    "optimizer": ({"choices": OPTIMIZERS}, "(default: adam, and rmsprop for MinAtar)"),
    "every": (_COUNT, "updates between records (default: 100; MinAtar: 1000)"),
}
"""Options that are fields of the settings, besides the length of a run."""


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever was learnt; 2 bad input; 130 interrupted")
    help_text = f"mountain-car, cart-pole, minatar:breakout, minatar:space_invaders, or {FORM}"
    options.add_argument("environment", metavar="ENVIRONMENT", help=help_text)
    names = ", ".join(algorithm.name for algorithm in CONTROL_ALGORITHMS)
    tiled = ", ".join(agent.name for agent in AGENTS if agent.actor)
    options.add_argument("--algorithm", default="qrc", metavar="NAME", help=f"{names} (default: qrc)")
    help_text = f"network; or tiles, for mountain-car, also with {tiled}, FILE.py:FUNCTION (default: network)"
    options.add_argument("--features", choices=FEATURES, default="network", help=help_text)
    options.add_argument("--runs", type=int, default=30, metavar="N", help="independent runs (default: 30)")
    long = options.add_mutually_exclusive_group()
    long.add_argument("--episodes", type=int, metavar="N", help="episodes of a run (default: 100, or as in the paper)")
    long.add_argument("--steps", type=int, metavar="N", help="steps of a run in the environment, instead")
    for name, (kind, help_text) in SETTINGS.items():
        options.add_argument(f"--{name.replace('_', '-')}", help=help_text, **kind)
    options.add_argument("--device", choices=DEVICES, default="cpu", help="where networks are (default: cpu)")
    add_options(options, "--seed --workers")
    help_text = "keep the runs in FILE once a minute and at the end; the same command goes on from there"
    options.add_argument("--checkpoint", metavar="FILE", help=help_text)
    add_options(
        options,
        "--csv --plot --table --json",
        csv="write every point of every curve as a table",
        plot="draw the curves with their bands",
    )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if not 1 <= options.runs <= MOST_RUNS:
        raise BadOption(f"--runs: {options.runs} is not from 1 to {MOST_RUNS}")
    if options.seed < 0:
        raise BadOption(f"--seed: {options.seed} is negative; a seed is at least 0")
    history = _with_tiles(options) if options.features == "tiles" else _with_networks(options)
    from simulate.control.output import picture, plain_text, tables, to_csv, to_json

    answer(options, history, plain_text, to_json, indent=None, tables=tables, csv=to_csv, picture=picture)
    return 0


def _with_networks(options: argparse.Namespace) -> History:
    chosen = settings(options.environment, options.algorithm, **_given(options, Settings))
    find_device(options.device)
    check_writable(options.checkpoint, options.csv, options.plot, options.table, besides=(_code(options),))
    from simulate.control.training import train

    by, total = ("steps", chosen.steps) if chosen.steps else ("episodes", (chosen.episodes or 0) * options.runs)
    with progress_bar(by, total) as progress:
        passed = {name: getattr(options, name) for name in ("seed", "device", "workers", "checkpoint")}
        return train(chosen, range(options.runs), progress=progress, **passed)


def _with_tiles(options: argparse.Namespace) -> History:
    if options.environment != "mountain-car":
        raise BadOption(f"--features: tiles are for mountain-car alone, not for {options.environment}")
    passed = _given(options, LinearSettings)
    for name in ("device", "checkpoint", *(name for name in SETTINGS if name not in passed)):
        if getattr(options, name) not in (None, False, "cpu"):
            raise BadOption(f"--{name.replace('_', '-')}: is of networks, and --features tiles has none")
    chosen = linear_settings(find_agent(options.algorithm), **passed)
    check_writable(options.csv, options.plot, options.table, besides=(_code(options),))
    with progress_bar("runs", options.runs) as progress:
        return learn(chosen, range(options.runs), seed=options.seed, workers=options.workers, progress=progress)


def _given(options: argparse.Namespace, kind: type[LearnerSettings]) -> dict[str, Any]:
    """Return the options that are fields of the settings of a kind."""
    own = {field.name for field in fields(kind)}
    return {name: getattr(options, name) for name in ("episodes", "steps", *SETTINGS) if name in own}


def _code(options: argparse.Namespace) -> str:
    """Return the file of --algorithm, if it names one."""
    return str(options.algorithm.rpartition(":")[0])


if __name__ == "__main__":
    sys.exit(run(main, PROG))

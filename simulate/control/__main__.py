"""`tdrc control ENVIRONMENT`: QRC, QC or Q-learning with networks or with tiles, many runs together."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from simulate.control.algorithms import CONTROL_ALGORITHMS
from simulate.control.device import DEVICES, find_device
from simulate.control.history import History
from simulate.control.linear.agent import AGENTS, find_agent, linear_settings
from simulate.control.linear.learner import learn
from simulate.control.settings import OPTIMIZERS, settings
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
NETWORKS_ONLY = (
    "hidden", "buffer", "batch", "target_every", "updates_per_step", "prioritized", "optimizer", "device", "checkpoint",
)  # fmt: skip
PASSED_ON = (
    "episodes", "steps", "alpha", "beta", "eta", "gamma", "epsilon", "hidden", "cutoff", "buffer", "batch",
    "target_every", "updates_per_step", "prioritized", "optimizer", "every",
)  # fmt: skip


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(prog=PROG, description=__doc__)
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
    options.add_argument("--alpha", type=exact_number, help="step size, above 0 (default: the paper's best)")
    options.add_argument("--beta", type=exact_number, help="regulariser of h, at least 0 (default: 1)")
    options.add_argument("--eta", type=exact_number, help="step of h over that of the network, above 0 (default: 1)")
    options.add_argument("--gamma", type=exact_number, help="discount (default: 0.99)")
    options.add_argument(
        "--epsilon", type=exact_number, help="probability of a random action (default: as in the paper)"
    )
    options.add_argument(
        "--hidden", type=_units, metavar="N,N", help="units of each hidden layer (default: the paper's)"
    )
    help_text = "steps of an episode at most (default: the paper's, or the environment's)"
    options.add_argument("--cutoff", type=int, metavar="N", help=help_text)
    options.add_argument("--buffer", type=int, metavar="N", help="transitions that are kept (default: the paper's)")
    options.add_argument("--batch", type=int, metavar="N", help="transitions an update (default: 32)")
    help_text = "updates between synchronisations of a target network (the paper: 4, 64, 256; default: 0, without one)"
    options.add_argument("--target-every", type=int, metavar="N", help=help_text)
    options.add_argument("--updates-per-step", type=int, metavar="N", help="after each step (default: 1)")
    options.add_argument("--prioritized", action="store_true", help="draw in proportion to the squared TD error")
    options.add_argument("--optimizer", choices=OPTIMIZERS, help="(default: adam, and rmsprop for MinAtar)")
    options.add_argument("--every", type=int, metavar="N", help="updates between records (default: 100; MinAtar: 1000)")
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
    options.epilog = "Exit status: 0 it ran, whatever was learnt; 2 bad input; 130 interrupted."
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

    answer(options, history, plain_text, to_json, tables=tables, csv=to_csv, picture=picture)
    return 0


def _with_networks(options: argparse.Namespace) -> History:
    chosen = settings(options.environment, options.algorithm, **{name: getattr(options, name) for name in PASSED_ON})
    find_device(options.device)
    check_writable(options.checkpoint, options.csv, options.plot, options.table, besides=(_code(options),))
    from simulate.control.training import train

    by, total = ("steps", chosen.steps) if chosen.steps else ("episodes", (chosen.episodes or 0) * options.runs)
    with progress_bar(by, total) as progress:
        return train(
            chosen,
            range(options.runs),
            seed=options.seed,
            device=options.device,
            workers=options.workers,
            checkpoint=options.checkpoint,
            progress=progress,
        )


def _with_tiles(options: argparse.Namespace) -> History:
    if options.environment != "mountain-car":
        raise BadOption(f"--features: tiles are for mountain-car alone, not for {options.environment}")
    for name in NETWORKS_ONLY:
        if getattr(options, name) not in (None, False, "cpu"):
            raise BadOption(f"--{name.replace('_', '-')}: is of networks, and --features tiles has none")
    passed = {name: getattr(options, name) for name in PASSED_ON if name not in NETWORKS_ONLY}
    chosen = linear_settings(find_agent(options.algorithm), **passed)
    check_writable(options.csv, options.plot, options.table, besides=(_code(options),))
    with progress_bar("runs", options.runs) as progress:
        return learn(chosen, range(options.runs), seed=options.seed, workers=options.workers, progress=progress)


def _code(options: argparse.Namespace) -> str:
    """Return the file of --algorithm, if it names one."""
    return str(options.algorithm.rpartition(":")[0])


def _units(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of units for each layer, as in 32,32") from None


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""`tdrc COMMAND ...`: the same commands as `python -m ...`, under one name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.metadata import version

from tdrc_theory.cli.command import BAD_INPUT, run
from tdrc_theory.errors import BadOption, UnknownName

_ONE_FILE = "verify.check_certificate"
"""No package, so that it can be read and run by itself."""
_COMMANDS = (
    ("conditions", "verify.conditions", "does the expected update converge, and what does Theorem 3.1 say?"),
    ("borkar-meyn", "verify.borkar_meyn", "does the paper's proof of convergence apply, and with what constants?"),
    ("region", "verify.region", "for which beta at a given eta, or eta at a given beta, does it converge?"),
    ("predict", "verify.predict", "the expected learning curve, and the largest step sizes, before a run"),
    ("data", "verify.data", "does a learner diverge on logged transitions, why, and what is there to change?"),
    ("check-certificate", _ONE_FILE, "accept or reject a certificate, by integers and fractions alone"),
    ("random", "verify.random", "how often hypotheses hold and bounds say something, on random problems"),
    ("search", "verify.search", "find a small problem with a given pattern of verdicts"),
    ("paper", "verify.paper", "every claim of the paper, proven or refuted"),
    ("run", "simulate.run", "a learning curve over many runs, with its confidence band"),
    ("sweep", "simulate.sweep", "run a parameter study, stored piece by piece, on all cores or a cluster"),
    ("store", "simulate.store", "what a store of outcomes holds, and what of it is of no more use"),
    ("tables", "simulate.tables", "the paper's tables of results, made again, each cell beside the published one"),
    ("control", "simulate.control", "QRC, QC or Q-learning with networks or with tiles, many runs together"),
    ("experiments", "simulate.paper", "what a paper concludes from experiments, judged on runs made here"),
    ("compare", "reports.compare", "a learning curve as predicted and as it was run, and how far they differ"),
    ("last-layer", "reports.last_layer", "what the theory says of the last layers of trained networks"),
    ("build", "reports.build", "one HTML file about problems or the paper, to read, check and pass on"),
    ("convert", "tdrc_theory.convert", "a model file or an environment as a problem file, every number exact"),
    ("derive", "tdrc_theory.derive", "an algorithm's update, expected update and G, for every dimension"),
    ("prove", "verify.kernel", "by a proof assistant: the theorems for every dimension, and verdicts on problems"),
)
COMMANDS: tuple[tuple[str, str, str], ...] = tuple(
    (name, module if module == _ONE_FILE else f"{module}.__main__", purpose) for name, module, purpose in _COMMANDS
)
"""Name, module and purpose of each."""

HEADINGS = {
    "verify": "What is true, of a problem and of the paper:",
    "simulate": "What happens when it is run:",
    "reports": "Both, side by side:",
    "tdrc_theory": "What is said, in every dimension:",
}
"""What the commands of a package are about."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Hand the arguments to a command's own main."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # What stands after `python -m` everywhere is a name too.
    modules = {key: module for name, module, _ in COMMANDS for key in (name, module.removesuffix(".__main__"))}
    module = modules.get(words[0]) if words else None
    if module is None:
        return run(_about_commands, "tdrc", words)
    return run(importlib.import_module(module).main, f"tdrc {words[0]}", words[1:])


def _about_commands(words: Sequence[str] | None) -> int:
    """Answer what no single command answers."""
    if not words or words[0] in ("-h", "--help"):
        _print_commands()
        return 0 if words else BAD_INPUT
    if words[0] == "--version":
        print(f"tdrc-referee {version('tdrc-referee')}")
        return 0
    if words[0] == "--print-completion":
        return _print_completion(words[1:])
    raise UnknownName("command", words[0], [name for name, _, _ in COMMANDS])


def _print_commands() -> None:
    print("usage: tdrc COMMAND ...")
    for package, heading in HEADINGS.items():
        print(f"\n{heading}")
        for name, module, purpose in COMMANDS:
            if module.startswith(f"{package}."):
                print(f"  {name:19} {purpose}")
    print("\n`tdrc COMMAND --help` tells more; `tdrc --print-completion bash`, zsh or fish prints what")
    print("completes it; `tdrc --version` prints the version.")


def _print_completion(shell: Sequence[str] | None) -> int:
    from reports.completion import SHELLS, completion

    if not shell or len(shell) > 1 or shell[0] not in SHELLS:
        raise BadOption(f"--print-completion: give one of {', '.join(SHELLS)}")
    print(completion(COMMANDS, shell[0]))
    return 0

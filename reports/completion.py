"""What a shell needs to complete `tdrc`: its commands, their options, and the names and files that these take."""

from __future__ import annotations

import importlib
from argparse import Action
from collections.abc import Sequence
from typing import Any

from simulate.control.algorithms import CONTROL_ALGORITHMS
from simulate.paper.conclusions import experiments
from simulate.sweep.experiment_file import built_in
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.command import Parser
from tdrc_theory.extras import importing
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.problems import PROBLEMS

SHELLS = ("bash", "zsh")


def completion(commands: Sequence[tuple[str, str, str]], shell: str) -> str:
    """Return a script for a shell, made of the commands' own parsers.

    Args:
        commands: name, module and summary of each.
        shell: one of SHELLS.

    Raises:
        MissingExtra: shtab is not installed.
    """
    with importing("completion needs", "shtab", "completion"):
        import shtab
    whole = Parser(prog="tdrc")
    names = whole.add_subparsers()
    for name, module, told in commands:
        parser = getattr(importlib.import_module(module), "parser", None)
        one = names.add_parser(name, help=told, add_help=False, parents=[parser()] if parser else [])
        if parser is None:
            one.add_argument("file", metavar="FILE")
        for action in one._actions:
            if not action.choices and (taken := _taken(action)):
                vars(action)["complete"] = taken  # where shtab looks
    return shtab.complete(whole, shell)


def _taken(action: Action) -> dict[str, Any] | None:
    """Return what an argument takes, as shtab has it: files, folders, or names besides files; None for neither."""
    from shtab import DIRECTORY, FILE

    known = {
        ("problem", None): [name for name, _ in PROBLEMS],
        ("experiment", None): built_in(),
        ("paper", PAPERS[0]): PAPERS,
        ("experiments", None): list(dict.fromkeys(n for name in PAPERS for n in experiments(find_paper(name)))),
        ("algorithm", "tdrc"): [algorithm.name for algorithm in ALGORITHMS],
        ("algorithm", "qrc"): [algorithm.name for algorithm in CONTROL_ALGORITHMS],
    }
    for (dest, default), names in known.items():
        if (action.dest, action.default) == (dest, default):
            return _names_or_files(f"_tdrc_names_or_files_{dest}_{default or ''}", " ".join(names))
    takes = action.metavar if isinstance(action.metavar, str) else ""
    if takes == "FOLDER":
        return DIRECTORY
    return FILE if takes.startswith(("FILE", "CHECKPOINT")) else None


def _names_or_files(function: str, names: str) -> dict[str, Any]:
    """Return a function of each shell that completes some names, and files."""
    bash = f'{function}() {{ compgen -W "{names}" -- "$1"; compgen -f -- "$1"; }}'
    zsh = f"{function}() {{ _alternative 'names:name:({names})' 'files:file:_files' }}"
    return {"bash": function, "zsh": function, "preamble": {"bash": bash, "zsh": zsh}}

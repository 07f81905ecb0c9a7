"""What a shell needs to complete `tdrc`: its commands, their options, and the names and files that these take."""

from __future__ import annotations

import importlib
from argparse import Action
from collections.abc import Iterable, Sequence
from typing import Any

from simulate.control.algorithms import CONTROL_ALGORITHMS
from simulate.paper.conclusions import experiments
from simulate.sweep.experiment_file import built_in
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.cli.command import Parser
from tdrc_theory.cli.extras import importing
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.problems import PROBLEMS

SHELLS = ("bash", "zsh", "fish")


def completion(commands: Sequence[tuple[str, str, str]], shell: str) -> str:
    """Return a script for a shell of SHELLS, made of the parsers of commands: name, module and summary of each.

    Raises:
        MissingExtra: shtab is not installed.
    """
    with importing("completion needs", "shtab", "completion"):
        import shtab
    whole = Parser(prog="tdrc")
    names = whole.add_subparsers()
    for name, module, summary in commands:
        parser = getattr(importlib.import_module(module), "parser", None)
        one = names.add_parser(name, help=summary, add_help=False, parents=[parser()] if parser else [])
        if parser is None:
            one.add_argument("file", metavar="FILE")
        for action in one._actions:
            if not action.choices and (taken := _taken(action)):
                vars(action)["complete"] = taken  # where shtab looks
    return shtab.complete(whole, shell)


def _taken(action: Action) -> dict[str, Any] | None:
    """Return what an argument takes, as shtab has it: files, folders, or names besides files; None for neither."""
    from shtab import DIRECTORY, FILE

    papers = [find_paper(name) for name in PAPERS]
    known = {
        ("problem", None): [name for name, _ in PROBLEMS],
        ("experiment", None): built_in(),
        ("paper", PAPERS[0]): PAPERS,
        ("paper", None): PAPERS,
        ("experiments", None): list(dict.fromkeys(name for paper in papers for name in experiments(paper))),
        ("algorithm", "tdrc"): [algorithm.name for algorithm in ALGORITHMS],
        ("algorithm", "qrc"): [algorithm.name for algorithm in CONTROL_ALGORITHMS],
    }
    for (dest, default), names in known.items():
        if (action.dest, action.default) == (dest, default):
            return _names(f"_tdrc_{dest}_{default or ''}", names, files=True)
    if action.metavar == "ID":
        return _names("_tdrc_claims", dict.fromkeys(claim.id for paper in papers for claim in paper.claims))
    takes = action.metavar if isinstance(action.metavar, str) else ""
    if takes == "FOLDER":
        return DIRECTORY
    return FILE if takes.startswith(("FILE", "CHECKPOINT")) else None


def _names(function: str, names: Iterable[str], *, files: bool = False) -> dict[str, Any]:
    """Return what completes some names in each shell, and files besides if so."""
    words = " ".join(names)
    bash = f'compgen -W "{words}" -- "$1"' + ('; compgen -f -- "$1"' if files else "")
    zsh = f"_alternative 'names:name:({words})'" + (" 'files:file:_files'" if files else "")
    fish = words + (" (__fish_complete_path (commandline -ct))" if files else "")
    preamble = {shell: f"{function}() {{ {body}; }}" for shell, body in (("bash", bash), ("zsh", zsh))}
    return {"bash": function, "zsh": function, "fish": fish, "preamble": preamble}

"""Papers as data, a folder each: adding one is a folder and a line here; a user's own folder needs neither.

A claim is a table of a TOML file: an id, a title, a place, a kind, and what is printed, in the language of claims
(`tdrc_theory.formula.formula_reader`); where the paper errs, what is true, an erratum and its severity.
`tdrc paper [PAPER]` judges every claim by the same judge, which does not know what is expected of it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tdrc_theory.errors import UnknownName
from tdrc_theory.papers.claim import Paper
from tdrc_theory.papers.reading import read_paper

PAPERS = ("tdrc", "emphatic-td")


def find_paper(name: str = "tdrc") -> Paper:
    """Return a built-in paper by its name, or that of a folder.

    Raises:
        UnknownName: it is neither.
        BadClaim: something in the folder is not as papers have it.
    """
    if name in PAPERS:
        return _built_in(name)
    folder = Path(name)
    try:
        is_folder = folder.is_dir()
    except (OSError, ValueError):  # a path that is too long, or has a null character
        is_folder = False
    if not is_folder:
        raise UnknownName("paper", name, PAPERS, also="a folder with a paper.toml")
    return read_paper(folder, name)


@cache
def _built_in(name: str) -> Paper:
    return read_paper(Path(__file__).parent / name, name)


__all__ = ["PAPERS", "Paper", "find_paper"]

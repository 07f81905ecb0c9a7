"""Pieces as they travel to the workers of a Dask cluster."""

from __future__ import annotations

import linecache
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from simulate.kernels.kernel_residual_gradient import SMOOTHINGS
from simulate.outcome import Outcome
from simulate.piece import Piece
from simulate.work import Work
from tdrc_theory.algorithms import ALGORITHMS, TD
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.files import load_algorithm


class AlgorithmFile(NamedTuple):
    """A user's algorithm as it travels: the text of its file. Modules that it imports must be on the workers."""

    file: str
    text: str
    name: str

    def load(self) -> Algorithm:
        """Run the text, as the machine that sent it ran the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / self.file
            path.write_text(self.text, encoding="utf-8")
            return load_algorithm(f"{path}:{self.name}")


class Parcel(NamedTuple):
    """A piece as it travels, with what its outcome will be stored under."""

    piece: Work
    algorithm: AlgorithmFile | None
    keys: list[bytes]


def packed(piece: Work) -> Parcel:
    """Return a piece in a form that another machine can unpack.

    Raises:
        BadOption: the algorithm is neither built in nor of a file.
    """
    if not isinstance(piece, Piece):  # nothing of a user's is in it
        return Parcel(piece, None, piece.keys())
    algorithm = piece.algorithm
    if any(algorithm.direction is known.direction for known in (*ALGORITHMS, *(s.algorithm for s in SMOOTHINGS))):
        return Parcel(piece, None, piece.keys())
    module = sys.modules.get(getattr(algorithm.direction, "__module__", ""))
    file = getattr(module, "__file__", None)
    for name, value in sorted(vars(module).items()) if module and file else ():
        if value is algorithm or value is algorithm.direction:
            text = "".join(linecache.getlines(str(file)))  # as it was run, whatever has become of the file since
            # Functions of a user's file cannot be pickled; TD holds the place until the file has been run again.
            return Parcel(replace(piece, algorithm=TD), AlgorithmFile(Path(str(file)).name, text, name), piece.keys())
    raise BadOption(f"--cluster: {algorithm.name} is neither built in nor an algorithm of a file, so it cannot be sent")


def compute_there(parcel: Parcel) -> Outcome:
    """Compute a piece; this runs on a worker.

    Raises:
        BadOption: the worker has other sources than the machine that asks, so that its numbers would be others.
    """
    piece = parcel.piece
    if parcel.algorithm is not None:
        assert isinstance(piece, Piece)
        piece = replace(piece, algorithm=parcel.algorithm.load())
    if piece.keys() != parcel.keys:
        raise BadOption("--cluster: a worker has another version of this program, or of what it computes with")
    return piece.compute()

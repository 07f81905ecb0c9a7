"""Where tensors are, and on how many threads."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tdrc_theory.cli.extras import importing
from tdrc_theory.errors import BadOption

DEVICES = ("cpu", "cuda")


def find_device(name: str) -> Any:
    """Return the device of this name, as torch has it.

    Raises:
        MissingExtra: torch is not installed, or cannot be imported.
        BadOption: there is no such device here.
    """
    with importing("networks need", "torch", "control"):
        import torch
    if name not in DEVICES:
        raise BadOption(f"--device: {name}; allowed: {', '.join(DEVICES)}")
    if name == "cuda" and not torch.cuda.is_available():
        raise BadOption("--device: cuda: torch finds no such device here")
    return torch.device(name)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute on one thread meanwhile.

    Products of matrices as small as these gain little from more. On a machine that has other things to do they lose
    much: threads wait for the last one by spinning, which took twenty times the work on two busy cores.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)

"""Where tensors are."""

from __future__ import annotations

from typing import Any

from tdrc_theory.errors import BadOption, MissingExtra

DEVICES = ("cpu", "cuda")


def find_device(name: str) -> Any:
    """Return the device of this name, as torch has it.

    Raises:
        MissingExtra: torch is not installed.
        BadOption: there is no such device here.
    """
    try:
        import torch
    except ImportError:
        told = "networks need torch; install it with: pip install 'tdrc-referee[control]'"
        raise MissingExtra(told) from None
    if name not in DEVICES:
        raise BadOption(f"--device: {name}; allowed: {', '.join(DEVICES)}")
    if name == "cuda" and not torch.cuda.is_available():
        raise BadOption("--device: cuda: torch finds no such device here")
    return torch.device(name)

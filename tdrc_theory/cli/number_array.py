"""Arrays of numbers in files of NumPy (.npy): read as data, never as code."""

from __future__ import annotations

import os
from typing import Any

from tdrc_theory.errors import BadProblem

_MOST_BYTES = 2**28


def read_array(path: str, what: str) -> list[Any]:
    """Return the array of a file as nested lists.

    Args:
        path: ends in .npy.
        what: the option or key that it is for.

    Raises:
        BadProblem: it cannot be read, is too large, or holds other things than numbers.
    """
    import numpy as np

    try:
        size = os.path.getsize(path)
        if size > _MOST_BYTES:
            raise BadProblem(f"{what}: {path}: {size} bytes; at most {_MOST_BYTES} are read")
        array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise BadProblem(f"{what}: cannot read {path}: {error.strerror or error}") from None
    except (ValueError, EOFError, MemoryError) as error:
        raise BadProblem(f"{what}: {path} is no array of numbers: {' '.join(str(error).split())}") from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf" or not 1 <= array.ndim <= 3:
        raise BadProblem(f"{what}: {path} is no array of numbers with 1 to 3 axes")
    return list(array.tolist())

"""What becomes of memory that is freed."""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT = 1 << 28
_LARGEST = 1 << 25


def keep_freed_memory() -> None:
    """Ask the C library to keep freed memory for what is allocated next; where it is not glibc, nothing happens.

    Every update frees and allocates the same few tensors of some hundred kilobytes each. glibc gives such back to the
    system at once, and then up to a third of the time goes into getting it again, page by page. What is kept from one
    update to the next is in few buffers that grow (`Record`): many small pieces between the tensors would split what
    is freed, until nothing of it could be used again.
    """
    try:
        choose = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # TypeError: Windows has no library without a name
        return
    choose(_MMAP_THRESHOLD, _LARGEST)
    choose(_TRIM_THRESHOLD, _KEPT)

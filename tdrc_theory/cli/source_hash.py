"""A hash of sources: what other sources compute may be something else."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path


@functools.cache
def source_hash(folder: Path) -> str:
    """Return a hash of all Python sources below a folder, their places included."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(f"{file.relative_to(folder).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()

"""The folder that keeps compiled code and accepted proofs between commands, and the hash of sources that made them."""

from __future__ import annotations

import functools
import hashlib
import os
import stat
from pathlib import Path

from tdrc_theory.errors import BadOption

CACHE_VARIABLE = "TDRC_CACHE"


def cache_folder() -> Path:
    """Return $TDRC_CACHE, or tdrc-referee in the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tdrc-referee"


def check_private(folder: Path) -> None:
    """Return if nobody but this user can write into a folder, or if there is none: what is kept there is believed.

    Raises:
        BadOption: it belongs to another user, or others can write into it.
    """
    try:
        there = folder.stat()
    except OSError:  # whoever writes into it reports that
        return
    if not hasattr(os, "getuid"):  # Windows, where the folder is in the user's profile
        return
    if there.st_uid != os.getuid():
        reason = f"it belongs to another user (uid {there.st_uid})"
    elif stat.S_IMODE(there.st_mode) & 0o022:
        reason = f"other users can write into it (mode {stat.S_IMODE(there.st_mode):o})"
    else:
        return
    where = " ".join(str(folder).splitlines())
    remedy = f"remove it, or set {CACHE_VARIABLE} to a folder that only you can write"
    raise BadOption(f"{where}: is not used as a cache: {reason}, and what is kept there is believed and run; {remedy}")


@functools.cache
def source_hash(folder: Path) -> str:
    """Return a hash of all Python sources below a folder, their places included: others may compute something else."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(f"{file.relative_to(folder).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()

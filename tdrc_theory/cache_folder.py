"""Where what takes long to make is kept between commands: compiled code, and what the proof assistant accepted."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "TDRC_CACHE"


def cache_folder() -> Path:
    """Return $TDRC_CACHE, or tdrc-referee in the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tdrc-referee"

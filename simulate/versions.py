"""By what an outcome is computed: what of this program, and which packages, each with its version."""

from __future__ import annotations

import functools
from importlib import metadata


@functools.cache
def _version(package: str) -> str:
    return metadata.version(package)


def versions(*packages: str) -> list[str]:
    """Return the installed packages, each with its version: `numpy 2.3.1`.

    Raises:
        PackageNotFoundError: one is not installed.
    """
    return [f"{package} {_version(package)}" for package in packages]


def is_current(version: str) -> bool | None:
    """Return whether what is installed here is what an outcome was computed by.

    Args:
        version: a `Work.version`, such as `prediction 1, numba 0.61.0, numpy 2.2.1`.

    Returns:
        False where a part has another version here, so that no key of this program is the outcome's; None where
        that is not known, since the version is empty, of a later program, or names a package that is not installed.
    """
    current = [_is_current(*part.split(" ", 1)) for part in version.split(", ") if " " in part]
    if False in current:
        return False
    return None if not current or None in current else True


def _is_current(name: str, version: str) -> bool | None:
    from simulate.control.piece import sources
    from simulate.piece import VERSION

    if name == "prediction":
        return version == str(VERSION)
    if name == "control":
        return version == sources()[:16]
    try:
        return version == _version(name)
    except metadata.PackageNotFoundError:
        return None

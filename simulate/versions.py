"""The packages by which an outcome is computed, each with its version."""

from __future__ import annotations

from importlib import metadata


def versions(*packages: str) -> list[str]:
    """Return the installed packages, each with its version: `numpy 2.3.1`.

    Raises:
        PackageNotFoundError: one is not installed.
    """
    return [f"{package} {metadata.version(package)}" for package in packages]

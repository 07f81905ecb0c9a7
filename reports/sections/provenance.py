"""Where a page comes from: versions, commit, seed, machine, date, and the command that makes it again."""

from __future__ import annotations

import datetime
import importlib.metadata
import platform
import shlex
import subprocess
from pathlib import Path

from reports.page.section import Content, Section, Tell
from reports.page.subject import OnPage

_DEPENDENCIES = ("numpy", "scipy", "sympy", "python-flint", "llvmlite", "matplotlib")


def collect(subject: OnPage, _: Tell) -> Content:
    """Return the provenance of a page."""
    request = subject.request
    facts = [
        ("made by", f"tdrc-referee {_version('tdrc-referee')}"),
        ("commit", _commit()),
        ("seed", str(request.seed)),
    ]
    if request.place_and_time:
        facts.append(("date", datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")))
        facts.append(("machine", f"{platform.system()} {platform.release()}, {platform.machine()}"))
    versions = [("Python", platform.python_version()), *((name, _version(name)) for name in _DEPENDENCIES)]
    return Content(command=shlex.join(("tdrc", "build", *request.command)), facts=facts, versions=versions)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed as a package"


def _commit() -> str:
    """Return the commit of the checkout that runs, marked where files differ from it."""
    this = Path(__file__)
    try:
        if not _git(this, "ls-files", this.name):  # a folder of packages may lie in somebody else's checkout
            return "none: an installed package"
        return _git(this, "describe", "--always", "--dirty", "--abbrev=40", "--exclude", "*") or "unknown"
    except (OSError, subprocess.TimeoutExpired):
        return "unknown: git is not here"


def _git(file: Path, *asked: str) -> str:
    """Return what git says in a file's folder; "" where it is in no checkout."""
    git = ["git", "-C", str(file.parent), *asked]
    done = subprocess.run(git, capture_output=True, text=True, check=False, timeout=10)
    return done.stdout.strip() if done.returncode == 0 else ""


SECTION = Section("provenance", "Provenance", collect)

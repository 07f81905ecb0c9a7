"""The checker of verdicts that is written in Coq, compiled once and kept, and Coq's answer on a file that uses it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from tdrc_theory.cli.cache_folder import cache_folder, check_private
from tdrc_theory.errors import Inconsistent
from tdrc_theory.proofs.coq import compile_sources, coq_version, first_error, read_sources, required, run_coq

CHECKERS = ("judged_tables.v", "second_moments.v")
"""The sources that require all others of the checkers of verdicts and of second moments."""
SUMS = "sums.json"
"""The SHA-256 of each compiled file: Coq believes what is compiled."""


class CoqRefusal(Exception):
    """Coq does not accept a file; the message says why, on one line."""


@contextlib.contextmanager
def compiled_checker(tell: Callable[[int], None] = lambda _: None) -> Iterator[Path]:
    """Yield the folder of the compiled checker: from the user's cache, else compiled (about a minute) and kept there.

    Args:
        tell: is called with how many of its files have compiled, where they are not kept.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: others can write into the cache.
        Inconsistent: the sources of this package do not compile.
    """
    sources = checker_sources()
    kept = _place(sources)
    check_private(cache_folder())
    if _is_intact(kept):
        yield kept
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tdrc"
        folder.mkdir()
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        errors = compile_sources(folder, sources, tell)
        if errors:
            raise Inconsistent("; ".join(errors.values()))
        _keep(folder, sources, kept)
        yield folder


def keep_checker(folder: Path) -> None:
    """Keep the checker in the user's cache, from a folder where all sources of this package were compiled.

    Raises:
        BadOption: others can write into the cache.
    """
    sources = checker_sources()
    check_private(cache_folder())
    _keep(folder, sources, _place(sources))


def _place(sources: Mapping[str, str]) -> Path:
    return cache_folder() / f"coq-{_key(sources, coq_version())}"


def checker_sources() -> dict[str, str]:
    """Return the text of the checker's sources by name: those of this package that it requires, and itself."""
    sources = read_sources()
    needed, waiting = set(), [*CHECKERS]
    while waiting:
        file = waiting.pop()
        if file not in needed:
            needed.add(file)
            waiting += required(sources[file])
    return {file: text for file, text in sources.items() if file in needed}


def coq_output(checker: Path, text: str) -> str:
    """Return what Coq prints of a file that requires the checker.

    Raises:
        CoqRefusal: Coq does not accept the file.
    """
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "asked.v").write_text(text, encoding="utf-8")
        answer = run_coq(Path(name), "-R", str(checker.absolute()), "tdrc", "asked.v")
    if answer.returncode != 0:
        raise CoqRefusal(first_error(answer))
    return answer.stdout


def _key(sources: Mapping[str, str], version: str) -> str:
    return hashlib.sha256(json.dumps([version, sorted(sources.items())]).encode()).hexdigest()[:32]


def _is_intact(kept: Path) -> bool:
    """Return whether every compiled file is there as it was noted when it was compiled."""
    try:
        return bool(json.loads((kept / SUMS).read_bytes()) == _sums(kept))
    except (OSError, ValueError, RecursionError):  # none, or damaged
        return False


def _sums(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.glob("*.vo"))}


def _keep(folder: Path, sources: Iterable[str], kept: Path) -> None:
    """Copy compiled files into the cache, whole or not at all; where it cannot be written, they are compiled again."""
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = Path(tempfile.mkdtemp(dir=kept.parent, prefix="coq-part-"))
        try:
            for file in sources:
                shutil.copy((folder / file).with_suffix(".vo"), part)
            (part / SUMS).write_text(json.dumps(_sums(part)), encoding="utf-8")
            if not _is_intact(kept):  # another process may have written the same
                shutil.rmtree(kept, ignore_errors=True)
                part.rename(kept)
        finally:
            shutil.rmtree(part, ignore_errors=True)

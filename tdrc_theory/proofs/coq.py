"""The Coq sources: what they state, whether each compiles, and is each theorem what the text says, without axioms?

Those of the checker of verdicts are compiled once and kept, for files that use it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tdrc_theory.cli.cache_folder import cache_folder, check_private
from tdrc_theory.errors import BadOption, Inconsistent, MissingExtra

FOLDER = Path(__file__).parent
STATED = re.compile(r"^Theorem (\w+)(.*?)\.\s+Proof\.", re.MULTILINE | re.DOTALL)
DEFINED = re.compile(r"^(?:Definition|Fixpoint|Inductive|Record) (\w+).*?\.$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Theorem:
    """What one Coq theorem says.

    Attributes:
        name: its name in Coq.
        file: the name of the source that proves it.
        statement: its binders, a colon and what is claimed, as the source writes them.
        definitions: the definitions of the sources that the statement rests on, in the order of the text.
    """

    name: str
    file: str
    statement: str
    definitions: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([*self.definitions, f"Theorem {self.name}{self.statement}."])


def read_sources(folder: Path = FOLDER) -> dict[str, str]:
    """Return the text of every Coq source of a folder by its name, sorted.

    Raises:
        BadOption: there is none, or one cannot be read.
    """
    try:
        sources = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.v"))}
    except (OSError, UnicodeDecodeError) as error:
        raise BadOption(f"{folder}: cannot be read: {error}") from None
    if not sources:
        raise BadOption(f"{folder}: no Coq source (*.v) is there")
    return sources


def theorems(sources: Mapping[str, str]) -> tuple[Theorem, ...]:
    """Return every theorem of the sources; lemmas are means to an end and not listed."""
    definitions = {m[1]: m[0] for text in sources.values() for m in DEFINED.finditer(text)}
    return tuple(
        Theorem(m[1], file, m[2], _rests_on(m[2], definitions))
        for file, text in sources.items()
        for m in STATED.finditer(text)
    )


def _rests_on(statement: str, definitions: Mapping[str, str]) -> tuple[str, ...]:
    needed: set[str] = set()
    texts = [statement]
    while texts:
        words = set(WORD.findall(texts.pop())) & definitions.keys()
        texts += [definitions[word] for word in words - needed]
        needed |= words
    return tuple(text for name, text in definitions.items() if name in needed)


PACKAGES = "coq libcoq-mathcomp-algebra-tactics libcoq-mathcomp-real-closed"
CLOSED = "Closed under the global context"
LIBRARIES = ("mathcomp.algebra_tactics.ring", "mathcomp.real_closed.complex")
QUIET = ("-q", "-w", "-all")
HERE = ("-R", ".", "tdrc")
AUDIT = "audit.v"
MARK = "asked about"
REQUIRED = re.compile(r"^From tdrc Require Import ([\w\s]+)\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CoqAnswer:
    """What Coq says of a theorem.

    Attributes:
        theorem: what was asked about.
        accepted: whether Coq compiled a proof of just this statement and it rests on no axiom; None: it was not asked.
        reason: one line.
    """

    theorem: Theorem
    accepted: bool | None
    reason: str


def coq_version() -> str:
    """Return what `coqc --version` prints.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
    """
    if shutil.which("coqc") is None:
        raise MissingExtra(f"Coq is not installed; on Debian: apt-get install {PACKAGES}")
    version = _ask(Path.cwd(), "coqc", "--version").stdout.strip()
    library = Path(_ask(Path.cwd(), "coqc", "-where").stdout.strip()) / "user-contrib"
    for name in LIBRARIES:
        if not (library / name.replace(".", "/")).with_suffix(".vo").is_file():
            raise MissingExtra(f"Coq lacks {name}; on Debian: apt-get install {PACKAGES}")
    return version


def check_proofs(
    sources: Mapping[str, str],
    tell: Callable[[int], None] = lambda _: None,
    keep: Callable[[Path], None] | None = None,
) -> tuple[CoqAnswer, ...]:
    """Compile the sources from scratch, in a folder of their own, and return Coq's answer on every theorem.

    Args:
        sources: texts by file name.
        tell: is told how many files have compiled.
        keep: is called with the folder once all of them have; None: nothing.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: files require each other in a circle.
    """
    coq_version()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        errors = compile_sources(folder, sources, tell)
        if keep is not None and not errors:
            keep(folder)
        compiled_files = [file for file in sources if file not in errors]
        assumptions = _audit(folder, compiled_files, [t for t in theorems(sources) if t.file not in errors])
    return tuple(
        CoqAnswer(t, False, errors[t.file])
        if t.file in errors
        else CoqAnswer(t, assumptions[t.name] == CLOSED, assumptions[t.name])
        for t in theorems(sources)
    )


def compile_sources(
    folder: Path, sources: Mapping[str, str], tell: Callable[[int], None] = lambda _: None
) -> dict[str, str]:
    """Write files to a folder, compile each once those that it requires are done, and return what is wrong with any.

    Raises:
        BadOption: files require each other in a circle.
    """
    for file, text in sources.items():
        (folder / file).write_text(text, encoding="utf-8")
    order = TopologicalSorter({file: required(text) & sources.keys() for file, text in sources.items()})
    try:
        order.prepare()
    except CycleError as error:
        raise BadOption(f"files require each other in a circle: {', '.join(error.args[1])}") from None
    errors: dict[str, str] = {}
    running: dict[Future[subprocess.CompletedProcess[str]], str] = {}
    pool = ThreadPoolExecutor(min(os.cpu_count() or 1, 8))  # half a gigabyte of memory each
    try:
        while order.is_active():
            running |= {pool.submit(run_coq, folder, *HERE, file): file for file in order.get_ready()}
            for compiled in wait(running, return_when=FIRST_COMPLETED).done:
                file = running.pop(compiled)
                if compiled.result().returncode != 0:
                    errors[file] = f"{file} does not compile: {first_error(compiled.result())}"
                order.done(file)
                tell(len(list(folder.glob("*.vo"))))
    finally:
        pool.shutdown(cancel_futures=True)
    return errors


def required(text: str) -> set[str]:
    """Return the names of the sources that a source requires."""
    return {f"{name}.v" for names in REQUIRED.findall(text) for name in names.split()}


def _audit(folder: Path, files: Sequence[str], asked: Sequence[Theorem]) -> dict[str, str]:
    """Return, for each theorem, what Coq prints of its assumptions.

    Each is stated again, in the words that a reader is shown, and must follow from the compiled one at once. Coq is
    asked about all together, as each question takes a second; one by one if some rests on an axiom or does not follow.
    """
    header = [
        "From mathcomp Require Import all_ssreflect all_algebra complex.",
        *(f"From tdrc Require Import {Path(file).stem}." for file in files),
        "Set Implicit Arguments. Unset Strict Implicit. Import Order.TTheory GRing.Theory Num.Theory.",
        "Local Open Scope complex_scope. Local Open Scope ring_scope.",
    ]
    stated = {t.name: f"Theorem shown_{t.name}{t.statement}.\nProof. exact: {t.name}. Qed.\n" for t in asked}
    every = ", ".join(f"@shown_{name}" for name in stated)
    together = [
        *header,
        *stated.values(),
        f"Definition shown_together := ({every}).",
        "Print Assumptions shown_together.",
    ]
    answer = _compile_audit(folder, together)
    if answer.returncode == 0 and answer.stdout.strip() == CLOSED:
        return dict.fromkeys(stated, CLOSED)
    lines = header
    for name, text in stated.items():
        lines += [f'Goal True. idtac "{MARK} {name}". Abort.', text, f"Print Assumptions shown_{name}."]
    answer = _compile_audit(folder, lines)
    parts = re.split(rf"^{MARK} (\w+)$", answer.stdout, flags=re.MULTILINE)
    assumptions = {name: " ".join(text.split()) for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    # Coq stops at the first statement that is not proven, which then has a mark and no answer; the rest has neither.
    stopped = f"not proven as it is shown: {first_error(answer)}"
    return {name: assumptions.get(name, "not asked about, since Coq stopped before") or stopped for name in stated}


def _compile_audit(folder: Path, lines: Sequence[str]) -> subprocess.CompletedProcess[str]:
    (folder / AUDIT).write_text("\n".join(lines), encoding="utf-8")
    return run_coq(folder, *HERE, AUDIT)


def run_coq(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return what coqc answers in a folder, without warnings and settings of the user's."""
    return _ask(folder, "coqc", *QUIET, *arguments)


def first_error(done: subprocess.CompletedProcess[str]) -> str:
    """Return the beginning of what is wrong, on one line."""
    return " ".join(done.stderr.split())[:300] or f"exit status {done.returncode}"


def _ask(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


CHECKERS = ("judged_tables.v", "second_moments.v")
"""The sources that require all others of the checkers of verdicts and of second moments."""
SUMS = "sums.json"
"""The SHA-256 of each compiled file: Coq believes what is compiled."""


class CoqRefusal(Exception):
    """Coq does not accept a file; the message says why, on one line."""


@contextlib.contextmanager
def compiled_checker(tell: Callable[[int], None] = lambda _: None) -> Iterator[Path]:
    """Yield the folder of the compiled checker: from the user's cache, else compiled (about a minute) and kept there.

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
    """Return where the checker is kept; the name tells all that it depends on."""
    known = json.dumps([coq_version(), sorted(sources.items())])
    return cache_folder() / f"coq-{hashlib.sha256(known.encode()).hexdigest()[:32]}"


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

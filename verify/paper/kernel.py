"""What the proof assistant says here of the theorems of `tdrc_theory/proofs`, or why it was not asked.

Those of what claims state of how learners scale are written from the statements and from update rules.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.cache_folder import cache_folder, check_private
from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.papers.claim import Claim, Content, Paper, Text, Words
from tdrc_theory.proofs.coq import (
    CLOSED,
    FOLDER,
    CoqAnswer,
    Theorem,
    check_proofs,
    coq_version,
    keep_checker,
    read_sources,
    theorems,
)
from verify.kernel.scaling import HEADER, Family, comparisons_theorem, steps_theorem
from verify.paper.facts.content import ready
from verify.paper.facts.update_terms import Scales

FILE = "scaling_of_learners.v"


def scaling_source() -> str:
    """Return the source of the theorems that claims of the built-in papers name for what they state by `scales`."""
    theorems = [text for name in PAPERS for claim in find_paper(name).claims for text in _of(claim, find_paper(name))]
    return "\n".join([HEADER, *theorems])


def _of(claim: Claim, paper: Paper) -> Iterator[str]:
    """Yield the theorem that states a claim, and that which refutes what is printed, by a lemma of its argument."""
    scales = _scales(claim.printed if claim.corrected is None else claim.corrected, paper)
    if claim.theorem is not None and scales is not None:
        yield steps_theorem(claim.theorem, _family(scales), scales.step)
    lemmas = claim.printed.lemmas if isinstance(claim.printed, Words) else ()
    for lemma in lemmas if claim.refutation is not None else ():
        scales = _scales(lemma, paper)
        if scales is not None:
            yield comparisons_theorem(str(claim.refutation), _family(scales))


def _scales(content: Content, paper: Paper) -> Scales | None:
    """Return a statement on how learners scale, None where it is another."""
    if not isinstance(content, Text) or not content.text.lstrip().startswith("scales("):
        return None
    statement = ready(content, paper)
    return statement if isinstance(statement, Scales) else None


def _family(scales: Scales) -> Family:
    return Family(tuple(find_algorithm(name) for name in scales.learners), dict(scales.powers))


def coq_sources(folder: Path = FOLDER) -> dict[str, str]:
    """Return the Coq sources of a folder, by name; with those of this package, what is written from claims.

    Raises:
        BadOption: there is none, or one cannot be read.
    """
    return read_sources(folder) | ({FILE: scaling_source()} if folder == FOLDER else {})


def kernel_results(compile: bool = True, folder: Path = FOLDER) -> dict[str, CoqAnswer]:
    """Return what Coq says of every theorem of a folder, by name.

    What it accepts is kept in the user's cache for as long as the sources, Coq's version, and the asking code stay
    the same to the letter.

    Args:
        compile: ask Coq where nothing is kept (seconds to a minute); otherwise such theorems are not checked.
        folder: of the sources.

    Raises:
        BadOption: others can write into that cache, so that it may say what Coq never did.
    """
    sources = coq_sources(folder)
    asked = {theorem.name: theorem for theorem in theorems(sources)}
    try:
        key = _key(sources, coq_version())
    except MissingExtra as missing:
        return _not_checked(asked, str(missing))
    if asked.keys() == _kept(key):
        return {name: CoqAnswer(theorem, True, CLOSED) for name, theorem in asked.items()}
    if not compile:
        return _not_checked(asked, "not asked for")
    return {answer.theorem.name: answer for answer in coq_answers(sources, of_package=folder == FOLDER)}


def coq_answers(sources: Mapping[str, str], of_package: bool) -> tuple[CoqAnswer, ...]:
    """Return what Coq says of every theorem of sources; that it accepts all is kept, as is the package's checker.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: files require each other in a circle, or others can write into the cache.
    """
    key = _key(sources, coq_version())
    with progress_bar("proofs", len(sources)) as tell:
        answers = check_proofs(sources, tell, keep_checker if of_package else None)
    if answers and all(answer.accepted for answer in answers):
        _keep(key, sorted(answer.theorem.name for answer in answers))  # a failure is worth another try
    return answers


def _not_checked(asked: Mapping[str, Theorem], why: str) -> dict[str, CoqAnswer]:
    return {name: CoqAnswer(theorem, None, f"not checked here: {why}") for name, theorem in asked.items()}


def _key(sources: Mapping[str, str], version: str) -> str:
    """Return a name for all that an answer depends on."""
    asking = [file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.py"))]
    return hashlib.sha256(json.dumps([version, sorted(sources.items()), asking]).encode()).hexdigest()


def _cache(key: str) -> Path:
    return cache_folder() / f"proofs-{key}.json"


def _kept(key: str) -> set[str] | None:
    """Return the names of the accepted theorems, or None; what cannot be read is as good as not there."""
    check_private(cache_folder())
    try:
        record = json.loads(_cache(key).read_text(encoding="utf-8"))
        return set(record["accepted"]) if record["key"] == key else None  # a record of other sources, renamed
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _keep(key: str, names: Sequence[str]) -> None:
    with contextlib.suppress(OSError, BadOption):  # asked again next time
        _cache(key).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(_cache(key), json.dumps({"key": key, "accepted": names}))

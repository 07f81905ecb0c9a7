"""The theorems in Coq of what claims state of how learners scale, written from the statements and from update rules."""

from __future__ import annotations

from collections.abc import Iterator

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.papers.claim import Claim, Content, Paper, Text, Words
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
    said = _scales(claim.printed if claim.corrected is None else claim.corrected, paper)
    if claim.theorem is not None and said is not None:
        yield steps_theorem(claim.theorem, _family(said), said.step)
    lemmas = claim.printed.lemmas if isinstance(claim.printed, Words) else ()
    for lemma in lemmas if claim.refutation is not None else ():
        said = _scales(lemma, paper)
        if said is not None:
            yield comparisons_theorem(str(claim.refutation), _family(said))


def _scales(content: Content, paper: Paper) -> Scales | None:
    """Return a statement on how learners scale, None where it is another."""
    if not isinstance(content, Text) or not content.text.lstrip().startswith("scales("):
        return None
    said = ready(content, paper)
    return said if isinstance(said, Scales) else None


def _family(said: Scales) -> Family:
    return Family(tuple(find_algorithm(name) for name in said.learners), dict(said.powers))

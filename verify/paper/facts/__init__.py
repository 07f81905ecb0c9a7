"""The paper's claims in words, a family a file. A new one is a Fact in a family's tuple; a new family a line here.

A Fact is data: what is printed and what is true, each a tree of `statement.py` over atoms (`atoms.py`, `cells.py`,
`constant_steps.py`, `distributions.py`, `properties.py`, `quantities.py`, `regions.py`, `transitions.py`,
`update_terms.py`), a formula, or one of `argument.py`. `recheck/` evaluates atoms a second time, and shares no code
with the rest.
"""

from verify.paper.facts import (
    background,
    contradictions,
    control,
    convergence,
    limits,
    noise,
    objectives,
    parameters,
    proof_details,
    relatives,
    scaling,
    second_step_size,
    soundness,
    tables,
    values,
)
from verify.paper.facts.fact import Fact

FAMILIES = (
    background,
    values,
    objectives,
    soundness,
    second_step_size,
    relatives,
    limits,
    noise,
    convergence,
    proof_details,
    scaling,
    parameters,
    tables,
    control,
    contradictions,
)
FACTS: tuple[Fact, ...] = tuple(fact for family in FAMILIES for fact in family.FACTS)

__all__ = ["FACTS", "FAMILIES", "Fact"]

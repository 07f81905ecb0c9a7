"""Where the paper contradicts itself, or what reproduces its tables: pairs of places, in our words.

What reproduces the tables was found by simulations, so that evidence is sampled; what two places say is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.claims.claim import Role
from verify.check import Proof
from verify.paper.facts.fact import Fact, refuted
from verify.paper.judgement import Judgement


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two places of the paper that give one quantity different values, in our words.

    Attributes:
        name: what it is called in an id.
        quantity: what they speak of.
        here, there: (place, value).
        erratum, remark: as a Fact has them.
    """

    name: str
    quantity: str
    here: tuple[str, object]
    there: tuple[str, object]
    erratum: str = "E12"
    remark: str = ""

    def judged(self) -> Judgement:
        """Return that the two places do not agree, where they do not."""
        (place, value), (other_place, other_value) = self.here, self.there
        steps = [(place, _told(value)), (other_place, _told(other_value))]
        witness = {place: _told(value), other_place: _told(other_value)}
        proof = Proof.SAMPLED if other_place == _TABLES else Proof.EXACT
        return refuted(value != other_value, "two places", steps, witness, proof)


def powers(low: int, high: int) -> tuple[Fraction, ...]:
    """Return 2^low, ..., 2^high."""
    return tuple(Fraction(2) ** n for n in range(low, high + 1))


def ranked(**errors: str) -> tuple[str, ...]:
    """Return names by their published error, the least first."""
    return tuple(sorted(errors, key=lambda name: Fraction(errors[name])))


def _told(value: object) -> str:
    if isinstance(value, tuple) and all(isinstance(v, Fraction) for v in value):
        return f"2^{_exponent(value[0])}, ..., 2^{_exponent(value[-1])}"
    return " before ".join(value) if isinstance(value, tuple) else str(value)


def _exponent(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length()


_TABLES = "what reproduces the published tables"
_BATCH, _SCALE = "Appendix, batch setting", "Appendix, sensitivity to the scale of h"

CONTRADICTIONS = (
    Contradiction(
        "batch-steps",
        "step sizes of the batch setting",
        (f"{_BATCH}, text", powers(-8, 0)),
        ("its figure's caption", powers(-5, 0)),
    ),
    Contradiction(
        "scale-steps",
        "step sizes of the reward-scale study",
        (f"{_SCALE}, text", powers(-5, -1)),
        ("its figure's caption", powers(-5, 0)),
    ),
    Contradiction(
        "adam-steps",
        "step sizes under Adam",
        ("Figure of the Adam results, caption", powers(-8, 0)),
        ("Appendix, prediction details, for all algorithms", powers(-7, 0)),
        "R19",
        "the details are given for the results of the main body, which are those under Adagrad",
    ),
    Contradiction(
        "scale-policy",
        "the random walk of the reward-scale study",
        ("Section 4.3", "on-policy"),
        ("Section 4.1 and the study itself, the same walk", "off-policy"),
    ),
    Contradiction(
        "steps",
        "steps a run on the three problems",
        ("Section 4.1", "3000 on each"),
        (_TABLES, "3000, 10000 (Boyan) and 5000 (Baird)"),
    ),
    Contradiction("beta", "TDRC's beta", ("Section 4", "1"), (_TABLES, "4/5")),
    Contradiction(
        "td-on-baird",
        "TD's performance on Baird's problem",
        ("Section 4.3, on the sweep of beta", "good"),
        ("Figure 1, and its table: 4.101 beside TDC's 0.196", "diverging"),
    ),
    Contradiction(
        "minatar",
        "how far the MinAtar settings are those of its authors",
        ("Section 5.1", "identical"),
        ("Appendix, MinAtar details", "no target network, scaled rewards, step sizes swept"),
    ),
    Contradiction(
        "ranking",
        "the order of HTD and V-trace on Baird's problem, said not to change between Adagrad and constant steps",
        ("Appendix, table of the Adagrad results", ranked(htd="2.123", vtrace="4.101")),
        ("its table of the constant step sizes", ranked(htd="1184.368", vtrace="18.239")),
        "R20",
        "neither does well there; among the other results the order stays but for ties within the standard errors",
    ),
)


def _fact(found: Contradiction) -> Fact:
    return Fact(
        id=f"contradiction.{found.name}",
        title=found.quantity,
        source=found.here[0],
        role=Role.REMARK,
        printed=f"{found.quantity}: the same in both places",
        examine=found.judged,
        erratum=found.erratum,
        remark=found.remark,
    )


FACTS = tuple(map(_fact, CONTRADICTIONS))

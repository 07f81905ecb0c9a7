"""QRC beside the learners of prediction: with action values linear in the features of state and action.

The features of action a in state s are those of s in the block of a, and 0 in the other blocks. A learner of prediction
on them, at rho = 1, sees x in the block of the action A that was taken, and x' in that of the action a' that is
bootstrapped from. QRC's update is written here as the paper has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.trace import Terms
from verify.paper.facts.atoms import TITLES
from verify.paper.facts.recheck import identities
from verify.paper.facts.truth import Scope
from verify.paper.facts.update_terms import OfUpdates, names, rows

BLOCKS = {(True, True): "A = a'", (True, False): "A", (False, True): "a'", (False, False): "neither A nor a'"}
"""The blocks of an action: whether it was taken, whether it is bootstrapped from."""


def qrc(taken: bool, bootstrapped: bool) -> Algorithm:
    """Return QRC's update in a block, gradients of q being the features.

    h_A += alpha [delta - h_A.x] x - alpha beta h_A, and the h of other actions is not updated;
    w += alpha delta grad q(S, A) - alpha gamma (h_A.x) grad q(S', a').
    """

    def in_block(x: Any, x_next: Any, h: Any, delta: Any, delta_hat: Any, rho: Any, gamma: Any, beta: Any) -> Any:  # noqa: ARG001 - rho is 1
        dw = int(taken) * delta * x - int(bootstrapped) * gamma * delta_hat * x_next
        return dw, int(taken) * ((delta - delta_hat) * x - beta * h)

    return Algorithm("qrc", in_block)


def stacked(learner: str, taken: bool, bootstrapped: bool, values: Mapping[str, Fraction]) -> Mapping[str, Terms]:
    """Return a learner's update in a block: terms along an x or x' that is 0 there vanish."""
    absent = {name for name, there in (("x", taken), ("x_next", bootstrapped)) if not there}
    return {
        name: {key: c for key, c in terms.items() if absent.isdisjoint(key[1])}
        for name, terms in rows(learner, rho=Fraction(1), **values).items()
    }


@dataclass(frozen=True, slots=True)
class OnActionValues(OfUpdates):
    """QRC with linear action values updates as a learner of prediction does on the features of state and action.

    Attributes:
        learner: its name.
        whole: whether h is compared too.
        beta: a value, or None for all values.
        h_is_zero: whether h is held at 0.

    >>> OnActionValues("tdc", beta=0).decided()[0], OnActionValues("tdrc").decided()[0]
    (True, False)
    """

    learner: str
    whole: bool = True
    beta: int | None = None
    h_is_zero: bool = False

    def sentence(self) -> str:
        """Return the English sentence."""
        settings = ([] if self.beta is None else [f"beta = {self.beta}"]) + (["h = 0"] if self.h_is_zero else [])
        name = " and ".join(["QRC", *settings]).replace("QRC and", "QRC with")
        weights = "w and h" if self.whole else "w"
        title = TITLES.get(self.learner, self.learner)
        return f"{name}, its values linear, updates {weights} as {title} does on the features of state and action"

    def decided(self) -> tuple[bool | None, str]:
        """Compare the terms in every block."""
        differing = [name for name, one, other in self._blocks() if one != other]
        return not differing, f"they differ in the block of {differing[0]}" if differing else "the same in every block"

    def recheck(self, _: Scope) -> bool | None:
        """Multiply out both updates of vectors of symbols, three actions together."""
        return identities.on_action_values(self.learner, self.whole, self.beta, self.h_is_zero)

    def _blocks(self) -> Iterator[tuple[str, list[Terms], list[Terms]]]:
        values = {} if self.beta is None else {"beta": Fraction(self.beta)}
        for block, name in BLOCKS.items():
            ours = rows(qrc(*block), rho=Fraction(1), **values)
            yield name, self._seen(ours), self._seen(stacked(self.learner, *block, values))

    def _seen(self, parts: Mapping[str, Terms]) -> list[Terms]:
        """Return the terms that are compared; at h = 0 those with h are 0."""
        return [
            {key: c for key, c in parts.get(name, {}).items() if not (self.h_is_zero and "h" in names(key))}
            for name in (("w", "h") if self.whole else ("w",))
        ]

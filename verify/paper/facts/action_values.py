"""QRC beside the learners of prediction: with action values linear in the features of state and action.

The features of action a in state s are those of s in the block of a, and 0 in the other blocks. A learner of prediction
on them, at rho = 1, sees x in the block of the action A that was taken, and x' in that of the action a' that is
bootstrapped from. QRC's update is written here as the paper has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tdrc_theory import notation
from tdrc_theory.algorithm import Terms
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.form import Exponents
from verify.paper.facts.atoms import TITLES
from verify.paper.facts.update_terms import OfUpdates

_DELTA_X: Exponents = (1, 0, 0, 1, 0)
_GUESS_X: Exponents = (1, 0, 0, 0, 1)
_GUESS_NEXT: Exponents = (0, 1, 0, 0, 1)
_H: Exponents = (0, 0, 1, 0, 0)

BLOCKS = {(True, True): "A = a'", (True, False): "A", (False, True): "a'", (False, False): "neither A nor a'"}
"""The blocks of an action: whether it was taken, whether it is bootstrapped from."""


def qrc(taken: bool, bootstrapped: bool, gamma: Any, beta: Any) -> Terms:
    """Return QRC's update in a block, gradients of q being the features.

    h_A += alpha [delta - h_A.x] x - alpha beta h_A, and the h of other actions is not updated;
    w += alpha delta grad q(S, A) - alpha gamma (h_A.x) grad q(S', a').
    """
    w = ({_DELTA_X: 1} if taken else {}) | ({_GUESS_NEXT: -gamma} if bootstrapped else {})
    return Terms(w, {_DELTA_X: 1, _GUESS_X: -1, _H: -beta} if taken else {})


def stacked(learner: str, taken: bool, bootstrapped: bool, gamma: Any, beta: Any) -> Terms:
    """Return a learner's update in a block: terms with an x or x' that is 0 there vanish."""
    import sympy

    algorithm = find_algorithm(learner)
    terms = algorithm.terms(sympy.Integer(1), gamma, algorithm.fixed.get("beta", beta))
    return Terms(
        *(
            {key: c for key, c in part.items() if (taken or not key[0]) and (bootstrapped or not key[1])}
            for part in terms
        )
    )


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

    def _blocks(self) -> Iterator[tuple[str, Any, Any]]:
        import sympy

        gamma, beta = notation.sympy_symbols("gamma", "beta")
        beta = beta if self.beta is None else sympy.Integer(self.beta)
        for block, name in BLOCKS.items():
            yield name, self._seen(qrc(*block, gamma, beta)), self._seen(stacked(self.learner, *block, gamma, beta))

    def _seen(self, terms: Terms) -> list[dict[Exponents, Any]]:
        """Return the terms that are compared and are not 0; at h = 0 those with h or delta_hat are."""
        parts = terms if self.whole else terms[:1]
        return [
            {key: c for key, c in part.items() if c != 0 and not (self.h_is_zero and (key[2] or key[4]))}
            for part in parts
        ]

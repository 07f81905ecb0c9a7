"""How learners scale, as theorems in Coq for every dimension, about their update rules as their functions have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.step_data import NUMBERS, VECTORS
from verify.kernel.terms import learner_term, listed

HEADER = """From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import surds fractions learners scaling.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
"""
SCALED_AS = {"x_next": "x", "reward": "R"}
"""What a claim calls what it multiplies, where that is not its name; w stands for all weights."""


@dataclass(frozen=True)
class Family:
    """Learners without memory, and the powers of c that multiply x, R, w, beta and alpha; those of others are 0."""

    learners: Sequence[Algorithm]
    powers: Mapping[str, int]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the parameters that are for all their values."""
        return tuple(dict.fromkeys(n for each in self.learners for n in each.own_parameters if n not in each.fixed))

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the names of the other numbers of a step."""
        return tuple(n for n in NUMBERS if n not in self.parameters and self._reads(n))

    @property
    def vectors(self) -> tuple[str, ...]:
        """Return the names of the vectors of a step, x first."""
        return tuple(n for n in VECTORS if n == "x" or self._reads(n))

    def _reads(self, name: str) -> bool:
        return any(name in each.recorded.names for each in self.learners)

    def definition(self, name: str) -> str:
        """Return the rules as a definition of a name, each a function of the number of features.

        Raises:
            BadOption: a learner has memory, or parts that are not translated.
        """
        if remembering := [each.name for each in self.learners if each.recorded.memory]:
            raise BadOption(f"--prove: {remembering[0]} has memory, and how it scales is not translated to Coq")
        numbers = (*self.parameters, *self.numbers)
        terms = (f"fun k => {learner_term(each, each.fixed, 'k', self.vectors[1:], numbers)}" for each in self.learners)
        names = ", ".join(each.name for each in self.learners)
        about = f"{names}. Numbers: {', '.join(numbers)}. Vectors: {', '.join(self.vectors)}. Weights: k each."
        return f"(* {about} *)\nDefinition {name} : seq (nat -> learner) :=\n {listed(terms, ';' + chr(10) + '  ')}."

    def power(self, name: str) -> str:
        """Return the power of c that multiplies what has a name, as a term of type `int`."""
        return _integer(self.powers.get(SCALED_AS.get(name, name), 0))

    def powers_of(self, names: Iterable[str]) -> str:
        """Return the powers of what has these names, as a list."""
        return listed(map(self.power, names))


def steps_theorem(name: str, family: Family, step: int) -> str:
    """Return the theorem that a family's powers of c multiply each step, alpha times its direction, by c^step.

    Raises:
        BadOption: a learner has memory, or parts that are not translated.
    """
    rules, alpha = f"{name}_rules", family.power("alpha")
    numbers = family.powers_of((*family.parameters, *family.numbers))
    return f"""{family.definition(rules)}

Theorem {name} (R : rcfType) (c alpha : R) (k : nat)
    (numbers : seq R) (vectors : seq (seq R)) (weights : seq R) (rule : nat -> learner) :
  let scaled_numbers := multiplied c {numbers} numbers in
  let scaled_vectors := multiplied_vectors c {family.powers_of(family.vectors)} vectors in
  let scaled_weights := [seq c ^ ({family.power("w")}) * x | x <- weights] in
  0 < c -> List.In rule {rules} ->
  [seq c ^ ({alpha}) * alpha * x | x <- update_direction (rule k) k scaled_numbers scaled_vectors scaled_weights] =
  [seq c ^ ({_integer(step)}) * (alpha * x) | x <- update_direction (rule k) k numbers vectors weights].
Proof. by apply: (@steps_scale R c alpha k {rules}); vm_compute. Qed.
"""


def comparisons_theorem(name: str, family: Family) -> str:
    """Return the theorem that rewards and weights times c leave every comparison between settings as it is.

    Raises:
        BadOption: other things are multiplied, a learner has memory, or parts that are not translated.
    """
    if family.powers != {"R": 1, "w": 1}:
        raise BadOption("--prove: comparisons are stated of rewards times c alone")
    rules, m, numbers = f"{name}_rules", len(family.parameters), family.powers_of(family.numbers)
    return f"""{family.definition(rules)}

Theorem {name} (R : rcfType) (c alpha alpha' factor : R) (k : nat)
    (parameters parameters' : seq R) (samples : seq (seq (seq R * seq (seq R))))
    (error scaled_error : seq (seq R) -> R) (rule rule' : nat -> learner) :
  0 < c -> List.In rule {rules} -> List.In rule' {rules} ->
  size parameters = {m}%N -> size parameters' = {m}%N ->
  (forall w, scaled_error [seq [seq c * x | x <- u] | u <- w] = c * error w) ->
  let with_scaled_rewards :=
    [seq [seq (multiplied c {numbers} s.1, s.2) | s <- steps] | steps <- samples] in
  (scaled_error [seq weights_after (rule k) k alpha parameters steps | steps <- with_scaled_rewards] <=
    factor * scaled_error [seq weights_after (rule' k) k alpha' parameters' steps | steps <- with_scaled_rewards]) =
  (error [seq weights_after (rule k) k alpha parameters steps | steps <- samples] <=
    factor * error [seq weights_after (rule' k) k alpha' parameters' steps | steps <- samples]).
Proof.
by apply: (@comparisons_do_not_change R c alpha alpha' factor k {m} {rules} {numbers}); vm_compute.
Qed.
"""


def _integer(value: int) -> str:
    return f"- Posz {-value}" if value < 0 else f"Posz {value}"

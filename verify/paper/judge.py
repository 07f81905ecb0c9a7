"""The judge: any formula in, holds / fails / undecided out, with the derivation or the counterexample.

It never knows which formula a claim prints, which is the correction and which is a mutant. It looks for a
counterexample among a few small instances, then for a proof for every dimension by each kind of argument in turn,
then for a counterexample among many. What is neither proven nor refuted is undecided: trials that found nothing prove
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tdrc_theory.algebra import letter_tree
from tdrc_theory.formula.expression import Expr, block, equal, inv, listed, number, symbol
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.judgement import Judgement, Step
from verify.check import Proof, Status
from verify.prove.entailment import prove_entailment, prove_vacuous
from verify.prove.entries import missing_inverse
from verify.prove.equations import prove_equations, prove_identity
from verify.prove.induction import prove_in_time
from verify.prove.key_matrices import prove_about_states
from verify.prove.propositions import prove_proposition
from verify.prove.stability import prove_stability
from verify.refute.counterexample import counterexample
from verify.refute.witness_check import refutes

Prover = Callable[[Expr], tuple[str, tuple[Step, ...]] | None]

PROVERS: tuple[Prover, ...] = (
    prove_about_states,
    prove_in_time,
    prove_identity,
    prove_proposition,
    prove_equations,
    prove_stability,
    prove_entailment,
    prove_vacuous,
)
"""Each returns the name of its argument and its steps, or None where it proves nothing; adding one is a line here."""

SAYS_NOTHING = "an inverse that does not exist"
"""The rule of what is neither true nor false, because it has no value wherever its hypotheses hold."""

_FIRST, _QUICK, _MANY = 8, 30, 1200
"""How many instances are looked at before any proof, where one refutes, and where there is no proof."""


def judge(formula: Expr, witness: Mapping[str, Any] | None = None) -> Judgement:
    """Judge a formula; free symbols range over their domains.

    A witness is a counterexample that is tried first, by the checker that shares no code with the search.
    """
    plain = expanded(formula)
    if witness is not None and refutes(plain.to_json(), dict(witness)):
        return _failing(dict(witness))
    refuted = _refuted(plain, _FIRST)
    if refuted is not None:
        return _refuted(plain, _QUICK) or refuted  # among more of them there is a simpler one
    missing = missing_inverse(formula)
    if missing is not None:
        why = Step.stating("it says nothing where its hypotheses hold: {} does not exist", formula, inv(missing))
        return Judgement(Status.UNDECIDED, Proof.EXACT, SAYS_NOTHING, (why,))
    for prover in PROVERS:
        proof = prover(formula)
        if proof is not None:
            rule, steps = proof
            return Judgement(Status.HOLDS, Proof.EXACT, rule, steps)
    refuted = _refuted(plain, _QUICK) or _refuted(plain, _MANY)
    if refuted is not None:
        return refuted
    nothing = Step.stating("neither a proof nor a counterexample was found", formula)
    return Judgement(Status.UNDECIDED, Proof.SAMPLED, "no proof and no counterexample", (nothing,))


def _refuted(plain: Expr, count: int) -> Judgement | None:
    witness = counterexample(plain, count)
    return None if witness is None else _failing(witness)


def _failing(witness: dict[str, Any]) -> Judgement:
    values = ", ".join(f"{name} = {_short(rows)}" for name, rows in witness["values"].items())
    tree = listed([equal(letter_tree(name), _matrix(rows)) for name, rows in witness["values"].items()])
    shown = Step(f"a counterexample with d = {witness['dimension']}", values, tree)
    return Judgement(Status.FAILS, Proof.EXACT, "counterexample", (shown,), witness)


def _matrix(rows: list[list[str]]) -> Expr:
    cells = [[_number(*map(Fraction, cell.split(","))) for cell in row] for row in rows]
    return cells[0][0] if len(cells) == len(cells[0]) == 1 else block(cells)


def _number(re: Fraction, im: Fraction = Fraction(0)) -> Expr:
    imaginary = number(im) * symbol("i")
    return number(re) if not im else number(re) + imaginary if re else imaginary


def _short(rows: list[list[str]]) -> str:
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    return f"[{'; '.join(' '.join(row) for row in rows)}]"

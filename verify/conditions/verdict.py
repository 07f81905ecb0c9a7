"""The verdict on an expected update: whether varrho' = G varrho + g converges, by exact arithmetic on G."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import flint

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.number import precision
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem_or_matrices
from verify.check import DRIFTS, ENDURES, GROWS, OFF, STICKS, Outcome, Proof, Verdict
from verify.conditions.fixed_points import equation_text
from verify.conditions.setting import Setting, limited_texts, vector_text
from verify.exact.lyapunov import is_stable, nonzero_part
from verify.exact.roots import (
    BITS,
    Enclosure,
    has_imaginary_root,
    is_hurwitz,
    largest_real_part,
    leading_root,
    table_cost,
)

_SHOWN = 64
"""Size of G up to which its characteristic polynomial is part of the evidence."""

_ROUTH_COST = 3 * 10**8
"""Beyond this, Routh's table takes longer than an exact Lyapunov certificate, which is tried instead."""


class Decision(NamedTuple):
    """What the expected update does and how that is known, by the sign of every eigenvalue, without the rate."""

    setting: Setting
    status: Outcome
    proof: Proof

    @property
    def verdict(self) -> Verdict:
        """The whole verdict, with its reason, its evidence and the enclosed spectral abscissa; computed when read."""
        return verdict(self.setting)

    def __repr__(self) -> str:
        return f"<{self.status.value} ({self.proof.value})>"


def verdicts(
    problems: Iterable[Problem | MatrixProblem | str],
    algorithm: Algorithm | str = "tdrc",
    *,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
) -> Iterator[Decision]:
    """Yield, exactly and in order, whether an algorithm's expected update converges on each of many problems.

    Nothing is computed but what decides; of a `Decision`, `verdict` is the rest, where it is read.

    Args:
        problems: as `check_conditions` takes them, one after the other; a generator's are not kept.
        algorithm, beta, eta, parameters: as `check_conditions` takes them, the same on every problem.

    Raises:
        TheoryError: the algorithm or a parameter is not valid (at once), or a problem is not (in its turn).

    >>> [decision.status.value for decision in verdicts(["two-state", "boyan"], "td")]
    ['not-convergent', 'convergent']
    """
    result = find_algorithm(algorithm)
    used = result.parameters({"beta": beta, "eta": eta, **(parameters or {})})
    return (decide(Setting(find_problem_or_matrices(problem), result, used)) for problem in problems)


def decide(setting: Setting) -> Decision:
    """Return the status of `verdict` and its proof, without enclosing an eigenvalue where none is needed."""
    if not setting.within_exact_reach:
        known = _out_of_reach(setting)
        return Decision(setting, known.status, known.proof)
    zeros, rest = setting.whole_charpoly.split_zero()
    stable, proof, _ = _stable(setting, rest)
    return Decision(setting, *_outcome(stable, proof, zeros, stable is not False and _zero_trouble(setting, zeros)[0]))


def _outcome(stable: bool | None, proof: Proof, zeros: int, trouble: str | bool) -> tuple[Outcome, Proof]:
    """Return the outcome and how it is known.

    `stable` says whether every nonzero eigenvalue is in the left half-plane, by `proof`; `trouble`, what the eigenvalue
    0, of multiplicity `zeros`, spoils: it is not looked for where another does already.
    """
    if stable is False:
        return Outcome.NOT_CONVERGENT, proof
    if trouble:
        return Outcome.NOT_CONVERGENT, Proof.EXACT
    if stable is None:
        return Outcome.UNDECIDED, proof
    return (Outcome.CONVERGENT_TO_A_SET if zeros else Outcome.CONVERGENT), proof


def verdict(setting: Setting) -> Verdict:
    """Decide from the characteristic polynomial, its zero roots split off, Routh's table and exact ranks."""
    if not setting.within_exact_reach:
        return _out_of_reach(setting)
    size = setting.update.G.shape[0]
    zeros, rest = setting.charpoly.split_zero()
    abscissa = largest_real_part(rest)
    stable, proof, how = _stable(setting, setting.whole_charpoly.split_zero()[1], abscissa)
    trouble, effect, evidence = _zero_trouble(setting, zeros)
    enclosure = _deciding(abscissa, bool(zeros and trouble))
    if size <= _SHOWN:
        evidence["characteristic_polynomial"] = setting.charpoly.text("lambda")
    status, proof = _outcome(stable, proof, zeros, trouble)
    decided = partial(Verdict, status=status, proof=proof, spectral_abscissa=enclosure, evidence=evidence)
    if stable is False:
        assert enclosure is not None
        which, effect = _unstable(rest, enclosure)
        return decided(reason=f"G has {which}", effect=effect)
    if trouble:
        return decided(reason=trouble, effect=effect)
    if stable is None:
        return decided(reason="the enclosures of the eigenvalues do not separate them from the imaginary axis")
    if not zeros:
        who = f"all {size} eigenvalues of G have" if size > 1 else "the only eigenvalue of G has"
        return decided(reason=f"{who} negative real part ({how})")
    others = f"the other {size - zeros} have negative real part ({how})" if size > zeros else "there are no others"
    reason = f"0 is a semisimple eigenvalue ({zeros} of {size}), {others}"
    if not setting.algorithm.own_fixed_points:
        reason += f", and every fixed point solves {equation_text(setting)}"
    return decided(reason=reason)


def _unstable(rest: Polynomial, enclosure: Enclosure) -> tuple[str, str]:
    """Return which eigenvalue makes G unstable, and what errors do; an enclosure around 0 alone does not tell."""
    if enclosure.lower <= 0:
        if has_imaginary_root(rest):
            return "an eigenvalue on the imaginary axis", ENDURES
        return f"an eigenvalue with a positive real part, at most {enclosure.upper:.6g}", GROWS
    leading = leading_root(rest)
    if leading is None:
        return f"an eigenvalue with real part {enclosure.middle:.6g}", GROWS
    root, real = leading
    if real:
        return f"the real eigenvalue {enclosure.middle:.6g}, so errors grow without oscillating", GROWS
    pair = f"the eigenvalues {enclosure.middle:.6g} +- {float(root.imag.mid()):.6g} i"
    return f"{pair}, so errors oscillate and grow", GROWS


def _stable(setting: Setting, rest: Polynomial, abscissa: flint.arb | None = None) -> tuple[bool | None, Proof, str]:
    """Return whether every nonzero eigenvalue is stable, and by what proof: the cheapest exact one first.

    The roots of `rest` are these times a positive number. The largest real part is enclosed only where no exact proof
    is to be had, and it is not known already.
    """
    if rest.degree < 1:
        return True, Proof.EXACT, "there are none"
    if rest.rational is None or table_cost(rest) <= _ROUTH_COST:
        return is_hurwitz(rest), Proof.EXACT, "Routh's table"
    by_certificate = is_stable(nonzero_part(setting.update.G))
    if by_certificate is not None:
        return by_certificate, Proof.EXACT, "Lyapunov certificate"
    abscissa = largest_real_part(rest) if abscissa is None else abscissa
    if abscissa is not None and (abscissa < 0 or abscissa > 0):
        return bool(abscissa < 0), Proof.ENCLOSED, "enclosures of the roots"
    return None, Proof.ENCLOSED, "enclosures of the roots"


def _zero_trouble(setting: Setting, zeros: int) -> tuple[str, str, dict[str, Any]]:
    """Return why a zero eigenvalue spoils convergence and what errors do, empty where it does not, and the evidence."""
    if not zeros:
        return "", "", {}
    size = setting.update.G.shape[0]
    resting = setting.resting
    if resting.w is None:
        return "no fixed point: G varrho + g = 0 has no solution, so the weights drift", DRIFTS, {}
    if zeros != size - setting.rank_G:
        directions = counted(size - setting.rank_G, "direction")
        return f"0 is a defective eigenvalue: multiplicity {zeros}, {directions}", STICKS, {}
    if setting.algorithm.own_fixed_points:
        return "", "", {}
    if resting.spurious is not None:
        direction = {"spurious_direction": limited_texts(resting.spurious)}
        return f"spurious fixed points along w = {vector_text(resting.spurious)}", OFF, direction
    if not resting.solve_td:
        return f"spurious fixed points: none of them solves {equation_text(setting)}", OFF, {}
    return "", "", {}


def _deciding(abscissa: flint.arb | None, zero_decides: bool) -> Enclosure | None:
    with precision(BITS):
        if not zero_decides:
            return None if abscissa is None else Enclosure.of_ball(abscissa)
        if abscissa is None or abscissa < 0:
            return Enclosure(0.0, 0.0)
        return Enclosure.of_ball(abscissa.max(flint.arb(0)))


def _out_of_reach(setting: Setting) -> Verdict:
    """Decide from enclosures in doubles; where they decide nothing, say so, with a floating-point hint."""
    # NumPy and SciPy, which nothing small needs.
    from verify.scale.verdict import enclosed, enclosed_verdict

    try:
        result = enclosed_verdict(enclosed(setting))
    except BadNumber as error:
        reason = f"not enclosed in doubles: {error}"
        result = Verdict(status=Outcome.UNDECIDED, proof=Proof.FLOAT, reason=reason, spectral_abscissa=None)
    if result.status is not Outcome.UNDECIDED:
        return result
    return replace(result, reason=f"{setting.past_exact_reach}: {result.reason}")

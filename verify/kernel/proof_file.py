"""A verdict as one Coq file: the table of steps, the update rule, the certificate, and the theorem that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tdrc_theory.algorithms.expected_sarsa import EXPECTED_SARSA
from tdrc_theory.algorithms.td import TD
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from verify.certificate import certificate
from verify.check_certificate import Rejected
from verify.conditions.report import ConditionsReport
from verify.kernel.certificate_term import certificate_terms
from verify.kernel.learner_term import learner_term
from verify.kernel.table_term import table_term, vectors_after
from verify.outcome import Outcome

HEADER = """From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra complex.
From tdrc Require Import hurwitz surds surd_matrices fractions verdicts certificates learners judged_tables.
From tdrc Require Import second_moments.
Import GRing.Theory.
Local Open Scope ring_scope.
Local Open Scope Z_scope.
"""

STATED = {
    Outcome.CONVERGENT: "hurwitz (claim_G R the_claim)",
    Outcome.CONVERGENT_TO_A_SET: (
        "converges_to_a_set (claim_G R the_claim) (claim_g R the_claim) (@claim_solves R the_claim) /\\\n"
        "      ~ hurwitz (claim_G R the_claim)"
    ),
    Outcome.NOT_CONVERGENT: (
        "~ hurwitz (claim_G R the_claim) /\\\n      ~ converges_to_a_set (claim_G R the_claim) (claim_g R the_claim) "
        "(@claim_solves R the_claim)"
    ),
}
"""What each verdict says, in Coq."""


def theorem_of(report: ConditionsReport) -> str:
    """Return a verdict's theorem `judged`, in Coq, after the definitions that it speaks of.

    Of a problem that is A, b and C alone, it speaks of G and g; of others, of the table of steps and the update rule.

    Raises:
        BadOption: there is nothing to prove, the table is too large, the learner's function has parts that are not
            translated, or no certificate of the verdict was found.
    """
    try:
        terms = certificate_terms(certificate(report))
    except BadOption as error:
        raise BadOption(str(error).replace("--certificate", "--prove")) from None
    except Rejected as error:
        raise BadOption(f"--prove: {error}") from None
    definitions = {"the_claim : claim": terms.claim, "the_certificate : certificate": terms.certificate}
    stated = STATED[report.verdict.status]
    if isinstance(report.problem, Problem):
        definitions = _of_steps(report.problem, report.algorithm, report.parameters) | definitions
        theorem = _OF_STEPS.format(stated=stated, verdict=terms.verdict)
    else:
        theorem = _OF_MATRICES.format(stated=stated, verdict=terms.verdict)
    return "\n".join([*(f"Definition {name} :=\n {term}." for name, term in definitions.items()), theorem])


def _of_steps(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> dict[str, str]:
    """Return the definitions of a learner and its table, and of those whose fixed points count."""
    solves, used = _equation(problem, algorithm, parameters)
    table, table_of_equation = table_term(problem, algorithm, parameters), table_term(problem, solves, used)
    return {
        "the_learner : learner": learner_term(algorithm, parameters, problem.k, vectors_after(problem, algorithm)),
        "the_table : table": table,
        "the_equation : learner": learner_term(solves, used, problem.k, vectors_after(problem, solves)),
        "table_of_equation : table": "the_table" if table_of_equation == table else table_of_equation,
    }


def proof_file(theorems: Sequence[str]) -> str:
    """Return a Coq file of theorems `judged`, each in a module where there are several, that prints what they use."""
    if len(theorems) == 1:
        return f"{HEADER}\n{theorems[0]}\nPrint Assumptions judged.\n"
    modules = [f"Module M{i}.\n{text}\nEnd M{i}.\n" for i, text in enumerate(theorems)]
    every = ", ".join(f"@M{i}.judged" for i in range(len(theorems)))
    return "\n".join([HEADER, *modules, f"Definition together := ({every}).", "Print Assumptions together.\n"])


def _equation(
    problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]
) -> tuple[Algorithm, Mapping[str, Fraction]]:
    """Return the learner whose fixed points count, and its parameters."""
    other = algorithm.solves
    if other is None:
        return (EXPECTED_SARSA if problem.action_values else TD), {}
    used = {name: value for name, value in parameters.items() if name in other.own_parameters}
    return other, other.parameters(used)


_OF_STEPS = """
Theorem judged (R : rcfType) :
  [/\\ remembers R the_learner the_table, remembers R the_equation table_of_equation,
      forall varrho : 'cV[R]_(n_of the_claim),
        mean_update the_learner the_table varrho = (claim_G R the_claim *m varrho + claim_g R the_claim)%R,
      forall w : 'cV[R]_(k_of the_claim), mean_update the_equation table_of_equation w =
        ((sr R (whole (over_A the_claim)))^-1 *: (column R (k_of the_claim) (b_of the_claim) -
          mx R (k_of the_claim) (k_of the_claim) (A_of the_claim) *m w))%R
    & {stated}].
Proof.
apply: (@verdict_by_table R the_learner the_table the_equation table_of_equation the_claim {verdict} the_certificate).
vm_cast_no_check (erefl true).
Qed.
"""
_OF_MATRICES = """
Theorem judged (R : rcfType) :
  {stated}.
Proof.
apply: (@certificates_are_sound R the_claim {verdict} the_certificate).
vm_cast_no_check (erefl true).
Qed.
"""

"""Verdicts that Coq is asked about: their files, whether it accepts them, and the report that says so.

A file has the table of steps, the update rule, the certificate, and the theorem that follows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from tdrc_theory.algorithms.expected_sarsa import EXPECTED_SARSA
from tdrc_theory.algorithms.td import TD
from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.evidence import Proof
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.proofs.coq import CLOSED, CoqRefusal, checker_sources, compiled_checker, coq_output, coq_version
from verify.certificate import certificate
from verify.check import Outcome
from verify.check_certificate import Rejected
from verify.conditions.report import ConditionsReport
from verify.kernel.terms import certificate_terms, learner_term, table_term, vectors_after

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


_TOGETHER = 16
"""Verdicts that Coq is asked about in one file: to start it takes as long as some of them."""

SAID = {
    Outcome.CONVERGENT: "every eigenvalue of G has negative real part",
    Outcome.CONVERGENT_TO_A_SET: (
        "0 is a semisimple eigenvalue of G, every other has negative real part, and there are fixed points{solved}"
    ),
    Outcome.NOT_CONVERGENT: (
        "not every eigenvalue of G has negative real part, nor is this true: 0 is a semisimple eigenvalue, every other "
        "has negative real part, and there are fixed points{solved}"
    ),
}
"""What the theorem of a verdict says, beside that G and g are the expected update's on the table of steps."""


@dataclass(frozen=True, slots=True)
class KernelAnswer:
    """Whether Coq accepts a verdict's theorem, without axioms, None where there is none to ask about; and why."""

    accepted: bool | None
    reason: str


def proven(report: ConditionsReport, path: str | None = None) -> ConditionsReport:
    """Return a report whose verdict a proof assistant has checked, from the table of steps and the update rule.

    Of a problem that is A, b and C alone, it has checked the verdict on G and g. The Coq file is left at a path too.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: there is no proof to ask about, or Coq does not accept it.
    """
    coq_version()
    return by_kernel(report, accepted_by(theorem_of(report), path))


def accepted_by(theorem: str, path: str | None = None) -> str:
    """Return the name of the Coq that accepts a theorem `judged`, without axioms; the file is left at a path too.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: Coq does not accept it.
    """
    version, text = coq_version(), proof_file([theorem])
    if path is not None:
        write_whole(path, text)
    with _checker() as checker:
        answer = _answer(checker, text)
    if not answer.accepted:
        raise BadOption(f"--prove: Coq does not accept the proof: {answer.reason}")
    return " ".join(version.split()[:6]).replace("The Coq Proof Assistant, version", "Coq")


def proven_where_possible(report: ConditionsReport) -> ConditionsReport:
    """Return a report whose verdict Coq has checked; where there is no proof, with why; without Coq, as it is."""
    try:
        return proven(report)
    except MissingExtra:
        return report
    except BadOption as error:
        why = f"{report.verdict.reason} (not proven by Coq: {str(error).removeprefix('--prove: ')})"
        return replace(report, verdict=replace(report.verdict, reason=why))


def by_kernel(report: ConditionsReport, name: str) -> ConditionsReport:
    """Return a report whose verdict says what a Coq of that name has accepted."""
    verdict = report.verdict
    solved = "" if report.algorithm.own_fixed_points else ", all of which solve A w = b"
    table = isinstance(report.problem, Problem)
    source = "from the table of steps" if table else "about G and g; that they follow from A, b and C is not in it"
    reason = f"{SAID[verdict.status].format(solved=solved)} (theorem accepted by {name}, {source})"
    evidence = {**verdict.evidence, "kernel": {"checked_by": name, "axioms": "none", "exact_reason": verdict.reason}}
    return replace(report, verdict=replace(verdict, proof=Proof.KERNEL, reason=reason, evidence=evidence))


def kernel_answers(reports: Sequence[ConditionsReport], tell: Callable[[int], None]) -> list[KernelAnswer]:
    """Return what Coq says of the verdict of each report; arguments and errors as those of `answers_on`."""
    return answers_on([partial(theorem_of, report) for report in reports], tell)


def answers_on(stated: Sequence[Callable[[], str]], tell: Callable[[int], None]) -> list[KernelAnswer]:
    """Return what Coq says of each of many theorems `judged`.

    Args:
        stated: what returns each theorem, after the definitions that it speaks of, or raises BadOption: there is none.
        tell: is called with how many are answered.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
    """
    answers: dict[int, KernelAnswer] = {}
    theorems: dict[int, str] = {}
    coq_version()
    for i, theorem in enumerate(stated):
        try:
            theorems[i] = theorem()
        except BadOption as error:
            answers[i] = KernelAnswer(None, str(error).removeprefix("--prove: "))
    groups = [list(theorems)[i : i + _TOGETHER] for i in range(0, len(theorems), _TOGETHER)]
    with _checker() as checker, ThreadPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        asked = ([theorems[i] for i in group] for group in groups)
        for group, results in zip(groups, pool.map(partial(_answers, checker), asked), strict=True):
            answers |= dict(zip(group, results, strict=True))
            tell(len(answers))
    return [answers[i] for i in range(len(stated))]


@contextmanager
def _checker() -> Iterator[Path]:
    """Yield the folder of the compiled checker, with a bar while it is compiled."""
    with progress_bar("the checker in Coq", len(checker_sources())) as tell, compiled_checker(tell) as folder:
        yield folder


def _answers(checker: Path, theorems: Sequence[str]) -> list[KernelAnswer]:
    """Return Coq's answers on theorems: asked about together, and one by one where it does not accept all."""
    together = _answer(checker, proof_file(theorems))
    if together.accepted or len(theorems) == 1:
        return [together] * len(theorems)
    return [_answer(checker, proof_file([theorem])) for theorem in theorems]


def _answer(checker: Path, text: str) -> KernelAnswer:
    try:
        assumed = coq_output(checker, text).strip()
    except CoqRefusal as refusal:
        return KernelAnswer(False, str(refusal))
    return KernelAnswer(assumed == CLOSED, " ".join(assumed.split()))

"""Verdicts by the proof assistant: what it accepts, what it does not, and what is refused before it is asked."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from tdrc_theory import ALGORITHMS, averaged_process
from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.evidence import Proof
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems.garnet import garnet
from tdrc_theory.proofs import coq
from tdrc_theory.proofs.coq import checker_sources
from verify.conditions.__main__ import PROG, main
from verify.conditions.report import check_conditions
from verify.kernel import kernel_answers, proven, proven_where_possible
from verify.kernel.verdicts import HEADER, by_kernel, proof_file, theorem_of

OF_STATES = [a for a in ALGORITHMS if not a.for_action_values]


@pytest.fixture
def with_coq():
    try:
        coq.coq_version()
    except MissingExtra as missing:
        pytest.skip(f"Coq is not asked: {missing}")


@pytest.fixture
def ask(asker, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return asker(main, PROG)


def small():
    return averaged_process(
        name="small", gamma="1/2", features=[[1], [2]], P=[[0, 1], [1, 0]], r=[1, 0], d=["1/2", "1/2"]
    )


@pytest.mark.parametrize("algorithm", OF_STATES, ids=lambda a: a.name)
def test_every_learner_has_a_theorem(algorithm):
    text = theorem_of(check_conditions("random-walk-tabular", algorithm))
    assert text.count("Definition the_") == 5
    assert "hurwitz (claim_G R the_claim)" in text


def test_the_files_that_the_checker_requires_are_in_the_package():
    sources = checker_sources()
    assert {"judged_tables.v", "learners.v", "certificates.v", "lyapunov_existence.v"} <= sources.keys()
    for text in sources.values():
        assert coq.required(text) <= sources.keys()


def test_square_roots_are_written_as_coq_computes_with_them():
    text = theorem_of(check_conditions("random-walk-dependent", "tdrc"))
    assert "(Root (Int 0) (Int 3) 2)" in text
    assert "(Root (Int 0) (Root (Int 0) " in text


def matrices():
    return MatrixProblem(name="given", A=[["1"]], b=["1"], C=[["1"]])


def test_of_matrices_alone_the_theorem_is_about_g_and_says_so():
    report = check_conditions(matrices(), "tdrc")
    text = theorem_of(report)
    assert re.findall(r"^Definition (\w+)", text, re.MULTILINE) == ["the_claim", "the_certificate"]
    assert "Theorem judged (R : rcfType) :\n  hurwitz (claim_G R the_claim).\n" in text
    reason = by_kernel(report, "any").verdict.reason
    assert reason.endswith("about G and g; that they follow from A, b and C is not in it)")


def test_a_table_that_coq_would_compute_with_for_minutes_is_refused_in_one_line(monkeypatch):
    report = check_conditions(garnet(20, 2, 3, 4, 1, Fraction(9, 10)), "td")
    assert "Table 4 " in theorem_of(report)
    monkeypatch.setattr("verify.kernel.terms.MOST_WORK", 50_000)
    needed = "120 steps, 4 weights and denominators of about 39 digits"
    with pytest.raises(BadOption, match=f"^--prove: {needed} are more than Coq computes with in a minute$"):
        theorem_of(report)
    monkeypatch.setattr("verify.kernel.verdicts.coq_version", lambda: "any")
    verdict = proven_where_possible(report).verdict
    assert verdict.proof is report.verdict.proof
    assert verdict.reason.endswith(f" (not proven by Coq: {needed} are more than Coq computes with in a minute)")


def test_without_coq_one_line_says_what_to_install(ask, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    status, out, err = ask("two-state", "--coq-file", "two-state.v")
    assert (status, out) == (2, "")
    assert err.splitlines() == [f"{PROG}: error: Coq is not installed; on Debian: apt-get install {coq.PACKAGES}"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_command_says_what_coq_accepted_and_keeps_the_file(ask, with_coq, tmp_path):
    status, out, _ = ask("two-state", "--coq-file", "two-state.v", "--require", "not-convergent")
    assert status == 0
    assert "\nnot-convergent (kernel): tdrc" in out
    assert "theorem accepted by Coq" in out
    assert (tmp_path / "two-state.v").read_text(encoding="utf-8").startswith(HEADER)
    verdict = json.loads(ask("two-state", "--prove", "--json")[1])["verdict"]
    assert (verdict["proof"], verdict["evidence"]["kernel"]["axioms"]) == ("kernel", "none")


@pytest.mark.slow
def test_each_verdict_on_small_problems_is_accepted_without_axioms(with_coq):
    settings = [("two-state", "tdc"), ("two-state", "tdrc"), ("random-walk-tabular", "emphatic-td"), (small(), "htd")]
    settings += [("random-walk-dependent", "tdrc"), (matrices(), "tdrc")]
    reports = [check_conditions(*setting) for setting in settings]
    assert [answer.accepted for answer in kernel_answers(reports, lambda _: None)] == [True] * len(reports)
    assert proven(reports[-1]).verdict.proof is Proof.KERNEL


@pytest.mark.slow
def test_baird_with_tdrc_is_proven_to_converge_to_a_set(with_coq):
    verdict = proven(check_conditions("baird", "tdrc")).verdict
    assert (verdict.status.value, verdict.proof) == ("convergent-to-a-set", Proof.KERNEL)


def altered(text, part, old, new):
    """Return a theorem in which one definition is another."""
    before, definition, after = re.split(rf"(Definition {part} .*?\.\n)", text, maxsplit=1, flags=re.DOTALL)
    changed = definition.replace(old, new)
    assert changed != definition
    return before + changed + after


LIES = {
    "another discount": ("the_table", "2%positive]", "3%positive]"),
    "another step of h": ("the_learner", "(true, (Times (Constant ((Int 1)", "(true, (Times (Constant ((Int 2)"),
    "another rule": ("the_learner", "Opposite", ""),
    "another verdict": ("the_certificate", "Stable", "Unstable"),
    "another G": ("the_claim", "(-", "("),
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_a_theorem_of_another_problem_rule_or_verdict_is_not_accepted(lie, with_coq, monkeypatch):
    report = check_conditions(small(), "tdrc")
    monkeypatch.setattr("verify.kernel.verdicts.theorem_of", lambda _: altered(theorem_of(report), *LIES[lie]))
    [answer] = kernel_answers([report], lambda _: None)
    assert answer.accepted is False


@pytest.mark.slow
def test_an_axiom_is_no_proof_and_its_neighbour_in_the_file_is_still_proven(with_coq, monkeypatch):
    report, texts = check_conditions(small(), "tdrc"), []

    def theorem(_):
        text = theorem_of(report)
        texts.append(text if texts else text[: text.index("Proof.")] + "Proof. Admitted.\n")
        return texts[-1]

    monkeypatch.setattr("verify.kernel.verdicts.theorem_of", theorem)
    first, second = kernel_answers([report, report], lambda _: None)
    assert (first.accepted, second.accepted) == (False, True)
    assert first.reason.startswith("Axioms: judged")


def test_a_file_of_several_theorems_has_a_module_for_each():
    text = proof_file(["Theorem judged : True. Proof. by []. Qed."] * 2)
    assert text.count("Module M") == 2
    assert text.endswith("Definition together := (@M0.judged, @M1.judged).\nPrint Assumptions together.\n")

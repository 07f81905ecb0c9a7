"""`python -m verify.paper`: the report, one claim, a derivation, JSON, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tdrc_theory.papers import find_paper
from verify.paper import report as report_module
from verify.paper.__main__ import main


def test_every_claim_comes_out_as_the_registry_expects(report):
    assert [answer.claim.id for answer in report.values() if not answer.as_expected] == []


def test_what_is_refuted_has_a_counterexample_and_what_holds_has_steps(report):
    for answer in report.values():
        for judgement in (answer.printed, answer.corrected):
            if judgement is not None:
                assert judgement.steps
                assert (judgement.witness is not None) == (judgement.status.value == "fails")


def test_json_of_one_claim_has_its_outcome_and_its_counterexample(capsys):
    assert main(["--claim", "determinant.of-G", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["claims"]
    assert (result["printed"], result["corrected"], result["erratum"]) == ("fails", "holds", "E1")
    assert result["witness"]["dimension"] == 1
    assert result["expected"] is True


def test_a_statement_that_takes_longer_than_its_limit_is_undecided_and_the_others_are_judged(monkeypatch):
    calls = []

    def within(seconds, function, argument):
        calls.append(seconds)
        if len(calls) == 2:
            raise TimeoutError
        return function(argument)

    monkeypatch.setattr(report_module, "within", within)
    paper = find_paper("tdrc")
    printed, true = report_module._judged(report_module._asked(paper.claim("determinant.of-G"), paper), 1.5)
    assert printed.status.value == "fails"
    assert (true.status.value, true.proof) == ("undecided", None)
    assert [(step.reason, step.text) for step in true.steps] == [("not decided within", "1.5 s (--limit-seconds)")]


@pytest.mark.slow
def test_a_limit_that_is_not_reached_changes_nothing(capsys):
    plain = main(["--claim", "determinant.of-G"]), capsys.readouterr().out
    assert (main(["--claim", "determinant.of-G", "--limit-seconds", "1000"]), capsys.readouterr().out) == plain


def test_a_derivation_is_shown_step_by_step_with_latex(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where nothing is kept that was proven before
    assert main(["--explain", "determinant.characteristic"]) == 0
    out = capsys.readouterr().out
    assert "times block row 2 to block row 1" in out
    assert r"\det\left(" in out
    assert "not checked here" in out


@pytest.mark.thorough
def test_a_derivation_is_the_same_in_every_process_whatever_order_its_sets_come_in():
    command = [sys.executable, "-m", "verify.paper", "--explain", "tdc++.convergence"]
    texts = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_an_unknown_claim_is_refused_with_a_hint(capsys):
    from tdrc_theory.cli.command import run

    assert run(main, "p", ["--claim", "determinant.of-H"]) == 2
    text = capsys.readouterr().err
    assert "did you mean determinant.of-G?" in text
    assert f"... ({len(find_paper().claims)} in all)" in text
    assert len(text) < 500


def test_the_report_says_what_its_formulas_range_over(report):
    from verify.paper.terminal import errata, explanation

    out = " ".join(" ".join(errata(list(report.values()))).split())
    assert (
        "Formulas are about every dimension and all values of their symbols (--explain CLAIM tells their ranges" in out
    )
    explained = " ".join(explanation(report["determinant.of-G"]))
    for range_of in ("eta > 0", "beta >= 0", "symmetric positive semidefinite C"):
        assert range_of in explained

"""What `--explain` lists: every check with a formula, every symbol of a formula; and how a narrow terminal shows it."""

import io
import re

import pytest

from tdrc_theory.notation import NOTATION
from verify.conditions.report import check_conditions
from verify.conditions.terminal import FORMULAS, plain_text, symbols_of, text_for


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


def test_no_formula_is_of_a_check_that_is_not_made():
    reports = [check_conditions("baird", algorithm) for algorithm in ("tdc", "td-lambda")]
    assert {check.claim for report in reports for check in report.checks} == set(FORMULAS)


def test_the_symbols_that_a_formula_uses_are_said():
    names = {symbol.name for symbol in symbols_of(FORMULAS.values())}
    assert {"Omega", "Xi", "lambda_r", "lambda_c", "b_a", "b_c", "H", "A", "C", "beta", "eta", "G"} <= names
    known = {symbol.name for symbol in NOTATION}
    words = {w for formula in FORMULAS.values() for w in re.findall(r"[A-Za-z]\w*", formula) if w in known}
    assert words <= names


def test_no_reason_uses_a_letter_that_nothing_defines():
    text = plain_text(check_conditions("baird"), explain=True)
    assert "2a (eta beta I + eta C + H) + 4 eta (beta H + A A^T) - a^2 I is positive definite" in text
    assert not re.search(r"\b[MN]\b", text)


def test_the_answer_comes_first_and_the_checks_only_where_they_are_asked_for(ask):
    report = check_conditions("two-state")
    status, out, _ = ask("two-state")
    assert status == 0
    assert out.splitlines()[0] == report.answer
    assert "condition.C1" not in out
    assert f"{len(report.checks)} checks: " in out
    _, explained, _ = ask("two-state", "--explain")
    assert all(check.claim in explained for check in report.checks)
    assert all(FORMULAS[check.claim] in explained for check in report.checks)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_a_narrow_terminal_breaks_no_name(monkeypatch, width):
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", str(width))
    file, report = Terminal(), check_conditions("baird")
    file.write(text_for(file, report, explain=True))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue())
    words = set(plain.split())
    assert {check.claim for check in report.checks} <= words
    assert set(report.bounds) <= words

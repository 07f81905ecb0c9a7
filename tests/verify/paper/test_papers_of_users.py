"""A paper in a user's folder: judged as the built-in ones are; what is wrong with it is one line and exit status 2."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tdrc_theory.cli.command import run
from verify.paper.__main__ import main
from verify.paper.facts.functions import FUNCTIONS
from verify.paper.facts.statement_reader import QUANTIFIERS

README = (Path(__file__).parents[3] / "verify" / "README.md").read_text(encoding="utf-8")
HEAD = 'title = "T"\nauthors = ["A", "B"]\nyear = 2023\nlink = "https://example.org"\n'
LOOP = """
name = "two states"
gamma = 0.9
features = [[1, 0], [1, 2]]
[mdp]
transitions = [[0, 0, 1, 1, 0], [1, 0, 0, 1, 1]]
behaviour = [[1], [1]]
target = [[1], [1]]
"""
MINE = """
def slow(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x / 3, 0
"""


@pytest.fixture
def judge(tmp_path, capsys):
    """Return what the command gives on a folder with claims, each (kind, printed, further lines)."""

    def judge(*claims, options=()):
        tables = [
            f'[[claims]]\nid = "c{i}"\ntitle = "t"\nsource = "s"\n'
            f'kind = "{kind}"\n{more}\nprinted = {json.dumps(text)}\n'
            for i, (kind, text, more) in enumerate(claims)
        ]
        (tmp_path / "paper.toml").write_text(HEAD + "".join(tables), encoding="utf-8")
        (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
        status = run(main, "verify.paper", [str(tmp_path), *options])
        return status, capsys.readouterr()

    return judge


def one(judge, kind, text, more=""):
    status, out = judge((kind, text, more), options=("--json",))
    assert out.err == ""
    (claim,) = json.loads(out.out)["claims"]
    return status, claim


def test_a_claim_that_holds_and_one_that_fails_decide_the_exit_status(judge):
    assert one(judge, "problem", 'on("baird", diverges("td"))')[0] == 0
    status, claim = one(judge, "problem", 'on("baird", converges("td"))')
    assert (status, claim["printed"], claim["expected"]) == (1, "fails", False)


def test_problems_and_learners_of_the_folder_are_spoken_of_by_their_files(judge, tmp_path):
    (tmp_path / "problems").mkdir()
    (tmp_path / "problems" / "loop.toml").write_text(LOOP, encoding="utf-8")
    status, claim = one(judge, "problem", 'on("problems/loop.toml", converges("mine.py:slow") and converges("td"))')
    assert (status, claim["printed"], claim["proof"]) == (0, "holds", "exact")


def test_a_counterexample_that_is_given_is_the_one_that_is_shown(judge):
    graded = 'erratum = "E1"\nseverity = "slip"\nwitness = {M = [[-1, 10], [0, -1]]}'
    status, claim = one(judge, "formula", "implies(hurwitz(M), posdef(-M))", graded)
    assert (status, claim["witness"]["values"]["M"], claim["severity"]) == (0, [["-1", "10"], ["0", "-1"]], "slip")


def test_a_counterexample_that_refutes_nothing_is_not_believed(judge):
    graded = 'erratum = "E1"\nseverity = "slip"\nwitness = {M = [[-1, 0], [0, -1]]}'
    status, claim = one(judge, "formula", "implies(posdef(-M), hurwitz(M))", graded)
    assert (status, claim["printed"]) == (1, "holds")


def test_a_problem_among_the_files_of_claims_is_told_where_it_belongs(judge, tmp_path):
    (tmp_path / "loop.toml").write_text(LOOP, encoding="utf-8")
    status, text = judge(("formula", "det(A) == det(A.T)", ""))
    assert status == 2
    assert "loop.toml: describes a problem; such files belong in a folder of their own, problems/ say" in text.err


@pytest.mark.parametrize(
    ("period", "status"),
    [(76, "fails"), *(pytest.param(*case, marks=pytest.mark.thorough) for case in ((77, "holds"), (78, "fails")))],
)
def test_periods_of_a_target_network_are_decided_exactly(judge, period, status):
    text = f'on("baird", converges_from({period}, "td-target", "target=w", alpha=1/100))'
    assert one(judge, "problem", text)[1]["printed"] == status


BAD = {
    "an unknown function": (
        'on("baird", convergess("td"))',
        "unknown function of statements 'convergess' (did you mean",
    ),
    "an unknown learner": ('on("baird", converges("tdd"))', "unknown algorithm 'tdd' (did you mean td?)"),
    "an unknown problem": ('on("bairds", converges("td"))', "unknown problem 'bairds' (did you mean baird?)"),
    "a file that is not there": ('on("none.toml", converges("td"))', "none.toml: cannot be read"),
    "a learner's file": ('on("baird", converges("none.py:f"))', "none.py"),
    "an argument too many": ('on("baird", has("on-policy", 1))', "has: too many positional arguments; it is has(name)"),
    "an argument of another name": ('on("baird", converges("td", gamma=1))', "unexpected keyword argument 'gamma'"),
    "a word": ('on("baird", matrix_is("C", "singulr"))', "unknown property 'singulr' (did you mean singular?)"),
    "a parameter without a value": ('on("baird", converges("td", beta=beta))', "beta has no value here"),
    "no problem": ('converges("td")', "converges speaks of a problem; write it inside on("),
    "no witness": (
        'everywhere(converges("td"))',
        "takes a witness of each that it ranges over",
    ),
    "two witnesses": ('everywhere(converges("td"), problem="baird two-state")', "a witness is one problem"),
    "a number": ('on("baird", converges("td", beta="1"))', "a number is needed"),
    "a huge number": ('on("baird", converges("td", beta=2**99999))', "a power beyond 64"),
    "no statement": ('on("baird", entry("A"))', "a statement is needed here"),
    "a parameter out of range": ('on("baird", converges("tdrc", beta=-1, eta=1))', "beta"),
    "a copy of what is not there": ('on("baird", converges_from(7, "td", "target=w", alpha=1))', "target=w"),
    "nesting": ('on("baird", ' + "not " * 300 + 'converges("td"))', "nested"),
    "a program": ('on("baird", __import__("os").system("true"))', "only functions with a name are called"),
    "a character that a terminal obeys": ('on("baird\u001b[31m", converges("td"))', "unknown problem"),
}


@pytest.mark.parametrize(("text", "says"), BAD.values(), ids=BAD.keys())
def test_what_is_wrong_with_a_statement_is_one_line_and_exit_status_2(judge, text, says):
    status, out = judge(("problem", text, ""))
    assert (status, out.out) == (2, "")
    assert says in out.err
    assert "claim c0: " in out.err
    assert out.err.count("\n") == 1
    assert "\x1b" not in out.err


@pytest.mark.parametrize(
    ("witness", "says"),
    [
        ("{}", "a value of each symbol is needed: M"),
        ("{A = [[1]]}", "unknown symbol of the formula 'A'"),
        ("{M = [[1, 2]]}", "M is not 1 by 1"),
        ("{M = [[1, 2], [3]]}", "M is not 2 by 2"),
        ('{M = [["x"]]}', "M: "),
        ("{M = 1}", "is not a list of rows"),
        ("7", "a table of the values"),
    ],
)
def test_a_counterexample_of_another_form_is_refused(judge, witness, says):
    status, text = judge(("formula", "implies(posdef(-M), hurwitz(M))", f"witness = {witness}"))
    assert status == 2
    assert says in text.err


def test_a_counterexample_in_a_symbol_that_is_not_any_real_value_is_refused(judge):
    status, text = judge(("formula", "posdef(C)", "witness = {C = [[-1]]}"))
    assert status == 2
    assert "any real value" in text.err


def test_every_function_is_on_the_page():
    section = README[README.index("### A paper of your own") :]
    named = set(re.findall(r"`(\w+)[`(]", section))
    assert {*FUNCTIONS, *QUANTIFIERS} <= named


def test_the_opening_counts_what_was_judged(judge):
    claims = (
        ("problem", 'on("baird", diverges("td"))', ""),
        ("problem", 'on("baird", converges("td"))', 'erratum = "E2"\nseverity = "wrong result"'),
        ("problem", 'on("baird", converges("htd", eta=1))', 'erratum = "E2"\nseverity = "slip"'),
        ("problem", 'on("baird", matrix_is("C", "nonsingular"))', 'erratum = "E1"\nseverity = "wrong step"'),
        ("problem", 'on("baird", matrix_is("A", "nonsingular"))', 'erratum = "R1"\nseverity = "overstated"'),
    )
    status, text = judge(*claims)
    assert status == 0
    assert text.out.splitlines()[:5] == [
        "T (A and B, 2023): 5 claims judged",
        "holds as printed: 1 of 5 (1 exact); 0 undecided",
        "1 wrong result: E2 (s)",
        "1 wrong step (E1) whose results stand, 1 overstated remark, 0 slips",
        "what it changes: 1 claim must not be used as printed; for 1 there is no correction",
    ]


def test_results_are_shown_in_the_notation_of_the_paper(judge, tmp_path, capsys):
    judge(("formula", "implies(posdef(M), posdef(small))", 'erratum = "E1"\nseverity = "slip"'))
    there = tmp_path / "paper.toml"
    definitions = '[definitions]\nQ = "M"\nsmall = "M - Q.T*Q"\n'
    there.write_text(there.read_text(encoding="utf-8").replace("[[claims]]", f"{definitions}[[claims]]", 1))
    assert run(main, "verify.paper", [str(tmp_path), "--json"]) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert claim["formula"]["text"] == "Q is positive definite => small is positive definite"
    assert claim["formula"]["where"] == ["small = Q - Q^T Q"]
    assert claim["formula"]["for_every"] == "real Q"
    assert claim["derivation"][-1]["text"].startswith("Q = ")
    assert set(claim["witness"]["values"]) == {"M"}  # keys are the language's

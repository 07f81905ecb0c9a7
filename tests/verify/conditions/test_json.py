"""The command's JSON keeps the contract."""

import json
import re
import subprocess
import sys

import pytest

from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.problems import PROBLEMS

COMMAND = [sys.executable, "-m", "verify.conditions"]


EXACT = re.compile(r"-?[0-9]+(/[0-9]+)?")


STATUSES = {"holds", "fails", "undecided"}


PROOFS = {"kernel", "exact", "enclosed", "float", "sampled"}


VERDICTS = {"convergent", "convergent-to-a-set", "not-convergent", "undecided"}


def shell(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


def is_exact_text(value):
    return isinstance(value, str) and EXACT.fullmatch(value) is not None


def assert_fits_the_contract(text):
    assert {"problem", "algorithm", "ranks", "matrices", "bounds", "checks", "verdict"} <= set(text)
    problem, algorithm = text["problem"], text["algorithm"]
    assert isinstance(problem["name"], str)
    assert type(problem["states"]) is int
    assert type(problem["features"]) is int
    gamma = problem["gamma"]  # one number, or one a state
    assert all(map(is_exact_text, [gamma] if isinstance(gamma, str) else gamma))
    assert isinstance(algorithm["name"], str)
    assert all(algorithm[key] is None or is_exact_text(algorithm[key]) for key in ("beta", "eta"))
    k = problem["features"]
    assert {key: type(value) for key, value in text["ranks"].items()} == {"A": int, "C": int, "G": int}
    matrices = text["matrices"]
    assert set(matrices) == {"A", "b", "C"}
    assert [len(matrices[name]) for name in "AbC"] == [k, k, k]
    entries = [value for name in "AC" for row in matrices[name] for value in row] + matrices["b"]
    assert len(entries) == 2 * k * k + k
    assert all(isinstance(value, str) and (is_exact_text(value) or "sqrt" in value) for value in entries)
    assert {"beta_printed", "beta_corrected", "eta", "eta_singular_C"} <= set(text["bounds"])
    for bound in text["bounds"].values():
        if bound["value"] is None:
            assert bound["reason"]
        else:
            assert 0 <= bound["lower"] <= bound["value"] <= bound["upper"], "a bound that no value meets is null"
            assert bound["exact"] is None or isinstance(bound["exact"], str)
    for check in text["checks"]:
        assert check["status"] in STATUSES
        assert check["proof"] in PROOFS
        assert all(isinstance(check[key], str) and check[key] for key in ("claim", "source", "reason"))
        assert len(check["reason"].splitlines()) == 1
        assert isinstance(check["evidence"], dict)
        if check["claim"].endswith("implies-convergence"):
            assert check["status"] in ("holds", "undecided")
    claims = [check["claim"] for check in text["checks"]]
    assert len(claims) == len(set(claims))
    verdict = text["verdict"]
    assert verdict["status"] in VERDICTS
    assert verdict["proof"] in PROOFS
    assert len(verdict["reason"].splitlines()) == 1
    ends = verdict["spectral_abscissa"]
    assert ends is None or ends["lower"] <= ends["upper"]
    if verdict["status"] == "convergent":
        assert ends["upper"] < 0


@pytest.mark.quick(20)
@pytest.mark.parametrize(
    ("problem", "algorithm"),
    [
        (problem, algorithm.name)
        for problem, _ in PROBLEMS
        for algorithm in ALGORITHMS
        if not (algorithm.memory and problem == "two-state")  # which has no chain
        and not algorithm.for_action_values
    ],
)
def test_the_json_of_every_pair_fits_the_contract(ask_json, problem, algorithm):
    answer = ask_json(problem, "--algorithm", algorithm)
    assert_fits_the_contract(answer)
    assert answer["problem"]["name"] == problem
    assert answer["algorithm"]["name"] == algorithm


def test_the_json_is_ascii_and_one_object(problem_file):
    ran = shell(problem_file('"caf\u00e9 \u4e2d \\u2028 end."'), "--json")
    assert ran.returncode == 2  # U+2028 separates lines
    ran = shell(problem_file('"caf\u00e9 \u4e2d"'), "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.isascii()
    assert json.loads(ran.stdout)["problem"]["name"] == "caf\u00e9 \u4e2d"


@pytest.mark.parametrize(
    ("algorithm", "beta", "eta"),
    [
        ("td", None, None),
        ("vtrace", None, None),
        ("tdc", "0", "1/3"),
        ("tdrc", "5/2", "1/3"),
        ("tdc++", "5/2", "1/3"),
    ],
)
def test_the_parameters_that_were_used_are_shown_exactly(ask, ask_json, algorithm, beta, eta):
    text = ask_json("two-state", "--algorithm", algorithm, "--beta", "2.5", "--eta", "1/3")["algorithm"]
    assert (text["beta"], text["eta"]) == (beta, eta)
    headline = ask("two-state", "--algorithm", algorithm, "--beta", "2.5", "--eta", "1/3")[1].splitlines()[2]
    assert ("beta" in headline) == (beta is not None)
    assert beta is None or f"beta = {beta}, eta = {eta} on" in headline


@pytest.mark.parametrize("algorithm", ["td", "vtrace"])
def test_without_secondary_weights_G_has_the_size_of_A(ask_json, algorithm):
    answer = ask_json("boyan", "--algorithm", algorithm)
    assert answer["ranks"]["G"] == answer["problem"]["features"] == 4
    assert ask_json("boyan", "--algorithm", "tdrc")["ranks"]["G"] == 8


def test_the_matrices_of_the_two_state_problem_are_exact(ask_json):
    answer = ask_json("two-state")
    # A = 1/2 (1 (1 - 2 gamma) + 2 (2 - 2 gamma)) = (5 - 6 gamma) / 2 at gamma = 99/100.
    assert answer["matrices"] == {"A": [["-47/100"]], "b": ["0"], "C": [["5/2"]]}


def test_the_matrices_are_the_problems_own_whatever_the_algorithm(ask_json):
    matrices = [ask_json("baird", "--algorithm", name)["matrices"] for name in ("td", "tdrc", "vtrace", "emphatic-td")]
    assert all(each == matrices[0] for each in matrices)


def test_the_notes_of_a_gymnasium_table_are_shown(ask, ask_json):
    arguments = ("gymnasium:FrozenLake-v1", "--gamma", "0.9", "--target", "uniform", "--algorithm", "td")
    answer = ask_json(*arguments)
    assert_fits_the_contract(answer)
    assert answer["problem"]["gamma"] == "9/10"
    assert "0.3333333333333333 as 1/3" in answer["problem"]["notes"][0]
    assert "note: FrozenLake-v1: published floats were read as the simplest fractions" in ask(*arguments)[1]


@pytest.mark.parametrize("problem", ["baird", "boyan", "two-state"])
@pytest.mark.parametrize("option", ["--beta", "--eta"])
@pytest.mark.parametrize("value", ["1/1" + "0" * 99, "1" + "0" * 99])
def test_a_parameter_of_a_hundred_digits_is_judged_exactly(ask_json, problem, option, value):
    answer = ask_json(problem, option, value)
    assert_fits_the_contract(answer)
    assert answer["algorithm"][option.removeprefix("--")] == value

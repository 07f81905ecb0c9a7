"""`python -m verify.search`: patterns are read strictly; what is found is small, readable, and what it claims to be."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdrc_theory import OF_THE_PAPER, ExpectationTable, find_problem, load_problem
from tdrc_theory.errors import BadOption
from verify import check_conditions
from verify.conditions.verdict import verdict
from verify.search import parse_pattern, search
from verify.search.__main__ import PROG, main
from verify.search.candidates import Shape, candidates, distributions
from verify.search.hunt import SearchResult, verdicts

DEFAULT_FAILS = "tdrc beta=1 diverges, tdc converges"
MDP = Shape(actions=2)
WORDS = ["tdrc", "td", "beta=1", "eta=1/2", "converges", "diverges", ",", "="]


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def status_of(problem, algorithm, **parameters):
    return check_conditions(problem, algorithm, **parameters).verdict.status.value


def test_the_first_problem_on_which_the_default_fails_is_the_one_of_the_literature():
    # Tsitsiklis and Van Roy, w -> 2w.
    result = search(DEFAULT_FAILS, tries=10_000).problem
    known = find_problem("two-state")
    assert (result.features, result.transitions, result.d) == (known.features, known.transitions, known.d)


@pytest.mark.quick(2)
@pytest.mark.parametrize("shape", [Shape(), MDP, Shape(states=3), Shape(states=3, features=2)], ids=str)
def test_what_is_found_has_the_verdicts_that_were_asked_for(shape):
    match = search(DEFAULT_FAILS, shape, tries=20_000)
    assert status_of(match.problem, "tdrc") == "not-convergent"
    assert status_of(match.problem, "tdc").startswith("convergent")
    assert match.problem.states == shape.states


@pytest.mark.thorough
def test_a_decision_process_that_is_found_has_stationary_weights_and_two_policies():
    result = search("vtrace diverges, td converges", MDP, tries=50_000).problem
    assert (result.state_weights, result.independent_only, result.actions) == (None, False, 2)
    assert max(point["rho"] for point in ExpectationTable(result).modes.points) > 1  # else V-trace is TD


@pytest.mark.quick(1)
@pytest.mark.parametrize("mdp", [[], ["--mdp"]])
def test_the_command_writes_a_problem_file_with_these_verdicts(ask, tmp_path, mdp):
    path = tmp_path / "found.toml"
    status, out, err = ask(DEFAULT_FAILS, "--states", "2", *mdp, "-o", str(path))
    assert (status, err) == (0, "")
    assert "tdrc beta=1 eta=1 diverges: not-convergent (exact)" in out
    assert status_of(str(path), "tdrc") == "not-convergent"
    assert status_of(str(path), "tdc") == "convergent"
    assert list(tmp_path.iterdir()) == [path]


def test_without_a_file_the_problem_is_printed_as_one(ask, tmp_path):
    status, out, err = ask(DEFAULT_FAILS)
    assert (status, err) == (0, "")
    (tmp_path / "printed.toml").write_text(out)
    assert load_problem(tmp_path / "printed.toml") == search(DEFAULT_FAILS, tries=10_000).problem


def test_the_json_has_the_verdicts_and_the_problem_file(ask, tmp_path):
    status, out, err = ask(DEFAULT_FAILS, "--json")
    answer = json.loads(out)
    assert (status, err, len(answer["pattern"])) == (0, "", 2)
    assert [verdict["status"] for verdict in answer["verdicts"]] == ["not-convergent", "convergent"]
    (tmp_path / "told.toml").write_text(answer["file"])
    assert status_of(str(tmp_path / "told.toml"), "tdrc") == "not-convergent"
    status, out, _ = ask("td converges, vtrace diverges", "--tries", "50", "--json")
    answer = json.loads(out)
    assert (status, answer["problem"], answer["file"], answer["verdicts"]) == (1, None, None, [])
    assert answer["tries"] == 50


def test_a_file_that_cannot_be_written_is_noticed_before_the_hunt(ask, tmp_path):
    status, out, err = ask("td converges, vtrace diverges", "-o", str(tmp_path))  # would take a minute to fail
    assert (status, out) == (2, "")
    assert "cannot be written" in err


def test_nothing_found_is_exit_status_1_and_writes_nothing(ask, tmp_path):
    path = tmp_path / "found.toml"
    # Both are TD where the target policy is the behaviour policy, as in every averaged process.
    status, out, err = ask("td converges, vtrace diverges", "--tries", "300", "-o", str(path))
    assert (status, out) == (1, "")
    assert err.startswith(f"{PROG}: not found among 300 problems; ")
    assert not path.exists()


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "clause ''"),
        ("tdrc", "clause 'tdrc': is not of the form"),
        ("tdrc diverges,", "clause ''"),
        ("tdcr diverges", "clause 'tdcr diverges': unknown algorithm 'tdcr'"),
        ("tdrc explodes", "clause 'tdrc explodes': does not end with a verdict"),
        ("tdrc beta 1 diverges", "'beta' is not NAME=VALUE"),
        ("tdrc gamma=1 diverges", "tdrc has no gamma; it has beta, eta"),
        ("td-lambda lam=2 converges", "lam is at least 0 and at most 1"),
        ("expected-sarsa converges", "is for features by state and action; problems tried have none"),
        ("tdrc beta=1 beta=2 diverges", "'beta=2' is not"),
        ("tdrc beta=1e diverges", "beta: '1e' is not a number"),
        ("tdrc beta=-1 diverges", "beta is at least 0"),
        ("tdrc eta=0 diverges", "eta is above 0"),
        ("tdrc beta=1/0 diverges", "denominator 0"),
        ("tdc beta=1 diverges", "tdc fixes beta at 0"),
        ("td eta=2 diverges", "td has no eta"),
        ("tdrc diverges, tdrc beta=1 converges", "no verdict meets both"),
        (f"tdrc beta=0.{'1' * 99} diverges", "at most 60"),
        ("missing.py:f diverges", "clause 'missing.py:f diverges'"),
    ],
)
def test_a_pattern_of_another_form_is_refused_naming_the_clause(ask, pattern, message):
    status, out, err = ask(pattern)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--states", "0"], "--states: 0"),
        (["--features", "13"], "--features: 13"),
        (["--mdp", "--actions", "0"], "--actions: 0"),
        (["--actions", "-1"], "--actions: -1 is less than 1"),
        (["--limit", "0"], "--limit: 0.0"),
        (["--limit", "nan"], "--limit: nan"),
        (["--tries", "0"], "--tries: 0"),
        (["-o", "missing/folder/file.toml"], "missing/folder/file.toml: cannot be written: "),
        (["-o", "."], ".: cannot be written: "),
        (["-o", "a\0b"], "cannot be written"),
    ],
)
def test_bad_options_are_exit_status_2_and_one_line(ask, arguments, message):
    status, out, err = ask(DEFAULT_FAILS, *arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


@given(st.text(max_size=30) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_a_pattern_or_an_error_of_one_line(text):
    message = ""
    try:
        clauses = parse_pattern(text)
    except BadOption as error:
        message = str(error)
    else:
        assert parse_pattern(", ".join(map(str, clauses))) == clauses
    assert len(message.splitlines()) <= 1


@given(st.sampled_from(OF_THE_PAPER), st.sampled_from(["converges", "diverges", "undecided"]))
def test_parameters_that_are_not_given_are_1(algorithm, word):
    (clause,) = parse_pattern(f"  {algorithm.name}   {word} ")
    assert clause.algorithm is algorithm
    assert {clause.parameters[name] for name in ("beta", "eta") if name in clause.parameters} <= {
        1,
        *algorithm.fixed.values(),
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        ("td-lambda lam=0 diverges, td-lambda lam=1/2 converges", "td-lambda lam=1/2 converges: convergent (exact)"),
        ("emphatic-td converges, td diverges", "emphatic-td lam=0 converges: convergent (exact)"),
    ],
)
def test_problems_for_learners_with_memory_are_chains(ask, tmp_path, pattern, shown):
    status, out, err = ask(pattern, "--tries", "3000", "-o", str(tmp_path / "found.toml"))
    assert (status, err) == (0, "")
    assert shown in out
    result = load_problem(tmp_path / "found.toml")
    assert not result.independent_only
    for clause in parse_pattern(pattern):
        assert verdict(clause.setting(result)).status in clause.outcomes


@pytest.mark.parametrize("status", ["convergent", "convergent-to-a-set", "not-convergent", "undecided"])
def test_each_exact_verdict_is_told_from_the_others(status):
    known = {"random-walk-tabular": "convergent", "baird": "convergent-to-a-set", "two-state": "not-convergent"}
    clauses = parse_pattern(f"tdrc {status}")
    for name, decided in known.items():
        assert (verdicts(clauses, find_problem(name)) is not None) == (decided == status)


@pytest.mark.quick(1)
@pytest.mark.parametrize("shape", [Shape(), Shape(states=3), MDP, Shape(states=4, features=4, actions=3)], ids=str)
def test_candidates_are_the_same_for_the_same_seed(shape):
    first, second = (list(itertools.islice(candidates(shape, 3), 300)) for _ in range(2))
    assert first == second


@pytest.mark.thorough
def test_no_candidate_of_the_systematic_part_stands_twice():
    first = list(itertools.islice(candidates(Shape(features=1), 0), 8_000))
    assert len(set(first)) == len(first)


@pytest.mark.parametrize("shape", [Shape(), MDP], ids=str)
def test_candidates_start_with_small_numbers(shape):
    for problem in itertools.islice(candidates(shape, 0), 100):
        assert max(abs(v) for row in problem.features for v in row) <= 2
        assert all(t.probability == 1 for t in problem.transitions)


@pytest.mark.thorough
@pytest.mark.parametrize(("shape", "tries"), [(Shape(features=1), 12_000), (MDP, 8_000), (Shape(states=4), 8_000)])
def test_denominators_stay_small_however_long_one_looks(shape, tries):
    for problem in itertools.islice(candidates(shape, 0), tries, tries + 100):
        assert max(t.probability.denominator for t in problem.transitions) <= 8


def test_distributions_are_all_those_with_small_denominators():
    result = distributions(3, 4)
    grid = [Fraction(n, d) for d in range(1, 5) for n in range(d + 1)]
    wanted = set()
    for whole in range(1, 5):
        parts = [p for p in grid if (p * whole).denominator == 1]
        wanted |= {row for row in itertools.product(parts, repeat=3) if sum(row) == 1}
    assert set(result) == wanted
    assert len(result) == len(wanted)


def test_a_file_that_says_something_else_than_its_problem_is_never_handed_out(monkeypatch):
    match = search(DEFAULT_FAILS, tries=10_000)
    monkeypatch.setattr("verify.search.hunt.problem_text", lambda *_: TEXT)
    with pytest.raises(AssertionError):
        match.text()


def test_progress_is_told_how_many_were_tried():
    texts = []
    match = search("td undecided", tries=230, progress=texts.append)
    assert match == SearchResult(clauses=parse_pattern("td undecided"), problem=None, verdicts=(), tries=230)
    assert texts == [50, 100, 150, 200]


TEXT = """\
name = "another"
gamma = 0.5
features = [[1]]
[mrp]
P = [[1]]
r = [0]
d = [1]
"""

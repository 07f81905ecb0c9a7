from __future__ import annotations

import re
from fractions import Fraction

import pytest

from simulate.sweep.experiment_file import built_in, find_experiment, load_experiment
from tdrc_theory.errors import BadExperiment, UnknownName

PLAIN = """
name = "a study"
problems = ["random-walk-tabular", { problem = "boyan", steps = [10, 20] }]
steps = 30
runs = 2

[[learners]]
algorithms = ["tdrc", "td"]
step_sizes = ["constant", "amsgrad"]
alpha = { base = 2, from = -2, to = 0 }
eta = ["1/2", 2]
beta = { base = 2, from = 0, to = 1, times = "1/10" }
b1 = [0.9, 0.99]

[figure]
along = "beta"

[full]
runs = 20
"""


def written(folder, text=PLAIN):
    file = folder / "study.toml"
    file.write_text(text)
    return file


def test_grids_are_exact_and_each_configuration_is_run_once(tmp_path):
    experiment = load_experiment(written(tmp_path))
    results = {(a.name, r.name): settings for a, r, settings in experiment.learned()}
    assert {key: len(settings) for key, settings in results.items()} == {
        ("tdrc", "constant"): 3 * 2 * 2,
        ("tdrc", "amsgrad"): 3 * 2 * 2 * 2,
        ("td", "constant"): 3,
        ("td", "amsgrad"): 3 * 2,
    }
    assert results["td", "constant"][0] == (Fraction(1, 4), ())
    assert {dict(s.parameters)["beta"] for s in results["tdrc", "amsgrad"]} == {Fraction(1, 10), Fraction(1, 5)}
    assert results["td", "amsgrad"][0].parameters == (("b1", Fraction(9, 10)), ("b2", Fraction(999, 1000)))


def test_any_parameter_of_a_learner_is_an_axis_and_others_ignore_it(tmp_path):
    text = PLAIN.replace('"tdrc", "td"]', '"tdrc", "td", "emphatic-td"]').replace('along = "beta"', 'along = "lam"')
    experiment = load_experiment(written(tmp_path, text.replace("b1 = ", 'lam = [0, "1/2", 1]\nb1 = ')))
    results = {a.name: settings for a, r, settings in experiment.learned() if r.name == "constant"}
    assert {key: len(settings) for key, settings in results.items()} == {"tdrc": 12, "td": 3, "emphatic-td": 9}
    assert [s.parameters for s in results["emphatic-td"][:2]] == [(("lam", Fraction(0)),), (("lam", Fraction(1, 2)),)]
    assert experiment.figure.along == "lam"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("b1 = ", "lam = 2\nb1 = ", "lam: 2 is not at least 0 and at most 1"),
        ("b1 = ", "mu = 2\nb1 = ", "mu: unknown key; allowed: .*eta, beta, lam"),
        ("runs = 2", 'runs = 2\nsampling = "iid"', 'emphatic-td has memory, which needs sampling = "markov"'),
    ],
)
def test_what_a_learner_has_not_or_cannot_do_is_refused(tmp_path, old, new, message):
    text = PLAIN.replace('"tdrc", "td"]', '"tdrc", "emphatic-td"]')
    with pytest.raises(BadExperiment, match=message):
        load_experiment(written(tmp_path, text.replace(old, new, 1)))


def test_a_parameter_that_is_called_as_one_of_the_rule_is_refused(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def update(x, x_next, h, delta, delta_hat, rho, gamma, beta, b1=1):\n    return b1 * delta * x, 0\n"
    )
    with pytest.raises(BadExperiment, match="update has a parameter b1, which names something else"):
        load_experiment(written(tmp_path, PLAIN.replace('"td"', '"mine.py:update"')))


def test_steps_of_a_problem_replace_those_of_the_experiment(tmp_path):
    settled = load_experiment(written(tmp_path)).settled()
    assert [(problem.name, steps) for problem, _, steps in settled] == [
        ("random-walk-tabular", 30),
        ("boyan", 10),
        ("boyan", 20),
    ]


def test_full_replaces_what_it_names_and_nothing_else(tmp_path):
    file = written(tmp_path)
    plain, full = load_experiment(file), load_experiment(file, full=True)
    assert (plain.runs, full.runs) == (2, 20)
    assert plain.steps == full.steps


def test_scaled_rewards_scale_the_expected_reward_alone(tmp_path):
    text = PLAIN.replace("runs = 2\n", 'runs = 2\nreward_scale = [1, "-2"]\n'.replace('"-2"', '"1/2"'))
    (one, _, _), (half, factor, _) = list(load_experiment(written(tmp_path, text)).settled())[:2]
    assert factor == Fraction(1, 2)
    assert [t.reward for t in half.transitions] == [t.reward / 2 for t in one.transitions]
    assert [t[:4] for t in half.transitions] == [t[:4] for t in one.transitions]
    assert half.d == one.d


def test_paths_are_relative_to_the_file(tmp_path, monkeypatch):
    folder = tmp_path / "studies"
    folder.mkdir()
    (folder / "mine.py").write_text(
        "def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return delta * x, 0\n"
    )
    (folder / "one.toml").write_text('name = "one"\ngamma = 0\nfeatures = [[1]]\n[mrp]\nP = [[0]]\nr = [1]\nd = [1]\n')
    text = PLAIN.replace('"random-walk-tabular"', '"one.toml"').replace('"td"]', '"mine.py:mine"]')
    text = text.replace("runs = 2\n", 'runs = 2\nsampling = "iid"\n')
    monkeypatch.chdir(tmp_path)
    experiment = load_experiment(written(folder, text))
    assert next(experiment.settled())[0].name == "one"
    assert "mine" in [algorithm.name for algorithm, _, _ in experiment.learned()]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("runs = 2\n", "runs = 0\n", "runs: 0 is not an integer from 1 to 1000000$"),
        ("runs = 2\n", "runs = true\n", "runs: True is not an integer"),
        ("runs = 2\n", "runs = 2.0\n", "runs: '2.0' is not an integer"),
        ("runs = 2\n", "", "runs: missing"),
        ("runs = 2\n", "runs = 2\nrunz = 3\n", "runz: unknown key; allowed: "),
        ("runs = 2\n", 'runs = 2\nsampling = "all"\n', "sampling: 'all' is none; allowed: markov, iid, batch"),
        ("runs = 2\n", "runs = 2\nbatch = 8\n", "batch: unknown key"),
        ("runs = 2\n", "runs = 2\nreward_scale = [0]\n", "reward_scale: 0 is not above 0"),
        ('name = "a study"', 'name = "a\\nstudy"', "name: 'a\\\\nstudy' is not one line of text"),
        ('"random-walk-tabular"', '"random-walk"', "problems, entry 0: problem: unknown problem 'random-walk'"),
        ('"random-walk-tabular"', '"two-state"', "problems, entry 0: sampling: markov is not possible on 'two-state'"),
        ('"random-walk-tabular"', "7", "problems, entry 0: 7 is not a table"),
        ('"random-walk-tabular"', '"no.toml"', "problems, entry 0: problem: .*no.toml: cannot be read: No such file"),
        ("steps = [10, 20]", "steps = [10, 10]", "problems, entry 1: steps: 10 is listed twice"),
        (
            "steps = [10, 20]",
            "staps = 1",
            "problems, entry 1: staps: unknown key; allowed: problem, gamma, target, steps",
        ),
        ('"td"]', '"tdd"]', "learners, entry 0: algorithms: unknown algorithm 'tdd' .did you mean td"),
        ('"td"]', '"kernel-rg"]', 'learners: kernel-rg needs sampling = "batch" with a batch of at least 2'),
        ('"random-walk-tabular"', '"boyan"', "problems, entry 1: is called 'boyan', as entry 0 is"),
        ('"td"]', '"no.py:f"]', "learners, entry 0: algorithms: .*no.py: cannot be read"),
        ('"amsgrad"]', '"sgd"]', "learners, entry 0: step_sizes: unknown step-size rule 'sgd'"),
        ("0.99]", "5]", "learners, entry 0: b1: 5 is not at least 0 and below 1, as amsgrad needs it"),
        ("b1 =", "b3 =", "learners, entry 0: b3: unknown key; allowed: .*b1, b2"),
        ('eta = ["1/2", 2]', "eta = [0]", "learners, entry 0: eta: 0 is not above 0"),
        ('eta = ["1/2", 2]', "eta = []", "learners, entry 0: eta: 0 values; 1 to 1000 are allowed"),
        ('eta = ["1/2", 2]', "eta = [nan]", "learners, entry 0: eta: 'nan' is not a number; a number is written as"),
        ('eta = ["1/2", 2]', 'eta = "1e"', "learners, entry 0: eta: '1e' is not a number"),
        ('eta = ["1/2", 2]', 'eta = "2^3"', "learners, entry 0: eta: '2.3' is not a number"),
        ('eta = ["1/2", 2]', f'eta = "{10**400}"', "learners, entry 0: eta: .* is too large to compute with"),
        ("from = -2, to = 0", "from = 0, to = -2", "learners, entry 0: alpha.to: -2 is below from = 0"),
        ("base = 2, from = -2", "base = 1, from = -2", "learners, entry 0: alpha.base: 1 is not positive, or is 1"),
        ("base = 2, from = -2", "base = 2, form = -2", "learners, entry 0: alpha.from: missing"),
        ('along = "beta"', 'along = "gamma"', "figure.along: 'gamma' is none; allowed: alpha, eta, beta, steps"),
        ('along = "beta"', 'baseline = "tdc"', "figure.baseline: 'tdc' is not run; allowed: tdrc, td"),
        ("runs = 20", "runs = -20", r"with \[full\]: runs: -20 is not an integer from 1"),
        ("[full]\nruns = 20", 'full = "yes"', "figure.full: unknown key"),
        ("name =", "name", "is not TOML: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_the_file_the_key_and_the_value(tmp_path, old, new, message):
    assert PLAIN.count(old)
    file = written(tmp_path, PLAIN.replace(old, new, 1))
    with pytest.raises(BadExperiment, match=f"^{re.escape(str(file))}: {message}") as refusal:
        load_experiment(file)
    assert "\n" not in str(refusal.value)


def test_grids_may_overlap_but_names_may_not_mislead(tmp_path):
    more = '[[learners]]\nalgorithms = "{}"\nalpha = ["1/4", "1/8"]\n[figure]'
    overlapping = load_experiment(written(tmp_path, PLAIN.replace("[figure]", more.format("td"))))
    results = {(a.name, r.name): settings for a, r, settings in overlapping.learned()}
    assert [setting.alpha for setting in results["td", "constant"]] == [Fraction(1, 2**n) for n in (2, 1, 0, 3)]
    (tmp_path / "mine.py").write_text(
        "def td(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return delta * x, 0\n"
    )
    with pytest.raises(BadExperiment, match="two different algorithms are called 'td'"):
        load_experiment(written(tmp_path, PLAIN.replace("[figure]", more.format("mine.py:td"))))


def test_a_grid_that_no_memory_holds_is_refused(tmp_path):
    wide = "{ base = 2, from = -150, to = 150 }"
    text = PLAIN.replace('eta = ["1/2", 2]', f"eta = {wide}").replace("{ base = 2, from = -2, to = 0 }", wide)
    with pytest.raises(BadExperiment, match=r"learners, entry 0: alpha: 362404 configurations an algorithm; at most"):
        load_experiment(written(tmp_path, text))


def test_full_needs_a_table_full(tmp_path):
    file = written(tmp_path, PLAIN.partition("[full]")[0])
    with pytest.raises(BadExperiment, match="--full is given, but there is no table"):
        load_experiment(file, full=True)


@pytest.mark.parametrize("name", built_in())
@pytest.mark.parametrize("full", [False, True])
def test_the_experiments_that_come_along_can_be_read(name, full):
    assert find_experiment(name, full).runs >= 10


def test_an_unknown_name_is_answered_with_those_that_exist():
    with pytest.raises(UnknownName, match="did you mean sensitivity-beta"):
        find_experiment("sensitivity-betta")

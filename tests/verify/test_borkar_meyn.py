"""The five conditions and their constants, beside floats computed here from the transitions."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import averaged_process
from tdrc_theory.errors import BadOption
from tdrc_theory.problems import find_problem
from verify.borkar_meyn import StepSizes, borkar_meyn
from verify.borkar_meyn.__main__ import PROG, main

CONDITIONS = ("i", "ii", "iii", "iv", "v", "converges")


def statuses(report):
    return [report[f"borkar-meyn.{name}"].status.value for name in CONDITIONS]


def samples(problem, beta, eta):
    """Return (probability, G_t, g_t) of TDRC's printed single-sample matrices, in floats."""
    k, result = problem.k, []
    for t in problem.transitions:
        b = problem.behaviour[t.s][t.a]
        mass = float(problem.d[t.s] * b * t.probability)
        if not mass:
            continue
        rho, gamma = float(problem.rho(t.s, t.a)), float(problem.gamma)
        x = np.array([float(v) for v in problem.features[t.s]])
        y = np.zeros(k) if problem.ends(t.s_next) else np.array([float(v) for v in problem.features[t.s_next]])
        error = rho * np.outer(x, gamma * y - x)
        G = np.block(
            [[-eta * (np.outer(x, x) + beta * np.eye(k)), eta * error], [-rho * gamma * np.outer(y, x), error]]
        )
        result.append((mass, G, rho * float(t.reward) * np.concatenate([eta * x, x])))
    return result


@pytest.mark.parametrize("name", ["random-walk-tabular", "random-walk-dependent", "boyan", "baird", "two-state"])
def test_the_constants_are_those_of_the_noise_itself(name):
    problem, beta, eta = find_problem(name), Fraction(1, 2), Fraction(3)
    report = borkar_meyn(problem, beta=beta, eta=eta)
    drawn = samples(problem, float(beta), float(eta))
    G = sum(p * each for p, each, _ in drawn)
    g = sum(p * each for p, _, each in drawn)
    assert report.lipschitz.middle == pytest.approx(np.linalg.norm(G, 2), rel=1e-9)

    def noise(varrho):
        return sum(p * np.sum(((Gt - G) @ varrho + gt - g) ** 2) for p, Gt, gt in drawn)

    generator = np.random.default_rng(1)
    bound = report.c_0.upper * (1 + 1e-9)
    for scale in (1e-2, 1, 1e2):
        for varrho in generator.normal(size=(50, len(G))) * scale:
            assert noise(varrho) <= bound * (1 + varrho @ varrho)
    joint = sum(p * np.c_[Gt - G, gt - g].T @ np.c_[Gt - G, gt - g] for p, Gt, gt in drawn)
    top = np.linalg.eigh(joint)[1][:, -1]
    if abs(top[-1]) > 1e-3:
        varrho = top[:-1] / top[-1]
        assert noise(varrho) == pytest.approx(report.c_0.middle * (1 + varrho @ varrho), rel=1e-6)


def test_all_conditions_hold_where_the_default_converges():
    assert statuses(borkar_meyn("boyan")) == ["holds"] * 6


def test_where_TDRC_diverges_the_equilibrium_is_unstable_and_nothing_follows():
    report = borkar_meyn("two-state")
    assert statuses(report) == ["holds", "holds", "holds", "fails", "fails", "undecided"]
    assert "iv" in report["borkar-meyn.converges"].reason


def test_a_line_of_fixed_points_is_no_unique_equilibrium():
    report = borkar_meyn("baird")
    assert report.equilibrium is None
    assert statuses(report)[3:] == ["fails", "fails", "undecided"]


def test_what_the_homogeneous_update_does_is_not_told_by_the_drift_of_the_other():
    drifting = averaged_process(
        name="drift", gamma=1, features=[[1], [1]], P=[[0, 1], [1, 0]], r=[1, 1], d=["1/2", "1/2"]
    )
    report = borkar_meyn(drifting)
    origin = report["borkar-meyn.iv"]
    assert (origin.status.value, origin.proof.value) == ("fails", "exact")
    assert "rank G = 1 of 2" in origin.reason
    assert "drift" not in origin.reason


@pytest.mark.parametrize(
    ("exponent", "holds"), [("0", False), ("1/2", False), ("51/100", True), ("1", True), ("101/100", False)]
)
def test_step_sizes_are_those_of_a_convergent_p_series(exponent, holds):
    report = borkar_meyn("boyan", step_sizes=StepSizes(Fraction(1, 2), Fraction(exponent)))
    assert (report["borkar-meyn.iii"].status.value == "holds") is holds
    assert (report["borkar-meyn.converges"].status.value == "holds") is holds


@pytest.mark.parametrize(
    "fields", [(Fraction(0), Fraction(1)), (Fraction(2), Fraction(1)), (Fraction(1), Fraction(-1))]
)
def test_step_sizes_out_of_range_are_refused(fields):
    with pytest.raises(BadOption):
        StepSizes(*fields)


def test_an_algorithm_without_h_has_conditions_too():
    report = borkar_meyn("random-walk-inverted", "td")
    assert statuses(report) == ["holds"] * 6
    assert report.equilibrium.shape == (5, 1)


def test_the_equilibrium_is_the_td_fixed_point_with_h_zero():
    report = borkar_meyn("random-walk-tabular")
    values = [float(v) for v in (row[0] for row in report.equilibrium.rows)]
    P = np.diag([0.4] * 4, -1) + np.diag([0.6] * 4, 1)
    value = np.linalg.solve(np.eye(5) - P, [-0.4, 0, 0, 0, 0.6])
    assert values == pytest.approx([0.0] * 5 + list(value))


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_the_command_prints_a_line_for_each_condition(ask):
    status, out, _ = ask("two-state", "--algorithm", "tdc")
    assert status == 0
    setting, _, *rows = out.splitlines()
    assert setting.startswith(
        "tdc, beta = 0, eta = 1 on two-state (2 states, 1 feature, gamma 99/100), alpha_t = 1 / (t"
    )
    assert [line.split()[1] for line in rows] == ["holds"] * 6


def test_the_command_prints_exact_numbers_as_json(ask):
    status, out, _ = ask("random-walk-tabular", "--exponent", "0", "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["equilibrium"][5:] == ["-179/665", "29/133", "19/35", "101/133", "601/665"]
    assert [check["status"] for check in answer["checks"]] == ["holds", "holds", "fails", "holds", "holds", "undecided"]
    assert answer["c_0_without_cross_term"]["upper"] < answer["c_0"]["lower"]


@pytest.mark.parametrize("wrong", [("--scale", "2"), ("--exponent", "-1"), ("--scale", "x"), ("--beta", "-1")])
def test_the_command_refuses_what_is_out_of_range_on_one_line(ask, wrong):
    status, _, errors = ask("boyan", *wrong)
    assert status == 2
    assert len(errors.splitlines()) == 1
    assert wrong[0] in errors


def test_a_learner_with_memory_is_refused_by_what_it_lacks():
    with pytest.raises(BadOption, match=r"td-lambda: has memory \(e\), which a chain drives; .* independent samples"):
        borkar_meyn("boyan", "td-lambda")

"""Experiments of papers, run and predicted."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reports.compare.__main__ import PROG, main


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_an_experiment_of_a_paper_is_run_and_predicted(ask):
    status, out, _ = ask("emphatic-td:figure-4", "--json")
    answer = json.loads(out)
    assert (status, answer["runs"], len(answer["configurations"])) == (0, 20, 2)
    for one in answer["configurations"]:
        mean, error = np.array(one["mean"]), np.array(one["standard_error"])
        least, most = np.array(one["predicted"]["least"]), np.array(one["predicted"]["most"])
        assert one["predicted"]["why_no_more"] == ""
        assert (least <= most).all()
        # Of 100 points, which depend on each other, few are far outside of the bounds of their expectations.
        outside = (mean + 3 * error < least) | (mean - 3 * error > most)
        assert outside.mean() < 0.1
    ends = [one["predicted"]["most"][-1] for one in answer["configurations"]]
    assert ends == pytest.approx([1.706, 1.332], abs=2e-3)


def test_the_mean_of_emphatic_td_leaves_every_run_of_figure_3(ask):
    status, out, _ = ask("emphatic-td:figure-3-left-at-first", "--json")
    td, emphatic = json.loads(out)["configurations"]
    assert status == 0
    assert abs(td["mean"][-1] - td["predicted"]["most"][-1]) < 3 * td["standard_error"][-1]
    # A few runs in thousands have a product of importance ratios that makes up the mean; of 50 none has.
    assert emphatic["predicted"]["least"][-1] > 20 * emphatic["mean"][-1]
    assert emphatic["predicted"]["most"][-1] > emphatic["predicted"]["least"][-1]


def test_where_the_trace_is_bounded_the_runs_of_figure_3_are_as_predicted(ask):
    status, out, _ = ask("emphatic-td:figure-3-right", "--json")
    assert status == 0
    for one in json.loads(out)["configurations"]:
        mean, error = np.array(one["mean"]), np.array(one["standard_error"])
        least, most = np.array(one["predicted"]["least"]), np.array(one["predicted"]["most"])
        early = slice(0, 20)  # later, errors have a heavy tail, and 50 runs too few of it
        assert (mean[early] + 4 * error[early] > least[early]).all()
        assert (mean[early] - 4 * error[early] < most[early]).all()


def test_what_floats_do_not_hold_is_left_out_of_a_predicted_experiment(ask):
    status, out, _ = ask("emphatic-td:figure-3-left")
    assert status == 0
    assert "no prediction: theta-2theta" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("emphatic-td:figure-4", "--alpha", "1/2"), "--alpha: the file of an experiment says everything"),
        (("emphatic-td:figure-5",), "figure-5.toml: cannot be read"),
        (("tdrc:network-control",), "variants"),
        (("nobody:figure-4",), "nobody:figure-4"),
    ],
)
def test_an_experiment_that_cannot_be_predicted_is_one_line(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out, err.count("\n"), message in err) == (2, "", 1, True)

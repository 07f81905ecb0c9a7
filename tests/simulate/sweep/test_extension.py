"""Grids of alpha that go on until the best is inside, and the other keys that the paper's tables need of any study."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from simulate.store import Store
from simulate.sweep.experiment_file import load_experiment
from simulate.sweep.study import sweep
from tdrc_theory.errors import BadExperiment

TEXT = """
name = "a study"
problems = ["random-walk-tabular"]
steps = 60
every = 1
runs = 3

[[learners]]
algorithms = "tdrc"
alpha = ["1/256", "1/128"]
eta = ["1/16", 4]
"""


def experiment(folder, text=TEXT, **keys):
    top = "".join(f"{key} = {value}\n" for key, value in keys.items())
    (folder / "study.toml").write_text(top + text, encoding="utf-8")
    return load_experiment(folder / "study.toml")


def results(study):
    with Store(None) as store:
        return sweep(study, store)


def alphas(study):
    return sorted({result.value("alpha") for result in study.all()})


def test_a_grid_goes_on_until_the_best_is_inside(tmp_path):
    plain, grown = results(experiment(tmp_path)), results(experiment(tmp_path, extend_alpha="true"))
    assert alphas(plain) == [Fraction(1, 256), Fraction(1, 128)]
    tried = alphas(grown)
    assert tried[:4] == [Fraction(1, 2**n) for n in (8, 7, 6, 5)]
    best = min(grown.all(), key=lambda result: result.loss())
    assert tried[0] < best.value("alpha") < tried[-1]
    assert best.loss() < min(result.loss() for result in plain.all())
    assert grown.computed == len(grown.all()) * 3
    of_old = {r.configuration: r.areas for r in plain.all()}
    assert all(np.array_equal(r.areas, of_old[r.configuration]) for r in grown.all() if r.configuration in of_old)


def test_along_a_parameter_the_best_at_each_of_its_values_is_inside(tmp_path):
    outcome = results(experiment(tmp_path, TEXT + 'along = "eta"\n', extend_alpha="true")).all()
    tried = sorted({result.value("alpha") for result in outcome})
    for eta in (Fraction(1, 16), Fraction(4)):
        best = min((r for r in outcome if r.value("eta") == eta), key=lambda result: result.loss())
        assert tried[0] < best.value("alpha") < tried[-1]


def test_results_have_the_name_that_learners_are_given(tmp_path):
    text = TEXT + '[[learners]]\nname = "tdrc, long"\nalgorithms = "tdrc"\nalpha = ["1/4"]\n'
    outcome = results(experiment(tmp_path, text)).all()
    assert [result.algorithm for result in outcome] == ["tdrc"] * 4 + ["tdrc, long"]


def test_without_curves_one_point_is_stored_and_areas_are_the_same(tmp_path):
    (with_curves,), (without,) = (list(experiment(tmp_path, curves=on).cases()) for on in ("true", "false"))
    assert (len(with_curves.points), len(without.points)) == (60, 1)
    one, other = (case.piece.compute() for case in (with_curves, without))
    np.testing.assert_array_equal(one.area, other.area)


def test_other_error_weights_change_the_error_and_their_sum_its_size(tmp_path):
    def area(weights):
        text = TEXT.replace(
            '"random-walk-tabular"', f'{{ problem = "random-walk-tabular", error_weights = {weights} }}'
        )
        (case,) = experiment(tmp_path, text).cases()
        return case.piece.compute().area

    (plain,) = experiment(tmp_path).cases()
    own = ["1/9", "2/9", "3/9", "2/9", "1/9"]
    np.testing.assert_allclose(area(own), plain.piece.compute().area, rtol=1e-12)
    np.testing.assert_allclose(area([4, 8, 12, 8, 4]), 6 * area(own), rtol=1e-12)
    assert not np.allclose(area([1, 1, 1, 1, 1]), 3 * area(own))


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        (
            'algorithms = "tdrc"',
            'algorithms = ["td", "tdrc"]\nname = "both"',
            "'both' .* the name of 2 algorithms",
        ),
        ("eta =", 'along = "beta"\neta =', "along: 'beta' has no grid; allowed: eta"),
        (
            "steps = 60",
            'experience = "replayed"\nsampling = "iid"\nsteps = 60',
            "experience: the paper's",
        ),
        ('"random-walk-tabular"', '"five-state"', "one first state"),
        ('"random-walk-tabular"', '{ problem = "boyan", error_weights = [1, 2] }', "error_weights: "),
        ('"random-walk-tabular"', '{ problem = "boyan", error_weights = [0] }', "they sum to 0, which is not positive"),
        ("steps = 60", "steps = 60\nextend_alpha = 1", "extend_alpha: 1 is not true or false"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(tmp_path, was, now, message):
    text = TEXT.replace(was, now).replace("steps", 'experience = "replayed"\nsteps', "five-state" in now)
    with pytest.raises(BadExperiment, match=message):
        experiment(tmp_path, text)

"""The page about logged transitions: the answer comes first, then what to change, then the numbers."""

import numpy as np
import pytest

from reports.build.__main__ import PROG, main
from verify.data.report import BETAS


@pytest.fixture
def page(asker, tmp_path):
    """Return what makes a page of columns, and its text."""

    def page_of(columns, *options):
        np.savez(tmp_path / "data.npz", **columns)
        target = tmp_path / "page.html"
        ask = asker(main, PROG)
        status, out, err = ask("--with-data", str(tmp_path / "data.npz"), "-o", str(target), "--reproducible", *options)
        assert (status, err) == (0, "")
        return out, target.read_text(encoding="utf-8")

    return page_of


def doubling(rows):
    state, action = np.random.default_rng(0).integers(0, 2, (2, rows))
    return {"x": 1.0 + state, "x_next": 1.0 + action, "reward": 0.0 * state, "rho": 2.0 * action}


def test_the_answer_comes_first_then_what_to_change_then_the_numbers(page):
    out, text = page(doubling(8000), "--gamma", "9/10", "--algorithm", "td")
    assert ": not-convergent (sampled). td diverges on these data, however small the step size (95% confidence)." in out
    order = [
        "td diverges on these data, however small the step size",
        "Why it diverges",
        "A is not positive definite",
        "What to change",
        "Learners whose expected update is stable here: tdc",
        "The numbers behind this figure",
        "The numbers</h4>",
        "Checks, each decided by its interval",
        "Other learners on the same data",
        "each interval by itself",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert f"The numbers behind this figure ({len(BETAS)} rows)" in text


@pytest.mark.thorough
def test_two_files_are_two_parts_beside_a_problem_and_a_learner_that_is_stable_is_called_so(page, tmp_path):
    np.savez(tmp_path / "other.npz", **doubling(500))
    columns = {**doubling(500), "rho": np.ones(500)}
    out, text = page(columns, "--with-data", str(tmp_path / "other.npz"), "--algorithm", "td")
    assert "Why it is stable" in text
    assert out.count("(sampled)") == text.count("What these data say</h3>") == 2


def test_a_site_has_no_room_for_logged_data(asker, tmp_path):
    status, _, err = asker(main, PROG)("--with-data", "data.npz", "--all", "-o", str(tmp_path / "site"))
    assert status == 2
    assert "--with-data: is for a page of its own; leave out --all" in err


def test_many_features_have_no_picture_and_no_bootstrap(page):
    generator = np.random.default_rng(1)
    x = generator.normal(size=(400, 40))
    columns = {"x": x, "x_next": 0.5 * x, "reward": x[:, 0], "rho": np.ones(400)}
    _, text = page(columns, "--algorithm", "td")
    assert "The numbers behind this figure" not in text
    assert "by a jackknife, to first order, over 16 blocks" in text

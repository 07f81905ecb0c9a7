from __future__ import annotations

import html
import re

import pytest

from reports.build.__main__ import PROG, main
from reports.build.site import build
from reports.page.subject import OnPaper, Request
from tdrc_theory.papers import find_paper
from tdrc_theory.proofs.coq import PACKAGES, CoqAnswer, read_sources, theorems
from verify.paper.report import answers


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_the_same_inputs_give_the_same_bytes_without_date_and_machine(ask, tmp_path):
    pages = []
    for name, *options in (("one.html", "--reproducible"), ("two.html", "--reproducible"), ("three.html",)):
        status, text, _ = ask("two-state", *options, "-o", str(tmp_path / name))
        assert (status, text.splitlines()[-1]) == (0, f"written to {tmp_path / name}")
        pages.append((tmp_path / name).read_text())
    assert pages[0] == pages[1]
    assert "not-convergent" in pages[0]
    for name in ("date", "machine"):
        assert [f"<dt>{name}</dt>" in page for page in pages] == [False, False, True]


def test_a_page_about_nothing_is_refused(ask, tmp_path):
    status, _, text = ask("-o", str(tmp_path / "page.html"))
    assert (status, "name a PROBLEM" in text) == (2, True)


@pytest.mark.thorough
def test_any_parameter_can_be_set_and_one_that_a_learner_lacks_is_refused(ask, tmp_path):
    page = tmp_path / "page.html"
    asked = ("random-walk-tabular", "--algorithm", "td-lambda", "--steps", "3", "-o", str(page))
    status, text, _ = ask(*asked, "--set", "lam=1/2")
    assert (status, text.splitlines()[0][:37]) == (0, "td-lambda, lam = 1/2 on random-walk-t")
    written = page.read_bytes()
    status, out, err = ask(*asked, "--set", "mu=1/2")
    assert (status, out, page.read_bytes()) == (2, "", written)
    assert "--set: td-lambda has no parameter mu; it has lam" in err


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (("two-state", "--store", "runs.sqlite"), "--store: is for the paper's page; give --paper or --all too"),
        (
            ("--with-data", "log.csv", "--prove"),
            "--prove: is for problems and papers; name a PROBLEM, or give --paper or --all too",
        ),
        (("two-state", "--prove"), f"Coq is not installed; on Debian: apt-get install {PACKAGES}"),
    ],
)
def test_an_option_that_no_page_can_follow_is_refused(ask, tmp_path, monkeypatch, options, refusal):
    monkeypatch.setenv("PATH", str(tmp_path))
    status, out, error = ask(*options, "-o", str(tmp_path / "page.html"))
    assert (status, out, error) == (2, "", f"{PROG}: error: {refusal}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [("alpha", "0", "is not positive"), ("steps", "-4", "is not from"), ("every", "0", "is not from")],
)
def test_a_curve_that_cannot_be_is_refused_whether_or_not_it_is_run(ask, tmp_path, option, value, message):
    status, out, err = ask("two-state", f"--{option}", value, "-o", str(tmp_path / "a.html"))
    assert (status, out) == (2, "")
    assert f"--{option}: {value} {message}" in err


def test_the_page_says_how_it_was_made(ask, tmp_path):
    ask("two-state", "--beta", "1/3", "--seed", "7", f"--output={tmp_path / 'a b.html'}")
    page = (tmp_path / "a b.html").read_text()
    assert "tdrc build two-state --beta 1/3 --seed 7 --output=report.html" in page
    assert re.search(r"<dt>commit</dt><dd>([0-9a-f]{40}|none|unknown)", page)
    assert "<dt>numpy</dt>" in page
    assert "beta = 1/3" in page


def test_a_name_that_would_be_obeyed_is_shown(ask, tmp_path):
    fields = {"name": '\\u001b[31m\\u202e<b>&\\"', "shown": '\\x1b[31m\\u202e<b>&"'}
    file = tmp_path / "named.toml"
    data = "gamma = 0\nfeatures = [[1]]\n[mrp]\nP = [[0]]\nr = [0]\nd = [1]\n"
    file.write_text(f'name = "{fields["name"]}"\n{data}')
    status, out, _ = ask(str(file), "-o", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert status == 0
    assert fields["shown"] in out
    assert html.escape(fields["shown"]).replace("&quot;", "&#34;") in page
    assert not {"\x1b", "\u202e"} & set(page + out)


@pytest.mark.quick(1)
@pytest.mark.parametrize("accepted", [True, None])
def test_what_a_proof_assistant_accepted_is_told_from_what_it_was_not_asked(accepted):
    claim = find_paper().claim("determinant.of-G")
    asked = [each for each in theorems(read_sources()) if each.name in (claim.theorem, claim.refutation)]
    kernel = {each.name: CoqAnswer(each, accepted, "not checked here: not asked for") for each in asked}
    answer = answers(find_paper(), [find_paper().claim("determinant.of-G")], kernel)[0]
    page = build([OnPaper(paper=find_paper(), request=Request(), answers=(answer,), kernel=kernel)], Request())
    assert ("checked here without axioms" in page) == bool(accepted)
    assert ("not checked for this page" in page) == (not accepted)
    assert ('data-corrected_proof="kernel"' in page) == bool(accepted)
    assert ('data-printed_proof="kernel"' in page) == bool(accepted)
    assert [bool(re.search(rf'aria-label="Theorem {each.name}">[^<]*\S', page)) for each in asked] == [
        bool(accepted)
    ] * 2

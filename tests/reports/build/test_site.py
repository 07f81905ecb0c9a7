from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import pytest
from markupsafe import escape

import reports
from reports.build import site as site_module
from reports.build.__main__ import PROG, main
from reports.build.site import build, check_folder, file_names, site, write_site
from reports.page.subject import OnControl, OnLearners, OnPaper, OnProblem, OnSite, Request, SiteRow
from tdrc_theory import PROBLEMS, find_algorithm, find_problem
from tdrc_theory.algorithms import OF_THE_PAPER
from tdrc_theory.errors import BadOption
from tdrc_theory.papers import PAPERS, find_paper, published
from tdrc_theory.problems.averaged import averaged_process
from verify import check_conditions
from verify.check import CONVERGES, Status

HOSTILE = "<script>alert(1)</script>"
ALGORITHMS = ("tdrc", "td", "tdc")
BIASED = "biased: rests elsewhere than TD&#39;s fixed point"


def named(name):
    return averaged_process(name=name, gamma="1/2", features=[[1]], P=[[1]], r=[1], d=[1])


def whole_site():
    request = Request(place_and_time=False, steps=5)
    problems = [find_problem("two-state"), named(HOSTILE)]
    columns = [find_algorithm(name) for name in ALGORITHMS]
    papers = [OnPaper(paper=find_paper(name), request=request, answers=(), kernel={}) for name in PAPERS]
    asked = {"beta": Fraction(1), "eta": Fraction(1)}
    learners = OnLearners(request=request, algorithms=tuple(columns), problems=tuple(problems))
    return site(problems, columns, papers, OnControl(request=request, runs=()), learners, request, parameters=asked)


@pytest.fixture(scope="module")
def pages():
    return whole_site()


def test_the_index_has_every_verdict_linked_to_where_it_is_proven(pages):
    assert list(pages) == [
        *("two-state.html", "script-alert-1-script.html", "learners.html"),
        *("paper.html", "paper-emphatic-td.html", "index.html"),
    ]
    cells = re.findall(
        r'<td role="cell">.*?<a href="([^"#]+)#([^"]+)".*?aria-label="[^"]*: ([a-z-]+), ([a-z]+)">', pages["index.html"]
    )
    assert len(cells) == 6
    for (file, place, status, proof), name in zip(cells, ALGORITHMS * 2, strict=True):
        assert f'<section id="{place}"' in pages[file]
        report = check_conditions("two-state" if file == "two-state.html" else named("any"), name)
        assert (status, proof) == (report.verdict.status.value, report.verdict.proof.value)
    assert all(
        f'href="{name}"' in pages["index.html"] for name in ("paper.html", "paper-emphatic-td.html", "learners.html")
    )


def test_no_cell_of_the_index_shows_a_verdict_without_the_bias_that_the_check_finds():
    request = Request(place_and_time=False)
    asked = {"request": request}
    rows, expected = [], {}
    for name, make in PROBLEMS:
        subjects = [OnProblem(problem=make(), algorithm=a, **asked) for a in OF_THE_PAPER]
        rows.append(SiteRow(name, "", "it.html", tuple(map(site_module.cell, subjects))))
        for each in subjects:
            result = each.conditions
            fails = result["fixed-points.equal"].status is Status.FAILS and result.verdict.status in CONVERGES
            label = f"{each.algorithm.name} on {name}: {result.verdict.status.value}, {result.verdict.proof.value}"
            expected[f"{label}, {BIASED}" if fails else label] = fails
    index = build([OnSite(request=request, rows=tuple(rows), papers=(), learners=("learners.html", ""))], request)
    shown = dict(re.findall(r'<td role="cell">.*?aria-label="([^"]*)">(.*?)</td>', index, re.DOTALL))
    assert shown.keys() == expected.keys()
    assert sum(expected.values()) >= 3
    for label, fails in expected.items():
        marks = re.findall(r'class="status (\w+)"', shown[label])
        assert ("good" in marks) == (not fails and ": convergent" in label)
        assert marks.count("open") == (2 if fails else 0)
    assert unquote(index).count("): biased: rests elsewhere than TD's fixed point; ") == sum(expected.values())
    counted = re.search(r"<p>(\d+ .*?)\. Each cell links to", index, re.DOTALL).group(1)
    assert re.search(rf"{sum(expected.values())} [^,]*convergent</span> [^,]*>biased</span>", counted)


@pytest.mark.thorough
def test_no_section_of_a_page_shows_a_verdict_without_its_bias():
    asked = {"problem": find_problem("random-walk-tabular")}
    request = Request(place_and_time=False, steps=5)
    subjects = [OnProblem(algorithm=find_algorithm(name), request=request, **asked) for name in ("td", "vtrace")]
    page = build(subjects, request)
    marked = re.findall(r'<span class="status (\w+)"><span aria-hidden="true">.</span> convergent</span>', page)
    # In the table, the head of the part, the verdict and the certificate; and the legend.
    assert sorted(marked) == ["good"] * 5 + ["open"] * 4
    table = re.search('<section id="part-1-problem-comparison">.*?</section>', page, re.DOTALL).group()
    assert re.findall(r"<td[^>]*>(no|<span[^>]*>biased</span>)</td>", table) == [
        "no",
        f'<span class="status open" title="{BIASED}">biased</span>',
    ]
    for place in ("verdict", "certificate"):
        of_td, of_vtrace = (
            re.search(f'<section id="part-{n}-{place}">.*?</section>', page, re.DOTALL).group() for n in (1, 2)
        )
        assert BIASED not in of_td
        assert BIASED in of_vtrace
    assert str(subjects[1].headline).startswith("convergent (exact); biased: rests elsewhere than TD's fixed point. ")


def test_the_index_has_all_that_was_measured(pages):
    stored = (Path(reports.__file__).parent / "benchmarks.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(stored.splitlines()))
    shown = re.search(r'<section id="part-1-benchmarks">.*?</section>', pages["index.html"], re.DOTALL).group()
    assert f"All {len(rows)} measurements" in shown
    for row in rows:
        assert f"{escape(row['ours'])} {escape(row['unit'])}</td>" in shown
        assert escape(row["what"]) in shown


def test_every_page_leads_back_and_shows_its_problem_once(pages):
    for name, content in pages.items():
        assert ('href="index.html"' in content) == (name != "index.html")
        assert content.count("Features x(s)") == (
            2 if name.startswith(("two-state", "script")) else 0
        )  # label, caption
        assert HOSTILE not in content


def test_every_page_names_the_paper_and_has_the_symbols_that_it_uses(pages):
    for content in pages.values():
        head = content.partition("</header>")[0]
        assert f"<cite>{published.TITLE}</cite> by {published.AUTHORS} ({published.YEAR})" in head
        assert f'href="{published.LINK}"' in head
        assert 'href="#about-notation"' in head
        symbols = re.search('<section id="about-notation">.*?</section>', content, re.DOTALL).group()
        assert {"alpha", "beta", "eta", "A", "b", "C", "H", "G"} <= set(
            re.findall(r'<th scope="row">(\w+)</th>', symbols)
        )


@pytest.mark.thorough
def test_whoever_waits_for_a_site_sees_which_page_of_how_many_is_being_made(monkeypatch):
    titles = []

    @contextmanager
    def bar(title, _):
        titles.append(title)
        yield lambda _: None

    monkeypatch.setattr("reports.build.site.progress_bar", bar)
    whole_site()
    assert titles[0].startswith("page 1 of 5, ")
    assert titles[0].endswith(" on two-state: Verdict")
    assert "page 1 of 5, two-state: At a glance" in titles  # after its learners: it takes their limits
    pages = list(dict.fromkeys(title.partition(", ")[0] for title in titles))
    assert pages[:5] == [f"page {n} of 5" for n in range(1, 6)]


@pytest.mark.thorough
def test_the_same_site_twice_is_the_same_bytes(pages):
    assert whole_site() == pages


def test_names_of_files_are_plain_and_none_stands_twice():
    problems = [named(name) for name in ("index", "paper", "learners", "A b", "a/B", "../..", "\u00e9", "x" * 100)]
    names = file_names(problems)
    assert names[:5] == ["index-2.html", "paper-2.html", "learners-2.html", "a-b.html", "a-b-2.html"]
    assert names[5:7] == ["problem.html", "problem-2.html"]
    assert len(names[7]) < 80


def test_an_interrupted_site_leaves_nothing_behind(tmp_path, asker, monkeypatch):
    done = []

    def interrupted(subjects, *_, **__):
        if done:
            raise KeyboardInterrupt
        done.append(subjects)
        return "a page"

    monkeypatch.setattr(site_module, "build", interrupted)
    monkeypatch.setattr("verify.paper.report.claims_judged", lambda _: ())
    folder = tmp_path / "site"
    assert asker(main, PROG)("--all", "-o", str(folder)) == (130, "", f"{PROG}: interrupted\n")
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_is_noticed_before_the_work(tmp_path):
    file = tmp_path / "file"
    file.write_text("somebody's")
    with pytest.raises(BadOption, match="cannot be"):
        check_folder(file / "site")
    with pytest.raises(BadOption, match="is no folder"):
        check_folder(file)
    with pytest.raises(BadOption, match="cannot be made"):
        write_site({"index.html": ""}, file)
    check_folder(tmp_path / "site")
    check_folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert file.read_text() == "somebody's"


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["index.html", "paper.html", "learners.html", "two-state.html"])
def test_a_file_of_somebody_else_is_not_replaced_by_a_page(tmp_path, pages, name, asker):
    (tmp_path / name).write_text("<!DOCTYPE html>\n<title>precious</title>\n", encoding="utf-8")
    status, out, err = asker(main, PROG)("--all", "-o", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{name}: is no page of a site, and is not replaced" in err
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert "precious" in (tmp_path / name).read_text(encoding="utf-8")


def test_a_site_is_replaced_by_another(tmp_path, pages):
    for _ in range(2):
        check_folder(tmp_path, [find_problem("two-state"), named(HOSTILE)])
        write_site(pages, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(pages)

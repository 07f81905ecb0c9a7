"""A real browser, started once, and pages to look at with it."""

from __future__ import annotations

import os
import shutil

import pytest

SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def browser():
    """Start Chromium, or say what is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; pip install -e '.[test]'")
    result = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if result is None:
        pytest.skip("no browser; apt-get install chromium, or set CHROMIUM to one")
    with api.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=result, args=list(SWITCHES))
        yield opened
        opened.close()


@pytest.fixture
def look(browser):
    """Return what opens a file and returns its page, with what went wrong there as `page.troubles`."""
    contexts = []

    def look(file, width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("dialog", lambda dialog: page.troubles.append(dialog.message))
        page.on("request", lambda request: page.troubles.append(request.url) if request.url != file.as_uri() else None)
        page.goto(file.as_uri())
        return page

    yield look
    for context in contexts:
        context.close()


@pytest.fixture
def axe():
    """Return what asks the accessibility checker axe what it finds by some rules, or all, however small, and where."""
    checker = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed; pip install -e '.[test]'"
    )

    def axe(page, *rules):
        options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
        result = checker.Axe().run(page, options=options).response["violations"]
        return [(each["id"], each["impact"], [node["html"] for node in each["nodes"]][:3]) for each in result]

    return axe


HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="session")
def paper_page(tmp_path_factory):
    """Return a page about some claims, of every kind."""
    from reports.build.site import build
    from reports.page.subject import OnPaper, Request
    from tdrc_theory.papers import find_paper
    from verify.paper.report import answers

    chosen = ("determinant.of-G", "determinant.characteristic", "theorem-3.1.note-beta", "conditions.bounds")
    words = ("background.errors-vanish", "background.td-no-objective")
    request = Request(place_and_time=False)
    paper = find_paper()
    result = answers(paper, map(paper.claim, (*chosen, *words, CONTRADICTION)))
    file = tmp_path_factory.mktemp("pages") / "paper.html"
    file.write_text(
        build([OnPaper(paper=paper, request=request, answers=tuple(result), kernel={})], request), encoding="utf-8"
    )
    return file


CONTRADICTION = "contradiction.batch-steps"


@pytest.fixture(scope="session")
def problem_page(tmp_path_factory):
    """Return a page about two problems, one of them by someone who means harm."""
    from reports.build.__main__ import main

    folder = tmp_path_factory.mktemp("pages")
    file = folder / f"{HOSTILE.replace('/', '_')}.toml"
    file.write_text(
        f"""
name = "{HOSTILE}"
gamma = 0.9
features = [[1], [2]]
[mrp]
P = [[0, 1], [0, 1]]
r = [0, 0]
d = ["1/2", "1/2"]
"""
    )
    page = folder / "page.html"
    assert main(["two-state", str(file), "--beta", "1/10", "--eta", "4", "-o", str(page)]) == 0
    return page

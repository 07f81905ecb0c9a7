from __future__ import annotations

import pytest

from reports.build.__main__ import PROG, main


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_the_same_inputs_give_the_same_bytes(ask, tmp_path):
    pages = []
    for _ in range(2):
        assert ask("two-state", "--reproducible", "-o", str(tmp_path / "page.html")) == (0, "", "")
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]
    assert b"not-convergent" in pages[0]


def test_a_page_about_nothing_is_refused(ask, tmp_path):
    status, _, told = ask("-o", str(tmp_path / "page.html"))
    assert (status, "name a PROBLEM" in told) == (2, True)

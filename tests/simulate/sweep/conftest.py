from __future__ import annotations

import pytest

from simulate.sweep.__main__ import PROG, main


@pytest.fixture
def ask(asker, tmp_path, monkeypatch):
    """Return a function that runs the command on an experiment's text in an empty folder."""
    monkeypatch.chdir(tmp_path)
    run = asker(main, PROG)

    def ask(text, *options):
        (tmp_path / "study.toml").write_text(text)
        return run("study.toml", *options)

    return ask

"""A progress bar: on a terminal only, on the error stream, and only for what takes more than a moment."""

import io
import sys
import threading

import pytest

from tdrc_theory.cli import progress
from tdrc_theory.cli.progress import progress_bar


class Terminal(io.StringIO):
    """An error stream that is a terminal, and says when a text has been written."""

    def __init__(self, awaited):
        super().__init__()
        self.awaited, self.seen = awaited, threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        written = super().write(text)
        if self.awaited in self.getvalue():
            self.seen.set()
        return written


def terminal(monkeypatch, awaited, moment):
    """Return what is the error stream from now on; in a test itself, since pytest sets its own before each."""
    stream = Terminal(awaited)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(progress, "MOMENT", moment)
    return stream


def test_what_takes_long_shows_what_it_does_and_how_far_it_is(monkeypatch, capsys):
    stream = terminal(monkeypatch, "7/40", 0.001)
    with progress_bar("proofs", 40) as tell:
        tell(7)
        assert stream.seen.wait(60)
    assert "proofs" in stream.getvalue()
    assert capsys.readouterr().out == ""


def test_of_what_nobody_knows_the_length_there_is_the_title_and_the_time(monkeypatch):
    stream = terminal(monkeypatch, "proofs", 0.001)
    with progress_bar("proofs"):
        assert stream.seen.wait(60)
    assert "0:00:0" in stream.getvalue()
    assert "/" not in stream.getvalue()


def test_what_takes_a_moment_shows_nothing_and_leaves_no_thread(monkeypatch):
    stream = terminal(monkeypatch, "", 3600)
    before = set(threading.enumerate())
    with progress_bar("proofs", 40) as tell:
        started = set(threading.enumerate()) - before
        tell(40)
    assert stream.getvalue() == ""
    for thread in started:
        thread.join(60)
    assert not any(thread.is_alive() for thread in started)


def test_what_ends_by_an_error_takes_its_bar_away(monkeypatch):
    stream = terminal(monkeypatch, "proofs", 0.001)

    def failing():
        with progress_bar("proofs"):
            assert stream.seen.wait(60)
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert sys.stderr is stream  # which a bar that is shown has in its hands
    assert stream.getvalue().endswith("\x1b[2K")


def test_where_nobody_looks_nothing_is_shown(monkeypatch, capsys):
    monkeypatch.setattr(progress, "MOMENT", 0)
    with progress_bar("proofs", 40) as tell:
        tell(40)
    assert capsys.readouterr().err == ""

"""Commands under siege: whatever they are given, an answer or one line of error, in time, and no traceback."""

from __future__ import annotations

import importlib
import random
import signal
import traceback

import pytest

from reports.command import main
from tdrc_theory.learner import recording

SECONDS = 30
"""In which each command ends; hostile problems are small."""
DOCUMENTED = (0, 1, 2, 130)
"""Exit statuses; 130 where a file raises what an interrupt does."""


class NoEnd(BaseException):
    """A command took longer; no Exception, so that nothing catches it."""


@pytest.fixture(scope="session")
def imported():
    """Import what commands import late: a limit of time ends a process, but here it would leave half of an import."""
    for name in ("matplotlib.pyplot", "llvmlite.binding", "scipy.optimize", "scipy.sparse.linalg", "sympy"):
        importlib.import_module(name)


@pytest.fixture
def answered(capsys, imported):
    """Return what runs a command in this process, and returns its exit status and what is wrong with its answer."""

    def end(_, __):
        raise NoEnd

    def answered(arguments):
        before = signal.signal(signal.SIGALRM, end)
        signal.alarm(SECONDS)
        try:
            status = main(arguments)
        except SystemExit as left:
            status = left.code
        except NoEnd:
            return None, "no end"
        except BaseException:
            return None, traceback.format_exc(limit=-3)
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
        _, error = capsys.readouterr()
        if status not in DOCUMENTED:
            return status, f"exit status {status}"
        if status == 2 and error.count("\n") != 1:
            return status, f"{error.count(chr(10))} lines of error: {error!r}"
        return status, f"a traceback: {error!r}" if "Traceback" in error else None

    return answered


@pytest.fixture
def besiege(answered, tmp_path, monkeypatch):
    """Return what gives commands so many hostile inputs, each drawn with a seed of its own, and asserts the answers."""
    monkeypatch.setattr(recording, "MOST_SECONDS", 0.3)
    monkeypatch.chdir(tmp_path)  # where what has no place of its own is kept

    def besiege(draw, count):
        """Draw arguments from (random, folder), and return how often each exit status came."""
        statuses, wrong = {}, []
        for seed in range(count):
            folder = tmp_path / str(seed)
            folder.mkdir()
            arguments = draw(random.Random(seed), folder)
            status, trouble = answered(arguments)
            statuses[status] = statuses.get(status, 0) + 1
            if trouble:
                wrong.append(f"seed {seed}: {' '.join(arguments)}\n{trouble}")
        assert not wrong, f"{len(wrong)} of {count}:\n" + "\n".join(wrong)
        return statuses

    return besiege


def pytest_generate_tests(metafunc):
    """Give each siege its number of inputs twice: a few of them, and all, which is slow."""
    if "count" in metafunc.fixturenames:
        few, all_ = metafunc.module.FEW, metafunc.module.ALL
        metafunc.parametrize("count", [few, pytest.param(all_, marks=pytest.mark.slow)], ids=["few", "all"])

from __future__ import annotations

import pytest

from tdrc_theory.command import run


@pytest.fixture
def asker(capsys):
    """Return what makes, of a command, a function that runs it here and returns its exit status, output and errors."""

    def asker(main, prog):
        def ask(*arguments):
            try:
                status = run(main, prog, arguments)
            except SystemExit as left:  # argparse leaves so
                status = left.code
            written = capsys.readouterr()
            return status, written.out, written.err

        return ask

    return asker

"""What is said where an optional package is not there, or cannot be imported."""

import sys

import pytest

from tdrc_theory.cli.extras import importing
from tdrc_theory.errors import MissingExtra

NEEDED = ("networks need", "brittle", "control")


def message_of_refusal():
    with pytest.raises(MissingExtra) as refusal, importing(*NEEDED):
        import brittle  # noqa: F401
    return str(refusal.value)


def test_a_package_that_is_not_installed_is_asked_for_by_its_extra():
    assert message_of_refusal() == "networks need brittle; install it with: pip install 'tdrc-referee[control]'"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise ImportError('libbrittle.so:\\n no such file')", "libbrittle.so: no such file"),
        ("raise OSError('libbrittle.so: no such file')", "libbrittle.so: no such file"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("raise RuntimeError", "RuntimeError"),
    ],
)
def test_a_package_that_is_there_but_broken_is_told_so_with_the_reason_on_one_line(
    source, reason, tmp_path, monkeypatch
):
    (tmp_path / "brittle.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "brittle", raising=False)
    assert message_of_refusal() == f"networks need brittle, which is installed but cannot be imported: {reason}"

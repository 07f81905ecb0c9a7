from __future__ import annotations

import pytest

from tdrc_theory import load_problem
from tdrc_theory.errors import BadProblem, TheoryError


@pytest.fixture
def write(tmp_path):
    def write(text, name="problem.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def refusal():
    def refusal(path):
        with pytest.raises(BadProblem) as caught:
            load_problem(path)
        message = str(caught.value)
        assert isinstance(caught.value, TheoryError)
        assert len(message.splitlines()) == 1
        assert message.startswith(f"{path}: ")
        assert len(message) < len(str(path)) + 300
        return message.removeprefix(f"{path}: ")

    return refusal


@pytest.fixture
def replaced():
    def replaced(text, old, new):
        assert text.count(old) == 1, f"{old!r} is not unique in the template"
        return text.replace(old, new)

    return replaced


@pytest.fixture
def with_line(replaced):
    def with_line(text, key, value):
        old = next(each for each in text.splitlines() if each.startswith(f"{key} ="))
        return replaced(text, old, f"{key} = {value}")

    return with_line

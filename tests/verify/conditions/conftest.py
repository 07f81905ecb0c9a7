from __future__ import annotations

import json

import pytest

from verify.conditions.__main__ import PROG, main

MRP = """\
name = {name}
gamma = "1/2"
features = [[1, 0], [0, 1]]
[mrp]
P = [[0, "1/2"], ["1/3", 0]]
r = [1, 2]
d = [0.25, 0.75]
"""


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


@pytest.fixture
def ask_json(ask):
    def refuse_constant(name):
        raise AssertionError(f"{name} is not JSON")

    def ask_json(*arguments):
        status, out, err = ask(*arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out, parse_constant=refuse_constant)

    return ask_json


@pytest.fixture
def problem_file(tmp_path):
    def problem_file(name):
        path = tmp_path / "problem.toml"
        path.write_text(MRP.format(name=name), encoding="utf-8")
        return str(path)

    return problem_file


@pytest.fixture
def is_one_error():
    def is_one_error(err):
        return err.startswith(f"{PROG}: error: ") and len(err.splitlines()) == 1 and err.endswith("\n")

    return is_one_error

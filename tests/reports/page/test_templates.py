from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import reports

FOLDER = Path(reports.__file__).parent / "templates"
TEMPLATES = sorted(FOLDER.rglob("*.html"))
COMPUTES = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg)
FILTERS = {"capitalize", "embedded", "join", "length", "math"}


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.relative_to(FOLDER).as_posix())
def test_a_template_computes_nothing_and_trusts_no_text(file):
    tree = Environment().parse(file.read_text(encoding="utf-8"))
    assert not list(tree.find_all(COMPUTES))
    assert {node.name for node in tree.find_all(nodes.Filter)} <= FILTERS  # `safe` would let a user's text be obeyed
    assert not list(tree.find_all((nodes.MarkSafe, nodes.ScopedEvalContextModifier)))

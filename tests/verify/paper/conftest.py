from __future__ import annotations

import pytest

from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind
from verify.paper.report import answers


@pytest.fixture(scope="session")
def report():
    """Return the answer for every claim, by its id; judging them all takes several seconds."""
    return {answer.claim.id: answer for answer in answers(find_paper(), find_paper().of_kind(Kind.FORMULA))}

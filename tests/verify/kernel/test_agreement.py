"""Two checkers, one in Python and one in Coq that is proven sound, give the same answer on every certificate."""

from __future__ import annotations

import importlib.util
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory.errors import MissingExtra
from tdrc_theory.proofs.coq import coq_version
from tdrc_theory.proofs.library import compiled_checker, coq_output
from verify.certificate import certificate
from verify.check_certificate import Rejected
from verify.kernel.certificate_term import certificate_terms
from verify.kernel.proof_file import HEADER

LONGEST = 30_000
"""Of a certificate's text: Coq reads longer ones for minutes."""
TAMPERED = 1000


def neighbour(name):
    """Return another file of tests as a module."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent.parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SUITE = neighbour("test_certificate")


def term(document):
    """Return Coq's question about a certificate; what has no term is rejected without it."""
    try:
        return f"accepts {' '.join(certificate_terms(document))}"
    except Rejected:
        return "false"


def answers_of_coq(documents):
    asked = [f"Definition answer{i} := {term(document)}." for i, document in enumerate(documents)]
    names = "; ".join(f"answer{i}" for i in range(len(documents)))
    with compiled_checker() as checker:
        printed = coq_output(checker, "\n".join([HEADER, *asked, f"Eval vm_compute in [:: {names}].\n"]))
    return [word == "true" for word in re.findall(r"\b(true|false)\b", printed)]


def tampered(certificates, rng):
    """Return a certificate with one number changed, and a digest that fits."""
    made = rng.choice(certificates)
    changes = (
        lambda text: str(-Fraction(text)),
        lambda text: str(Fraction(text) + 1),
        lambda text: str(Fraction(text) * 2),
        lambda text: str(Fraction(text) + Fraction(1, 10**9)),
        lambda _: str(rng.randint(-3, 3)),
    )
    path = rng.choice([path for path in SUITE.numbers(made) if path[0] in ("claim", "proof")])
    return SUITE.changed(made, path, rng.choice(changes))


@pytest.mark.slow
def test_both_checkers_agree_on_the_certificates_of_the_suite_and_on_tampered_ones():
    try:
        coq_version()
    except MissingExtra as missing:
        pytest.skip(f"Coq is not asked: {missing}")
    every = [certificate(SUITE.judged(*setting)) for setting in SUITE.settings()]
    documents = [made for made in every if len(json.dumps(made)) < LONGEST]
    assert {made["proof"]["kind"] for made in documents} == SUITE.KINDS
    rng, small = random.Random(19), [made for made in documents if len(json.dumps(made)) < 2000]
    documents += [tampered(small, rng) for _ in range(TAMPERED)]
    answers = answers_of_coq(documents)
    assert answers == [SUITE.accepted(document) for document in documents]
    assert answers.count(False) > TAMPERED / 4

"""Two checkers, one in Python and one in Coq that is proven sound, give the same answer on every certificate."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory.errors import MissingExtra
from tdrc_theory.proofs.coq import compiled_checker, coq_output, coq_version
from verify.certificate import certificate
from verify.check_certificate import Rejected
from verify.kernel.terms import certificate_terms
from verify.kernel.verdicts import HEADER

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
    result = rng.choice(certificates)
    changes = (
        lambda text: str(-Fraction(text)),
        lambda text: str(Fraction(text) + 1),
        lambda text: str(Fraction(text) * 2),
        lambda text: str(Fraction(text) + Fraction(1, 10**9)),
        lambda _: str(rng.randint(-3, 3)),
    )
    path = rng.choice([path for path in SUITE.numbers(result) if path[0] in ("claim", "proof")])
    return SUITE.changed(result, path, rng.choice(changes))


def moved(rng, text):
    return str(Fraction(text) + rng.choice([-1, 1, Fraction(1, 10**9), 1000]))


def nonzero_columns(rows):
    return [j for j in range(len(rows[0])) if any(Fraction(row[j]) for row in rows)]


def nonzero_rows(rows):
    return [i for i, row in enumerate(rows) if any(map(Fraction, row))]


def negative_scale(rng, claim, proof):
    """D is not positive."""
    i = rng.randrange(len(proof["D"]))
    proof["D"][i] = "-" + proof["D"][i]


def asymmetric_form(rng, claim, proof):
    """P_ij is changed, and P_ji is not."""
    i, j = rng.sample(range(len(proof["P"])), 2)
    proof["P"][i][j] = moved(rng, proof["P"][i][j])


def indefinite_form(rng, claim, proof):
    """P_ii <= 0, so that P is not positive definite, whatever W is."""
    i = rng.randrange(len(proof["P"]))
    proof["P"][i][i] = str(-abs(Fraction(proof["P"][i][i])))


def singular_witness(rng, claim, proof):
    """A row of W is 0, and so is a diagonal entry of W P W^T."""
    proof["W"][rng.randrange(len(proof["W"]))] = ["0"] * len(proof["W"])


def other_kernel(rng, claim, proof):
    """N_jc is moved, and so G N by a multiple of column j of G, which is not 0."""
    values = rng.choice(proof["kernel"])
    j = rng.choice(nonzero_columns(claim["G"]))
    values[j] = moved(rng, values[j])


def other_left(rng, claim, proof):
    """M_ic is moved, and so M^T G by a multiple of row i of G, which is not 0."""
    values = rng.choice(proof["left"])
    i = rng.choice(nonzero_rows(claim["G"]))
    values[i] = moved(rng, values[i])


def other_point(rng, claim, proof):
    """G varrho + g is moved by a multiple of column j of G, which is not 0."""
    j = rng.choice(nonzero_columns(claim["G"]))
    proof["point"][j] = moved(rng, proof["point"][j])


def other_g(rng, claim, proof):
    """G varrho + g is moved."""
    i = rng.randrange(len(claim["g"]))
    claim["g"][i] = moved(rng, claim["g"][i])


def opposite_problem(rng, claim, proof):
    """G is another: - G has an eigenvalue with positive real part, as G has one with negative real part."""
    claim["G"] = [[str(-Fraction(value)) for value in row] for row in claim["G"]]


def negative_shift(rng, claim, proof):
    """c < 0: an eigenvalue with real part above c need not be unstable."""
    proof["shift"] = "-" + proof["shift"]


def no_vector(rng, claim, proof):
    """v = 0, where v^T P v < 0, y^T g != 0 or independent G^j v are asked for."""
    proof["vector"] = ["0"] * len(proof["vector"])


def other_polynomial(rng, claim, proof):
    """f(G) v is moved by a multiple of G^j v, j < deg f, which is not 0."""
    j = rng.randrange(len(proof["polynomial"]) - 1)
    proof["polynomial"][j] = moved(rng, proof["polynomial"][j])


def other_inverse(rng, claim, proof):
    """The product with v, G v, ... is moved by a multiple of the column of their i-th entries, v_i != 0."""
    i = rng.choice([i for i, value in enumerate(proof["vector"]) if Fraction(value)])
    j = rng.randrange(len(proof["inverse"][i]))
    proof["inverse"][i][j] = moved(rng, proof["inverse"][i][j])


def other_left_vector(rng, claim, proof):
    """y^T G is moved by a multiple of row i of G, which is not 0."""
    i = rng.choice(nonzero_rows(claim["G"]))
    proof["vector"][i] = moved(rng, proof["vector"][i])


def no_direction(rng, claim, proof):
    """The second fixed point is the first."""
    proof["direction"] = ["0"] * len(proof["direction"])


def any_fixed_point_counts(rng, claim, proof):
    """A fixed point that does not solve A w = b is none to complain of."""
    claim["fixed_points"] = "own"


def other_verdict(rng, claim, proof):
    """The proof is of another verdict."""
    every = ["convergent", "convergent-to-a-set", "not-convergent"]
    claim["verdict"] = rng.choice([verdict for verdict in every if verdict != claim["verdict"]])


def other_dimension(rng, claim, proof):
    """A row of G is gone."""
    claim["G"].pop(rng.randrange(len(claim["G"])))


def other_length(rng, claim, proof):
    """An entry of g is gone."""
    claim["g"].pop()


BREAKS = {
    "stable": [
        negative_scale,
        asymmetric_form,
        indefinite_form,
        singular_witness,
        other_kernel,
        other_left,
        other_point,
        other_g,
        opposite_problem,
    ],
    "unstable": [negative_scale, asymmetric_form, negative_shift, no_vector],
    "factor": [other_polynomial, other_inverse, no_vector],
    "no-fixed-point": [no_vector, other_left_vector],
    "spurious-fixed-point": [no_direction, any_fixed_point_counts, other_point, other_g],
}
"""What makes a certificate wrong, by the argument that stands there."""


CHANGES = sorted({change for changes in BREAKS.values() for change in changes}, key=lambda change: change.__name__)
CHANGES += [other_verdict, other_dimension, other_length]


def applies(change, result):
    claim, proof = result["claim"], result["proof"]
    if change not in (*BREAKS[proof["kind"]], other_verdict, other_dimension, other_length):
        return False
    if change is asymmetric_form:
        return len(proof["P"]) > 1
    if change in (other_kernel, other_left):
        return bool(proof["kernel"]) and bool(nonzero_rows(claim["G"]))
    if change in (other_point, other_left_vector, opposite_problem):
        return bool(nonzero_rows(claim["G"]))
    return True


def broken(certificates, change, rng):
    """Return a certificate that does not prove its claim any more, with a digest that fits."""
    result = copy.deepcopy(rng.choice([result for result in certificates if applies(change, result)]))
    change(rng, result["claim"], result["proof"])
    return SUITE.resealed(result)


@pytest.fixture(scope="module")
def certificates():
    try:
        coq_version()
    except MissingExtra as missing:
        pytest.skip(f"Coq is not asked: {missing}")
    return [certificate(SUITE.judged(*setting)) for setting in SUITE.settings()]


@pytest.mark.slow
def test_both_checkers_agree_on_the_certificates_of_the_suite_and_on_tampered_ones(certificates):
    documents = [each for each in certificates if len(json.dumps(each)) < LONGEST]
    assert {each["proof"]["kind"] for each in documents} == SUITE.KINDS
    rng, small = random.Random(19), [each for each in documents if len(json.dumps(each)) < 2000]
    documents += [tampered(small, rng) for _ in range(TAMPERED)]
    answers = answers_of_coq(documents)
    assert answers == [SUITE.accepted(document) for document in documents]
    assert answers.count(False) > TAMPERED / 4


@pytest.mark.slow
def test_both_checkers_reject_each_certificate_that_was_tampered_with_so_that_it_proves_its_claim_no_more(certificates):
    rng, small = random.Random(4), [each for each in certificates if len(json.dumps(each)) < 2000]
    changes = [CHANGES[i % len(CHANGES)] for i in range(TAMPERED)]
    documents = [broken(small, change, rng) for change in changes]
    assert [change for change, each in zip(changes, documents, strict=True) if SUITE.accepted(each)] == []
    answers = answers_of_coq(documents)
    assert len(answers) == TAMPERED
    assert not any(answers)

from __future__ import annotations

import os
import re

import pytest

from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind, Role
from tdrc_theory.proofs.coq import FOLDER, PACKAGES, CoqAnswer, coq_version, theorems
from verify.check import Proof, Status
from verify.paper import kernel
from verify.paper.kernel import coq_sources, kernel_results
from verify.paper.report import answer

TRUE = "Theorem one : true = true. Proof. by []. Qed.\n"
FALSE = "Theorem one : true = false. Proof. by []. Qed.\n"

CLAIMS = find_paper().of_kind(Kind.FORMULA)


@pytest.fixture
def with_coq():
    try:
        coq_version()
    except MissingExtra as missing:
        pytest.skip(f"the proofs are not checked: {missing}")


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def asked(monkeypatch):
    """Return a list that grows by one each time that Coq is asked to compile."""
    times = []
    check = kernel.check_proofs
    monkeypatch.setattr(kernel, "check_proofs", lambda *each: times.append(1) or check(*each))
    return times


@pytest.fixture
def write(tmp_path):
    def write(text):
        (tmp_path / "one.v").write_text(f"From mathcomp Require Import all_ssreflect.\n{text}", encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.thorough
def test_what_coq_accepted_is_kept_until_a_source_changes(with_coq, cache, asked, write):
    assert kernel_results(folder=write(TRUE))["one"].accepted is True
    assert kernel_results(compile=False, folder=write(TRUE))["one"].accepted is True
    assert kernel_results(folder=write(TRUE))["one"].accepted is True
    assert len(asked) == 1
    changed = kernel_results(folder=write(FALSE))["one"]
    assert changed.accepted is False
    assert "does not compile" in changed.reason
    assert len(asked) == 2


@pytest.mark.thorough
def test_what_coq_rejected_is_asked_again(with_coq, cache, asked, write):
    for _ in range(2):
        assert kernel_results(folder=write(FALSE))["one"].accepted is False
    assert len(asked) == 2
    assert not cache.exists()


@pytest.mark.thorough
def test_another_version_of_coq_is_asked_again(with_coq, cache, write, monkeypatch):
    kernel_results(folder=write(TRUE))
    monkeypatch.setattr(kernel, "coq_version", lambda: "another")
    assert kernel_results(compile=False, folder=write(TRUE))["one"].accepted is None


SPOILED = ["", "7", "[[]]", '["two"]', "[]", '["one"]', '{"accepted": ["one"]}', '{"key": "0", "accepted": ["one"]}']


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no modes here")
def test_a_cache_that_others_can_write_proves_nothing(cache, write, monkeypatch):
    monkeypatch.setattr(kernel, "coq_version", lambda: "any")
    monkeypatch.setattr(kernel, "check_proofs", lambda *_: pytest.fail("asked"))
    folder = write("Theorem one : true = false. Proof. Admitted.\n")
    key = kernel._key(kernel.read_sources(folder), "any")
    cache.mkdir(mode=0o700)
    (cache / f"proofs-{key}.json").write_text(f'{{"key": "{key}", "accepted": ["one"]}}', encoding="utf-8")
    for mode in 0o720, 0o702:
        cache.chmod(mode)
        with pytest.raises(BadOption, match="other users can write into it"):
            kernel_results(folder=folder)
    cache.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: -1)
    with pytest.raises(BadOption, match="belongs to another user"):
        kernel_results(compile=False, folder=folder)


@pytest.mark.parametrize("spoiled", SPOILED)
def test_a_spoiled_record_says_nothing(cache, write, spoiled, monkeypatch):
    monkeypatch.setattr(kernel, "coq_version", lambda: "any")
    folder = write(TRUE)
    cache.mkdir(mode=0o700)
    record = cache / f"proofs-{kernel._key(kernel.read_sources(folder), 'any')}.json"
    record.write_text(spoiled, encoding="utf-8")
    assert kernel_results(compile=False, folder=folder)["one"].accepted is None


def test_without_coq_nothing_is_accepted_even_if_it_once_was(with_coq, cache, write, monkeypatch, tmp_path):
    assert kernel_results(folder=write(TRUE))["one"].accepted is True
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = kernel_results(folder=write(TRUE))["one"]
    assert missing.accepted is None
    assert missing.reason.startswith("not checked here: Coq is not installed")
    assert missing.reason.endswith(PACKAGES)


def test_without_coq_every_theorem_of_the_project_is_still_stated(cache, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    results = kernel_results()
    assert results["det_G"].accepted is None
    assert results["det_G"].theorem.file == "determinant_of_G.v"
    assert all(result.accepted is None for result in results.values())


def test_the_readme_counts_the_formulas_that_have_a_theorem():
    page = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    counts = re.search(r"(\d+) of its (\d+) formulas have a\s+theorem there, and the other (\d+) define", page)
    without = [claim for claim in CLAIMS if claim.theorem is None]
    assert tuple(map(int, counts.groups())) == (len(CLAIMS) - len(without), len(CLAIMS), len(without))
    assert {claim.role for claim in without} <= {Role.DEFINITION, Role.IDENTITY}

    formulas = find_paper("emphatic-td").of_kind(Kind.FORMULA)
    counts = re.search(r"(\d+) of that paper's (\d+) formulas", page)
    stated = [claim for claim in formulas if claim.theorem is not None]
    assert tuple(map(int, counts.groups())) == (len(stated), len(formulas))


def test_every_theorem_that_a_claim_names_is_there():
    claims = [claim for paper in ("tdrc", "emphatic-td") for claim in find_paper(paper).claims]
    named = {name for claim in claims for name in (claim.theorem, claim.refutation) if name is not None}
    assert len(named) > 100
    assert named <= {theorem.name for theorem in theorems(coq_sources())}


@pytest.mark.parametrize(("name", "id"), [("emphatic-td", "examples.average-sense"), ("tdrc", "scaling.rewards")])
def test_what_coq_refutes_is_as_well_known_as_what_it_proves(name, id):
    paper = find_paper(name)
    claim = paper.claim(id)
    accepted = {
        theorem.name: CoqAnswer(theorem, True, "")
        for theorem in theorems(coq_sources())
        if theorem.name in (claim.theorem, claim.refutation)
    }
    known = answer(claim, paper, accepted)
    assert (known.printed.status, known.printed_proof) == (Status.FAILS, Proof.KERNEL)
    assert (known.corrected.status, known.corrected_proof) == (Status.HOLDS, Proof.KERNEL)
    without = answer(claim, paper, {claim.theorem: accepted[claim.theorem]})
    assert without.corrected_proof is Proof.KERNEL
    assert without.printed_proof is without.proof is answer(claim, paper).printed_proof is not Proof.KERNEL

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tdrc_theory.errors import MissingExtra
from tdrc_theory.papers import find_paper
from tdrc_theory.proofs import coq
from tdrc_theory.proofs.coq import FOLDER, theorems
from verify.kernel.__main__ import PROG, main
from verify.paper.kernel import coq_sources

ROOT = Path(__file__).parents[3]
SOURCES = coq_sources()
OURS = {theorem.name: theorem for theorem in theorems(SOURCES)}


def without_comments(text):
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


@pytest.fixture
def with_coq():
    try:
        coq.coq_version()
    except MissingExtra as missing:
        pytest.skip(f"the proofs are not checked: {missing}")


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


TEXTS = {file: without_comments(source) for file, source in SOURCES.items()}


def test_nothing_is_assumed_or_left_open():
    opened = "Axioms? Parameters? Conjectures? Context Admitted admit Abort Checking bypass_check"
    # What a section begins with becomes a premise of its lemmas when it ends; a theorem states its own.
    within = re.compile(r"^Section (\w+)\.$(.*?)^End \1\.$", re.MULTILINE | re.DOTALL)
    for file, text in TEXTS.items():
        assert re.findall(rf"\b({'|'.join(opened.split())})\b", text) == [], file
        assert re.findall(r"\b(Hypothes[ie]s|Variables?)\b", within.sub("", text)) == [], file
        assert not [name for name, content in within.findall(text) if "Theorem" in content], file


def test_every_theorem_of_the_text_is_asked_about():
    for file, text in TEXTS.items():
        stated = re.findall(r"\b(?:Theorem|Corollary|Proposition|Fact|Remark) (\w+)", text)
        assert stated == [theorem.name for theorem in theorems({file: SOURCES[file]})]
        assert stated or "Definition" in text, file


def test_statements_are_written_in_mathcomps_own_notation():
    notation = re.compile(r"\b(Notation|Infix|Coercion|Canonical|Instance)\b")
    assert [(file, matches) for file, text in TEXTS.items() if (matches := notation.findall(text))] == []


def test_names_of_definitions_are_unique():
    names = re.findall(r"^Definition (\w+)", "\n".join(SOURCES.values()), re.MULTILINE)
    assert len(set(names)) == len(names) > 0


def test_names_of_theorems_are_unique():
    assert len(OURS) == len(theorems(SOURCES))


def test_a_statement_comes_with_the_definitions_it_rests_on():
    assert "Definition tdrc_G" in str(OURS["det_G"])
    text = str(OURS["det_G"])
    assert text.endswith(r"\det (tdrc_G eta beta A C) = eta ^+ d * \det (A^T + beta%:M) * \det A.")


def test_the_table_of_the_readme_names_theorems_of_its_learners():
    _, section = (FOLDER.parent / "README.md").read_text(encoding="utf-8").split("### Learners with traces")
    rows = re.findall(r"^\| .* \| (`.*`) \|$", section, re.MULTILINE)
    named = [name for cell in rows for name in re.findall(r"`(\w+)`", cell)]
    traces = "emphasis_by_sums emphatic_td emphatic_td_mean expected_traces key_matrix_example stable_key_matrices"
    files = [f"{name}.v" for name in (*traces.split(), "lyapunov_existence", "renewal", "scaling")]
    others = OURS.keys() - {name for claim in find_paper().claims for name in (claim.theorem, claim.refutation)}
    assert sorted(named) == sorted(name for name in others if OURS[name].file in files)


@pytest.mark.slow  # `make prove` does the same
def test_coq_accepts_every_theorem(with_coq, ask):
    status, out, err = ask()
    assert status == 0, out + err
    assert out.count(": Closed under the global context") == len(OURS)
    assert not list(FOLDER.glob("*.vo"))


JUDGED = {
    "sound.v": "Theorem sound : ~~ false = true. Proof. by []. Qed.",
    "broken.v": "Theorem broken : ~~ true = true. Proof. by []. Qed.",
    "unfinished.v": "Theorem unfinished : ~~ true = true. Proof. Admitted.",
    "assumed.v": "Axiom easy : ~~ true = true.\nTheorem assumed : ~~ true = true. Proof. exact: easy. Qed.",
    # Here, and here only, "~~" says nothing; a reader would take it for what it says elsewhere.
    "worded.v": 'Local Notation "~~ b" := (id b).\nTheorem worded : ~~ true = true. Proof. by []. Qed.',
}


@pytest.mark.thorough
def test_whatever_is_not_proven_is_rejected(with_coq, ask, tmp_path):
    for name, text in JUDGED.items():
        (tmp_path / name).write_text(f"From mathcomp Require Import all_ssreflect.\n{text}\n", encoding="utf-8")
    status, out, _ = ask(str(tmp_path))
    assert status == 1
    fields = {
        name: (verdict, reason) for verdict, name, reason in re.findall(r"^(.*\S)  +(\w+): (.*)$", out, re.MULTILINE)
    }
    assert [name for name, (verdict, _) in fields.items() if verdict == "proven"] == ["sound"]
    assert fields.keys() == {file.removesuffix(".v") for file in JUDGED}
    assert "broken.v does not compile" in fields["broken"][1]
    assert fields["unfinished"][1].startswith("Axioms: unfinished")
    assert fields["assumed"][1].startswith("Axioms: easy")
    assert "not proven as it is shown" in fields["worded"][1]


@pytest.mark.thorough
def test_a_proof_with_one_sign_changed_is_rejected(with_coq, ask, tmp_path):
    for file in ("definitions.v", "determinant_of_G.v"):
        (tmp_path / file).write_text(SOURCES[file].replace("(A^T + beta%:M) *", "(A^T - beta%:M) *"), encoding="utf-8")
    status, out, _ = ask(str(tmp_path))
    assert status == 1
    assert "NOT PROVEN  det_G: determinant_of_G.v does not compile" in out


def test_without_coq_one_line_says_what_to_install(ask, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("coqc") is None
    status, out, err = ask()
    assert (status, out) == (2, "")
    assert err.splitlines() == [f"{PROG}: error: Coq is not installed; on Debian: apt-get install {coq.PACKAGES}"]


def test_without_a_library_one_line_says_what_to_install(with_coq, ask, monkeypatch):
    monkeypatch.setattr(coq, "LIBRARIES", ("mathcomp.not.there",))
    status, _, err = ask()
    assert status == 2
    assert "mathcomp.not.there" in err
    assert coq.PACKAGES in err


def test_a_folder_without_sources_is_bad_input(ask, tmp_path):
    status, _, err = ask(str(tmp_path))
    assert status == 2
    assert "no Coq source" in err


def test_files_that_require_each_other_are_bad_input(with_coq, ask, tmp_path):
    for file, other in (("one", "two"), ("two", "one")):
        (tmp_path / f"{file}.v").write_text(f"From tdrc Require Import {other}.\n", encoding="utf-8")
    status, _, err = ask(str(tmp_path))
    assert status == 2
    assert "in a circle: " in err


def test_ci_installs_what_the_proofs_need():
    needed = re.search(r'^needed="(.*)"$', (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert needed is not None
    assert set(coq.PACKAGES.split()) <= set(needed.group(1).split())

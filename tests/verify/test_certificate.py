"""Certificates of real verdicts: accepted as written, rejected when a digit is flipped, never accepted for a lie."""

import copy
import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest

from tdrc_theory import OF_THE_PAPER, Algorithm, averaged_process
from tdrc_theory.cli.files import write_whole
from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix
from tdrc_theory.learner.expectation import ExpectedUpdate
from tdrc_theory.problem.key_matrices import KeyMatrices
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet
from verify.certificate import certificate
from verify.check import Outcome
from verify.check_certificate import Rejected, check, read, seal
from verify.check_certificate import main as check_file
from verify.conditions.__main__ import PROG, main
from verify.conditions.report import check_conditions
from verify.conditions.setting import FixedPoints, Setting
from verify.conditions.verdict import verdict
from verify.exact.lyapunov import lyapunov_candidates, precise_candidates

RATIONAL = [make for name, make in PROBLEMS if name != "random-walk-dependent"]
KINDS = {"stable", "unstable", "factor", "no-fixed-point", "spurious-fixed-point"}


def turning(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return delta_hat * x, delta * x


def drifting(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return delta_hat * x, 0 * h


def nearly_turning(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return delta_hat * x + beta * delta * x, delta * x - beta * delta_hat * x


def judged(problem, algorithm="tdrc", beta="1", eta="1"):
    """Return what a certificate is made of, without the checks of Theorem 3.1."""
    setting = Setting.of(problem, algorithm, Fraction(beta), Fraction(eta))
    used = setting.parameters
    return SimpleNamespace(problem=problem, algorithm=algorithm, parameters=used, verdict=verdict(setting))


def one_state(reward=0, gamma="0"):
    return averaged_process(name="one", gamma=gamma, features=[[1]], P=[[1]], r=[reward], d=[1])


def two_features():
    features = [[1, 0], [1, 2]]
    return averaged_process(name="two", gamma=0, features=features, P=[[1, 0], [0, 1]], r=[1, 0], d=["1/3", "2/3"])


def settings():
    for make in RATIONAL:
        for algorithm in OF_THE_PAPER:
            for beta in ("1", "1/100"):
                yield make(), algorithm, beta, "1"
    for seed in range(30):
        rng = random.Random(seed)
        problem = garnet(rng.randint(2, 5), 2, 2, rng.randint(1, 4), seed, Fraction(rng.choice(["1/2", "99/100", "1"])))
        yield problem, rng.choice(OF_THE_PAPER), rng.choice(["0", "1/50", "1", "7"]), rng.choice(["1/50", "1", "9"])
    yield one_state(), Algorithm("turning", turning), "0", "4"
    yield one_state(), Algorithm("drifting", drifting), "0", "1"
    yield one_state(reward=1, gamma="1"), OF_THE_PAPER[0], "0", "1"


@pytest.fixture(scope="module")
def certificates():
    return [certificate(judged(*setting)) for setting in settings()]


def accepted(document):
    try:
        check(document)
    except Rejected:
        return False
    return True


def resealed(document):
    return document | {"sha256": seal(document)}


def is_true(document):
    """Decide a claim by the referee's own arithmetic, from the matrices that stand in it."""
    claim = document["claim"]
    G, A = (Matrix([[Fraction(v) for v in row] for row in claim[name]]) for name in "GA")
    g, b = (Matrix.column([Fraction(v) for v in claim[name]]) for name in "gb")
    key, update = KeyMatrices(A, b, A), ExpectedUpdate(G, g)
    setting = SimpleNamespace(
        within_exact_reach=True,
        update=update,
        charpoly=G.charpoly(),
        whole_charpoly=G.charpoly(),
        rank_G=G.rank(),
        **dict.fromkeys(("fixed_points", "resting"), FixedPoints(key, update)),
        algorithm=SimpleNamespace(own_fixed_points=claim["fixed_points"] == "own", solves=None),
    )
    return verdict(setting).status.value == claim["verdict"]


def test_every_kind_of_proof_and_every_verdict_is_among_these(certificates):
    assert {each["proof"]["kind"] for each in certificates} == KINDS
    assert {each["claim"]["verdict"] for each in certificates} == {o.value for o in Outcome} - {"undecided"}
    assert {each["claim"]["fixed_points"] for each in certificates} == {"own", "A w = b"}


def test_certificates_are_accepted_as_written_and_true(certificates):
    for each in certificates:
        assert accepted(read(json.dumps(each).encode()))
        assert is_true(each)


def test_every_flipped_digit_or_sign_is_rejected(certificates):
    rng = random.Random(0)
    for _ in range(2500):
        text = json.dumps(rng.choice(certificates))
        at = rng.choice([i for i, c in enumerate(text) if c.isdigit() or c == "-"])
        other = "" if text[at] == "-" else rng.choice([*(d for d in "0123456789" if d != text[at]), f"-{text[at]}"])
        mutant = (text[:at] + other + text[at + 1 :]).encode()
        with pytest.raises(Rejected):
            check(read(mutant))


def numbers(value, path=()):
    """Yield the places of the numbers in a certificate's claim and proof."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from numbers(inner, (*path, i))
    elif isinstance(value, str) and value.lstrip("-")[:1].isdigit():
        yield path


def changed(document, path, change):
    result = copy.deepcopy(document)
    home = result
    for key in path[:-1]:
        home = home[key]
    home[path[-1]] = change(home[path[-1]])
    return resealed(result)


@pytest.mark.thorough
def test_forgeries_with_a_right_digest_are_accepted_only_where_they_are_true(certificates):
    rng = random.Random(1)
    small = [each for each in certificates if len(json.dumps(each)) < 6000]
    changes = [
        lambda text: str(-Fraction(text)),
        lambda text: str(Fraction(text) + 1),
        lambda text: str(Fraction(text) * 2),
        lambda _: str(rng.randint(-3, 3)),
        lambda text: str(Fraction(text) + Fraction(1, 10**9)),
        lambda _: "0",
    ]
    answers = {"accepted": 0, "rejected": 0}
    for _ in range(1500):
        each = rng.choice(small)
        forged = changed(
            each, rng.choice([p for p in numbers(each) if p[0] in ("claim", "proof")]), rng.choice(changes)
        )
        if accepted(forged):
            assert is_true(forged)
            answers["accepted"] += 1
        else:
            answers["rejected"] += 1
    assert min(answers.values()) > 50  # P may well be changed a little; G rarely


def test_a_false_verdict_is_rejected_whatever_the_digest_says(certificates):
    for each in certificates:
        for other in Outcome:
            if other.value != each["claim"]["verdict"]:
                claim = each["claim"] | {"verdict": other.value}
                assert not accepted(resealed(each | {"claim": claim}))


@pytest.mark.thorough
def test_the_proof_of_another_problem_proves_only_what_is_true(certificates):
    small = [each for each in certificates if len(each["claim"]["G"]) <= 4]
    transplants = 0
    for each in small:
        for donor in small:
            if len(donor["claim"]["G"]) == len(each["claim"]["G"]) and donor is not each:
                for verdict_ in (each["claim"]["verdict"], donor["claim"]["verdict"]):
                    claim = each["claim"] | {"verdict": verdict_}
                    forged = resealed(each | {"claim": claim, "proof": donor["proof"]})
                    transplants += 1
                    assert not accepted(forged) or is_true(forged)
    assert transplants > 500


def test_numbers_in_the_proof_are_short():
    baird = dict(PROBLEMS)["baird"]()
    proof = certificate(judged(baird, next(a for a in OF_THE_PAPER if a.name == "tdrc")))["proof"]
    assert max(len(v) for row in proof["P"] + proof["W"] for v in row) <= 8


@pytest.mark.parametrize("beta", ["1/1000000000000000000000000000000", "1000000000000000000000000000000"])
def test_eigenvalues_far_from_each_other_are_certified_too(beta):
    tdrc = next(a for a in OF_THE_PAPER if a.name == "tdrc")
    for eta in ("1", beta):
        assert accepted(certificate(judged(garnet(4, 2, 2, 3, 1), tdrc, beta, eta)))


def test_an_eigenvalue_too_near_the_axis_for_floats_is_certified_by_longer_numbers():
    report = judged(two_features(), Algorithm("nearly turning", nearly_turning), "1/10000000000000000000000000")
    document = certificate(report)
    assert document["claim"]["verdict"] == "convergent"
    assert accepted(document)
    G = Matrix([[Fraction(v) for v in row] for row in document["claim"]["G"]])
    assert not any(form.witness() for form in lyapunov_candidates(G))
    assert any(document["proof"]["P"] == P.texts() for P, _ in precise_candidates(G))


def test_an_undecided_verdict_has_no_certificate():
    report = check_conditions("two-state")
    undecided = SimpleNamespace(verdict=SimpleNamespace(status=Outcome.UNDECIDED), problem=report.problem)
    with pytest.raises(BadOption, match="undecided"):
        certificate(undecided)


def test_a_problem_with_square_roots_has_certificates():
    for algorithm in OF_THE_PAPER[::3]:
        document = certificate(judged(dict(PROBLEMS)["random-walk-dependent"](), algorithm))
        assert any("sqrt" in entry for row in document["claim"]["G"] for entry in row)
        assert accepted(document)
        assert not accepted(changed(document, ("proof", "point", 0), lambda text: f"{text} + 1/1000000*sqrt(2)"))
        assert not accepted(changed(document, ("claim", "G", 0, 0), lambda text: text.lstrip("-") + " + 2*sqrt(2)"))


def test_an_eigenvalue_just_right_of_the_axis_is_shown_by_a_form_which_coq_checks_too():
    e = Fraction(1, 10**15)
    G = [[0, 0, -1 - e / 3 - e * e], [1, 0, 2 * e - 1 - e * e], [0, 1, 2 * e - 1]]  # eigenvalues near e +- i and -1
    A, one = ([[str(-value) for value in row] for row in G], [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]])
    document = certificate(judged(MatrixProblem(name="near", A=A, b=["1", "0", "0"], C=one), OF_THE_PAPER[0]))
    assert document["claim"]["G"][2][2] == str(2 * e - 1)
    assert document["proof"]["kind"] == "unstable"
    assert accepted(document)


def test_a_large_form_has_an_unstable_direction_too_where_only_rouths_table_decides():
    e, size = Fraction(1, 10**20), 17
    f = [1 + e * e, -2 * e, Fraction(1)]  # roots e +- i, to which stable ones are added
    for i in range(size - 2):
        f = [a * (1 + Fraction(i, 3)) + b for a, b in zip([*f, Fraction(0)], [Fraction(0), *f], strict=True)]
    f[0] += e**4  # so that it has no factors
    G = [[Fraction(i == j + 1) for j in range(size)] for i in range(size)]
    for i in range(size):
        G[i][-1] = -f[i]
    balanced = [[str(-value * Fraction(4) ** (j - i)) for j, value in enumerate(row)] for i, row in enumerate(G)]
    one = [[str(int(i == j)) for j in range(size)] for i in range(size)]
    document = certificate(judged(MatrixProblem(name="near", A=balanced, b=["0"] * size, C=one), OF_THE_PAPER[0]))
    assert document["proof"]["kind"] == "unstable"
    assert sum(Fraction(row[i]) for i, row in enumerate(document["claim"]["G"])) < 0
    assert accepted(document)


def test_matrices_past_exact_arithmetic_have_no_certificate(monkeypatch):
    report = check_conditions("two-state")
    monkeypatch.setattr("verify.certificate.LARGEST_EXACT", 1)
    with pytest.raises(BadOption, match="past exact arithmetic"):
        certificate(report)


@pytest.fixture
def ask(asker, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return asker(main, PROG)


def test_the_option_writes_a_file_that_the_checker_accepts(ask, tmp_path, capsys):
    plain = ask("two-state")
    assert ask("two-state", "--certificate", "made.json") == plain
    assert os.listdir(tmp_path) == ["made.json"]
    about = json.loads((tmp_path / "made.json").read_text())["about"]
    one = {"beta": "1", "eta": "1"}
    assert about == {"problem": "two-state", "algorithm": "tdrc", "parameters": one} | one
    assert check_file(["made.json"]) == 0
    assert capsys.readouterr().out.startswith("accepted\n  not-convergent (fixed points: A w = b), of the 2 x 2 ")
    assert ask("baird", "--certificate", "made.json", "--require", "convergent")[0] == 1
    assert check_file(["made.json"]) == 0


def test_the_module_is_a_command(tmp_path):
    (tmp_path / "made.json").write_text(json.dumps(certificate(check_conditions("boyan", "td"))))
    command = [sys.executable, "-m", "verify.check_certificate", str(tmp_path / "made.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split("\n")[0], done.stderr) == (0, "accepted", "")


@pytest.mark.parametrize("path", ["missing/made.json", ".", "", "x" * 300, "\0", "pipe"])
def test_what_cannot_be_written_is_one_line_and_leaves_nothing_behind(path, ask, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    status, out, err = ask("two-state", "--certificate", path)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "cannot be written" in err
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_link_stays_a_link_and_names_of_any_text_are_kept(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "made.json")
    problem = averaged_process(name="é \u202e", gamma="1/2", features=[[1]], P=[[1]], r=[1], d=[1])
    write_whole(tmp_path / "link.json", json.dumps(certificate(check_conditions(problem))))
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "made.json").read_text())["about"]["problem"] == "é \u202e"
    assert check_file([str(tmp_path / "made.json")]) == 0


def test_an_eigenvalue_next_to_the_axis_has_a_certificate_too():
    eta = Fraction(47, 250) - Fraction(1, 10**60)
    report = check_conditions("two-state", "tdc", eta=eta)
    assert report.verdict.status is Outcome.NOT_CONVERGENT
    check(certificate(report))

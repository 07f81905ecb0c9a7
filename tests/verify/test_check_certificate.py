"""The checker by itself, on certificates made by hand: what proves a claim passes, what only looks like it does not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from verify.check_certificate import Rejected, check, main, read, seal

CHECKER = Path(__file__).parent.parent.parent / "verify" / "check_certificate.py"

ONE = [["1"]]

STABLE = {"kind": "stable", "kernel": [], "left": [], "point": ["0"], "P": ONE, "D": ["1"], "W": ONE}

UNSTABLE = {"kind": "unstable", "shift": "1/2", "P": [["-1"]], "D": ["1"], "vector": ["1"]}

TURNING = [["0", "-2"], ["2", "0"]]

NILPOTENT = [["0", "0"], ["3", "0"]]

SHRINKING_TO_A_LINE = [["-1", "0"], ["0", "0"]]


def sealed(G, proof, verdict, *, g=None, A=None, b=None, asked="A w = b"):
    n = len(G)
    A = A or [["1" if i == j else "0" for j in range(n)] for i in range(n)]
    matrices = {"G": G, "g": g or ["0"] * n, "A": A, "b": b or ["0"] * len(A)}
    result = {
        "format": "tdrc-certificate-1",
        "about": {},
        "claim": {"verdict": verdict, "fixed_points": asked, **matrices},
        "proof": proof,
    }
    return result | {"sha256": seal(result)}


def accepted(*arguments, **named):
    try:
        check(read(json.dumps(sealed(*arguments, **named)).encode()))
    except Rejected:
        return False
    return True


def orbit(polynomial, inverse, vector=("1", "0")):
    return {"kind": "factor", "vector": list(vector), "polynomial": polynomial, "inverse": inverse}


TURNS = orbit(["4", "0", "1"], [["1", "0"], ["0", "1/2"]])

DEFECTIVE = orbit(["0", "0", "1"], [["1", "0"], ["0", "1/3"]])


TO_A_LINE = {
    "kind": "stable",
    "kernel": [["0", "1"]],
    "left": [["0", "1"]],
    "point": ["0", "5"],
    "P": [["1", "0"], ["0", "1"]],
    "D": ["1", "1"],
    "W": [["1", "0"], ["0", "1"]],
}

ONLY_FIRST = [["1", "0"], ["0", "0"]]


def test_the_sign_of_a_number_with_square_roots_is_decided_however_close_to_0_it_is():
    sides = {  # sqrt(2) to 20 digits from both sides, and 1/sqrt(2) + 1/sqrt(3) - 1/sqrt(6)
        "14142135623730950488/10000000000000000000": True,
        "14142135623730950489/10000000000000000000": False,
        "-1/2*sqrt(2) - 1/3*sqrt(3) + 1/6*sqrt(6) + 87620875991231/100000000000000 + sqrt(2)": True,
        "-1/2*sqrt(2) - 1/3*sqrt(3) + 1/6*sqrt(6) + 87620875991232/100000000000000 + sqrt(2)": False,
    }
    for number, stable in sides.items():
        assert accepted([[f"{number} - sqrt(2)"]], STABLE, "convergent") is stable
    assert accepted([["1 - sqrt(2) - sqrt(3) - sqrt(5) - sqrt(7) - sqrt(11)"]], STABLE, "convergent")
    assert not accepted([["1 - sqrt(2) - sqrt(3) - sqrt(5) - sqrt(7) - sqrt(11) - sqrt(13)"]], STABLE, "convergent")
    half = {**UNSTABLE, "shift": "1/2*sqrt(2)"}
    assert accepted([["sqrt(2)"]], half, "not-convergent")
    assert not accepted([["sqrt(2)"]], {**half, "shift": "sqrt(2)"}, "not-convergent")
    assert not accepted([["sqrt(2)"]], {**half, "shift": "-sqrt(2)"}, "not-convergent")
    assert accepted([["2*sqrt(2) - sqrt(8) - sqrt(12) + 3*sqrt(3)"]], UNSTABLE, "not-convergent")


def test_each_kind_of_proof_is_accepted_where_it_proves_the_claim():
    assert accepted([["-1"]], STABLE, "convergent")
    assert accepted([["1"]], UNSTABLE, "not-convergent")
    assert accepted(TURNING, TURNS, "not-convergent")
    assert accepted(NILPOTENT, DEFECTIVE, "not-convergent")
    assert accepted(SHRINKING_TO_A_LINE, TO_A_LINE, "convergent-to-a-set", A=ONLY_FIRST)
    assert accepted([["0"]], {"kind": "no-fixed-point", "vector": ["1"]}, "not-convergent", g=["2"])
    spurious = {"kind": "spurious-fixed-point", "direction": ["0", "1"], "point": ["0", "1"]}
    assert accepted(SHRINKING_TO_A_LINE, spurious, "not-convergent")


@pytest.mark.parametrize("verdict", ["convergent", "convergent-to-a-set", "not-convergent", "undecided", None, ["x"]])
def test_a_proof_of_one_verdict_proves_no_other(verdict):
    assert accepted([["-1"]], STABLE, verdict) is (verdict == "convergent")
    assert accepted([["1"]], UNSTABLE, verdict) is (verdict == "not-convergent")
    assert accepted(TURNING, TURNS, verdict) is (verdict == "not-convergent")
    assert accepted(SHRINKING_TO_A_LINE, TO_A_LINE, verdict, A=ONLY_FIRST) is (verdict == "convergent-to-a-set")


@pytest.mark.parametrize(
    ("G", "change"),
    [
        ([["1"]], {}),
        ([["0"]], {}),
        ([["1"]], {"P": [["-1"]]}),
        ([["1"]], {"P": [["-1"]], "W": [["0"]]}),
        ([["1"]], {"D": ["-1"]}),
        ([["1"]], {"D": ["0"]}),
        ([["-1"]], {"W": [["0"]]}),
        ([["-1"]], {"W": [["1", "1"]]}),
        ([["-1"]], {"point": ["1"]}),
        ([["-1"]], {"kernel": [["0"]], "left": [["0"]]}),
        ([["0"]], {"kernel": [["0"]], "left": [["1"]]}),
        ([["1"]], {"kernel": [["1"]], "left": [["1"]]}),
        ([["1"]], {"kernel": [["1"]], "left": [["2"]]}),
    ],
)
def test_stability_is_not_proven_by_matrices_that_prove_nothing(G, change):
    for verdict in ("convergent", "convergent-to-a-set"):
        assert not accepted(G, STABLE | change, verdict)


def test_a_form_that_falls_but_is_not_positive_proves_no_stability():
    # -(P G + G^T P) is the identity.
    two = {"kernel": [], "left": [], "point": ["0", "0"], "D": ["1", "1"], "P": [["-1/4", "0"], ["0", "1"]]}
    for W in ([["1", "0"], ["0", "1"]], [["0", "1"], ["0", "1"]], [["0", "0"], ["0", "1"]]):
        assert not accepted([["2", "0"], ["0", "-1/2"]], STABLE | two | {"W": W}, "convergent")


def test_a_form_that_is_not_symmetric_proves_nothing():
    # Every row of -(P G + G^T P) is dominated by its diagonal entry, and v^T P v < 0, though G = -I is stable.
    G, v = [["-1", "0"], ["0", "-1"]], ["5", "-1"]
    form = {"kind": "unstable", "shift": "0", "P": [["1", "9/10"], ["9", "10"]], "D": ["1", "1"], "vector": v}
    assert not accepted(G, form, "not-convergent")


def test_an_unstable_eigenvalue_is_not_proven_by_a_stable_update():
    for change in (
        {},
        {"shift": "0"},
        {"shift": "-2"},
        {"shift": "-2", "P": [["1"]]},
        {"P": [["1"]]},
        {"vector": ["0"]},
    ):
        assert not accepted([["-1"]], UNSTABLE | change, "not-convergent")
        assert not accepted([["0"]], UNSTABLE | change, "not-convergent")
    assert not accepted([["1"]], UNSTABLE | {"shift": "1"}, "not-convergent")
    assert not accepted([["1"]], UNSTABLE | {"shift": "3"}, "not-convergent")
    assert not accepted([["1"]], UNSTABLE | {"vector": ["0"]}, "not-convergent")


def test_a_factor_that_does_no_harm_or_is_none_proves_nothing():
    assert not accepted([["-1"]], orbit(["1", "1"], ONE, ["1"]), "not-convergent")
    assert not accepted([["0"]], orbit(["0", "1"], ONE, ["1"]), "not-convergent")  # one zero is no trouble
    assert not accepted([["-1"]], orbit(["-1", "1"], ONE, ["1"]), "not-convergent")  # no factor of it
    assert not accepted([["-1"]], orbit(["-1", "1"], [["0"]], ["0"]), "not-convergent")  # f(G) 0 = 0 for every f
    assert not accepted([["-1"]], orbit(["1"], [[]], ["0"]), "not-convergent")
    assert not accepted([["-1"]], orbit([], [[]], ["0"]), "not-convergent")
    # t^2 - 1 has the root 1 and is 0 on v, but v's minimal polynomial is t + 1.
    line = [["-1", "0"], ["0", "-1"]]
    assert not accepted(line, orbit(["-1", "0", "1"], [["1", "0"], ["0", "1"]]), "not-convergent")
    # 0 is simple in t (t + 1), so that it is not defective.
    assert not accepted([["0", "0"], ["1", "-1"]], orbit(["0", "1", "1"], [["1", "0"], ["0", "1"]]), "not-convergent")


def test_fixed_points_that_do_not_solve_td_are_no_set_to_converge_to():
    assert not accepted(SHRINKING_TO_A_LINE, TO_A_LINE, "convergent-to-a-set")
    assert not accepted(SHRINKING_TO_A_LINE, TO_A_LINE, "convergent-to-a-set", A=ONLY_FIRST, b=["0", "1"])
    assert accepted(SHRINKING_TO_A_LINE, TO_A_LINE, "convergent-to-a-set", asked="own")
    assert not accepted(SHRINKING_TO_A_LINE, TO_A_LINE, "convergent-to-a-set", A=ONLY_FIRST, g=["0", "1"])


def test_spurious_fixed_points_need_a_set_of_them_and_the_equation_of_td():
    spurious = {"kind": "spurious-fixed-point", "direction": ["0", "1"], "point": ["0", "1"]}
    assert not accepted(SHRINKING_TO_A_LINE, spurious, "not-convergent", asked="own")
    assert not accepted(SHRINKING_TO_A_LINE, spurious | {"direction": ["0", "0"]}, "not-convergent")
    assert not accepted(SHRINKING_TO_A_LINE, spurious | {"direction": ["1", "0"]}, "not-convergent")
    assert not accepted(SHRINKING_TO_A_LINE, spurious | {"point": ["0", "0"]}, "not-convergent")
    assert not accepted(SHRINKING_TO_A_LINE, spurious | {"point": ["1", "1"]}, "not-convergent")
    # A convergent update may rest where TD does not.
    alone = {"kind": "spurious-fixed-point", "direction": ["1"], "point": ["3"]}
    assert not accepted([["-1"]], alone, "not-convergent", g=["3"])


def test_no_fixed_point_needs_a_vector_that_shows_it():
    for vector, g in ((["0"], ["2"]), (["1"], ["0"])):
        assert not accepted([["0"]], {"kind": "no-fixed-point", "vector": vector}, "not-convergent", g=g)
    assert not accepted([["-1"]], {"kind": "no-fixed-point", "vector": ["1"]}, "not-convergent", g=["2"])


@pytest.mark.parametrize("part", ["format", "about", "claim", "proof", "sha256"])
def test_a_certificate_with_a_part_of_another_form_is_rejected(part):
    for value in (None, [], {}, "", "x", [[]], True, {"kind": []}):
        assert_rejected_with(part, value)


def assert_rejected_with(part, value):
    whole = sealed([["-1"]], STABLE, "convergent")
    result = whole | {part: value}
    if part != "sha256":
        result["sha256"] = seal(result)
    lacking = {key: v for key, v in whole.items() if key != part}
    for document in (result, lacking | {"sha256": seal(lacking)} if part != "sha256" else lacking):
        if part == "about" and document is result:
            check(document)  # a label may be anything
            continue
        with pytest.raises(Rejected):
            check(document)


def accepted_with(part, value):
    """Return whether the certificate of a stable update is accepted with another value at one place of it."""
    result = sealed([["-1"]], STABLE, "convergent")
    where = "claim" if part in result["claim"] else "proof"
    result[where] = result[where] | {part: value}
    result["sha256"] = seal(result)
    try:
        check(result)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("part", ["G", "g", "A", "b", "P", "D", "W", "point"])
def test_what_is_no_number_is_rejected(part):
    flat = part in ("g", "b", "D", "point")
    for value in (None, True, "x", "", "1/0", "1/00", "nan", "1.5", "1e3", "+1", " 1", "1_0", "٣", ["1"], {}):
        assert not accepted_with(part, [value] if flat else [[value]]), value


@pytest.mark.parametrize("part", ["G", "g", "A", "b", "P", "D", "W", "point", "kernel", "left", "kind"])
def test_matrices_of_other_sizes_are_rejected(part):
    for value in ([], [[]], [["1"], ["1"]], [["1", "1"]], "1", [None], [["1"], []], {"0": ["1"]}):
        if not (part in ("kernel", "left") and value == []):
            assert not accepted_with(part, value), value


@pytest.mark.parametrize("proof", [STABLE, UNSTABLE, TURNS, {"kind": "no-fixed-point", "vector": ["1"]}])
def test_parts_that_nothing_asks_for_are_rejected(proof):
    verdicts = {"stable": ("convergent", [["-1"]], ["0"]), "no-fixed-point": ("not-convergent", [["0"]], ["1"])}
    verdict, G, g = verdicts.get(proof["kind"], ("not-convergent", TURNING if proof is TURNS else [["1"]], None))
    assert accepted(G, proof, verdict, g=g)
    assert not accepted(G, proof | {"more": "1"}, verdict, g=g)
    result = sealed(G, proof, verdict, g=g)
    for key in ("claim", "document"):
        changed = result | {"more": "1"} if key == "document" else result | {"claim": result["claim"] | {"more": "1"}}
        changed["sha256"] = seal(changed)
        with pytest.raises(Rejected):
            check(changed)


def garbage():
    whole = json.dumps(sealed([["-1"]], STABLE, "convergent"))
    return {
        "empty": b"",
        "text": b"convergent",
        "bytes": bytes(range(256)),
        "deep": b"[" * 10**6,
        "deep-and-closed": b"[" * 900 + b"]" * 900,
        "deep-inside": whole.replace('"about": {}', '"about": ' + "[" * 100_000 + "]" * 100_000).encode(),
        "number": b"1" * 10_000,
        "nan": b"NaN",
        "list": b"[]",
        "object": b"{}",
        "twice": whole.replace('"verdict"', '"verdict": "not-convergent", "verdict"').encode(),
        "half": whole[: len(whole) // 2].encode(),
        "more": (whole + "{}").encode(),
        "surrogate": whole.replace('"about": {}', '"about": "\\ud800"').encode(),
    }


@pytest.mark.parametrize("name", garbage())
def test_whatever_a_file_holds_the_answer_is_one_line_and_status_1(name, tmp_path, capsys):
    file = tmp_path / "certificate.json"
    file.write_bytes(garbage()[name])
    assert main([str(file)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("rejected: ")
    assert out.count("\n") == 1
    assert out.isascii()
    assert err == ""


def test_it_runs_alone_with_nothing_but_the_standard_library(tmp_path):
    file = tmp_path / "certificate.json"
    for proof, line, status in ((STABLE, "accepted\n", 0), (STABLE | {"W": [["0"]]}, "rejected: ", 1)):
        file.write_text(json.dumps(sealed([["-1"]], proof, "convergent")))
        done = subprocess.run([sys.executable, "-I", "-S", CHECKER, file], capture_output=True, text=True, check=False)
        assert done.stdout.startswith(line)
        assert (done.returncode, done.stderr) == (status, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_the_status_is_the_answer_or_that_it_was_lost(tmp_path):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(sealed([["-1"]], STABLE, "convergent")))
    asked = [sys.executable, "-I", "-S", str(CHECKER), str(file)]
    reader, writer = os.pipe()
    os.close(reader)
    gone = subprocess.run(asked, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (gone.returncode, gone.stderr) == (0, "")
    with open("/dev/full", "w", encoding="utf-8") as full:
        lost = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (lost.returncode, lost.stderr) == (2, "cannot write the answer: No space left on device\n")


def test_numbers_may_have_any_number_of_digits():
    huge = "9" * 20_000
    assert accepted([[f"-{huge}"]], STABLE, "convergent")
    assert accepted([[f"-1/{huge}"]], STABLE, "convergent")
    assert not accepted([[f"1/{huge}"]], STABLE, "convergent")

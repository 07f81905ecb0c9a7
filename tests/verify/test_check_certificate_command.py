"""The independent checker as a command, and as a file that can be read alone."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from verify.check_certificate import Rejected, check, main, seal, times

CHECKER = Path(__file__).parent.parent.parent / "verify" / "check_certificate.py"


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_rejected(name, tmp_path, capsys):
    assert main([str(tmp_path / name)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("rejected: ")
    assert out.count("\n") == 1
    assert err == ""


def test_help_says_what_it_does_and_what_its_exit_status_means(capsys):
    assert main(["--help"]) == main(["-h"]) == 0
    text = capsys.readouterr().out
    assert text.count("usage: python -m verify.check_certificate FILE\n") == 2
    assert text.count("1 rejected") == 2


def test_no_file_or_two_are_a_usage_error(capsys):
    assert main([]) == main(["a", "b"]) == 2
    assert capsys.readouterr().out == ""


def test_it_is_short_and_imports_the_standard_library_only():
    lines = CHECKER.read_text().splitlines()
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert len(lines) < 330
    assert imported <= set(sys.stdlib_module_names)


def test_products_are_exact():
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert times([[third, half]], [[Fraction(3), Fraction(0)], [third, Fraction(2)]]) == [[Fraction(7, 6), 1]]
    assert times([], []) == []


@pytest.mark.parametrize(
    ("G", "why"),
    [
        ([[f"-{'9' * 100_001}"]], "more than 100,000 digits take too long for 1 x 1"),
        ([[f"-1/{'9' * 50_001}", "0"], ["0", "-1"]], "more than 50,000 digits take too long for 2 x 2"),
        ([["0"] * 129] * 129, "larger than 128 x 128"),
        ([[" + ".join(f"sqrt({p})" for p in (2, 3, 5, 7, 11, 13, 17))]], "square roots of more than 5 primes"),
    ],
)
def test_what_would_keep_it_busy_for_hours_is_rejected_with_what_is_allowed(G, why):
    zeros = ["0"] * len(G)
    claim = {"verdict": "convergent", "fixed_points": "own", "G": G, "g": zeros, "A": G, "b": zeros}
    document = {"format": "tdrc-certificate-1", "about": {}, "claim": claim, "proof": {"kind": "stable"}}
    with pytest.raises(Rejected, match=why):
        check(document | {"sha256": seal(document)})

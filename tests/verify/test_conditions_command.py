"""`python -m verify.conditions` as a user runs it: exit statuses, one-line errors, the JSON contract, safe output."""

import io
import json
import os
import re
import subprocess
import sys
from fractions import Fraction

import pytest

from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.problems import PROBLEMS
from verify.conditions.__main__ import PROG, main
from verify.conditions.report import check_conditions
from verify.conditions.terminal import show

COMMAND = [sys.executable, "-m", "verify.conditions"]
SIGNATURE = "x, x_next, h, delta, delta_hat, rho, gamma, beta"
EXACT = re.compile(r"-?[0-9]+(/[0-9]+)?")
STATUSES = {"holds", "fails", "undecided"}
PROOFS = {"kernel", "exact", "enclosed", "float", "sampled"}
VERDICTS = {"convergent", "convergent-to-a-set", "not-convergent", "undecided"}
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
    def ask_json(*arguments):
        status, out, err = ask(*arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out, parse_constant=_refuse_constant)

    return ask_json


def _refuse_constant(name):
    raise AssertionError(f"{name} is not JSON")


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Write mine.py into the working directory."""
    monkeypatch.chdir(tmp_path)

    def mine(text):
        (tmp_path / "mine.py").write_text(text)
        return "mine.py:my_algorithm"

    return mine


@pytest.fixture
def problem_file(tmp_path):
    def problem_file(name):
        path = tmp_path / "problem.toml"
        path.write_text(MRP.format(name=name), encoding="utf-8")
        return str(path)

    return problem_file


def function(body):
    return f"def my_algorithm({SIGNATURE}):\n    {body}\n"


def shell(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


def is_one_error(err):
    return err.startswith(f"{PROG}: error: ") and len(err.splitlines()) == 1 and err.endswith("\n")


def test_it_ran_is_exit_status_0_whatever_the_answer():
    ran = shell("baird", "--algorithm", "td")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("not-convergent (exact): td on baird (7 states, 8 features, gamma 99/100)\n")


def test_bad_input_is_exit_status_2_and_one_line():
    ran = shell("no-such-problem")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert is_one_error(ran.stderr)
    assert "random-walk-tabular" in ran.stderr


def test_help_names_every_algorithm_problem_and_exit_status(ask):
    status, out, err = ask("--help")
    assert (status, err) == (0, "")
    told = re.sub(r"\s+", "", out)
    assert all(each in told for each in [a.name for a in ALGORITHMS] + [name for name, _ in PROBLEMS])
    assert "Exitstatus:0itran,1--requireisnotmet,2badinput." in told


@pytest.mark.parametrize(
    ("problem", "algorithm", "verdict"),
    [
        ("baird", "tdrc", "convergent-to-a-set"),
        ("baird", "td", "not-convergent"),
        ("random-walk-tabular", "td", "convergent"),
        ("random-walk-dependent", "tdrc", "convergent"),
        ("two-state", "td", "not-convergent"),
        ("two-state", "tdc", "convergent"),
    ],
)
def test_require_is_exit_status_1_where_the_verdict_is_another(ask, problem, algorithm, verdict):
    for required in sorted(VERDICTS):
        for output in ([], ["--json"]):
            status, out, err = ask(problem, "--algorithm", algorithm, "--require", required, *output)
            assert (status, err) == (int(required != verdict), "")
            assert verdict in out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["baird", "boyan"],
        ["baird", "--nothing"],
        ["baird", "--beta"],
        ["baird", "--beta", ""],
        ["baird", "--beta", "nan"],
        ["baird", "--beta", "inf"],
        ["baird", "--beta", "1e3"],
        ["baird", "--beta", "1/0"],
        ["baird", "--beta", "1_000"],
        ["baird", "--beta", "+1"],
        ["baird", "--beta", " 1"],
        ["baird", "--beta", "\u0661"],
        ["baird", "--beta", "sqrt(2)"],
        ["baird", "--beta", "9" * 5000],
        ["baird", "--beta", "-1"],
        ["baird", "--beta=-1/2"],
        ["baird", "--eta", "0"],
        ["baird", "--eta=-1/2"],
        ["baird", "--eta", "-0.5"],
        ["baird", "--eta", "x"],
        ["baird", "--algorithm", "td", "--beta=-1"],
        ["baird", "--gamma", "1/2"],
        ["baird", "--target", "uniform"],
        ["baird", "--target", "random"],
        ["gymnasium:FrozenLake-v1", "--gamma", "2"],
        ["gymnasium:FrozenLake-v1", "--gamma=-1/2"],
        ["gymnasium:NoSuch-v1"],
        ["gymnasium:CartPole-v1"],
        ["baird", "--require", "yes"],
        ["baird", "--require", "a\nb"],
        ["baird", "--algorithm", "qlearning"],
        ["baird", "--algorithm", ""],
        ["baird", "--algorithm", ":"],
        ["baird", "--algorithm", "absent.py:f"],
        ["baird", "--algorithm", "absent.py"],
        ["baird", "--algorithm", "new\nline.py:f"],
        [""],
        ["."],
        ["absent.toml"],
        ["two\nlines.toml"],
        ["Baird"],
        ["nul\0byte"],
        ["\x1b[31mred"],
        ["x" * 5000],
        ["\udcff"],
    ],
)
def test_wrong_arguments_are_one_line_on_the_error_stream(ask, arguments):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert err[:-1].isprintable()


def test_an_option_out_of_range_is_named_with_its_value_and_its_range(ask):
    assert "--beta: -1/2 is negative; beta is at least 0" in ask("baird", "--beta=-1/2")[2]
    assert "--eta: 0 is not positive; eta is above 0" in ask("baird", "--eta", "0")[2]
    assert "--gamma: 2 is not in [0, 1]" in ask("gymnasium:FrozenLake-v1", "--gamma", "2")[2]


def test_a_misspelt_name_is_answered_with_the_nearest(ask):
    assert "did you mean baird?" in ask("biard")[2]
    assert "did you mean tdrc?" in ask("baird", "--algorithm", "tdrcc")[2]


def is_exact_text(value):
    return isinstance(value, str) and EXACT.fullmatch(value) is not None


def assert_fits_the_contract(told):
    assert {"problem", "algorithm", "ranks", "matrices", "bounds", "checks", "verdict"} <= set(told)
    problem, algorithm = told["problem"], told["algorithm"]
    assert isinstance(problem["name"], str)
    assert type(problem["states"]) is int
    assert type(problem["features"]) is int
    assert is_exact_text(problem["gamma"])
    assert isinstance(algorithm["name"], str)
    assert all(algorithm[key] is None or is_exact_text(algorithm[key]) for key in ("beta", "eta"))
    k = problem["features"]
    assert {key: type(value) for key, value in told["ranks"].items()} == {"A": int, "C": int, "G": int}
    matrices = told["matrices"]
    assert set(matrices) == {"A", "b", "C"}
    assert [len(matrices[name]) for name in "AbC"] == [k, k, k]
    entries = [value for name in "AC" for row in matrices[name] for value in row] + matrices["b"]
    assert len(entries) == 2 * k * k + k
    assert all(isinstance(value, str) and (is_exact_text(value) or "sqrt" in value) for value in entries)
    assert {"beta_printed", "beta_corrected", "eta", "eta_singular_C"} <= set(told["bounds"])
    for bound in told["bounds"].values():
        if bound["value"] is None:
            assert bound["reason"]
        else:
            assert bound["lower"] <= bound["value"] <= bound["upper"]
            assert bound["exact"] is None or isinstance(bound["exact"], str)
    for check in told["checks"]:
        assert check["status"] in STATUSES
        assert check["proof"] in PROOFS
        assert all(isinstance(check[key], str) and check[key] for key in ("claim", "source", "reason"))
        assert len(check["reason"].splitlines()) == 1
        assert isinstance(check["evidence"], dict)
        if check["claim"].endswith("implies-convergence"):
            assert check["status"] in ("holds", "undecided")
    claims = [check["claim"] for check in told["checks"]]
    assert len(claims) == len(set(claims))
    verdict = told["verdict"]
    assert verdict["status"] in VERDICTS
    assert verdict["proof"] in PROOFS
    assert len(verdict["reason"].splitlines()) == 1
    ends = verdict["spectral_abscissa"]
    assert ends is None or ends["lower"] <= ends["upper"]
    if verdict["status"] == "convergent":
        assert ends["upper"] < 0


@pytest.mark.parametrize("problem", [name for name, _ in PROBLEMS])
@pytest.mark.parametrize("algorithm", [algorithm.name for algorithm in ALGORITHMS])
def test_the_json_of_every_pair_fits_the_contract(ask_json, problem, algorithm):
    told = ask_json(problem, "--algorithm", algorithm)
    assert_fits_the_contract(told)
    assert told["problem"]["name"] == problem
    assert told["algorithm"]["name"] == algorithm


def test_the_json_is_ascii_and_one_object(problem_file):
    ran = shell(problem_file('"caf\u00e9 \u4e2d \\u2028 end."'), "--json")
    assert ran.returncode == 2  # U+2028 separates lines
    ran = shell(problem_file('"caf\u00e9 \u4e2d"'), "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.isascii()
    assert json.loads(ran.stdout)["problem"]["name"] == "caf\u00e9 \u4e2d"


@pytest.mark.parametrize(
    ("algorithm", "beta", "eta"),
    [
        ("td", None, None),
        ("vtrace", None, None),
        ("tdc", "0", "1/3"),
        ("tdrc", "5/2", "1/3"),
        ("tdc++", "5/2", "1/3"),
    ],
)
def test_the_parameters_that_were_used_are_shown_exactly(ask, ask_json, algorithm, beta, eta):
    told = ask_json("two-state", "--algorithm", algorithm, "--beta", "2.5", "--eta", "1/3")["algorithm"]
    assert (told["beta"], told["eta"]) == (beta, eta)
    headline = ask("two-state", "--algorithm", algorithm, "--beta", "2.5", "--eta", "1/3")[1].splitlines()[0]
    assert ("beta" in headline) == (beta is not None)
    assert beta is None or f"beta = {beta}, eta = {eta} on" in headline


@pytest.mark.parametrize("algorithm", ["td", "vtrace"])
def test_without_secondary_weights_G_has_the_size_of_A(ask_json, algorithm):
    told = ask_json("boyan", "--algorithm", algorithm)
    assert told["ranks"]["G"] == told["problem"]["features"] == 4
    assert ask_json("boyan", "--algorithm", "tdrc")["ranks"]["G"] == 8


def test_the_matrices_of_the_two_state_problem_are_exact(ask_json):
    told = ask_json("two-state")
    # A = 1/2 (1 (1 - 2 gamma) + 2 (2 - 2 gamma)) = (5 - 6 gamma) / 2 at gamma = 99/100.
    assert told["matrices"] == {"A": [["-47/100"]], "b": ["0"], "C": [["5/2"]]}


def test_the_matrices_are_the_problems_own_whatever_the_algorithm(ask_json):
    matrices = [ask_json("baird", "--algorithm", a.name)["matrices"] for a in ALGORITHMS]
    assert all(each == matrices[0] for each in matrices)


def test_the_notes_of_a_gymnasium_table_are_shown(ask, ask_json):
    arguments = ("gymnasium:FrozenLake-v1", "--gamma", "0.9", "--target", "uniform", "--algorithm", "td")
    told = ask_json(*arguments)
    assert_fits_the_contract(told)
    assert told["problem"]["gamma"] == "9/10"
    assert "0.3333333333333333 as 1/3" in told["problem"]["notes"][0]
    assert "note: FrozenLake-v1: published floats were read as the simplest fractions" in ask(*arguments)[1]


def test_my_td_gives_what_the_built_in_td_gives(mine, ask_json):
    spec = mine(function('"""dw = rho delta x."""\n    return rho * delta * x, 0'))
    for problem in ("baird", "two-state", "random-walk-tabular"):
        own, built_in = (ask_json(problem, "--algorithm", name) for name in (spec, "td"))
        assert own["algorithm"] == {"name": "my_algorithm", "beta": None, "eta": None, "source": "mine.py"}
        for key in ("problem", "ranks", "matrices", "checks", "verdict"):
            assert own[key] == built_in[key]


def test_my_tdrc_is_judged_by_theorem_3_1_like_the_built_in(mine, ask_json):
    spec = mine(
        function("return rho * (delta * x - gamma * delta_hat * x_next), (rho * delta - delta_hat) * x - beta * h")
    )
    own, built_in = (ask_json("boyan", "--algorithm", name, "--beta", "1/2") for name in (spec, "tdrc"))
    assert own["bounds"] == built_in["bounds"]
    assert own["checks"] == built_in["checks"]
    assert own["verdict"] == built_in["verdict"]


def test_an_Algorithm_in_a_file_is_taken_with_what_it_fixes(mine, ask_json):
    spec = mine(
        "from tdrc_theory import Algorithm\n"
        "from tdrc_theory.algorithms.tdrc import tdrc\n"
        'my_algorithm = Algorithm(name="half", direction=tdrc, fixed={"beta": "1/2"})\n'
    )
    told = ask_json("baird", "--algorithm", spec, "--beta", "7")
    assert told["algorithm"]["name"] == "half"
    assert told["algorithm"]["beta"] == "1/2"
    assert told["verdict"] == ask_json("baird", "--beta", "1/2")["verdict"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return rho * delta * delta * x, 0", "not affine in (w, h): dw has the term rho*x*delta^2"),
        ("return delta * x, h * delta_hat", "not affine in (w, h): dh has the term h*delta_hat"),
        ("return max(delta, 0) * x, 0", "not affine in (w, h): it branches on the sign of delta"),
        ("return abs(h) * x, 0", "not affine in (w, h): it branches on the sign of h"),
        ("return x if delta else -x, 0", "not affine in (w, h): it branches on the sign of delta"),
        ("return x / delta, 0", "not affine in (w, h): it divides by delta"),
        ("return 1 / (1 + h), 0", "not affine in (w, h): it divides by "),
        ("import math\n    return math.exp(delta) * x, 0", "needs a float where its equation is read"),
        ("import numpy\n    return numpy.exp(delta) * x, 0", "exp"),
        ("return delta ** 0.5 * x, 0", "to the power 0.5"),
        ("return 2 ** delta * x, 0", "fails where its equation is read: TypeError"),
        ("return delta * x / 0, 0", "divides by 0"),
        ("return delta * x", "returns a value of type Form; an algorithm returns the two directions (dw, dh)"),
        ("return delta * x, 0, 0", "returns a tuple of 3"),
        ("return [delta * x, 0]", "returns a value of type list"),
        ("pass", "returns a value of type NoneType"),
        ("return None, None", "returns a value of type NoneType as a direction"),
        ("return 'x', 0", "returns a value of type str as a direction"),
        ("return float('nan'), 0", "a direction is a number"),
        ("return float('inf') * x, 0", "calculates with inf, which is no number"),
        ("return True * x, 0", "calculates with True, which is no number"),
        ("return undefined_name * x, 0", "NameError: name 'undefined_name' is not defined"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("return my_algorithm(" + SIGNATURE + ")", "RecursionError"),
        ("raise SystemExit(0)", "SystemExit: 0"),
    ],
)
def test_what_is_no_affine_update_is_refused_with_the_term(mine, ask, body, said):
    status, out, err = ask("two-state", "--algorithm", mine(function(body)))
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert "my_algorithm" in err
    assert said in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def my_algorithm(x, h):\n    return x, h\n", "my_algorithm takes (x, h); an algorithm takes (x, x_next, h,"),
        (f"def my_algorithm({SIGNATURE}, more):\n    return x, 0\n", "then at most parameters with defaults"),
        (f"def my_algorithm({SIGNATURE.replace('x, x_next', 'x_next, x')}):\n    return x, 0\n", "takes (x_next, x,"),
        ("def my_algorithm(*args):\n    return 0, 0\n", "takes (args)"),
        ("my_algorithm = 3\n", "has no function 'my_algorithm'; it has none"),
        ("def other():\n    pass\n", "has no function 'my_algorithm'; it has other"),
        ("", "has no function 'my_algorithm'; it has none"),
        ("def my_algorithm(:\n", "cannot be run: SyntaxError"),
        ("a = 1\nraise RuntimeError('first\\nsecond')\n", "cannot be run: RuntimeError: first second (line 2)"),
        ("import sys\nsys.exit(0)\n", "cannot be run: SystemExit: 0 (line 2)"),
        ("import no_such_module\n", "cannot be run: ModuleNotFoundError"),
        ("from tdrc_theory import load_problem\nload_problem('absent.toml')\n", "absent.toml: cannot be read"),
        ("x = '\0'\n", "cannot be run: "),
    ],
)
def test_a_file_without_a_usable_algorithm_is_refused(mine, ask, text, said):
    status, out, err = ask("two-state", "--algorithm", mine(text))
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert said in err


def test_an_algorithm_file_that_is_not_there_or_no_text_is_refused(ask, tmp_path):
    assert "cannot be read: No such file" in ask("two-state", "--algorithm", f"{tmp_path}/absent.py:f")[2]
    (tmp_path / "folder.py").mkdir()
    assert "cannot be read: Is a directory" in ask("two-state", "--algorithm", f"{tmp_path}/folder.py:f")[2]
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    assert "cannot be read: it is not UTF-8 text" in ask("two-state", "--algorithm", f"{tmp_path}/binary.py:f")[2]


@pytest.mark.parametrize("number", ["0.5", "numpy.float64(0.5)", "1 / 2"])
def test_a_float_in_an_equation_means_the_decimal_that_is_written(mine, ask_json, number):
    spec = mine(function(f"import numpy\n    return {number} * x * delta, 0"))
    half = ask_json("two-state", "--algorithm", spec)["verdict"]["spectral_abscissa"]
    # G = -A / 2 with A = -47/100.
    assert half["lower"] <= float(Fraction(47, 200)) <= half["upper"]


def test_an_algorithm_file_does_not_inherit_this_packages_future(mine, ask):
    text = function("return annotated.__annotations__['a'] * delta * x, 0") + "def annotated(a: 2): pass\n"
    assert ask("two-state", "--algorithm", mine(text))[0] == 0


HOSTILE = [
    '"<script>alert(1)</script>"',
    '"[bold red]markup[/] [/]"',
    '"\\u001b[31mred\\u001b[0m \\u0007 \\u009b2J"',
    '"\\u202egnp.exe"',
    '"back\\u0008space\\tand\\u0000nul"',
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_without_characters_that_a_terminal_obeys(ask, ask_json, problem_file, name):
    path = problem_file(name)
    status, out, err = ask(path)
    assert (status, err) == (0, "")
    assert all(each.isprintable() for each in out.split("\n"))
    assert ask_json(path)["problem"]["name"] == json.loads(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_notebook_shows_a_hostile_name_as_text(problem_file, name):
    shown = check_conditions(problem_file(name))._repr_html_()
    assert "<script" not in shown
    tags = set(re.findall(r"</?([a-z]+)", shown))
    assert tags <= {"p", "strong", "br", "table", "thead", "tbody", "tr", "th", "td"}
    if "script" in name:
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.mark.parametrize("name", HOSTILE)
def test_a_terminal_gets_colours_of_ours_only(problem_file, monkeypatch, name):
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    file = Terminal()
    show(check_conditions(problem_file(name)), file)
    written = file.getvalue()
    assert "\x1b[1;32mconvergent" in written
    plain = re.sub(r"\x1b\[[0-9;]*m", "", written)
    assert all(each.isprintable() for each in plain.split("\n"))
    assert "\x1b[31mred" not in written
    if "markup" in name:
        assert "[bold red]markup[/] [/]" in plain


def test_output_that_is_no_terminal_is_plain_text():
    ran = shell("baird", env=os.environ | {"TERM": "xterm-256color"})
    assert ran.returncode == 0
    assert "\x1b" not in ran.stdout
    assert not re.search(r" $", ran.stdout, re.MULTILINE)


def test_what_the_encoding_of_the_output_lacks_is_escaped(problem_file):
    ran = shell(problem_file('"caf\u00e9 \u4e2d"'), env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "caf\\xe9 \\u4e2d" in ran.stdout


@pytest.mark.parametrize(
    "arguments", [["baird"], ["baird", "--json"], ["--help"], ["baird", "--require", "convergent"]]
)
def test_a_reader_that_has_gone_causes_no_complaint(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [*COMMAND, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    finally:
        os.close(writer)
    assert ran.stderr == ""
    assert ran.returncode in (0, 1)


def test_a_reader_of_the_first_line_gets_it():
    piped = subprocess.run(
        f"{sys.executable} -m verify.conditions baird --json | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (piped.stdout, piped.stderr) == ("{\n", "")


def test_an_output_that_cannot_be_written_is_one_line_and_exit_status_2(tmp_path):
    unwritable = tmp_path / "read-only"
    unwritable.touch()
    with unwritable.open() as output:
        ran = subprocess.run(
            [*COMMAND, "baird"], stdout=output, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert ran.returncode == 2
    assert is_one_error(ran.stderr)
    assert "cannot write the output" in ran.stderr


@pytest.mark.parametrize("problem", ["baird", "boyan", "two-state"])
@pytest.mark.parametrize("option", ["--beta", "--eta"])
@pytest.mark.parametrize("value", ["1/1" + "0" * 99, "1" + "0" * 99])
def test_a_parameter_of_a_hundred_digits_is_judged_exactly(ask_json, problem, option, value):
    told = ask_json(problem, option, value)
    assert_fits_the_contract(told)
    assert told["algorithm"][option.removeprefix("--")] == value


@pytest.mark.parametrize("option", ["--beta", "--eta"])
@pytest.mark.parametrize("value", ["1/1" + "0" * 100, "1" + "0" * 400])
def test_a_longer_parameter_is_refused_on_one_line(ask, option, value):
    status, out, told = ask("baird", option, value)
    assert (status, out) == (2, "")
    assert is_one_error(told)
    assert "at most 100" in told

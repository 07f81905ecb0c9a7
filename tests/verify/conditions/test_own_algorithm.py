"""Algorithms of one's own, judged by the command."""

import signal
from fractions import Fraction

import pytest

from tdrc_theory.learner import Step, dot, learner, recording
from verify.conditions import check_conditions

SIGNATURE = "x, x_next, h, delta, delta_hat, rho, gamma, beta"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Write mine.py into the working directory."""
    monkeypatch.chdir(tmp_path)

    def mine(text):
        (tmp_path / "mine.py").write_text(text)
        return "mine.py:my_algorithm"

    return mine


def function(body):
    return f"def my_algorithm({SIGNATURE}):\n    {body}\n"


def test_tdrc_in_vectors_that_has_no_eta_is_tdrc_at_eta_1():
    def without_eta(x, x_next, w, h, rho, gamma_next, reward, beta=1):
        delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
        direction = rho * (delta * x - gamma_next * dot(h, x) * x_next)
        return Step(w=direction, h=(rho * delta - dot(h, x)) * x - beta * h)

    mine, built_in = (check_conditions("two-state", name) for name in (learner(weights="w h")(without_eta), "tdrc"))
    assert mine.verdict == built_in.verdict
    assert mine.checks == built_in.checks


def test_my_td_gives_what_the_built_in_td_gives(mine, ask_json):
    spec = mine(function('"""dw = rho delta x."""\n    return rho * delta * x, 0'))
    for problem in ("baird", "two-state", "random-walk-tabular"):
        own, built_in = (ask_json(problem, "--algorithm", name) for name in (spec, "td"))
        assert own["algorithm"] == {
            "name": "my_algorithm",
            "beta": None,
            "eta": None,
            "parameters": {},
            "source": "mine.py",
        }
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


def test_a_default_of_the_function_counts_where_its_option_is_not_given(mine, ask_json):
    head = "from tdrc_theory.learner import Step, dot, learner\n@learner(weights='w h')\n"
    body = "return Step(w=rho * dot(h, x) * (x - gamma_next * x_next) - beta * w, h=eta * (reward * x - h))\n"
    spec = mine(f"{head}def my_algorithm(x, x_next, w, h, rho, gamma_next, reward, beta=0.25, eta=3):\n    {body}")
    asked = ask_json("boyan", "--algorithm", spec)
    assert asked["algorithm"]["parameters"] == {"beta": "1/4", "eta": "3"}
    for options in (("--eta", "1/2"), ("--set", "eta=1/2")):
        answer = ask_json("boyan", "--algorithm", spec, *options)
        assert answer["algorithm"]["parameters"] == {"beta": "1/4", "eta": "1/2"}


def test_an_Algorithm_in_a_file_is_taken_with_what_it_fixes(mine, ask_json):
    spec = mine(
        "from tdrc_theory import Algorithm\n"
        "from tdrc_theory.algorithms.tdrc import tdrc\n"
        'my_algorithm = Algorithm(name="half", direction=tdrc, fixed={"beta": "1/2"})\n'
    )
    answer = ask_json("baird", "--algorithm", spec, "--beta", "7")
    assert answer["algorithm"]["name"] == "half"
    assert answer["algorithm"]["beta"] == "1/2"
    assert answer["verdict"] == ask_json("baird", "--beta", "1/2")["verdict"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return rho * delta * delta * x, 0", "not affine in (w, h): dw has the term rho*x*delta^2"),
        ("return delta * x, h * delta_hat", "not affine in (w, h): dh has the term h*delta_hat"),
        ("return max(delta, 0) * x, 0", "not affine in (w, h): it branches on the sign of delta"),
        ("return abs(h) * x, 0", "not affine in (w, h): it branches on the sign of h"),
        ("return x if delta else -x, 0", "not affine in (w, h): it branches on the sign of delta"),
        ("return x / delta, 0", "not affine in (w, h): it divides by delta"),
        ("return 1 / (1 + h), 0", "not affine in (w, h): it divides by "),
        ("import math\n    return math.exp(delta) * x, 0", "for a plain number, or for a list, which is not recorded"),
        ("import numpy\n    return numpy.exp(delta) * x, 0", "needs a float where its equation is read"),
        ("return delta ** 0.5 * x, 0", "to the power 0.5"),
        ("return 2 ** delta * x, 0", "raises 2 to the power delta; only whole powers are read"),
        ("return delta * x / 0, 0", "divides by 0"),
        ("return delta * x", "returns one vector or number; an algorithm returns the two directions (dw, dh)"),
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
        ("raise BaseException('below Exception')", "BaseException: below Exception"),
        ("raise type('Silent', (Exception,), {'__str__': lambda self: 1 / 0})", "where its equation is read: Silent"),
    ],
)
def test_what_is_no_affine_update_is_refused_with_the_term(is_one_error, mine, ask, body, message):
    status, out, err = ask("two-state", "--algorithm", mine(function(body)))
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert "my_algorithm" in err
    assert message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def my_algorithm(x, h):\n    return x, h\n", "my_algorithm takes (x, h); an algorithm takes (x, x_next, h,"),
        (f"def my_algorithm({SIGNATURE}, more):\n    return x, 0\n", "then at most parameters with defaults"),
        (f"def my_algorithm({SIGNATURE.replace('x, x_next', 'x_next, x')}):\n    return x, 0\n", "takes (x_next, x,"),
        ("def my_algorithm(*args):\n    return 0, 0\n", "takes (args)"),
        ("my_algorithm = 3\n", "has no function 'my_algorithm'; it has none"),
        ("def other():\n    pass\n", "has no function 'my_algorithm'; it has other"),
        ("", "has no function 'my_algorithm'; it has none"),
        ("def my_algorithm(:\n", "cannot be run: SyntaxError"),
        ("a = 1\nraise RuntimeError('first\\nsecond')\n", "mine.py:2: cannot be run: RuntimeError: first second"),
        ("import sys\nsys.exit(0)\n", "mine.py:2: cannot be run: SystemExit: 0"),
        ("import no_such_module\n", "cannot be run: ModuleNotFoundError"),
        ("from tdrc_theory import load_problem\nload_problem('absent.toml')\n", "absent.toml: cannot be read"),
        ("x = '\0'\n", "cannot be run: "),
    ],
)
def test_a_file_without_a_usable_algorithm_is_refused(is_one_error, mine, ask, text, message):
    status, out, err = ask("two-state", "--algorithm", mine(text))
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert message in err


def test_an_algorithm_file_that_is_not_there_or_no_text_is_refused(ask, tmp_path):
    assert "cannot be read: No such file" in ask("two-state", "--algorithm", f"{tmp_path}/absent.py:f")[2]
    (tmp_path / "folder.py").mkdir()
    assert "cannot be read: Is a directory" in ask("two-state", "--algorithm", f"{tmp_path}/folder.py:f")[2]
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in ask("two-state", "--algorithm", f"{tmp_path}/binary.py:f")[2]


@pytest.mark.parametrize("number", ["0.5", "numpy.float64(0.5)", "1 / 2"])
def test_a_float_in_an_equation_means_the_decimal_that_is_written(mine, ask_json, number):
    spec = mine(function(f"import numpy\n    return {number} * x * delta, 0"))
    half = ask_json("two-state", "--algorithm", spec)["verdict"]["spectral_abscissa"]
    # G = -A / 2 with A = -47/100.
    assert half["lower"] <= float(Fraction(47, 200)) <= half["upper"]


def test_an_algorithm_file_does_not_inherit_this_packages_future(mine, ask):
    text = function("return annotated.__annotations__['a'] * delta * x, 0") + "def annotated(a: 2): pass\n"
    assert ask("two-state", "--algorithm", mine(text))[0] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (function("while True: pass"), "my_algorithm fails where its equation is read: OutOfTime: did not end within"),
        ("while True:\n    try:\n        pass\n    except Exception:\n        pass\n", "cannot be run: OutOfTime: "),
    ],
)
def test_code_that_never_ends_is_ended_with_one_line(is_one_error, mine, ask, monkeypatch, text, message):
    monkeypatch.setattr(recording, "MOST_SECONDS", 0.5)
    before = signal.getsignal(signal.SIGALRM)
    status, out, err = ask("two-state", "--algorithm", mine(text))
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert message in err
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_alarm_of_a_program_that_reads_an_algorithm_goes_on():
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with recording.time_limit():
            assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= recording.MOST_SECONDS
        assert recording.MOST_SECONDS < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_default_that_no_float_holds_is_a_number_like_any_other(mine, ask):
    spec = mine(f"def my_algorithm({SIGNATURE}, c=10**5000):\n    return c * delta * x, h\n")
    status, out, err = ask("two-state", "--algorithm", spec)
    assert (status, err) == (0, "")
    assert "my_algorithm" in out

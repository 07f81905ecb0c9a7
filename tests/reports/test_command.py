"""`tdrc COMMAND` is the same as `python -m ...`."""

from __future__ import annotations

import importlib
import json
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from reports.command import COMMANDS, main
from verify.conditions.__main__ import parser

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(("name", "module", "expected"), COMMANDS)
def test_every_command_can_be_run_and_is_told_of(name, module, expected, capsys):
    assert callable(importlib.import_module(module).main)
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.count(f"\n  {name} ") == 1
    assert f" {expected}\n" in shown


def test_no_command_is_forgotten():
    results = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for package in ("tdrc_theory", "verify", "simulate", "reports")
        for path in (ROOT / package).rglob("*.py")
        if '\nif __name__ == "__main__":' in path.read_text(encoding="utf-8")
    }
    assert results == {module for _, module, _ in COMMANDS}


def test_arguments_and_exit_status_are_passed_on(capsys):
    assert main(["conditions", "two-state", "--require", "convergent"]) == 1
    assert "\nnot-convergent (exact): tdrc" in capsys.readouterr().out
    assert main(["derive", "--algorithm", "td"]) == 0
    assert "E[dw] = -A w + b" in capsys.readouterr().out
    assert main(["conditions", "nowhere"]) == 2


def test_an_unknown_command_is_one_line_that_names_the_others(capsys):
    assert main(["condition"]) == 2
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    assert "'condition' (did you mean conditions?)" in text
    assert "conditions" in text
    assert main([]) == 2


def test_a_mistyped_option_is_one_line_that_names_the_closest(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["conditions", "baird", "--algoritm=td"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "tdrc conditions: error: unrecognized arguments: --algoritm=td (did you mean --algorithm?)\n"
    )


def test_the_version_is_that_of_the_installed_package(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tdrc-referee {metadata.version('tdrc-referee')}\n"


def asked_about_a_problem():
    """Yield each command that takes PROBLEM and --json, with arguments that make it quick."""
    for name, module, _ in COMMANDS:
        parser = getattr(importlib.import_module(module), "parser", None)
        known = {} if parser is None else {action.dest: action.option_strings for action in parser()._actions}
        if known.get("problem") == [] and "json" in known:
            few = [text for key, n in (("steps", "8"), ("runs", "40")) if key in known for text in (f"--{key}", n)]
            yield [name, "two-state", "--json", *few]
    yield ["region", "two-state", "--json", "--map", "map.svg"]


@pytest.mark.parametrize("arguments", [*asked_about_a_problem()], ids=" ".join)
def test_every_command_says_in_one_way_which_problem_and_algorithm_it_speaks_of(
    arguments, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 0
    answer = json.loads(capsys.readouterr().out)
    two_state = {
        "name": "two-state",
        "states": 2,
        "features": 1,
        "gamma": "99/100",
        "notes": [],
        "normalised": None,
        "warnings": [],
    }
    assert answer["problem"] == two_state
    spoken_of = answer.get("rows", [answer])
    assert {one["algorithm"]["name"] for one in spoken_of} == {"tdrc"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", "two-state", "--sampling", "markov", "--csv"],
        ["predict", "two-state", "--sampling", "markov", "--plot"],
        ["run", "two-state", "--sampling", "markov", "--csv"],
        ["run", "two-state", "--sampling", "markov", "--plot"],
        ["compare", "two-state", "--sampling", "markov", "--plot"],
        ["sweep", "batch", "--workers", "0", "--plot"],
        ["sweep", "batch", "--workers", "0", "--export"],
        ["sweep", "batch", "--workers", "0", "--curves"],
        ["build", "--paper", "--prove", "-o"],
    ],
)
def test_a_file_that_cannot_be_written_is_noticed_before_the_work(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file = "missing/file.svg" if arguments[-1] == "--plot" else "missing/file.csv"
    assert main([*arguments, file]) == 2  # the work would fail too, and say something else
    assert capsys.readouterr().err.endswith(f": {file}: cannot be written: No such file or directory\n")


def test_an_output_that_is_closed_is_one_line():
    ran = subprocess.run(
        ["sh", "-c", '"$0" -m verify.conditions two-state >&-', sys.executable],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "cannot write the output" in ran.stderr


@pytest.mark.parametrize("typed", ["conditions", "verify.conditions"])
def test_usage_and_errors_bear_the_name_that_was_typed(typed, capsys):
    assert main([typed, "nowhere"]) == 2
    assert capsys.readouterr().err.startswith(f"tdrc {typed}: error: ")
    for arguments in ([], ["--help"]):
        with pytest.raises(SystemExit):
            main([typed, *arguments])
    printed = capsys.readouterr()
    assert printed.err == f"tdrc {typed}: error: the following arguments are required: PROBLEM\n"
    assert printed.out.startswith(f"usage: tdrc {typed} [-h]")
    assert parser().prog == "python -m verify.conditions"


def test_a_command_goes_by_its_modules_name_too(capsys):
    assert main(["verify.conditions", "two-state", "--require", "convergent"]) == 1
    assert "\nnot-convergent (exact): tdrc" in capsys.readouterr().out
    assert main(["verify.check_certificate", "nowhere"]) == 1
    assert main(["verify", "two-state"]) == 2


@pytest.mark.quick(3)
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["--print-completion", "bash"], []])
@pytest.mark.parametrize("stdout", [">/dev/full", ">&-"])
def test_a_closed_or_full_output_is_one_line_and_a_status(arguments, stdout):
    done = in_a_shell(arguments, stdout)
    assert done.returncode == 2
    assert done.stderr.startswith("tdrc: error: cannot write the output: ")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_is_no_error():
    done = in_a_shell(["--help"], "| true; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("stderr", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(("arguments", "status"), [(["nope"], 2), (["conditions", "nowhere"], 2), (["--version"], 0)])
def test_a_lost_error_stream_changes_neither_status_nor_output(arguments, status, stderr):
    done = in_a_shell(arguments, stderr)
    assert done.returncode == status
    assert done.stderr == ""
    assert done.stdout == ("" if status else f"tdrc-referee {metadata.version('tdrc-referee')}\n")


def in_a_shell(arguments, streams):
    code = "import sys; from reports.command import main; sys.exit(main())"
    command = shlex.join([sys.executable, "-c", code, *arguments])
    return subprocess.run(["bash", "-c", f"{command} {streams}"], capture_output=True, text=True, check=False, cwd=ROOT)

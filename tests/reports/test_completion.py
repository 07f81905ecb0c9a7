"""`tdrc --print-completion`: what shells are given to complete commands, options, names and files."""

import shlex
import shutil
import subprocess
import sys

import pytest

from reports.command import COMMANDS, main


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    """Return what asks bash, in a folder with a file, how it would go on with a line."""
    folder = tmp_path_factory.mktemp("completed")
    (folder / "bring.toml").touch()
    with pytest.MonkeyPatch.context() as patch, (folder / "script").open("w") as script:
        patch.setattr(sys, "stdout", script)
        assert main(["--print-completion", "bash"]) == 0
    asked = 'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_tdrc; printf "%s\\n" "${COMPREPLY[@]}"'

    def bash(*words):
        shell = shutil.which("bash")
        assert shell is not None
        ran = subprocess.run([shell, "-c", asked, "bash", *words], capture_output=True, text=True, cwd=folder)
        return ran.stdout.split()

    return bash


def test_every_command_is_completed(bash):
    assert bash("tdrc", "") == [name for name, _, _ in COMMANDS]


@pytest.mark.parametrize(
    ("line", "goes_on"),
    [
        ("tdrc conditions b", ["baird", "boyan", "bring.toml"]),
        ("tdrc build baird b", ["baird", "boyan", "bring.toml"]),
        ("tdrc conditions baird --req", ["--require"]),
        ("tdrc conditions baird --require n", ["not-convergent"]),
        ("tdrc conditions baird --algorithm v", ["vtrace"]),
        ("tdrc control mountain-car --algorithm qr", ["qrc"]),
        ("tdrc sweep control-t", ["control-target"]),
        ("tdrc experiments emph", ["emphatic-td"]),
        ("tdrc experiments --experiment figure-4", ["figure-4"]),
        ("tdrc paper --claim determinant.of", ["determinant.of-G"]),
        ("tdrc paper --explain zero-interest.c", ["zero-interest.conjecture"]),
        ("tdrc experiments --claim figure-4.e", ["figure-4.emphatic-td-lower"]),
        ("tdrc build --paper em", ["emphatic-td"]),
        ("tdrc check-certificate br", ["bring.toml"]),
        ("tdrc predict boyan --csv br", ["bring.toml"]),
    ],
)
def test_names_options_values_and_files_are_completed_where_they_may_stand(bash, line, goes_on):
    assert bash(*line.split()) == goes_on


def test_zsh_has_its_own_script(capsys):
    assert main(["--print-completion", "zsh"]) == 0
    assert capsys.readouterr().out.startswith("#compdef tdrc")


def test_fish_is_given_each_command_and_the_names_that_its_arguments_take(capsys):
    assert main(["--print-completion", "fish"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("complete -c tdrc ")]
    assert [name for name, _, _ in COMMANDS] == [shlex.split(line)[6] for line in lines if " -a " in line]
    (claims,) = (line for line in lines if "'_shtab_tdrc_using paper'" in line and " -l claim " in line)
    assert " determinant.of-G " in claims
    assert " zero-interest.conjecture" in claims
    (problem,) = (line for line in lines if "'_shtab_tdrc_using conditions; " in line)
    assert '"baird ' in problem
    assert ' (__fish_complete_path (commandline -ct))"' in problem


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
def test_fish_goes_on_with_what_it_is_given(tmp_path, monkeypatch, capsys):
    assert main(["--print-completion", "fish"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    (tmp_path / "bring.toml").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    asked = "source script; complete -C 'tdrc conditions b'"
    ran = subprocess.run(["fish", "-c", asked], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert [line.split("\t")[0] for line in ran.stdout.splitlines()] == ["baird", "boyan", "bring.toml"]


@pytest.mark.parametrize("shell", [[], ["tcsh"], ["bash", "zsh"]])
def test_another_shell_is_refused_in_one_line(shell, capsys):
    assert main(["--print-completion", *shell]) == 2
    assert capsys.readouterr().err == "tdrc: error: --print-completion: give one of bash, zsh, fish\n"


def test_without_shtab_one_line_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--print-completion", "bash"]) == 2
    text = "completion needs shtab; install it with: pip install 'tdrc-referee[completion]'"
    assert capsys.readouterr().err == f"tdrc: error: {text}\n"

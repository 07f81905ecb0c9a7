"""A person's path: the package installed alone, and then each step of the tutorial, from an equation to a page."""

import shutil
import subprocess
import sys
import venv

import pytest
from console_blocks import ROOT, blocks, commands, printed, write_files

from tdrc_theory.proofs.coq import PACKAGES

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
STEPS = [step for kind, _, text in blocks(TUTORIAL) if kind == "console" for step in commands(text)]


def test_the_path_has_every_step():
    asked = [command.split()[1] for command, _ in STEPS]
    assert list(dict.fromkeys(asked)) == ["conditions", "derive", "region", "predict", "compare", "build"]
    assert {name for _, name, _ in blocks(TUTORIAL) if name} == {"rooms.toml", "scaled.py"}
    assert 'memory="e"' in TUTORIAL  # the rule has a trace
    assert any(" --map rooms.pdf" in command for command, _ in STEPS)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of the programs of a fresh environment in which the package's wheel is installed."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    if not source.exists():
        pytest.skip("no git repository, so nothing says which files are of the package")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, source], check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", with_pip=True)
    programs = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
    pip[0] = str(programs / "python")
    subprocess.run([*pip, "install", "--no-compile", wheel], check=True)
    return programs


@pytest.mark.slow
def test_a_person_who_installs_the_package_sees_what_the_tutorial_shows(installed, tmp_path, monkeypatch):
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "cache"))
    write_files(tmp_path)
    for command, shown in STEPS:
        now = printed(command, shown, tmp_path, {"tdrc": str(installed / "tdrc")}, seconds=600)
        assert now.splitlines() == shown.splitlines(), command
    assert (tmp_path / "rooms.pdf").read_bytes().startswith(b"%PDF")
    assert "<html" in (tmp_path / "rooms.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_is_installed_is_light_and_has_everything_that_a_paper_takes(installed, tmp_path):
    listed = subprocess.run([installed / "pip", "list"], capture_output=True, text=True, check=True).stdout.lower()
    assert not {"torch", "dask", "gymnasium"} & set(listed.split())
    tdrc = installed / "tdrc"
    for arguments in (["paper", "--claim", "determinant.of-G"], ["sweep", "batch", "--help"], ["--version"]):
        subprocess.run([tdrc, *arguments], cwd=tmp_path, capture_output=True, check=True)
    place = "import tdrc_theory, pathlib; print(pathlib.Path(tdrc_theory.__file__).with_name('py.typed').is_file())"
    typed = subprocess.run(
        [installed / "python", "-c", place], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert typed.stdout == "True\n"


@pytest.mark.slow
def test_a_verdict_by_the_proof_assistant_comes_from_the_package_alone(installed, tmp_path, monkeypatch):
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "cache"))
    empty = tmp_path / "empty"
    empty.mkdir()
    asked = [installed / "tdrc", "conditions", "baird", "--prove"]
    if shutil.which("coqc"):
        done = subprocess.run(asked, cwd=empty, capture_output=True, text=True, check=False)
        assert (done.returncode, "\nconvergent-to-a-set (kernel): tdrc" in done.stdout) == (0, True), done.stderr
    monkeypatch.setenv("PATH", str(empty))
    done = subprocess.run(asked, cwd=empty, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"Coq is not installed; on Debian: apt-get install {PACKAGES}" in done.stderr
    assert list(empty.iterdir()) == []

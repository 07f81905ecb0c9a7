"""A file or folder of the user's with the name of one of the packages: refused in one line, or of no effect."""

import subprocess
import sys

import pytest


def python(folder, *arguments):
    """Run Python in a folder, as it is and not as these tests were started."""
    ran = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, check=False)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize(("name", "file"), [("simulate", "simulate.py"), ("verify", "verify/__init__.py")])
def test_a_namesake_of_a_package_that_a_command_needs_is_refused_in_one_line(name, file, tmp_path):
    file = tmp_path / file
    file.parent.mkdir(exist_ok=True)
    file.write_text("print('mine')\n")
    line = f"python -m reports.build: error: {file}: in the working folder, it hides the package {name}; "
    status, out, err = python(tmp_path, "-m", "reports.build", "two-state", "-o", "page.html")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err == f"{line}rename it, or use the command tdrc, which does not look there\n"
    assert not (tmp_path / "page.html").exists()


def test_a_namesake_of_a_package_that_a_command_does_not_need_is_of_no_effect(tmp_path):
    (tmp_path / "simulate.py").write_text("print('mine')\n")
    status, out, err = python(tmp_path, "-m", "verify.conditions", "two-state")
    assert (status, err) == (0, "")
    assert "mine" not in out


@pytest.mark.thorough
def test_a_folder_of_files_with_the_name_of_a_package_is_of_no_effect(tmp_path):
    (tmp_path / "reports" / "templates").mkdir(parents=True)
    assert python(tmp_path, "-m", "reports.build", "two-state", "-o", "page.html")[0] == 0
    assert (tmp_path / "page.html").exists()


def test_a_namesake_on_the_path_of_tdrc_is_refused_in_one_line(tmp_path, monkeypatch):
    script = tmp_path / "bin" / "tdrc"
    script.parent.mkdir()
    script.write_text("import sys\nfrom reports.command import main\nsys.exit(main())\n")
    own = tmp_path / "own"
    own.mkdir()
    (own / "verify.py").write_text("print('mine')\n")
    monkeypatch.setenv("PYTHONPATH", str(own))
    status, out, err = python(tmp_path, script, "conditions", "two-state")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"tdrc: error: {own / 'verify.py'}: in PYTHONPATH, it hides the package verify; rename it, ")
    monkeypatch.delenv("PYTHONPATH")
    status, out, err = python(own, script, "conditions", "two-state")
    assert (status, err) == (0, "")
    assert "mine" not in out


def test_a_program_of_the_users_own_may_have_such_files(tmp_path):
    (tmp_path / "simulate.py").write_text("seen = True\n")
    (tmp_path / "mine.py").write_text(
        "import simulate\nimport verify\nprint(simulate.seen, verify.Status.HOLDS.value)\n"
    )
    assert python(tmp_path, "mine.py") == (0, "True holds\n", "")

"""No command loses a file that it did not make: every option that names a file, handed everything that it is not."""

from __future__ import annotations

import importlib
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from reports.command import COMMANDS, main
from simulate.control.checkpoint import Checkpoint
from simulate.control.settings import settings
from simulate.store import Store
from tdrc_theory import find_problem
from tdrc_theory.problems.problem_file import write_problem
from verify.random.state_file import StateFile

KEPT = {
    ("random", "--store"): ["--problems", "2", "--workers", "1"],
    ("sweep", "--store"): ["batch"],
    ("tables", "--store"): ["--algorithm", "td"],
    ("control", "--checkpoint"): ["mountain-car", "--runs", "1", "--episodes", "1", "--cutoff", "10"],
    ("experiments", "--store"): ["--experiment", "tables"],
    ("build", "--store"): ["--paper", "-o", "page.html"],
}
"""Options that name what a command goes on from and adds to, with the other arguments."""
READ = {
    ("last-layer", "CHECKPOINT"): [],
    ("data", "FILE"): [],
    ("store", "FILE"): ["--prune"],
    ("build", "--with-control"): ["-o", "page.html"],
    ("build", "--with-data"): ["-o", "page.html"],
}
WRITTEN = {
    ("conditions", "--certificate"),
    ("conditions", "--coq-file"),
    ("predict", "--coq-file"),
    ("predict", "--csv"),
    ("predict", "--plot"),
    ("region", "--map"),
    ("search", "-o"),
    ("run", "--csv"),
    ("run", "--plot"),
    ("sweep", "--export"),
    ("sweep", "--curves"),
    ("sweep", "--plot"),
    ("control", "--csv"),
    ("control", "--plot"),
    ("experiments", "--plot"),
    ("compare", "--plot"),
    ("build", "-o"),
    ("conditions", "--table"),
    ("borkar-meyn", "--table"),
    ("region", "--table"),
    ("predict", "--table"),
    ("data", "--table"),
    ("random", "--table"),
    ("paper", "--table"),
    ("run", "--table"),
    ("sweep", "--table"),
    ("tables", "--table"),
    ("control", "--table"),
    ("experiments", "--table"),
    ("compare", "--table"),
    ("last-layer", "--table"),
    ("derive", "--table"),
}
SOURCES = {("prove", "FOLDER")}


def test_no_option_that_names_a_file_is_forgotten():
    named = set()
    for name, module, _ in COMMANDS:
        parser = getattr(importlib.import_module(module), "parser", None)
        for action in [] if parser is None else parser()._actions:
            if str(action.metavar).startswith(("FILE", "FOLDER", "CHECKPOINT")):
                named.add((name, action.option_strings[0] if action.option_strings else action.metavar))
    assert named == {*KEPT, *READ, *WRITTEN, *SOURCES}


def database(path):
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE songs (name TEXT)")
        file.execute("INSERT INTO songs VALUES ('precious')")
    file.close()


def database_of_a_killed_program(path):
    """Leave a database in the middle of a change, and the journal from which SQLite takes the change back."""
    working = path.with_name("working")
    with sqlite3.connect(working, isolation_level=None) as file:
        file.execute("CREATE TABLE songs (name TEXT)")
        file.executemany("INSERT INTO songs VALUES (?)", [("precious" * 100,)] * 100)
        file.execute("PRAGMA cache_size = 1")
        file.execute("BEGIN")
        file.execute("UPDATE songs SET name = 'lost'")
        for end in "", "-journal":
            shutil.copy(f"{working}{end}", f"{path}{end}")
        file.execute("ROLLBACK")
    file.close()
    working.unlink()


def state(path):
    with StateFile(path, {"seed": 1, "kind": "another"}) as file:
        file.append(0, "precious")


def store(path):
    with Store(path) as file:
        file.put([], [], ([], [], [], []), "")


def checkpoint(path):
    Checkpoint(path, settings("cart-pole", "qrc"), range(2), 7).write({})


def without_permission(path):
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        pytest.skip("for this user every file can be read")
    path.write_bytes(b"precious")
    path.chmod(0)


def pipe(path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo(path)


FOREIGN = {
    "text": lambda path: path.write_bytes(b"a\nprecious"),
    "lines": lambda path: path.write_bytes(b'{"format": 2}\n{"chunk": 0}\n'),
    "empty": lambda path: path.write_bytes(b""),
    "folder": lambda path: path.mkdir(),
    "database": database,
    "database of a killed program": database_of_a_killed_program,
    "state": state,
    "store": store,
    "checkpoint": checkpoint,
    "no permission": without_permission,
    "pipe": pipe,
}
OWN = {
    *(((name, "--store"), "store") for name in ("sweep", "tables", "experiments", "build")),
    (("store", "FILE"), "store"),
}
"""What is no mistake; a state and a checkpoint are those of other runs."""
BLOCKS = {(option, "pipe") for option in READ if option[0] != "store"}
"""A pipe may well be read."""
CASES = [
    (option, kind)
    for option in (*KEPT, *READ)
    for kind in FOREIGN
    if (option, kind) not in OWN and (option, kind) not in BLOCKS
]


def everything(folder):
    """Return all files below a folder, with their bytes and modes."""
    return {
        path: (path.lstat().st_mode, path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else None)
        for path in folder.rglob("*")
    }


@pytest.mark.quick(40)
@pytest.mark.parametrize(
    ("option", "kind"), CASES, ids=lambda value: value if isinstance(value, str) else "".join(value)
)
def test_what_is_of_others_is_refused_in_one_line_and_left_as_it_is(option, kind, tmp_path, monkeypatch, capfd):
    command, name = option
    if command == "control":
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "file"
    FOREIGN[kind](file)
    before = everything(tmp_path)
    named = [str(file)] if name.isupper() else [name, str(file)]
    assert main([command, *{**KEPT, **READ}[option], *named]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1), err
    assert "file" in err.replace("tdrc", "")
    assert everything(tmp_path) == before


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a folder with a problem, an experiment and code, and links to each that end as outputs must."""
    monkeypatch.chdir(tmp_path)
    write_problem(find_problem("two-state"), "problem.toml")
    experiments = Path(importlib.import_module("simulate.sweep").__file__).parents[1] / "experiments"
    shutil.copy(sorted(experiments.glob("*.toml"))[0], "experiment.toml")
    Path("code.py").write_text(CODE, encoding="utf-8")
    store(Path("store.sqlite"))
    checkpoint(Path("runs.npz"))
    for source in ("problem.toml", "experiment.toml", "code.py", "store.sqlite", "runs.npz"):
        for suffix in "csv", "svg":
            Path(f"{source.partition('.')[0]}.{suffix}").symlink_to(source)
    return tmp_path


CODE = """
def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x, h
"""
LOST = [
    ["conditions", "problem.toml", "--certificate", "problem.toml"],
    ["conditions", "two-state", "--algorithm", "code.py:mine", "--certificate", "code.py"],
    ["predict", "problem.toml", "--csv", "./problem.toml"],
    ["predict", "problem.toml", "--plot", "problem.svg"],
    ["predict", "two-state", "--csv", "new.svg", "--plot", "new.svg"],
    ["region", "problem.toml", "--map", "problem.svg"],
    ["run", "problem.toml", "--csv", "problem.csv"],
    ["run", "two-state", "--algorithm", "code.py:mine", "--plot", "code.svg"],
    ["run", "two-state", "--csv", "new.svg", "--plot", "new.svg"],
    ["sweep", "experiment.toml", "--store", "new", "--export", "experiment.csv"],
    ["sweep", "experiment.toml", "--store", "new", "--plot", "experiment.svg"],
    ["sweep", "experiment.toml", "--store", "new", "--export", "new.csv", "--curves", "new.csv"],
    ["sweep", "experiment.toml", "--store", "store.sqlite", "--export", "store.csv"],
    ["control", "mountain-car", "--checkpoint", "runs.npz", "--csv", "runs.npz"],
    ["control", "mountain-car", "--checkpoint", "runs.npz", "--plot", "runs.svg"],
    ["control", "mountain-car", "--features", "tiles", "--csv", "new.svg", "--plot", "new.svg"],
    ["compare", "problem.toml", "--plot", "problem.svg"],
    ["conditions", "problem.toml", "--table", "problem.csv"],
    ["region", "problem.toml", "--table", "problem.csv"],
    ["predict", "two-state", "--csv", "new.csv", "--table", "new.csv"],
    ["random", "--store", "store.sqlite", "--table", "store.csv"],
    ["sweep", "experiment.toml", "--store", "new", "--table", "experiment.csv"],
    ["tables", "--store", "store.sqlite", "--table", "store.csv"],
    ["build", "problem.toml", "-o", "problem.toml"],
    ["build", "two-state", "--paper", "--store", "store.sqlite", "-o", "store.sqlite"],
]


@pytest.mark.parametrize("arguments", LOST, ids=" ".join)
def test_no_output_takes_the_place_of_what_the_same_command_reads_or_writes(arguments, files, capfd):
    if arguments[0] == "control" and "tiles" not in arguments:
        pytest.importorskip("torch")
    before = everything(files)
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1), err
    assert err.endswith("cannot be written: the same command needs it for something else\n")
    assert everything(files) == before

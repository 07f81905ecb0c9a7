import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from reports.command import COMMANDS

ROOT = Path(__file__).parent.parent
PACKAGES = ("tdrc_theory", "verify", "simulate", "reports")
FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
BELOW = {
    "tdrc_theory": {"tdrc_theory"},
    "verify": {"tdrc_theory", "verify"},
    "simulate": {"tdrc_theory", "simulate"},
    "reports": set(PACKAGES),
}
COSTLY = ("torch", "llvmlite", "matplotlib", "sympy", "scipy", "gymnasium", "minatar", "rich", "jinja2")


def relative(file):
    return file.relative_to(ROOT).as_posix()


@cache
def nodes(file):
    """Return every node of the syntax tree of a file."""
    return list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def imported(file):
    """Yield the top-level packages that a file imports, anywhere in it."""
    for node in nodes(file):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield file.relative_to(ROOT).parts[0] if node.level else node.module.split(".")[0]


def test_imports_go_down_the_layers_only():
    layers = {file: file.relative_to(ROOT).parts[0] for file in FILES}
    assert [
        f"{relative(file)} imports {name}"
        for file, layer in layers.items()
        for name in imported(file)
        if name in PACKAGES and name not in BELOW[layer]
    ] == []


def test_nothing_is_imported_by_a_name_that_only_a_run_shows():
    # reports/command.py hands over to commands by name; elsewhere such an import would hide from the walk above.
    assert [
        f"{relative(file)}:{node.lineno}"
        for file in FILES
        if not relative(file).startswith("reports/")
        for node in nodes(file)
        if isinstance(node, ast.Name | ast.Attribute)
        if (node.id if isinstance(node, ast.Name) else node.attr) in ("import_module", "__import__")
    ] == []


def test_no_start_pays_for_what_it_does_not_use():
    more = ("simulate.environment", "simulate.control.environments", "simulate.kernels", "reports.command")
    names = (*PACKAGES, *more, *(module for _, module, _ in COMMANDS))
    # One process for all: what one of them imports is in sys.modules from then on, and is named with the first.
    program = f"""if True:
        import importlib, sys
        for name in {names}:
            importlib.import_module(name)
            found = [costly for costly in {COSTLY} if costly in sys.modules]
            if found:
                sys.exit(f"{{name}} imports {{found}}")
        print("all")
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.stdout, done.stderr) == ("all\n", "")


def test_a_verdict_starts_without_numpy():
    program = "import verify.conditions.__main__, sys; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "False\n"


def test_no_modules_import_each_other_in_a_circle():
    files = {".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): f for f in FILES}
    graph = {}
    for name, file in files.items():
        results = {a.name for node in nodes(file) if isinstance(node, ast.Import) for a in node.names}
        froms = [
            (node.module, f"{node.module}.{a.name}")
            for node in nodes(file)
            if isinstance(node, ast.ImportFrom)
            for a in node.names
        ]
        graph[name] = (results | {inner if inner in files else module for module, inner in froms}) & files.keys()
    assert len(list(TopologicalSorter(graph).static_order())) == len(files)  # a CycleError names the circle


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_can_be_imported(package):
    names = [m.name for m in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")]
    loaded = [importlib.import_module(name).__name__ for name in [package, *names]]
    assert len(loaded) == len([file for file in FILES if relative(file).split("/")[0] == package])


def test_a_command_is_run_as_a_module_after_all_of_it_is_defined():
    commands = [file for file in FILES if file.name == "__main__.py"]
    last = {relative(file): ast.parse(file.read_text(encoding="utf-8")).body[-1] for file in commands}
    assert [file for file, node in last.items() if "__name__ == '__main__'" not in ast.unparse(node)] == []


def test_only_commands_print():
    # check_certificate.py is a command in one file, so that it can be read and run by itself.
    assert [
        f"{relative(file)}:{node.lineno}"
        for file in FILES
        if file.name not in ("__main__.py", "command.py", "answer.py", "check_certificate.py")
        for node in nodes(file)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ] == []


def test_every_table_of_csv_is_written_by_the_one_function_that_makes_it_safe():
    writers = [relative(file) for file in FILES if re.search(r"csv\.\w*[wW]riter", file.read_text(encoding="utf-8"))]
    assert writers == ["tdrc_theory/tables/table.py"]


def python_tests():
    return sorted((ROOT / "tests").rglob("*.py"))


def test_files_are_named_by_what_is_in_them():
    vague = re.compile(r"(test_)?_*(utils?|helpers?|common|misc|tools)")
    inside = [file.relative_to(ROOT) for file in (*FILES, *python_tests())]
    assert [file for file in inside if any(map(vague.fullmatch, (*file.parent.parts, file.stem)))] == []


def test_tests_are_no_package():
    # tests/verify/__init__.py would shadow the package verify.
    assert not list((ROOT / "tests").rglob("__init__.py"))


def git_files():
    """Return the tracked files, and new ones that git would track; all files where there is no repository."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(listing, capture_output=True, cwd=ROOT, check=False)
    names = done.stdout.decode().split("\0") if done.returncode == 0 else map(relative, [*FILES, *python_tests()])
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_no_file_names_a_place_on_one_persons_machine():
    # Put together here, so that this file does not name one itself.
    places = "|".join(("home/", "Users/", "root/", "work/", "mnt/", "tmp/"))
    pattern = re.compile(rf"(?<![\w.~/*-])/(?:{places})[\w.-]".encode())
    results = [
        f"{relative(file)}: {match.group()!r}" for file in git_files() for match in pattern.finditer(file.read_bytes())
    ]
    assert len(git_files()) > 50
    assert results == []


def test_assertions_only_narrow_types_so_that_no_answer_changes_without_them():
    # `python -O` leaves them out; what would change an answer raises Inconsistent, or leaves it undecided.
    narrowing = re.compile(r"[\w.]+ is not None|isinstance\(\w+, \w+\)")
    assert [
        f"{relative(file)}:{node.lineno}: {ast.unparse(node.test)}"
        for file in FILES
        if relative(file).startswith(("verify/", "tdrc_theory/"))
        for node in nodes(file)
        if isinstance(node, ast.Assert) and not narrowing.fullmatch(ast.unparse(node.test))
    ] == []

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import reports.sections
import simulate.step_sizes
import tdrc_theory.algorithms
import tdrc_theory.problems
from reports.page.section import Section
from reports.sections import SECTIONS
from simulate.step_sizes import STEP_SIZES
from simulate.step_sizes.step_size import StepSize
from tdrc_theory.algorithm import SIGNATURE, Algorithm
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.formula.vocabulary import VOCABULARY
from tdrc_theory.notation import NOTATION
from tdrc_theory.problem import Problem
from tdrc_theory.problems import PROBLEMS

ROOT = Path(__file__).parent.parent
PACKAGES = ("tdrc_theory", "verify", "simulate", "reports")
FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
BELOW = {
    "tdrc_theory": {"tdrc_theory"},
    "verify": {"tdrc_theory", "verify"},
    "simulate": {"tdrc_theory", "simulate"},
    "reports": set(PACKAGES),
}
COSTLY = ("torch", "numba", "matplotlib", "sympy", "scipy", "gymnasium", "minatar", "rich", "z3", "jinja2")
NOT_BUILT_IN = {
    "averaged": "makes a problem of anyone's arrays",
    "garnet": "makes as many as there are seeds",
    "gymnasium_table": "reads another package's table",
    "problem_file": "reads a user's file",
    "write_file": "writes one",
}


def relative(file):
    return file.relative_to(ROOT).as_posix()


def imported(file):
    """Yield the top-level packages that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield file.relative_to(ROOT).parts[0] if node.level else node.module.split(".")[0]


def modules(package):
    return [f"{package.__name__}.{found.name}" for found in pkgutil.iter_modules(package.__path__)]


def test_all_four_packages_are_looked_at():
    assert {file.relative_to(ROOT).parts[0] for file in FILES} == set(PACKAGES)


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_imports_go_down_the_layers_only(file):
    layer = file.relative_to(ROOT).parts[0]
    above = {name for name in imported(file) if name in PACKAGES} - BELOW[layer]
    assert not above, f"{relative(file)} imports {sorted(above)}"


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_nothing_is_imported_by_a_name_that_only_a_run_shows(file):
    # reports/command.py hands over to commands by name; elsewhere such an import would hide from the walk above.
    dynamic = {"import_module", "__import__"}
    found = [
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    ]
    assert not dynamic & set(found) or relative(file).startswith("reports/")


@pytest.mark.parametrize(
    "package",
    [
        "tdrc_theory",
        "verify",
        "verify.conditions.__main__",
        "verify.region.__main__",
        "verify.random.__main__",
        "verify.search.__main__",
        "simulate.environment",
        "simulate.control.environments",
        "simulate.control.__main__",
        "simulate.kernels",
        "simulate.run.__main__",
        "simulate.tables.__main__",
        "simulate.sweep.__main__",
        "simulate.control.statements.__main__",
        "verify.borkar_meyn.__main__",
        "verify.paper.__main__",
        "tdrc_theory.proofs.__main__",
        "verify.predict.__main__",
        "reports.command",
        "reports.compare.__main__",
        "reports.last_layer.__main__",
        "reports.build.__main__",
    ],
)
def test_no_start_pays_for_what_it_does_not_use(package):
    program = f"import {package}, sys; print(*sorted(m for m in {COSTLY} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []


def test_no_modules_import_each_other_in_a_circle():
    files = {".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): f for f in FILES}
    graph = {}
    for name, file in files.items():
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        found = {a.name for node in nodes if isinstance(node, ast.Import) for a in node.names}
        froms = [
            (node.module, f"{node.module}.{a.name}")
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for a in node.names
        ]
        graph[name] = (found | {inner if inner in files else module for module, inner in froms}) & files.keys()
    assert len(list(TopologicalSorter(graph).static_order())) == len(files)  # a CycleError names the circle


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_can_be_imported(package):
    names = [m.name for m in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")]
    loaded = [importlib.import_module(name).__name__ for name in [package, *names]]
    assert len(loaded) == len([file for file in FILES if relative(file).split("/")[0] == package])


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_only_commands_print(file):
    calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    prints = [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]
    # check_certificate.py is a command in one file, so that it can be read and run by itself.
    assert not prints or file.name in ("__main__.py", "command.py", "check_certificate.py")


def test_every_table_of_csv_is_written_by_the_one_function_that_makes_it_safe():
    writers = [relative(file) for file in FILES if re.search(r"csv\.\w*[wW]riter", file.read_text(encoding="utf-8"))]
    assert writers == ["tdrc_theory/csv_text.py"]


def defined(module, kind):
    return [value for value in vars(module).values() if isinstance(value, kind)]


@pytest.mark.parametrize("name", modules(tdrc_theory.algorithms))
def test_no_algorithm_file_is_forgotten_in_the_registry(name):
    module = importlib.import_module(name)
    found = defined(module, Algorithm)
    assert found, f"{name} defines no Algorithm"
    assert all(any(algorithm is registered for registered in ALGORITHMS) for algorithm in found)
    # A function with the signature of an algorithm that no Algorithm uses would be forgotten as silently.
    directions = [f for f in defined(module, type(defined)) if tuple(inspect.signature(f).parameters) == SIGNATURE]
    assert all(any(f is algorithm.direction for algorithm in found) for f in directions)


def test_every_registered_algorithm_comes_from_a_file_of_the_folder():
    found = [a for name in modules(tdrc_theory.algorithms) for a in defined(importlib.import_module(name), Algorithm)]
    assert all(any(algorithm is f for f in found) for algorithm in ALGORITHMS)


def makes_a_problem(function):
    """Return whether calling it without arguments makes a problem."""
    signature = inspect.signature(function)
    needs = [p for p in signature.parameters.values() if p.default is p.empty]
    return not needs and signature.return_annotation in (Problem, "Problem")


def makers(name):
    """Return the public functions of a module, its own, that need no argument and make a problem."""
    functions = inspect.getmembers(importlib.import_module(name), inspect.isfunction)
    return [f for n, f in functions if f.__module__ == name and not n.startswith("_") and makes_a_problem(f)]


@pytest.mark.parametrize("name", modules(tdrc_theory.problems))
def test_no_problem_file_is_forgotten_in_the_registry(name):
    registered = [make for _, make in PROBLEMS]
    if name.rpartition(".")[2] in NOT_BUILT_IN:
        assert makers(name) == []
        return
    assert makers(name), f"{name} makes no problem, and is not among those that are no built-ins"
    assert all(make in registered for make in makers(name))


def test_every_registered_problem_bears_the_name_it_is_registered_by():
    assert [make().name for _, make in PROBLEMS] == [name for name, _ in PROBLEMS]


def test_what_is_no_built_in_problem_is_still_there():
    assert set(NOT_BUILT_IN) < {name.rpartition(".")[2] for name in modules(tdrc_theory.problems)}


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_every_parameter_of_an_algorithm_is_in_the_table_of_symbols(algorithm):
    assert set(inspect.signature(algorithm.direction).parameters) <= {symbol.name for symbol in NOTATION}


def test_symbols_of_formulas_that_are_in_the_table_of_symbols_are_written_as_there():
    latex = {symbol.name: symbol.latex for symbol in NOTATION}
    shared = [entry for entry in VOCABULARY if entry.name in latex]
    assert len(shared) > 20
    assert [entry.name for entry in shared if entry.latex != latex[entry.name]] == []


@pytest.mark.parametrize(
    "names",
    [
        [a.name for a in ALGORITHMS],
        [rule.name for rule in STEP_SIZES],
        [name for name, _ in PROBLEMS],
        [s.name for s in NOTATION],
        [s.latex for s in NOTATION],
    ],
    ids=["algorithms", "step sizes", "problems", "symbols", "latex"],
)
def test_names_are_unique(names):
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", modules(simulate.step_sizes))
def test_no_step_size_file_is_forgotten_in_the_registry(name):
    found = defined(importlib.import_module(name), StepSize)
    assert found or name == StepSize.__module__, f"{name} defines no StepSize"
    assert all(any(rule is registered for registered in STEP_SIZES) for rule in found)


def test_every_algorithm_says_where_its_equation_stands():
    assert all(algorithm.source and algorithm.direction.__doc__ for algorithm in ALGORITHMS)


def python_tests():
    return sorted((ROOT / "tests").rglob("*.py"))


@pytest.mark.parametrize("file", [*FILES, *python_tests()], ids=relative)
def test_files_are_named_by_what_is_in_them(file):
    vague = ("util", "utils", "helper", "helpers", "common", "misc", "tools")
    assert not any(re.fullmatch(rf"(test_)?_*({'|'.join(vague)})", part) for part in (*file.parent.parts, file.stem))


@pytest.mark.parametrize("file", [*FILES, *python_tests()], ids=relative)
def test_modules_stay_short(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) < 300


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
    found = [
        f"{relative(file)}: {match.group()!r}" for file in git_files() for match in pattern.finditer(file.read_bytes())
    ]
    assert len(git_files()) > 50
    assert found == []


@pytest.mark.parametrize("name", modules(reports.sections))
def test_no_section_of_a_report_is_forgotten_in_the_registry(name):
    found = defined(importlib.import_module(name), Section)
    assert [section.name.replace("-", "_") for section in found] == [name.rpartition(".")[2]]
    assert all(any(section is registered for registered in SECTIONS) for section in found)


def test_every_section_has_its_own_template_and_every_template_its_section():
    templates = sorted(file.stem for file in (ROOT / "reports/templates/sections").iterdir())
    assert templates == sorted(section.name for section in SECTIONS)

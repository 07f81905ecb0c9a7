"""`python -m verify.random`: the same totals for any number of workers, after any interruption, and honest counts."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory.errors import BadOption
from tdrc_theory.problems import find_problem
from verify import check_conditions
from verify.random import Plan, Size, find_kind, item_seed, state_file, survey
from verify.random.__main__ import PROG, main
from verify.random.survey import CHUNK, exact_limit, judge, plain_text

ROOT = Path(__file__).parents[3]
PLAN = Plan(kind="off-policy-weights", problems=3 * CHUNK + 7, size=Size(states=3, features=2), seed=5)
OPTIONS = ["--kind", PLAN.kind, "--problems", str(PLAN.problems), "--states", "3", "--features", "2", "--seed", "5"]
ONE = Fraction(1)


def test_a_cluster_counts_the_same(pickling_cluster, stored, tmp_path):
    whole, content = stored
    assert survey(PLAN, cluster=pickling_cluster, store=tmp_path / "there").to_json() == whole.to_json()
    assert sorted((tmp_path / "there").read_bytes().splitlines()) == sorted(content.splitlines())


def test_a_worker_of_a_cluster_with_other_sources_is_refused(pickling_cluster, monkeypatch):
    sources = iter([["ours"], ["theirs"]])
    monkeypatch.setattr(sys.modules["verify.random.survey"], "_sources", lambda: next(sources, ["theirs"]))
    with pytest.raises(BadOption, match="--cluster: a worker has another version"):
        survey(PLAN, cluster=pickling_cluster)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "run.state"
    return survey(PLAN, workers=1, store=path), path.read_bytes()


@pytest.fixture(scope="module")
def whole(stored):
    return stored[0]


@pytest.fixture
def path(tmp_path, stored):
    """Return a state file of the whole run."""
    path = tmp_path / "run.state"
    path.write_bytes(stored[1])
    return path


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def started(*arguments):
    command = [sys.executable, "-m", "verify.random", *OPTIONS, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_a_chunk(path, process):
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def test_totals_are_the_same_for_any_number_of_workers(whole):
    assert survey(PLAN, workers=3) == whole


def test_totals_are_the_sums_of_what_is_true_of_each_problem(whole):
    kind = find_kind(PLAN.kind)
    results = [kind(PLAN.size, item_seed(PLAN.seed, i)) for i in range(PLAN.problems)]
    default = [check_conditions(problem).verdict.status.value for problem in results]
    tdc = [check_conditions(problem, "tdc").verdict.status.value for problem in results]
    pairs = list(zip(default, tdc, strict=True))
    assert whole.total.problems == PLAN.problems
    assert whole.total.verdicts == {pair: pairs.count(pair) for pair in pairs}
    assert whole.only_tdc_converges == sum(a == "not-convergent" and b.startswith("convergent") for a, b in pairs) > 0
    assert whole.tdc_converges == sum(b.startswith("convergent") for b in tdc)


def test_every_problem_has_one_status_of_every_check_that_all_have(whole):
    for claim in ("theorem-3.1.case-i", "theorem-3.1.case-ii", "necessary.determinant", "condition.C3"):
        assert sum(n for (c, _), n in whole.total.checks.items() if c == claim) == PLAN.problems


def test_the_corrected_bound_is_never_above_the_exact_limit(whole):
    assert whole.total.ratios == sorted(whole.total.ratios)
    assert all(0 < ratio <= 1 for ratio in whole.total.ratios)
    assert len(whole.total.ratios) == whole.total.corrected["finite, compared"] > 0
    assert whole.total.corrected["finite, above the limit"] == 0


def test_the_exact_limit_is_the_one_known_by_hand():
    # A = -47/100, so beta < 47/100; Baird's is the least root of 4900 t^2 - 1281 t + 26.
    for name, limit in (("two-state", 0.47), ("baird", 0.02217811)):
        assert exact_limit(find_problem(name), ONE).middle == pytest.approx(limit, rel=1e-6)
    assert exact_limit(find_problem("boyan"), ONE).upper == float("inf")


def test_the_printed_bound_is_vacuous_where_h_is_indefinite():
    kind = find_kind("off-policy-weights")
    for seed in range(60):
        tally = judge(kind(Size(states=4, features=2), seed), ONE, ONE)
        assert sum(tally.printed.values()) == tally.checks["theorem-3.1.case-i", "fails"]
    one_feature = judge(find_problem("two-state"), ONE, Fraction(2))
    assert one_feature.printed == {"positive": 1}
    assert one_feature.ratios == [1.0]


def test_arithmetic_that_does_not_end_is_counted_and_named(monkeypatch, whole):
    def fails(problem, beta, eta, only_verdicts):
        if problem.name.endswith(str(item_seed(PLAN.seed, 4))):
            raise ArithmeticError("no separation\nof roots")
        return judge(problem, beta, eta, only_verdicts)

    monkeypatch.setitem(survey.__globals__, "judge", fails)
    result = survey(PLAN, workers=1)
    assert result.total.not_judged == [(4, "no separation of roots")]
    assert result.total.problems == PLAN.problems - 1
    assert "item 4: no separation of roots" in plain_text(result)


def test_a_run_goes_on_from_its_state_file_and_computes_nothing_twice(path, whole, monkeypatch):
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    computed = []
    chunk = Plan.chunk
    monkeypatch.setattr(Plan, "chunk", lambda plan, number: computed.append(number) or chunk(plan, number))
    assert survey(PLAN, workers=1, store=path) == whole
    assert computed == [2, 3]
    assert survey(PLAN, workers=1, store=path) == whole
    assert computed == [2, 3]


@pytest.mark.parametrize("cut", [1, 20, 200, 2000])
def test_a_state_file_that_ends_in_the_middle_of_a_line_costs_that_line_only(path, whole, cut):
    complete = path.read_bytes()
    path.write_bytes(complete[:-cut])
    assert survey(PLAN, workers=1, store=path) == whole
    assert sorted(path.read_bytes().splitlines()) == sorted(complete.splitlines())


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path, whole):
    path = tmp_path / "run.state"
    process = started("--workers", "2", "--store", str(path))
    wait_for_a_chunk(path, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert survey(PLAN, workers=1, store=path) == whole


@pytest.mark.thorough
def test_an_interrupt_is_exit_status_130_and_keeps_what_was_done(tmp_path, whole):
    path = tmp_path / "run.state"
    process = started("--problems", "100000", "--workers", "2", "--store", str(path))
    wait_for_a_chunk(path, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", f"{PROG}: interrupted\n")
    kept = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert len(kept) > 1
    assert {entry["chunk"] for entry in kept[1:]} <= set(range(100000 // CHUNK))


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, seed=6),
        replace(PLAN, problems=PLAN.problems + 1),
        replace(PLAN, beta=Fraction(1, 2)),
        replace(PLAN, kind="garnet"),
        replace(PLAN, only_verdicts=True),
        replace(PLAN, size=Size(states=4, features=2)),
    ],
)
def test_the_state_of_another_run_is_refused_and_left_as_it_is(path, other):
    before = path.read_bytes()
    with pytest.raises(BadOption, match="belongs to a run with"):
        survey(other, workers=1, store=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"", b"precious", b"a\nprecious", b"[1]\n", b'{"format": 2}\n', b"\x00\xff\n", b"{" * 10**6]
)
def test_a_file_that_is_no_state_of_a_run_is_refused_and_left_as_it_is(tmp_path, ask, content):
    path = tmp_path / "precious"
    path.write_bytes(content)
    status, out, err = ask(*OPTIONS, "--workers", "1", "--store", str(path))
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "is not the state of a run" in err
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: [*lines[:2], lines[2].replace(b'"problems": 25', b'"problems": 26'), *lines[3:]],
        lambda lines: [*lines[:2], lines[2].replace(b'"chunk": ', b'"chunk": 1'), *lines[3:]],
        lambda lines: [*lines[:2], b'{"chunk": 1, "content": {"problems": "many"}}\n', *lines[3:]],
        lambda lines: [*lines[:2], b"[]\n", *lines[3:]],
    ],
)
def test_a_damaged_line_is_refused_and_left_as_it_is(path, damage):
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = damage(lines)
    assert damaged != lines
    path.write_bytes(b"".join(damaged))
    with pytest.raises(BadOption, match="line 3 is damaged; without that line, its chunk is computed again"):
        survey(PLAN, workers=1, store=path)
    assert path.read_bytes() == b"".join(damaged)


def test_a_line_of_another_run_is_damage(path, tmp_path):
    survey(replace(PLAN, seed=6, only_verdicts=True), workers=1, store=tmp_path / "6")
    header, *_ = path.read_bytes().splitlines(keepends=True)
    _, *lines = (tmp_path / "6").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([header, *lines]))
    with pytest.raises(BadOption, match="line 2 is damaged"):
        survey(PLAN, workers=1, store=path)


def test_a_state_of_an_older_format_is_refused(path):
    older = path.read_bytes().replace(b'"format": 2', b'"format": 1')
    path.write_bytes(older)
    with pytest.raises(BadOption, match="has format 1; this program reads and writes format 2"):
        survey(PLAN, workers=1, store=path)
    assert path.read_bytes() == older


def test_a_full_disk_is_told_of_the_store_and_loses_the_unfinished_chunk_only(tmp_path, whole, monkeypatch, ask):
    path, written = tmp_path / "run.state", []

    def full(descriptor):
        if len(written) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(state_file.os, "fsync", full)
        status, out, err = ask(*OPTIONS, "--workers", "1", "--store", str(path))
    assert (status, out) == (2, "")
    assert err.endswith(f"error: --store: {path}: cannot be written: No space left on device\n")
    assert survey(PLAN, workers=1, store=path) == whole


def test_two_runs_never_share_a_state_file(tmp_path):
    from verify.random.state_file import StateFile

    path = tmp_path / "run.state"
    with StateFile(path, {"seed": 1}), pytest.raises(BadOption, match="in use by another run"), StateFile(path, {}):
        pass


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kind", "grnet"], "unknown kind of problem 'grnet' (did you mean garnet?)"),
        (["--problems", "0"], "--problems: 0"),
        (["--problems", str(10**30)], "--problems"),
        (["--workers", "0"], "--workers: 0"),
        (["--states", "0"], "--states: 0"),
        (["--seed", "-1"], "--seed: -1"),
        (["--eta", "0"], "--eta: 0"),
        (["--beta", "-1"], "--beta: -1"),
        (["--kind", "singular-c", "--features", "1"], "--features: 1"),
        (["--store", "missing/folder/file"], "--store: missing/folder/file"),
        (["--store", "a\0b"], "--store"),
    ],
)
def test_bad_input_is_exit_status_2_and_one_line(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


def test_json_has_every_count_beside_what_it_is_a_part_of(ask, whole):
    status, out, err = ask(*OPTIONS, "--workers", "1", "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    assert data == json.loads(json.dumps(whole.to_json()))
    assert data["problems"] == sum(entry["problems"] for entry in data["verdicts"]) == PLAN.problems
    assert data["case_i_fails"] == sum(data["printed"].values())
    assert data["tightness"]["compared"] == len(data["tightness"]["ratios"])
    assert list(data["tightness"]["quantiles"].values()) == sorted(data["tightness"]["quantiles"].values())


def test_no_percentage_stands_without_its_count(ask):
    status, out, _ = ask(*OPTIONS, "--workers", "1")
    assert status == 0
    counted = re.findall(r"\d+ of \d+ \([\d.e+-]+ %\)", out)
    assert len(counted) == out.count("%") > 3

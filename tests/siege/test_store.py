"""A store under fire: kills, two programs at once, a full disk, a stopped program, damage, an older schema, a clock."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
STUDY = """name = "fire"
problems = ["random-walk-tabular", "boyan"]
sampling = "markov"
steps = 2000
every = 4
runs = 600
[[learners]]
algorithms = ["tdrc", "td"]
alpha = { base = 2, from = -14, to = -3 }
"""
KILLS = 50

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")]


class Fire:
    """A study in a folder, and what it gives where nobody disturbs it."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "study.toml").write_text(STUDY)
        self.finish("first")  # which compiles
        start = time.monotonic()
        self.finish("whole")
        self.seconds = time.monotonic() - start
        self.rows = rows_of(folder / "whole")
        assert rows_of(folder / "first") == self.rows

    def start(self, name, command=("sweep", "study.toml", "--workers", "2", "--store"), limit=None, **variables):
        """Begin a command on a store; limit is on the size of a file, in bytes."""
        return subprocess.Popen(
            [sys.executable, "-c", "import sys; from reports.command import main; sys.exit(main())", *command, name],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "80"} | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))),
        )

    def finish(self, name):
        """Run the study to its end, and return what it says beside its output."""
        out, err = (process := self.start(name)).communicate(timeout=300)
        assert process.returncode == 0, err
        assert out
        return err.splitlines()

    def copy(self, name):
        """Return a copy of the store that is whole."""
        with (
            closing(sqlite3.connect(self.folder / "whole")) as file,
            closing(sqlite3.connect(self.folder / name)) as to,
        ):
            file.backup(to)
        return self.folder / name


@pytest.fixture(scope="module")
def fire(tmp_path_factory):
    return Fire(tmp_path_factory.mktemp("fire"))


def rows_of(path):
    """Return all outcomes by key."""
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return file.execute("SELECT key, mean, m2, area, diverged, checksum FROM outcomes ORDER BY key").fetchall()


def change(path, *statements):
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


def kill_after(process, seconds):
    """Return whether a process was killed before its end."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def test_a_sweep_that_is_killed_fifty_times_loses_nothing_and_ends_with_the_same_bits(fire):
    drawn, kills, number, between = random.Random(22), 0, 0, 0
    while kills < KILLS:
        path = fire.folder / f"killed-{number}"
        before = rows_of(path) if path.exists() else []
        assert set(before) <= set(fire.rows)
        killed = kill_after(fire.start(path.name), drawn.uniform(0, fire.seconds))
        after = rows_of(path) if path.exists() else []
        assert set(before) <= set(after)
        kills += killed
        between += killed and 0 < len(after) < len(fire.rows)
        if not killed or len(after) == len(fire.rows):
            assert after == fire.rows
            number += 1
    assert fire.finish(path.name) == []
    assert rows_of(path) == fire.rows
    assert between >= 5, "the moments were such that most kills found a store half full"


def test_pruning_that_is_killed_removes_all_or_nothing(fire):
    path, drawn, left = fire.copy("pruned"), random.Random(7), set()
    change(path, "UPDATE outcomes SET version = 'prediction 0' WHERE rowid % 2")
    kept = len(fire.rows) - sum(rowid % 2 for rowid in range(1, len(fire.rows) + 1))
    for _ in range(10):
        kill_after(fire.start(path.name, ("store", "--prune")), drawn.uniform(0.2, 1.2))
        left.add(len(rows_of(path)))
    assert left <= {kept, len(fire.rows)}
    process = fire.start(path.name, ("store", "--prune"))
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(rows_of(path)) == kept
    assert fire.finish(path.name) == []
    assert rows_of(path) == fire.rows


def test_two_programs_on_one_store_end_with_the_same_bits_though_one_is_stopped_again_and_again(fire):
    drawn = random.Random(3)
    first, second = fire.start("shared"), fire.start("shared")
    stops = 0
    while first.poll() is None and second.poll() is None:
        time.sleep(drawn.uniform(0, 0.3))
        first.send_signal(signal.SIGSTOP)
        time.sleep(drawn.uniform(0, 0.3))
        first.send_signal(signal.SIGCONT)
        stops += 1
    for process in (first, second):
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert "Traceback" not in err
    assert stops > 1
    assert rows_of(fire.folder / "shared") == fire.rows


def test_a_full_disk_is_one_line_and_what_was_stored_stays(fire):
    path, sizes = fire.folder / "limited", []
    for limit in (2_000, 200_000, 1_000_000):
        process = fire.start(path.name, limit=limit)
        out, err = process.communicate(timeout=300)
        assert (process.returncode, out) == (2, "")
        assert "Traceback" not in err
        assert err.splitlines()[-1].startswith("tdrc sweep: error: --store: ")
        assert "limited: " in err
        sizes.append(len(rows_of(path)) if path.exists() else 0)
        assert [entry.name for entry in fire.folder.iterdir() if entry.name.startswith(".limited")] == []
    assert sizes[0] == 0 < sizes[1] < sizes[2] < len(fire.rows)
    assert fire.finish(path.name) == []
    assert rows_of(path) == fire.rows


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_device_that_is_full_is_one_line(fire):
    process = fire.start("/dev/full")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "/dev/full: cannot be written: it is there, and is no file" in err


def test_damaged_rows_are_computed_again_with_a_line_each(fire):
    path, drawn = fire.copy("damaged"), random.Random(5)
    damaged = drawn.sample(range(1, len(fire.rows) + 1), 20)
    with closing(sqlite3.connect(path)) as file, file:
        for rowid in damaged:
            column = drawn.choice(["mean", "m2", "area", "diverged", "checksum"])
            (content,) = file.execute(f"SELECT {column} FROM outcomes WHERE rowid = ?", (rowid,)).fetchone()
            at = drawn.randrange(len(content))
            flipped = content[:at] + bytes([content[at] ^ 1 << drawn.randrange(8)]) + content[at + 1 :]
            file.execute(f"UPDATE outcomes SET {column} = ? WHERE rowid = ?", (flipped, rowid))
    lines = fire.finish(path.name)
    assert len(lines) == len(damaged)
    assert all("is damaged; it is computed again" in line for line in lines)
    assert rows_of(path) == fire.rows


def test_bytes_flipped_anywhere_in_the_file_give_the_same_bits_or_one_line(fire):
    content, drawn, statuses = fire.copy("flipped").read_bytes(), random.Random(11), []
    exported = fire.folder / "exported.csv"
    study = ("sweep", "study.toml", "--workers", "2", "--curves", exported.name, "--store")
    fire.start("flipped", study).communicate(timeout=300)
    whole = exported.read_bytes()
    for number in range(30):
        path = fire.folder / f"flipped-{number}"
        data = bytearray(content)
        for _ in range(drawn.choice([1, 10, 1000])):
            at = drawn.choice([drawn.randrange(len(data)), drawn.randrange(4096)])  # the first page has the schema
            data[at] = drawn.randrange(256)
        path.write_bytes(data)
        for command in (("store",), study):
            process = fire.start(path.name, command)
            out, err = process.communicate(timeout=300)
            assert process.returncode in (0, 2), err
            assert "Traceback" not in err
            assert process.returncode == 0 or (out == "" and err.count("error:") == 1), err
        statuses.append(process.returncode)
        if process.returncode == 0:  # what SQLite can no longer find in the file is computed again
            assert exported.read_bytes() == whole
    assert set(statuses) == {0, 2}


def test_rows_under_each_others_keys_are_computed_again(fire):
    path = fire.copy("swapped")
    one, other = (row[0] for row in random.Random(1).sample(fire.rows, 2))
    with closing(sqlite3.connect(path)) as file, file:
        for old, new in ((one, b"between"), (other, one), (b"between", other)):
            file.execute("UPDATE outcomes SET key = ? WHERE key = ?", (new, old))
    assert len(fire.finish(path.name)) == 2
    assert rows_of(path) == fire.rows


def test_an_older_store_goes_on_under_two_programs(fire):
    path = fire.copy("older")
    change(
        path,
        "DELETE FROM outcomes WHERE rowid % 3 = 0",
        "ALTER TABLE outcomes DROP COLUMN version",
        "ALTER TABLE outcomes RENAME COLUMN description TO told",
        "PRAGMA user_version = 1",
    )
    both = [fire.start(path.name) for _ in range(2)]
    for process in both:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    assert rows_of(path) == fire.rows
    with closing(sqlite3.connect(path)) as file:
        by_name = dict(file.execute("SELECT version != '', count(*) FROM outcomes GROUP BY version != ''"))
    assert by_name[0] == sum(rowid % 3 != 0 for rowid in range(1, len(fire.rows) + 1))


def test_another_programs_database_is_refused_and_left_as_it_is(fire):
    path = fire.folder / "songs"
    change(path, "CREATE TABLE outcomes (name TEXT)", "INSERT INTO outcomes VALUES ('precious')")
    before = path.read_bytes()
    for command in (("sweep", "study.toml", "--store"), ("store",), ("store", "--prune")):
        process = fire.start(path.name, command)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err.count("\n")) == (2, "", 1)
        assert "songs: is not a store of outcomes" in err
    assert path.read_bytes() == before


NETWORKS = """name = "networks"
environments = [{ environment = "cart-pole", steps = 200 }]
runs = 2
[[agents]]
algorithms = ["qrc"]
alpha = { base = 2, from = -12, to = -7 }
"""
ON_PROCESSES = {
    "sweep": ("sweep", "networks.toml", "--workers", "2", "--store"),
    "random": ("random", "--problems", "400", "--workers", "2", "--store"),
}


def lines_of(path):
    """Return the lines of a state file of random problems."""
    return sorted(path.read_bytes().splitlines())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads which processes a program has begun")
@pytest.mark.parametrize(("command", "content"), [("sweep", rows_of), ("random", lines_of)])
def test_a_worker_process_that_is_killed_is_one_line_and_what_was_stored_stays(fire, command, content):
    (fire.folder / "networks.toml").write_text(NETWORKS)
    arguments = ON_PROCESSES[command]
    path, whole = fire.folder / f"{command}-killed", fire.folder / f"{command}-whole"
    process = fire.start(path.name, arguments)
    workers = wait_for(lambda: path.exists() and len(content(path)) > 1 and workers_of(process), process)
    os.kill(workers[-1], signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (2, "")
    assert err == f"tdrc {command}: error: --workers: a worker process was killed, perhaps for lack of memory\n"
    kept = content(path)
    for each in (path, whole):
        (process := fire.start(each.name, arguments)).communicate(timeout=300)
        assert process.returncode == 0
    assert 1 < len(kept) < len(content(whole))
    assert set(kept) <= set(content(path))
    assert content(path) == content(whole)


def workers_of(process):
    """Return the numbers of the processes that a program computes in."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def wait_for(condition, process, seconds=120):
    """Return what a condition comes to be, while a process runs."""
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.05)
    return None


@pytest.fixture
def cluster():
    """Return two workers of a Dask cluster, each a process of its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.mark.filterwarnings("default")
def test_workers_of_a_cluster_that_are_killed_cost_nothing_but_time(fire, cluster):
    path, drawn = fire.folder / "cluster", random.Random(8)
    process = fire.start(path.name, ("sweep", "study.toml", "--cluster", cluster.scheduler_address, "--store"))
    for stored in (1, 100, 200):
        assert wait_for(lambda stored=stored: path.exists() and len(rows_of(path)) >= stored, process)
        os.kill(drawn.choice([worker.pid for worker in cluster.workers.values() if worker.pid]), signal.SIGKILL)
    _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    assert rows_of(path) == fire.rows


def test_a_scheduler_that_is_killed_is_one_line_and_what_was_stored_stays(fire, tmp_path):
    pytest.importorskip("distributed")
    dask = [sys.executable, "-m", "dask"]
    about = tmp_path / "scheduler.json"
    run = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    files = ["--scheduler-file", str(about)]
    host = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = subprocess.Popen([*dask, "scheduler", *files, *host, "--port", "0"], **run)
    worker = subprocess.Popen([*dask, "worker", *files, "--no-dashboard", "--nthreads", "1", "--no-nanny"], **run)
    try:
        assert wait_for(about.exists, scheduler)
        path, address = fire.folder / "lost", json.loads(about.read_text())["address"]
        process = fire.start(path.name, ("sweep", "study.toml", "--cluster", address, "--store"))
        assert wait_for(lambda: path.exists() and rows_of(path), process)
        scheduler.kill()
        out, err = process.communicate(timeout=60)
    finally:
        for each in (scheduler, worker):
            each.kill()
            each.wait()
    assert (process.returncode, out) == (2, "")
    assert err == f"tdrc sweep: error: --cluster: {address}: the scheduler was lost; a store keeps what is done\n"
    assert 0 < len(kept := rows_of(path)) < len(fire.rows)
    assert set(kept) <= set(fire.rows)
    assert fire.finish(path.name) == []
    assert rows_of(path) == fire.rows


CLOCK = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The clock of the system, so many seconds ahead in every other tenth of a second, and behind in the rest. */
int clock_gettime(clockid_t clock, struct timespec *t) {
    int status = syscall(SYS_clock_gettime, clock, t);
    if (status == 0 && clock == CLOCK_REALTIME) {
        const char *moved = getenv("CLOCK_MOVED");
        long seconds = moved ? atol(moved) : 0;
        t->tv_sec += t->tv_nsec / 100000000 % 2 ? seconds : -seconds;
    }
    return status;
}

time_t time(time_t *at) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (at) *at = t.tv_sec;
    return t.tv_sec;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    at->tv_sec = t.tv_sec;
    at->tv_usec = t.tv_nsec / 1000;
    return 0;
}
"""


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="puts a C function before libc's")
def test_a_clock_that_jumps_a_year_forth_and_back_changes_nothing(fire, tmp_path):
    source, library, path = tmp_path / "clock.c", tmp_path / "clock.so", fire.folder / "clock"
    source.write_text(CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    moved = {"LD_PRELOAD": str(library), "CLOCK_MOVED": str(365 * 86400)}
    seen = subprocess.run(
        [sys.executable, "-c", "import time\nfor _ in range(30): print(time.time()); time.sleep(0.02)"],
        env=os.environ | moved, capture_output=True, text=True, check=True,
    )  # fmt: skip
    times = [float(line) for line in seen.stdout.split()]
    assert max(times) - min(times) > 600 * 86400, "the library has moved the clock"
    drawn, number = random.Random(9), 0
    while number < 6 or not path.exists():
        kill_after(fire.start(path.name, **moved), drawn.uniform(0.5, 1) * fire.seconds)
        number += 1
        if path.exists():
            assert set(rows_of(path)) <= set(fire.rows)
            drawn_time = drawn.choice([0, 2**31, 4 * 10**9])
            os.utime(path, (drawn_time, drawn_time))
    process = fire.start(path.name, **moved)
    _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    assert rows_of(path) == fire.rows
    assert fire.finish(path.name) == []

from __future__ import annotations

import os
import pickle
import signal
import sqlite3
import statistics
import sys
from dataclasses import replace

import numpy as np
import pytest

import simulate.paper.__main__ as paper
import simulate.tables.__main__ as tables
from simulate.compute import compute, compute_there, missing, packed
from simulate.environment import environment
from simulate.kernels import Lanes, kernel, lanes
from simulate.kernels.kernel_residual_gradient import find_learner
from simulate.piece import Piece
from simulate.step_sizes import ADAM, CONSTANT
from simulate.store import Store
from simulate.work import RUNS, merged
from tdrc_theory import Algorithm, find_algorithm, find_problem
from tdrc_theory.errors import BadOption, MissingExtra

WALK = environment(find_problem("random-walk-tabular"), steps=40, seed=3)


def piece(alpha=(0.25, 0.125, 0.5), runs=range(7), **changes):
    arguments = {"environment": WALK, "algorithm": find_algorithm("tdrc"), "rule": CONSTANT, "every": 1}
    arguments |= changes
    return Piece(lanes=lanes(arguments["rule"], alpha), runs=runs, **arguments)


def bits(outcome):
    return [array.tobytes() for array in outcome]


def one(result, store=None, **how):
    """Return the outcome of one piece."""
    if store is None:
        with Store(None) as memory:
            return one(result, memory, **how)
    (outcome,) = compute([result], store, **how)
    return outcome


def test_an_outcome_has_the_means_errors_and_areas_of_the_single_runs():
    result = piece(runs=range(2, 7))
    outcome = one(result)
    update = kernel(result.algorithm, result.rule)
    curves = [update(WALK, WALK.trajectory(run), result.lanes, range(1, WALK.steps + 1)).errors for run in result.runs]
    assert outcome.mean == pytest.approx(sum(curves) / 5, rel=1e-13)
    assert outcome.area == pytest.approx(np.array([curve.sum(axis=0) / 40 for curve in curves]), rel=1e-13)
    at_the_end = statistics.stdev(float(curve[-1, 2]) for curve in curves) / 5**0.5
    assert outcome.standard_error()[-1, 2] == pytest.approx(at_the_end, rel=1e-10)


def test_a_configuration_has_the_same_bits_alone_and_among_a_hundred():
    many = piece(alpha=np.linspace(0.01, 1, 100))
    alone = many.of_lanes([57])
    expected = [array[:, 57:58].tobytes() for array in many.compute()]
    assert bits(alone.compute()) == expected


@pytest.mark.thorough
def test_pieces_with_the_same_data_draw_them_once_and_have_the_same_bits():
    drawn = []
    result = environment(find_problem("boyan"), "batch", steps=9, data=50, batch=3, seed=2)
    there = replace(result, trajectory=lambda run: [drawn.append(run), result.trajectory(run)][1])
    pieces = [piece(environment=there, algorithm=find_learner(name)) for name in ("tdrc", "td", "kernel-rg")]
    expected = [bits(one.compute()) for one in pieces]
    drawn.clear()
    with Store(None) as store:
        assert [bits(each) for each in compute(pieces, store, workers=2)] == expected
    assert drawn == list(range(7))


def test_workers_and_what_is_stored_already_change_no_bit():
    result = piece(runs=range(RUNS + 5))
    expected = bits(one(result, workers=1))
    assert bits(one(result, workers=4)) == expected
    with Store(None) as store:
        one(result.of_lanes([1]), store)
        one(piece(runs=range(RUNS)), store)
        assert sum(task.updates for task in missing([result], store)) == 40 * 2 * 5
        assert bits(one(result, store)) == expected


def test_nothing_that_is_stored_is_computed_again(tmp_path):
    with Store(tmp_path / "s") as store:
        one(piece(), store)
    with Store(tmp_path / "s") as store:
        assert list(missing([piece(), piece(alpha=[0.5])], store)) == []
        assert [task.lanes.alpha.tolist() for task in missing([piece(alpha=[0.5, 0.75])], store)] == [[0.75]]


@pytest.mark.parametrize(
    "other",
    [
        {"algorithm": find_algorithm("tdc")},
        {"rule": ADAM},
        {"alpha": (0.25, 0.125, 0.375)},
        {"runs": range(1, 7)},
        {"every": 2},
        {"first": 0},
        {"environment": environment(find_problem("random-walk-tabular"), steps=40, seed=4)},
        {"environment": environment(find_problem("random-walk-tabular"), steps=41, seed=3)},
        {"environment": environment(find_problem("random-walk-inverted"), steps=40, seed=3)},
        {"environment": environment(find_problem("random-walk-tabular"), "iid", steps=40, seed=3)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_changes_the_outcome_changes_the_key(other):
    assert piece(**other).keys()[-1] != piece().keys()[-1]


def test_an_algorithm_of_another_text_has_another_key(tmp_path):
    keys = []
    for factor in (1, 2):
        file = tmp_path / "mine.py"
        file.write_text(
            f"def scaled(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return {factor} * rho * delta * x, 0\n"
        )
        keys.append(piece(algorithm=find_algorithm(f"{file}:scaled")).keys()[0])
    assert keys[0] != keys[1]


def test_divergence_is_recorded_with_its_update_and_makes_the_area_infinite():
    baird = environment(find_problem("baird"), steps=3000, seed=0)
    outcome = one(piece(environment=baird, algorithm=find_algorithm("td"), alpha=[1.0, 2.0**-12], runs=range(3)))
    assert (outcome.diverged[:, 0] > 0).all()
    assert np.isinf(outcome.area[:, 0]).all()
    assert np.isinf(outcome.mean[-1, 0])
    assert (outcome.diverged[:, 1] == -1).all()
    assert np.isfinite(outcome.area[:, 1]).all()
    assert not any(np.isnan(array).any() for array in outcome)


def test_blocks_of_runs_are_merged_into_what_all_runs_give():
    whole = piece(runs=range(9))
    parts = [piece(runs=range(4)).compute(), piece(runs=range(4, 9)).compute()]
    expected = whole.compute()
    result = merged(parts)
    assert result.mean == pytest.approx(expected.mean, rel=1e-13)
    assert result.m2 == pytest.approx(expected.m2, rel=1e-9, abs=1e-18)
    assert result.area.tobytes() == expected.area.tobytes()


def test_a_thinned_curve_has_the_same_areas():
    thin = piece(thin=7)
    assert thin.points == range(1, 41, 7)
    assert thin.compute().area.tobytes() == piece().compute().area.tobytes()
    assert thin.compute().mean.tobytes() == piece().compute().mean[::7].tobytes()


@pytest.mark.parametrize("column", ["mean", "m2", "area", "diverged", "checksum"])
def test_a_damaged_row_is_computed_again_and_said(tmp_path, column):
    path = tmp_path / "s"
    with Store(path) as store:
        expected = bits(one(piece(), store))
    with sqlite3.connect(path) as file:
        (content,) = file.execute(f"SELECT {column} FROM outcomes LIMIT 1").fetchone()
        file.execute(
            f"UPDATE outcomes SET {column} = ? WHERE rowid = (SELECT min(rowid) FROM outcomes)",
            (bytes([content[0] ^ 1]) + content[1:],),
        )
    file.close()
    texts = []
    with Store(path, texts.append) as store:
        assert bits(one(piece(), store)) == expected
        assert len(texts) == 1
        assert "damaged; it is computed again" in texts[0]
        assert "random-walk-tabular, tdrc, constant, alpha 0." in texts[0]
        assert list(missing([piece()], store)) == []
    assert len(texts) == 1


def test_what_is_no_store_is_refused_in_one_line(tmp_path):
    (tmp_path / "text").write_text("something else, long enough to be no database" * 30)
    with sqlite3.connect(tmp_path / "other") as file:
        file.execute("CREATE TABLE songs (name TEXT)")
    file.close()
    with Store(tmp_path / "newer") as store:
        one(piece(alpha=[0.25]), store)
    with sqlite3.connect(tmp_path / "newer") as file:
        file.execute("PRAGMA user_version = 7")
    file.close()
    for name, reason in [
        ("text", "is not a store of outcomes"),
        ("other", "is not a store of outcomes"),
        ("newer", "is a store of version 7; this program reads versions 1 to 2"),
        ("no/folder", "cannot be written: No such file or directory"),
    ]:
        with pytest.raises(BadOption, match=f"^--store: .*{name}: {reason}$") as refusal:
            Store(tmp_path / name)
        assert "\n" not in str(refusal.value)


def test_a_store_into_which_nothing_was_put_leaves_no_file(tmp_path):
    with Store(tmp_path / "s") as store:
        assert store.get(b"nothing") is None
    assert list(tmp_path.iterdir()) == []


def test_two_programs_can_use_one_store(tmp_path):
    with Store(tmp_path / "s") as first, Store(tmp_path / "s") as second:
        one(piece(alpha=[0.25]), first)
        assert list(missing([piece(alpha=[0.25])], second)) == []
        one(piece(alpha=[0.5]), second)
        assert list(missing([piece(alpha=[0.25, 0.5])], first)) == []


@pytest.mark.parametrize("workers", [0, -1, 5000])
def test_an_impossible_number_of_workers_is_refused(workers):
    with pytest.raises(BadOption, match=f"--workers: {workers} is not from 1 to 1024"):
        one(piece(), workers=workers)


def test_lanes_of_a_piece_are_chosen_with_their_parameters():
    result = Piece(WALK, find_algorithm("tdrc"), ADAM, lanes(ADAM, 0.5, b1=[0.5, 0.75], b2=[0.8, 0.9]), runs=range(1))
    chosen = result.of_lanes([1])
    assert isinstance(chosen.lanes, Lanes)
    assert chosen.lanes.alpha.tolist() == [0.5]
    assert {name: column.tolist() for name, column in chosen.lanes.rule.items()} == {"b1": [0.75], "b2": [0.9]}


OWN = "def doubled(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return twice(rho) * delta * x, 0\n"
HELPER = "def twice(value):\n    return 2 * value\n\n\n"


def travelling(algorithm, steps=50, runs=range(2), alpha=(0.25, 0.125), sampling="markov"):
    walk = environment(find_problem("random-walk-tabular"), sampling, steps=steps)
    return Piece(walk, algorithm, CONSTANT, lanes(CONSTANT, alpha), runs=runs)


def all_bits(outcomes):
    return [array.tobytes() for outcome in outcomes for array in outcome]


def test_a_users_algorithm_travels_as_the_text_of_its_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HELPER + OWN)
    result = travelling(find_algorithm(f"{file}:doubled"))
    parcel = packed(result)
    expected = all_bits([result.compute()])
    file.unlink()
    assert parcel.algorithm[1] == HELPER + OWN
    assert str(tmp_path) not in repr(parcel.algorithm)
    assert all_bits([compute_there(pickle.loads(pickle.dumps(parcel)))]) == expected


def test_a_worker_with_other_sources_refuses_to_compute():
    parcel = packed(travelling(find_algorithm("tdrc")))
    with pytest.raises(BadOption, match="a worker has another version"):
        compute_there(parcel._replace(keys=[b"other", b"keys"]))


def test_an_algorithm_without_a_file_is_not_sent():
    def local(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return delta * x, 0

    assert packed(travelling(find_algorithm("td"))).algorithm is None
    with pytest.raises(BadOption, match="local is neither built in nor an algorithm of a file"):
        packed(travelling(Algorithm("local", local)))


def test_without_dask_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with Store(None) as store, pytest.raises(MissingExtra, match=r"pip install 'tdrc-referee\[cluster\]'"):
        compute([travelling(find_algorithm("td"))], store, cluster="tcp://127.0.0.1:1")


@pytest.mark.parametrize(("algorithm", "sampling"), [("residual-gradient", "markov"), ("tdrc", "batch")])
def test_pieces_travel_and_give_the_same_bits_there(pickling_cluster, algorithm, sampling):
    pieces = [travelling(find_algorithm(algorithm), runs=range(40, 60), sampling=sampling)]
    with Store(None) as here, Store(None) as there:
        assert all_bits(compute(pieces, there, cluster=pickling_cluster)) == all_bits(compute(pieces, here))


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (tables, ["--step-size", "constant", "--algorithm", "td", "--problem", "boyan", "--runs", "2"]),
        (paper, ["emphatic-td", "--experiment", "figure-4", "--runs", "2"]),
    ],
)
def test_a_command_on_a_cluster_prints_the_same(pickling_cluster, asker, command, arguments):
    ask = asker(command.main, command.PROG)
    here = ask(*arguments)
    assert here[0] == 0
    assert ask(*arguments, "--cluster", pickling_cluster) == here


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_half_way_gives_the_same_bits(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "mine.py"
    file.write_text(HELPER + OWN)
    algorithms = (find_algorithm("tdrc"), find_algorithm("tdc"), find_algorithm(f"{file}:doubled"))
    file.unlink()  # the workers are sent what was read of it
    pieces = [travelling(algorithm, 5000, range(400), [n / 200 for n in range(1, 65)]) for algorithm in algorithms]
    with Store(None) as store:
        expected = all_bits(compute(pieces, store))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        with Store(None) as store:
            stored = []

            def put(*content):
                Store.put(store, *content)
                stored.append(content)
                if len(stored) == 12:
                    os.kill(victim, signal.SIGKILL)

            monkeypatch.setattr(store, "put", put)
            result = all_bits(compute(pieces, store, cluster=cluster.scheduler_address))
    assert len(stored) == 24
    assert result == expected


def test_an_address_without_a_scheduler_is_refused_in_one_line(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("tdrc_theory.cli.workers.SCHEDULER_PATIENCE", 0.2)
    with Store(None) as store, pytest.raises(BadOption, match=r"--cluster: tcp://127\.0\.0\.1:9: ") as refusal:
        compute([travelling(find_algorithm("td"))], store, cluster="tcp://127.0.0.1:9")
    assert "\n" not in str(refusal.value)

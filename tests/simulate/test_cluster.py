from __future__ import annotations

import os
import pickle
import signal
import sys

import pytest

import simulate.paper.__main__ as paper
import simulate.tables.__main__ as tables
from simulate.compute import compute, compute_there, packed
from simulate.environment import environment
from simulate.kernels import lanes
from simulate.piece import Piece
from simulate.step_sizes import CONSTANT
from simulate.store import Store
from tdrc_theory import Algorithm, find_algorithm, find_problem
from tdrc_theory.errors import BadOption, MissingExtra

OWN = "def doubled(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return twice(rho) * delta * x, 0\n"
HELPER = "def twice(value):\n    return 2 * value\n\n\n"


def piece(algorithm, steps=50, runs=range(2), alpha=(0.25, 0.125), sampling="markov"):
    walk = environment(find_problem("random-walk-tabular"), sampling, steps=steps)
    return Piece(walk, algorithm, CONSTANT, lanes(CONSTANT, alpha), runs=runs)


def bits(outcomes):
    return [array.tobytes() for outcome in outcomes for array in outcome]


def test_a_users_algorithm_travels_as_the_text_of_its_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HELPER + OWN)
    result = piece(find_algorithm(f"{file}:doubled"))
    parcel = packed(result)
    expected = bits([result.compute()])
    file.unlink()
    assert parcel.algorithm[1] == HELPER + OWN
    assert str(tmp_path) not in repr(parcel.algorithm)
    assert bits([compute_there(pickle.loads(pickle.dumps(parcel)))]) == expected


def test_a_worker_with_other_sources_refuses_to_compute():
    parcel = packed(piece(find_algorithm("tdrc")))
    with pytest.raises(BadOption, match="a worker has another version"):
        compute_there(parcel._replace(keys=[b"other", b"keys"]))


def test_an_algorithm_without_a_file_is_not_sent():
    def local(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return delta * x, 0

    assert packed(piece(find_algorithm("td"))).algorithm is None
    with pytest.raises(BadOption, match="local is neither built in nor an algorithm of a file"):
        packed(piece(Algorithm("local", local)))


def test_without_dask_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with Store(None) as store, pytest.raises(MissingExtra, match=r"pip install 'tdrc-referee\[cluster\]'"):
        compute([piece(find_algorithm("td"))], store, cluster="tcp://127.0.0.1:1")


@pytest.mark.parametrize(("algorithm", "sampling"), [("residual-gradient", "markov"), ("tdrc", "batch")])
def test_pieces_travel_and_give_the_same_bits_there(pickling_cluster, algorithm, sampling):
    pieces = [piece(find_algorithm(algorithm), runs=range(40, 60), sampling=sampling)]
    with Store(None) as here, Store(None) as there:
        assert bits(compute(pieces, there, cluster=pickling_cluster)) == bits(compute(pieces, here))


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
    pieces = [piece(algorithm, 5000, range(400), [n / 200 for n in range(1, 65)]) for algorithm in algorithms]
    with Store(None) as store:
        expected = bits(compute(pieces, store))
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
            result = bits(compute(pieces, store, cluster=cluster.scheduler_address))
    assert len(stored) == 24
    assert result == expected


def test_an_address_without_a_scheduler_is_refused_in_one_line(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("tdrc_theory.cli.workers.SCHEDULER_PATIENCE", 0.2)
    with Store(None) as store, pytest.raises(BadOption, match=r"--cluster: tcp://127\.0\.0\.1:9: ") as refusal:
        compute([piece(find_algorithm("td"))], store, cluster="tcp://127.0.0.1:9")
    assert "\n" not in str(refusal.value)

"""Last layers of small trained networks against the agent's own update, and the command from the outside."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from reports.last_layer.__main__ import PROG, main  # noqa: E402
from reports.last_layer.estimate import (  # noqa: E402
    averages,
    eigenvalues,
    mean,
    settled_h,
    transitions,
)
from simulate.control.agent import Batch, directions  # noqa: E402
from simulate.control.checkpoint import read_checkpoint  # noqa: E402
from simulate.control.network import Layered  # noqa: E402
from simulate.control.settings import settings  # noqa: E402
from simulate.control.training import train  # noqa: E402


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return the checkpoints of two runs of each algorithm, with a buffer that has gone round."""
    folder = tmp_path_factory.mktemp("checkpoints")
    arguments = {"steps": 390, "hidden": (7, 4), "buffer": 300, "batch": 5, "cutoff": 40, "every": 10}
    for algorithm in ("qrc", "qc", "q-learning"):
        train(settings("mountain-car", algorithm, **arguments), range(2), seed=3, checkpoint=folder / algorithm)
    return folder


@pytest.mark.quick(2)
@pytest.mark.parametrize("algorithm", ["qrc", "qc"])
@pytest.mark.parametrize("run", [0, 1])
def test_eigenvalues_and_the_end_of_h_are_those_of_the_agents_own_update(kept, algorithm, run):
    checkpoint = read_checkpoint(kept / algorithm)
    batch, weights, h = all_of(checkpoint, run)
    beta, gamma = float(checkpoint.settings.beta or 0), float(checkpoint.settings.gamma)
    network, layer = Layered(2, 7, 4, 3), weights[4]

    def update(z):
        """Return the directions of h and of the last layer, when they are z."""
        mine = [*weights[:4], z[h.numel() :].reshape(layer.shape), weights[5]]
        result = directions(network, mine, mine, z[: h.numel()].reshape(h.shape), batch, gamma=gamma, beta=beta)
        return torch.cat([result.h.flatten(), (result.error[4] + result.correction[4]).flatten()])

    z = torch.cat([h.flatten(), layer.flatten()])
    unit = 1e-6 * torch.eye(len(z), dtype=torch.float64)
    G = torch.stack([(update(z + e) - update(z - e)) / 2e-6 for e in unit]).T.numpy()
    result = mean(averages(list(transitions(checkpoint))[run], 1, 1e-13))
    ours, theirs = (
        np.sort_complex(values[np.abs(values) > 1e-5])
        for values in (eigenvalues(result, beta, 1.0), np.linalg.eigvals(G))
    )
    dead = len(theirs) - len(ours)  # where a feature is dead, h decays at the rate beta and nothing else happens
    assert dead == (h.numel() - len(result.C) if beta else 0)
    left = list(theirs)
    for value in ours:
        nearest = min(left, key=lambda other: abs(other - value))
        assert nearest == pytest.approx(value, abs=1e-5)
        left.remove(nearest)
    assert np.array(left) == pytest.approx(np.full(dead, -beta), abs=1e-5)
    if beta:
        size = h.numel()
        end = np.linalg.solve(G[:size, :size], G[:size, :size] @ z[:size].numpy() - update(z)[:size].numpy())
        assert settled_h(result, beta) == pytest.approx(np.linalg.norm(end), rel=1e-4)


def all_of(checkpoint, run):
    """Return everything in a run's buffer as one batch, in double precision, weights and h likewise."""
    kept = checkpoint.state["replay"]
    columns = [torch.from_numpy(kept[name][:, run : run + 1]).transpose(0, 1) for name in Batch._fields]
    batch = Batch(*(c if c.dtype == torch.int64 else c.double() for c in columns))
    arrays = checkpoint.state["agents"]
    weights = [torch.from_numpy(arrays[f"weight{n}"])[run : run + 1].double() for n in range(6)]
    return batch, weights, torch.from_numpy(arrays["h"])[run : run + 1].double()


def test_transitions_are_in_the_order_in_which_they_were_made(kept):
    checkpoint = read_checkpoint(kept / "qc")
    assert (int(checkpoint.state["replay"]["added"]), checkpoint.settings.buffer) == (390, 300)
    (result, *_) = transitions(checkpoint)
    follows = np.abs(result.x[1:] - result.x_next[:-1]).max(axis=1) < 1e-5
    assert follows.mean() > 0.9  # all but an episode's first
    assert set(np.diff(np.flatnonzero(~follows))) <= {40}  # the cut-off


def test_the_table_has_both_beside_each_other_and_says_what_it_is_of(kept, ask):
    status, out, _ = ask(str(kept / "qrc"), str(kept / "qc"))
    assert status == 0
    assert "qrc on mountain-car: 2 runs, seed 3" in out
    assert "qrc, 359 updates" in out
    for name in (
        "bound of beta",
        "spectral abscissa, beta = 0",
        "h is to grow from where it is",
        "(sampled)",
        "too narrow",
        "Adam",
    ):
        assert name in out
    status, out, _ = ask(str(kept / "qc"), "--json", "--resolution", "1e-4")
    answer = json.loads(out)
    (column,) = answer["checkpoints"]
    assert (status, answer["proof"], answer["resolution"], column["beta"]) == (0, "sampled", 1e-4, "0")
    assert [run["run"] for run in column["runs"]] == [0, 1]
    norm = np.linalg.norm(read_checkpoint(kept / "qc").state["agents"]["h"][0])
    assert column["runs"][0]["norm_h"] == pytest.approx(norm)
    assert set(column["runs"][0]["hypotheses"].values()) <= {"holds", "fails", "undecided"}


def test_one_bar_goes_through_the_runs_of_all_checkpoints(kept, ask, monkeypatch):
    texts = []

    @contextmanager
    def bar(_, total):
        texts.append(total)
        yield texts.append

    monkeypatch.setattr("reports.last_layer.__main__.progress_bar", bar)
    assert ask(str(kept / "qrc"), str(kept / "qc"), str(kept / "qrc"))[0] == 0
    assert texts == [6, 1, 2, 3, 4, 5, 6]


def test_what_has_no_h_or_is_no_checkpoint_is_refused_in_one_line(kept, ask, tmp_path):
    bad = tmp_path / "bad"
    bad.write_text("x", encoding="utf-8")
    for name, values in (("target", {"target_every": 4}), ("drawn", {"prioritized": True})):
        chosen = settings("mountain-car", "qrc", steps=40, hidden=(3,), every=10, **values)
        train(chosen, range(1), checkpoint=tmp_path / name)
    arrays = dict(np.load(kept / "qc"))
    for name, part, value in (("lost", "agents.weight0", np.nan), ("strange", "replay.actions", 99)):
        with (tmp_path / name).open("wb") as file:
            np.savez(file, **{**arrays, part: np.full_like(arrays[part], value)})
    for arguments, text in (
        ((str(tmp_path / "lost"),), "lost: a run with weights or transitions that are not finite"),
        ((str(kept / "qc"), str(tmp_path / "strange")), "strange: a run with weights or transitions"),
        ((str(kept / "q-learning"),), "q-learning has no h"),
        ((str(bad),), "is no checkpoint"),
        ((str(tmp_path / "target"),), "target: a run with --target-every: "),
        ((str(tmp_path / "drawn"),), "a run with --prioritized: "),
        ((str(kept / "qc"), "--resolution", "2"), "is not from 1e-14 to 1"),
    ):
        status, out, err = ask(*arguments)
        assert (status, out) == (2, "")
        assert text in err
        assert err.count("\n") == 1

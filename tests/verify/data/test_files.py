"""Files of transitions: the same answer from each kind, and one line for what cannot be read."""

import numpy as np
import pytest

from tdrc_theory.errors import BadData
from verify.data import Arrays, from_episodes, open_file
from verify.data.transitions import read_rows

ROWS = 700


def columns():
    generator = np.random.default_rng(4)
    return {
        "x": generator.normal(size=(ROWS, 3)).round(6),
        "x_next": generator.normal(size=(ROWS, 3)).round(6),
        "reward": generator.normal(size=ROWS).round(6),
        "rho": generator.exponential(size=ROWS).round(6),
        "terminated": np.arange(ROWS) % 11 == 10,
    }


def flat(arrays):
    """Return {name: (n,)}, vectors as x_0, x_1, ..."""
    result = {}
    for name, values in arrays.items():
        result |= {f"{name}_{i}": part for i, part in enumerate(values.T)} if values.ndim == 2 else {name: values}
    return result


def write_csv(path, table, text=str):
    lines = [",".join(table), *(",".join(map(text, row)) for row in zip(*table.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def written(kind, folder):
    """Return a file of a kind with the columns."""
    path, arrays = folder / f"data.{kind.partition(' ')[0]}", columns()
    if kind == "npz":
        np.savez(path, **arrays)
    elif kind == "npz compressed":
        np.savez_compressed(path, **arrays)
    elif kind == "npz by column":
        np.savez(path, **{name: np.asfortranarray(values) for name, values in arrays.items()})
    elif kind == "csv":
        write_csv(path, flat(arrays))
    elif kind == "csv quoted":
        write_csv(path, {f'"{name}"': values for name, values in flat(arrays).items()}, '"{}"'.format)
    else:
        pyarrow = pytest.importorskip("pyarrow")
        table = flat(arrays) if kind.endswith("flat") else {n: list(v) for n, v in arrays.items()}
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(table), path)
    return path


KINDS = ["npz", "npz compressed", "npz by column", "csv", "csv quoted", "parquet", "parquet flat"]


@pytest.mark.parametrize("rows", [50, 5000])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_has_the_same_rows(kind, rows, tmp_path):
    source, arrays = open_file(written(kind, tmp_path)), columns()
    pieces = list(read_rows(source, rows))
    assert source.rows == ROWS
    assert [len(piece) for piece in pieces] == [min(rows, ROWS)] * (ROWS // min(rows, ROWS))
    x, x_next = (np.concatenate([p.vectors[name] for p in pieces]) for name in ("x", "x_next"))
    rho, starts = np.concatenate([p.numbers["rho"] for p in pieces]), np.concatenate([p.starts for p in pieces])
    assert (x == arrays["x"]).all()
    assert (rho == arrays["rho"]).all()
    assert (x_next[10] == 0).all()  # where the episode has ended nothing follows
    assert (x_next[11] == arrays["x_next"][11]).all()
    assert (np.flatnonzero(starts) == np.arange(0, ROWS, 11)).all()


def test_an_episodes_number_a_truncation_and_a_termination_begin_episodes():
    arrays = columns()
    del arrays["terminated"]
    for more in ({"episode": np.arange(ROWS) // 7}, {"truncated": np.arange(ROWS) % 7 == 6}):
        pieces = list(read_rows(Arrays({**arrays, **more}), 45))
        starts = np.concatenate([p.starts for p in pieces])
        assert (np.flatnonzero(starts) == np.arange(0, ROWS, 7)).all()
        assert (np.concatenate([p.vectors["x_next"] for p in pieces]) == arrays["x_next"]).all()


def test_rho_is_target_over_behaviour():
    arrays = columns()
    del arrays["rho"]
    (rows,) = read_rows(Arrays({**arrays, "behaviour": np.full(ROWS, 0.25), "target": np.full(ROWS, 0.5)}), ROWS)
    assert (rows.numbers["rho"] == 2).all()


def changed(**others):
    arrays = {**columns(), **others}
    return {name: values for name, values in arrays.items() if values is not None}


def at(name, row, value):
    values = columns().get(name, np.full(ROWS, 0.5)).astype(float)
    values[row] = value
    return {name: values}


half = np.full(ROWS, 0.5)
REFUSED = [
    (changed(x_next=None), r"no column x_next; needed: x, x_next, reward, and rho or behaviour and target"),
    (changed(rho=None), r"no column rho; needed: rho, or behaviour and target"),
    (changed(rho=None, target=half), r"no column behaviour; needed"),
    (changed(behaviour=half), r"both rho and behaviour"),
    (changed(x_next=np.ones((ROWS, 2))), r"column x_next: 2 features, but x has 3"),
    (changed(reward=np.ones(3)), r"column x: 700 rows, but reward has 3"),
    (changed(reward=np.ones((ROWS, 1))), r"column reward: its shape is \(700, 1\); allowed: \(rows,\)"),
    (changed(**at("rho", 17, -0.5)), r"column rho, row 17: -0.5 is negative; allowed: 0 or more"),
    (changed(**at("reward", 651, np.nan)), r"column reward, row 651: nan is no finite number"),
    (changed(**at("x", (60, 2), np.inf)), r"column x_2, row 60: inf is no finite number"),
    (changed(episode=np.array(["a"] * ROWS)), r"column episode: values of type <U1; allowed: numbers"),
    (changed(**at("terminated", 9, 2)), r"column terminated, row 9: 2 is no flag; allowed: 0 and 1"),
    (changed(rho=None, target=half, **at("behaviour", 3, 0)), r"column behaviour, row 3: 0 as the probability"),
    (changed(rho=None, behaviour=half, **at("target", 3, 1.5)), r"column target, row 3: 1.5 is above 1"),
    ({name: values[:0] for name, values in columns().items()}, r"there is no row"),
]


@pytest.mark.parametrize(("arrays", "message"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_what_is_not_allowed_is_named_with_its_column_and_row(arrays, message, tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, **arrays)
    with pytest.raises(BadData, match=f"^{path}: {message}"):
        list(read_rows(open_file(path), 50))
    with pytest.raises(BadData, match=f"^data: {message}"):
        list(read_rows(Arrays(arrays), 50))


def test_pickled_arrays_are_refused_before_anything_of_them_is_loaded(tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, **{**columns(), "x": np.array([[print]] * ROWS, dtype=object)})
    with pytest.raises(BadData, match="array x is pickled, and loading it would run code"):
        open_file(path)


def test_a_file_that_is_cut_short_or_none_is_refused(tmp_path):
    whole = written("npz", tmp_path).read_bytes()
    for name, content in (("cut.npz", whole[:3000]), ("none.npz", b"x"), ("empty.csv", b""), ("none.parquet", b"PAR1")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadData, match=f"{name}: (cannot be read|no column x)"):
            list(read_rows(open_file(tmp_path / name), 50))
    for name, text in (("absent.csv", "cannot be read: No such file"), ("data.txt", "its name ends in .txt; allowed")):
        with pytest.raises(BadData, match=text):
            open_file(tmp_path / name)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1,2,1,zebra,1", "column reward, row 2: 'zebra' is no number"),
        ("1,2,1,,1", "column reward, row 2: nothing is no number"),
        ("1,2,1", "column reward, row 2: the line has 3 cells only"),
        ("1,2,1,nan,1", "column reward, row 2: nan is no finite number"),
    ],
)
def test_a_cell_of_a_table_that_is_no_number_is_named(line, message, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(f"x_0,x_next_0,x_bar_0,reward,rho\n1,2,1,0,1\n1,2,1,0,1\n{line}\n", encoding="utf-8")
    with pytest.raises(BadData, match=message):
        list(read_rows(open_file(path), 50))


def test_names_of_columns_that_leave_something_open_are_refused(tmp_path):
    table = flat(columns())
    for wrong, text in (
        ({"x_7": table["x_2"], "x_2": None}, "no column x_2, but x_7; they count from 0"),
        ({"x": table["x_0"]}, "both x and x_0"),
        ({"done": table["terminated"]}, "column done: an episode's end is called terminated"),
    ):
        chosen = {name: values for name, values in {**table, **wrong}.items() if values is not None}
        with pytest.raises(BadData, match=text):
            open_file(write_csv(tmp_path / "data.csv", chosen))
    (tmp_path / "data.csv").write_text("rho,rho\n1,2\n", encoding="utf-8")
    with pytest.raises(BadData, match="two columns are called 'rho'"):
        open_file(tmp_path / "data.csv")
    source = open_file(write_csv(tmp_path / "data.csv", {**table, "action": table["rho"]}))
    assert source.ignored == ("action",)


def test_lists_of_different_lengths_and_missing_values_are_refused(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rest = {"x_next": [[1.0], [2.0]], "reward": [1.0, 2.0], "rho": [1.0, 2.0]}
    for x, text in (([[1.0], [1.0, 2.0]], "column x, row 1: 2 entries, but row 0 has 1"), ([[1.0], None], "row 1")):
        parquet.write_table(pyarrow.table({"x": x, **rest}), tmp_path / "data.parquet")
        with pytest.raises(BadData, match=text):
            list(read_rows(open_file(tmp_path / "data.parquet"), 50))


class OfMinari:
    """An episode with the attributes that minari documents: one observation more than steps, flags for each step."""

    def __init__(self, observations, terminated, truncated=False):
        steps = len(observations) - 1
        self.id, self.observations = 0, np.asarray(observations, dtype=float)
        self.actions, self.rewards = np.arange(steps), np.arange(steps, dtype=float)
        self.terminations = np.arange(steps) == steps - 1 if terminated else np.zeros(steps, dtype=bool)
        self.truncations = np.arange(steps) == steps - 1 if truncated else np.zeros(steps, dtype=bool)


class OfD3rlpy:
    """An episode with the attributes that d3rlpy documents: as many observations as steps, rewards (n, 1), one flag."""

    def __init__(self, observations, terminated):
        self.observations = np.asarray(observations, dtype=float)
        self.actions = np.arange(len(observations))[:, None]
        self.rewards = np.arange(len(observations), dtype=float)[:, None]
        self.terminated = terminated


def square(observations):
    return np.stack([observations[:, 0], observations[:, 0] ** 2], axis=1)


def test_episodes_of_minari_become_transitions():
    class Dataset:
        def iterate_episodes(self):
            return iter([OfMinari([[1], [2], [3]], True), OfMinari([[4], [5]], False, True)])

    result = from_episodes(Dataset(), square, lambda o, a: o[:, 0] + a).arrays
    assert result["x"].tolist() == [[1, 1], [2, 4], [4, 16]]
    assert result["x_next"].tolist() == [[2, 4], [3, 9], [5, 25]]
    assert result["rho"].tolist() == [1, 3, 4]
    assert result["terminated"].tolist() == [0, 1, 0]
    assert result["truncated"].tolist() == [0, 0, 1]
    assert result["episode"].tolist() == [0, 0, 1]


def test_episodes_of_d3rlpy_become_transitions_but_for_a_last_step_that_nothing_is_known_after():
    class Dataset:
        episodes = [OfD3rlpy([[1], [2], [3]], True), OfD3rlpy([[4], [5]], False), OfD3rlpy([[6]], False)]  # noqa: RUF012

    result = from_episodes(Dataset(), square, None).arrays
    assert result["x"].tolist() == [[1, 1], [2, 4], [3, 9], [4, 16]]
    assert result["x_next"].tolist() == [[2, 4], [3, 9], [0, 0], [5, 25]]
    assert result["reward"].tolist() == [0, 1, 2, 0]
    assert result["rho"].tolist() == [1, 1, 1, 1]
    assert result["terminated"].tolist() == [0, 0, 1, 0]
    assert result["episode"].tolist() == [0, 0, 0, 1]


def test_what_is_no_episode_is_refused_by_its_number():
    good = OfMinari([[1], [2], [3]], True)
    short = OfMinari([[1], [2], [3]], True)
    short.observations = short.observations[:2]
    for episodes, features, rho, text in (
        ([good, short], square, None, "episode 1: 2 observations for 2 rewards; allowed: one more"),
        ([good, object()], square, None, "episode 1 has no observations"),
        ([], square, None, "there is no transition"),
        ([good], lambda o: o[0], None, r"episode 0: features return shape \(1,\) for 3 observations"),
        ([good], square, lambda *_: 1.0, r"episode 0: rho returns shape \(\) for 2 steps"),
    ):
        with pytest.raises(BadData, match=text):
            from_episodes(episodes, features, rho)

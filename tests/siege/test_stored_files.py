"""What commands write and read again, damaged: certificates, states, checkpoints, logged data, model files, studies."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from reports.command import main

FEW, ALL = 12, 400

MODEL = "discount: 0.95\nvalues: reward\nstates: a b c\nactions: go stay\nT: go\nuniform\nT: stay\nidentity\n"
DATA = "x_0,x_1,x_next_0,x_next_1,reward,rho\n" + "1,0,0,1,1,1\n0,1,1,0,0,2\n1,1,0,1,-1,0.5\n" * 5
STUDY = """name = "siege"
problems = ["two-state"]
sampling = "markov"
steps = 8
every = 4
runs = 2
[[learners]]
algorithms = ["tdrc"]
alpha = { base = 2, from = -3, to = -2 }
"""
VALUES = [None, True, -1, 0, 1, 10**30, "x", "", [], {}, [[]], "9" * 5000, "1/0", "nan", 1e308, {"a": {"b": []}}]
"""Values as JSON has them."""
ARRAYS = [
    np.zeros(0),
    np.zeros((3, 0)),
    np.full((2, 2), np.nan),
    np.array("text"),
    np.array(["a", "b"]),
    np.array(7),
    np.zeros(5, "complex128"),
    np.zeros(5, "datetime64[s]"),
    np.zeros(3, [("a", "i4"), ("b", "f8")]),
    np.full((1, 2, 3), -(2**62)),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return files by name, each with the command that reads it."""
    folder = tmp_path_factory.mktemp("written")
    certificate, state, checkpoint = (folder / name for name in ("c.json", "state", "k.npz"))
    assert main(["conditions", "two-state", "--certificate", str(certificate)]) == 0
    survey = ["random", "--problems", "4", "--only-verdicts", "--workers", "1", "--store"]
    assert main([*survey, str(state)]) == 0
    control = ["control", "cart-pole", "--algorithm", "qrc", "--steps", "40", "--runs", "1", "--hidden", "4"]
    assert main([*control, "--checkpoint", str(checkpoint)]) == 0
    return {
        "certificate.json": (certificate.read_bytes(), ["check-certificate", "{}"]),
        "state": (state.read_bytes(), [*survey, "{}"]),
        "checkpoint.npz": (checkpoint.read_bytes(), [*control, "--checkpoint", "{}"]),
        "layer.npz": (checkpoint.read_bytes(), ["last-layer", "{}"]),
        "data.csv": (DATA.encode(), ["data", "{}", "--resamples", "20"]),
        "model.mdp": (MODEL.encode(), ["conditions", "{}"]),
        "study.toml": (STUDY.encode(), ["sweep", "{}", "--workers", "1"]),
    }


def in_bytes(drawn, data):
    """Change bytes anywhere."""
    at, more = drawn.randrange(len(data)), drawn.randrange(1, 9)
    ways = (
        lambda: data[:at],
        lambda: data[:at] + drawn.randbytes(more) + data[at + more :],
        lambda: data[:at] + drawn.randbytes(more) + data[at:],
        lambda: data[:at] + data[at + more :],
        lambda: data[at:] + data[:at],
        lambda: data[:at] + b"\0" * (len(data) - at),
        lambda: drawn.randbytes(len(data)),
        lambda: data + data,
        lambda: b"",
    )
    return drawn.choice(ways)()


def in_json(drawn, data):
    """Put another value at any place of a document, of several lines too."""
    lines = data.decode().splitlines() if data.count(b"\n}") == 0 else [data.decode()]
    number = drawn.randrange(len(lines))
    content = json.loads(lines[number])
    parent, key = None, None
    at = content
    while isinstance(at, dict | list) and at and (parent is None or drawn.random() < 0.8):
        parent, key = at, drawn.choice(list(at) if isinstance(at, dict) else range(len(at)))
        at = parent[key]
    parent[key] = drawn.choice(VALUES)
    lines[number] = json.dumps(content)
    return ("\n".join(lines) + "\n").encode()


def in_arrays(drawn, data):
    """Change an array of an archive: another one, another type or shape, or none."""
    with np.load(io.BytesIO(data)) as file:
        arrays = dict(file)
    name = drawn.choice(sorted(arrays))
    how, array = drawn.randrange(6), arrays[name]
    if how == 0:
        arrays[name] = drawn.choice(ARRAYS)
    elif how == 1:
        with np.errstate(all="ignore"):
            arrays[name] = array.astype(drawn.choice(["U9", "f2", "i8", "bool", "complex64"]), copy=True)
    elif how == 2:
        arrays[name] = array[..., None]
    elif how == 3:
        arrays[name] = array.ravel()[: array.size // 2]
    elif how == 4:
        del arrays[name]
    else:
        arrays[f"{name}{drawn.choice(['.x', 'x', '.0'])}"] = array
    out = io.BytesIO()
    drawn.choice([np.savez, np.savez_compressed])(out, **arrays)
    return out.getvalue()


def npy(header, content=b""):
    """Return an array's file with any header."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + content


MEMBERS = [
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}\n", b"\0" * 64),
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}\n", b"\0" * 64),
    npy("{'descr': '<U99999999', 'fortran_order': False, 'shape': (1000,)}\n"),
    npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n", b"cposix\nsystem\n(S'true'\ntR."),
    npy("{'descr': " + "(" * 9000 + "\n"),
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': ("),
    npy("{'descr': '\n"),
    npy(""),
    npy("{'descr': '<U60000', 'fortran_order': False, 'shape': ()}\n", ("[" * 60_000).encode("utf-32-le")),
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (16777216,)}\n", b"\0" * 2**27),
    b"",
]
"""Arrays' files that claim more than there is, are nested deeply, hold code, or are very long (and compress well)."""


def in_members(drawn, data):
    """Put another file in the place of an array's."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        changed = drawn.choice(["about.npy", *old.namelist()])
        for name in old.namelist():
            new.writestr(name, drawn.choice(MEMBERS) if name == changed else old.read(name))
    return out.getvalue()


def test_every_damaged_file_has_an_answer_or_one_line(besiege, count, written):
    def hostile(drawn, folder):
        name = drawn.choice(list(written))
        data, command = written[name]
        ways = [in_bytes]
        if name.endswith(".npz"):
            ways = [in_bytes, in_arrays, in_arrays, in_members]
        if name.endswith(".json") or name == "state":
            ways = [in_bytes, in_json, in_json]
        (folder / name).write_bytes(drawn.choice(ways)(drawn, data))
        return [part.replace("{}", str(folder / name)) for part in command]

    besiege(hostile, count)

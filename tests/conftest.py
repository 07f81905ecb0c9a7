from __future__ import annotations

import ctypes
import math
import os
import pickle
import signal
from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from scipy.stats import chi2

from tdrc_theory.cli.command import run
from tdrc_theory.problem.key_matrices import key_matrices

# How many examples a property is tested with; `make thorough` asks for the other profile.
settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile("thorough", max_examples=100, deadline=None)
settings.load_profile("quick")

# What tests start writes as a user's commands do: unbuffered, a full stream would never be met as Python ends.
os.environ.pop("PYTHONUNBUFFERED", None)

# A shell lets what it runs in the background ignore interrupts, and what that starts inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header():
    """Name the kernels in which this run computes: another processor has others, and rounds otherwise."""
    names = set()
    for library in (Path(np.__file__).parents[1] / "numpy.libs").glob("*openblas*"):
        for name in ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename"):
            with suppress(AttributeError):
                core = getattr(ctypes.CDLL(str(library)), name)
                core.restype = ctypes.c_char_p
                names.add(core().decode())
    ours = os.environ.get("TDRC_CPU", "of this processor")
    return f"kernels: OpenBLAS {', '.join(names) or 'unknown'}, ours {ours}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as thorough what a test with the marker `quick(count)` has beyond that many cases, spread over all."""
    tests = defaultdict(list)
    for item in items:
        if item.get_closest_marker("quick") and not item.get_closest_marker("slow"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        cases.sort(key=lambda item: [*item.callspec.indices.values()])  # as they are written, not as they are shuffled
        quick = spread(len(cases), *cases[0].get_closest_marker("quick").args)
        for item in (item for place, item in enumerate(cases) if place not in quick):
            item.add_marker("thorough")


def spread(cases, count):
    """Return `count` places among so many cases, far from each other in each of several parameters.

    Of steps around a circle, the golden section's leave the most even gaps; one that has no factor in common with the
    number of cases meets no place twice.
    """
    near = sorted(range(1, cases + 1), key=lambda step: abs(step - cases * (math.sqrt(5) - 1) / 2))
    step = next(step for step in near if math.gcd(step, cases) == 1)
    return {step * i % cases for i in range(count)}


@pytest.fixture(scope="session", autouse=True)
def compiled_code_kept_beside_the_tests(pytestconfig):
    """Keep compiled kernels between runs of the tests, apart from the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        folder = pytestconfig.cache.mkdir("kernels")
        folder.chmod(0o700)  # whatever the umask: a cache into which others can write is refused
        patch.setenv("TDRC_CACHE", str(folder))
        yield


@pytest.fixture
def asker(capsys):
    """Return what makes, of a command, a function that runs it here and returns its exit status, output and errors."""

    def asker(main, prog):
        def ask(*arguments):
            try:
                status = run(main, prog, arguments)
            except SystemExit as left:  # argparse leaves so
                status = left.code
            written = capsys.readouterr()
            return status, written.out, written.err

        return ask

    return asker


class PicklingExecutor(ThreadPoolExecutor):
    """Computes here what a cluster would compute elsewhere: what goes there and what comes back is pickled."""

    def submit(self, function, *arguments):
        """Begin a task."""
        sent = pickle.dumps((function, arguments))

        def there():
            received, its_arguments = pickle.loads(sent)
            return pickle.dumps(received(*its_arguments))

        done, result = super().submit(there), Future()
        done.add_done_callback(lambda _: set_result(result, done))
        return result


def set_result(result, done):
    """Give a future what another one has."""
    try:
        result.set_result(pickle.loads(done.result()))
    except BaseException as error:
        result.set_exception(error)


@pytest.fixture
def pickling_cluster(monkeypatch):
    """Return an address that --cluster takes, of a cluster that is in this process."""

    @contextmanager
    def connected(address):
        assert address == "tcp://here:1"
        with PicklingExecutor(2) as pool:
            yield pool

    monkeypatch.setattr("tdrc_theory.cli.workers._connected", connected)
    return "tcp://here:1"


@pytest.fixture(scope="session")
def mspbe():
    """Return the function below."""
    return mean_squared_projected_error


def mean_squared_projected_error(problem, weights):
    """Return (b - A w)^T C^+ (b - A w) of weights (..., k), in floats, with no rank but the exact one.

    The residual and the columns of C are in the range of C: at its pivots stands all of them.
    """
    A, b, C = key_matrices(problem)
    _, pivots = C.rref()
    inverse = np.linalg.inv(C.select(pivots, pivots).to_float())
    residual = (b.to_float()[:, 0] - np.asarray(weights) @ A.to_float().T)[..., list(pivots)]
    return np.einsum("...i,ij,...j->...", residual, inverse, residual)


@pytest.fixture(scope="session")
def p_value():
    """Return the function below."""
    return chance_of_the_mean


def chance_of_the_mean(values, expected):
    """Return the chance of a mean of independent rows (n, m) that lies at least so far from its expectation (m,).

    By Hotelling's T^2, which many rows make a chi-square. What moves in a subspace only is to come in coordinates of
    that, found exactly: of a singular covariance, rounding would decide.
    """
    spread = values.std(axis=0, ddof=1)
    away, correlation = (values.mean(axis=0) - expected) / spread, np.atleast_2d(np.corrcoef(values.T))
    assert np.linalg.cond(correlation) < 1e6, "the rows lie in, or next to, a subspace"
    return chi2.sf(len(values) * (away @ np.linalg.solve(correlation, away)), len(away))

"""An algorithm: one elementwise function, the paper's equation, plus data. Everything else is derived from it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import linecache
import numbers
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tdrc_theory.errors import BadAlgorithm, BadNumber, NotAffine, TheoryError
from tdrc_theory.exact.number import exact
from tdrc_theory.form import CONSTANT, GENERATORS, Exponents, Form, every_path, watched, watched_beta
from tdrc_theory.frozen import Frozen

SIGNATURE = (*GENERATORS, "rho", "gamma", "beta")
_GENERIC = (Fraction(104729, 7919), Fraction(7907, 15485863), Fraction(611953, 1299709))
"""rho, gamma and beta at which nothing vanishes by chance."""

Direction = Callable[..., tuple[Any, Any]]


class Terms(NamedTuple):
    """What an update is made of: for w and for h, {exponents of (x, x_next, h, delta, delta_hat): coefficient}.

    Every key has degree at most one in (h, delta, delta_hat) together: the update is affine in the weights.
    """

    w: dict[Exponents, Any]
    h: dict[Exponents, Any]


@dataclass(frozen=True, eq=False)
class Algorithm:
    """A linear prediction algorithm.

    Attributes:
        name: what it is called in options and reports.
        direction: `(x, x_next, h, delta, delta_hat, rho, gamma, beta) -> (dw, dh)` for one component of the feature
            vectors and weights; w moves by alpha dw and h by eta alpha dh. delta = R + gamma w.x_next - w.x and
            delta_hat = h.x are scalars. It is called on symbols, on exact numbers and, compiled, on floats, so it
            is plain arithmetic, with min, max, abs and comparisons of rho, gamma and beta.
        fixed: parameters that the algorithm sets itself (TDC is TDRC with beta = 0).
        source: where its equation stands.
        own_fixed_points: True where the algorithm by design solves another equation than A w = b (V-trace).
    """

    name: str
    direction: Direction
    fixed: Mapping[str, Fraction] = field(default_factory=dict)
    source: str = ""
    own_fixed_points: bool = False

    def __post_init__(self) -> None:
        """Check the name, the fixed parameters and the function's signature."""
        if not isinstance(self.name, str) or self.name.splitlines() != [self.name] or not self.name.strip():
            raise BadAlgorithm(f"an algorithm's name is one line of text, not {self.name!r}")
        if set(self.fixed) - {"beta", "eta"}:
            raise BadAlgorithm(f"{self.name} fixes {sorted(self.fixed)}; only beta and eta can be fixed")
        object.__setattr__(self, "fixed", Frozen({k: self._fixed(k, v) for k, v in self.fixed.items()}))
        try:
            parameters = list(inspect.signature(self.direction).parameters.values())
        except (TypeError, ValueError):
            raise BadAlgorithm(f"{self.name} is not a function of ({', '.join(SIGNATURE)})") from None
        if inspect.iscoroutinefunction(self.direction):
            raise BadAlgorithm(f"{self.name} is a coroutine; an algorithm is a plain function")
        names = tuple(p.name for p in parameters[: len(SIGNATURE)])
        if names != SIGNATURE or any(p.default is p.empty for p in parameters[len(SIGNATURE) :]):
            got = ", ".join(p.name for p in parameters)
            raise BadAlgorithm(
                f"{self.name} takes ({got}); an algorithm takes ({', '.join(SIGNATURE)}), "
                "then at most parameters with defaults"
            )
        for parameter in parameters[len(SIGNATURE) :]:
            if not isinstance(parameter.default, numbers.Real):
                kind = type(parameter.default).__name__
                raise BadAlgorithm(f"{self.name}: the default of {parameter.name} is a {kind}, not a number")

    def _fixed(self, key: str, value: Any) -> Fraction:
        try:
            number = exact(value)
        except BadNumber as error:
            raise BadAlgorithm(f"{self.name} fixes {key}: {error}") from None
        if not isinstance(number, Fraction) or number < 0 or (key == "eta" and number == 0):
            least = "at least 0" if key == "beta" else "above 0"
            raise BadAlgorithm(f"{self.name} fixes {key} at {number}; {key} is a fraction {least}")
        return number

    def terms(self, rho: Any, gamma: Any, beta: Any) -> Terms:
        """Call the function on formal components and return what the update is made of.

        Args:
            rho, gamma, beta: Fractions, or sympy expressions.

        Raises:
            NotAffine: the update is not affine in (w, h); the message has the offending term.
            BadAlgorithm: the function is not arithmetic on its arguments.
        """
        if not isinstance(rho, Fraction):
            return self._trace(rho, gamma, beta)
        try:
            return self._traced(rho, gamma, beta)
        except NotAffine as error:
            self.symbolic_terms()  # raises the same with symbols in the message, where it can
            raise error

    @functools.lru_cache(maxsize=4096)  # noqa: B019 - algorithms are few and live as long as the program
    def _traced(self, rho: Fraction, gamma: Fraction, beta: Fraction) -> Terms:
        """Return the terms at numbers; what a function keeps between its calls, or draws, shows in a second call."""
        found = self._trace(rho, gamma, beta)
        if self._trace(rho, gamma, beta) != found:
            raise BadAlgorithm(
                f"{self.name} is no equation: called twice with the same, it returns different directions"
            )
        return found

    def _trace(self, rho: Any, gamma: Any, beta: Any) -> Terms:
        generators = [Form.generator(name) for name in GENERATORS]
        constants = [Form.constant(rho), Form.constant(gamma), watched_beta(beta)]
        try:
            with contextlib.redirect_stdout(sys.stderr):  # what it prints is not the answer
                pair = self.direction(*generators, *constants)
        except NotAffine as error:
            raise NotAffine(f"{self.name} is not affine in (w, h): it {error}") from None
        except BadAlgorithm as error:
            raise BadAlgorithm(f"{self.name} {error}") from None
        except (Exception, SystemExit) as error:
            raise BadAlgorithm(f"{self.name} fails where its equation is read: {_one_line(error)}") from None
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise BadAlgorithm(f"{self.name} returns {_kind(pair)}; an algorithm returns the two directions (dw, dh)")
        dw, dh = (_as_form(self.name, part) for part in pair)
        for label, part in (("dw", dw), ("dh", dh)):
            term = part.not_affine_term()
            if term is not None:
                raise NotAffine(f"{self.name} is not affine in (w, h): {label} has the term {term}")
        return Terms(dw.terms, dh.terms)

    def symbolic_terms(self) -> list[tuple[list[Any], Terms]]:
        """Return the terms with sympy symbols rho, gamma, beta, once for each way through its comparisons.

        Returns:
            A list of (conditions, terms); a function that compares nothing gives one entry without conditions.
        """
        from tdrc_theory.notation import sympy_symbols

        rho, gamma, beta = sympy_symbols("rho", "gamma", "beta")
        beta = self.fixed.get("beta", beta)
        return list(every_path(lambda: self._trace(rho, gamma, beta)))

    @functools.cached_property
    def _uses(self) -> tuple[bool, bool]:
        """Return (uses h, uses beta).

        A function that compares nothing does the same whatever the numbers are, so one generic call shows it; of
        another every way through is looked at, with symbols.
        """
        with watched() as seen:
            terms = self.terms(*_GENERIC)
        if not seen.compared:
            return _has_h(terms), seen.beta
        paths = self.symbolic_terms()
        coefficients = (c for _, t in paths for part in t for c in part.values())
        written = [*coefficients, *(condition for conditions, _ in paths for condition in conditions)]
        names = {str(symbol) for value in written for symbol in getattr(value, "free_symbols", ())}
        return any(_has_h(t) for _, t in paths), "beta" in names or "beta" in self.fixed

    @property
    def has_h(self) -> bool:
        """Whether there are secondary weights h; without them G is k x k."""
        return self._uses[0]

    def parameters(self, beta: Fraction, eta: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return the (beta, eta) that are used: its own where it fixes one, None where it has none."""
        used_beta = self.fixed.get("beta", beta) if self._uses[1] else None
        return used_beta, self.fixed.get("eta", eta) if self.has_h else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Algorithm, (self.name, self.direction, dict(self.fixed), self.source, self.own_fixed_points)

    def __repr__(self) -> str:
        return f"Algorithm({self.name!r}, source={self.source!r})"


def load_algorithm(spec: str) -> Algorithm:
    """Return the algorithm that `FILE.py:NAME` names: a function with SIGNATURE, or an Algorithm.

    The file is run, as Python would run it: name only files that you trust.

    Raises:
        BadAlgorithm: the file cannot be read or run, or has no such algorithm in it.
    """
    file, _, name = spec.rpartition(":")
    try:
        source = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadAlgorithm(f"{file}: cannot be read: {reason}") from None
    module = ModuleType(f"{Path(file).stem} (an algorithm file)")
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    folder = str(Path(file).resolve().parent)
    sys.modules[module.__name__] = module
    sys.path.insert(0, folder)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except TheoryError as error:
        raise BadAlgorithm(f"{file}: {error}") from None
    except (Exception, SystemExit) as error:
        raise BadAlgorithm(f"{file}: cannot be run: {_one_line(error)}{_line_of(error, file)}") from None
    finally:
        sys.path.remove(folder)
    found = module.__dict__.get(name)
    if isinstance(found, Algorithm):
        return found
    if found is None or not callable(found):
        offered = [n for n, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__]
        raise BadAlgorithm(f"{file}: has no function {name!r}; it has {', '.join(offered) or 'none'}")
    return Algorithm(name=name, direction=found, source=file)


def _has_h(terms: Terms) -> bool:
    return bool(terms.h) or any(key[2] or key[4] for key in terms.w)


def _as_form(name: str, part: Any) -> Form:
    try:
        return Form({CONSTANT: Fraction(0)}) + part
    except BadAlgorithm:
        raise BadAlgorithm(f"{name} returns {_kind(part)} as a direction; a direction is a number") from None


def _kind(value: Any) -> str:
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _line_of(error: BaseException, file: str) -> str:
    frames = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    return f" (line {frames[-1]})" if frames else ""

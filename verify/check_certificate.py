"""`python -m verify.check_certificate FILE`: accept or reject a certificate, by fractions and square roots alone.

It shares no code with what writes certificates. A claim is a verdict on varrho' = G varrho + g, where w is the last k
entries of varrho. What `about` says is a label: whether G and g are its matrices is not examined. Why a proof suffices:

stable (for convergent, convergent-to-a-set): N, M have the columns `kernel`, `left` (none for convergent). G N = 0,
  M^T G = 0, M^T N = I, so the space is span N + ker M^T, both invariant, and G' = G - N M^T is -1 on the first and G on
  the second. Q = -(G'^T P + P G') > 0 and P > 0, so G' is Hurwitz (Lyapunov): 0 is semisimple in G, its eigenvectors
  are span N, the other eigenvalues have negative real part. Definite, as Q D and W P W^T are strictly dominated by
  positive diagonals. The fixed points are `point` + span N: every one has A w = b if `point` has and A N_w = 0.
The others (for not-convergent) contradict both "G is Hurwitz" and "0 is semisimple, the rest is stable, there are fixed
points, and all have A w = b" (the last clause left out where `fixed_points` is own):
unstable: H = G - c I, c >= 0, Q = -(H^T P + P H) > 0 and v^T P v < 0. Then H has no imaginary eigenvalue (x* Q x would
  be 0), nor is it Hurwitz (x^T P x would fall along x' = H x, from v^T P v < 0 to 0): G has one with real part above c.
factor: f(G) v = 0, and the G^j v with j < deg f are independent (times `inverse`, they are I). So f is v's minimal
  polynomial and divides G's. Either f(0) is not 0 and f not Hurwitz (Routh's table), or t^2 divides f: 0 is defective.
no-fixed-point: y^T G = 0 and y^T g is not 0.
spurious-fixed-point: G n = 0 for an n that is not 0, and G varrho + g = 0 but not A w = b at `point`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from decimal import Decimal
from fractions import Fraction
from math import isqrt, lcm
from operator import mul
from typing import Any

FRACTION = r"[0-9]+(?:/[0-9]*[1-9][0-9]*)?"
TERM = rf"(?:{FRACTION}|(?:{FRACTION}\*)?sqrt\([1-9][0-9]{{0,5}}\))"
NUMBER = re.compile(rf"-?{TERM}(?: [+-] {TERM})*")
Number = Any  # Fraction | Root, which would be read when the file is executed
Rows = list[list[Number]]
MOST, WORK, ROOTS = 128, 100_000, 5
"""Size of G, that times the digits of the longest number, and primes under roots, up to which a check takes minutes."""


class Rejected(Exception):
    """A certificate that does not prove its claim; the message says why, on one line."""


class Root:
    """a + b sqrt(p), where p is prime, b is not 0, and the roots in a and b are those of smaller primes.

    Such numbers are equal only if their parts are. The sign is that of a or b where these agree; otherwise that of
    a^2 - p b^2 tells which of a and b sqrt(p) is larger.
    """

    def __init__(self, a: Number, b: Number, p: int) -> None:
        self.a, self.b, self.p = a, b, p

    def __add__(self, other: Number) -> Number:
        c, d = _split(other, self.p)
        return other + self if d is None else _root(self.a + c, self.b + d, self.p)

    def __mul__(self, other: Number) -> Number:
        c, d = _split(other, self.p)
        return other * self if d is None else _root(self.a * c + self.b * d * self.p, self.a * d + self.b * c, self.p)

    def __neg__(self) -> Root:
        return Root(-self.a, -self.b, self.p)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and (self.a, self.b, self.p) == (other.a, other.b, other.p)

    __radd__, __rmul__ = __add__, __mul__


def _root(a: Number, b: Number, p: int) -> Number:
    return a if b == 0 else Root(a, b, p)


def _split(value: Number, p: int) -> tuple[Number, Number | None]:
    """Return a and b of a + b sqrt(p), b None where there is a root of a larger prime."""
    known = value.p if isinstance(value, Root) else 0
    return (value.a, value.b) if known == p else (value, None if known > p else Fraction(0))


def _sign(value: Number) -> int:
    if not isinstance(value, Root):
        return (value > 0) - (value < 0)
    a, b = _sign(value.a), _sign(value.b)
    return b if a in (0, b) else a * _sign(value.a * value.a + -value.p * value.b * value.b)


def _square_root(n: int) -> Number:
    """Return the root of a positive integer, by trial division."""
    p = next((q for q in range(2, isqrt(n) + 1) if n % q == 0), n)
    root, square = (p, p * p) if n % (p * p) == 0 else (Root(Fraction(0), Fraction(1), p), p)
    return root * _square_root(n // square) if n > 1 else Fraction(1)


def _primes(value: Number) -> set[int]:
    return {value.p} | _primes(value.a) | _primes(value.b) if isinstance(value, Root) else set()


def main(arguments: list[str]) -> int:
    """Print `accepted` or `rejected: why`; return 0 or 1, and 2 where not one file is named or the answer is lost."""
    asked = arguments in (["-h"], ["--help"])
    if asked or len(arguments) != 1:
        usage = "usage: python -m verify.check_certificate FILE"
        about = "Accept or reject what verify.conditions --certificate wrote. Exit status: 0 accepted; 1 rejected."
        print(f"{usage}\n\n{about}" if asked else usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        with open(arguments[0], "rb") as file:
            document = read(file.read(1 << 28))
        check(document)
        answer = f"accepted\n  {statement(document)}"
    except (Rejected, OSError, RecursionError) as why:
        answer = f"rejected: {getattr(why, 'strerror', why)}"
    try:
        print(answer, flush=True)
    except OSError as lost:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python does not complain at exit
        if not isinstance(lost, BrokenPipeError):  # there the reader has gone, and the status is the answer
            print(f"cannot write the answer: {lost.strerror}", file=sys.stderr)
            return 2
    return int(not answer.startswith("accepted"))


def statement(document: dict[str, Any]) -> str:
    """Return what an accepted certificate proves, and what it calls itself, on one line."""
    claim, n = document["claim"], len(document["claim"]["G"])
    what = f"{claim['verdict']} (fixed points: {claim['fixed_points']}), of the {n} x {n} G in it"
    return f"{what}; its label, not examined: {ascii(document['about'])[:100]}"


def read(data: bytes) -> Any:
    """Return the JSON value in a file, no key twice, numbers as the text that is written."""
    try:
        return json.loads(data, object_pairs_hook=_once, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise Rejected("not a JSON document") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len(dict(pairs)) == len(pairs), "a key stands twice")
    return dict(pairs)


def seal(document: dict[str, Any]) -> str:
    """Return the SHA-256 digest of everything in a certificate but the digest."""
    content = {key: value for key, value in document.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def check(document: Any) -> None:
    """Return if a certificate proves its claim; raise Rejected if not."""
    match document:
        case {"format": "tdrc-certificate-1", "about": _, "claim": dict(claim), "proof": dict(proof), "sha256": digest}:
            _require(digest == seal(document), "the digest is not that of the content")
        case _:
            raise Rejected("not a certificate of the format tdrc-certificate-1")
    match claim:
        case {"verdict": verdict, "fixed_points": "A w = b" | "own" as asked, "G": [*G], "g": g, "A": [*A], "b": b}:
            n, k = len(G), len(A)
            _require(0 < k <= n <= MOST, f"claim: G is smaller than A, or larger than {MOST} x {MOST}")
            digits = longest([claim, proof])
            _require(n * digits <= WORK, f"numbers of more than {WORK // n:,} digits take too long for {n} x {n}")
            roots = set(re.findall(r"sqrt\(([1-9][0-9]{0,5})\)", json.dumps([claim, proof])))
            primes = {p for n in roots for p in _primes(_square_root(int(n)))}
            _require(len(primes) <= ROOTS, f"square roots of more than {ROOTS} primes take too long")
            _require(len(document) == 5 and len(claim) == 6, "there is more in it than in a certificate")
        case _:
            raise Rejected("claim: a part is missing, or of another form")
    G, g, A, b = table(G, "G", n, n), table([g], "g", 1, n), table(A, "A", k, k), table([b], "b", 1, k)
    proven, point = "not-convergent", None
    match proof:
        case {"kind": "stable", "kernel": kernel, "left": left, "point": point, **data}:
            N, point = table(kernel, "kernel", None, n)[: n + 1], table([point], "point", 1, n)
            M, W = table(left, "left", len(N), n), table(data.get("W"), "W", n, n)
            _require(_zero(times(N, _turned(G))) and _zero(times(M, G)), "kernel or left: G N or M^T G is not 0")
            _require(times(M, _turned(N)) == _diagonal(len(N)), "left: M^T N is not I")
            P = _falling(_minus(G, times(_turned(N), M)) if N else G, data)
            _require(_dominant(times(times(W, P), _turned(W))) and len(data) == 3, "W: it does not show that P > 0")
            proven = "convergent-to-a-set" if N else "convergent"
            if N and asked == "A w = b":
                images = times([row[-k:] for row in point + N], _turned(A))
                _require(images[:1] == b and _zero(images[1:]), "point or kernel: not every fixed point has A w = b")
        case {"kind": "spurious-fixed-point", "direction": along, "point": point} if asked == "A w = b":
            along, point = table([along], "direction", 1, n), table([point], "point", 1, n)
            _require(not _zero(along) and _zero(times(along, _turned(G))), "direction: it is 0, or G n is not")
            _require(times([point[0][-k:]], _turned(A)) != b and len(proof) == 3, "point: A w is b")
        case {"kind": kind, "vector": v, **data}:
            _refuted(kind, G, g, table([v], "vector", 1, n), data)
        case _:
            raise Rejected("proof: of no kind that fits, or it lacks a part")
    _require(verdict == proven, "the proof is of another verdict")
    _require(not point or times(point, _turned(G)) == [[-x for x in g[0]]], "point: G varrho + g is not 0")


def longest(value: Any) -> int:
    """Return the length of the longest number in a JSON value, however deep."""
    if isinstance(value, list | dict):
        return max(map(longest, value.values() if isinstance(value, dict) else value), default=0)
    return max(map(len, str(value).split("/")))


def _refuted(kind: Any, G: Rows, g: Rows, v: Rows, data: dict[str, Any]) -> None:
    if kind == "unstable" and len(data) == 3:
        [[c]] = table([[data.get("shift")]], "shift", 1, 1)
        P = _falling(_minus(G, _diagonal(len(G), c)), data)
        _require(_sign(c) >= 0 > _sign(times(times(v, P), _turned(v))[0][0]), "shift or v^T P v has the wrong sign")
    elif kind == "factor" and len(data) == 2:
        [f], orbit = table([data.get("polynomial")], "polynomial", 1, None), v
        _require(2 <= len(f) <= len(G) + 1 and f[-1] == 1, "polynomial: not monic, or of a degree that G has not")
        while len(orbit) < len(f):
            orbit = orbit + times(orbit[-1:], _turned(G))
        inverse = table(data.get("inverse"), "inverse", len(G), len(f) - 1)
        _require(_zero(times([f], orbit)), "polynomial: f(G) v is not 0")
        _require(times(orbit[:-1], inverse) == _diagonal(len(f) - 1), "inverse: it is not that of v, G v, ...")
        _require(not any(isinstance(value, Root) for value in f), "polynomial: not of fractions")
        _require(not _hurwitz(f) and (f[0] != 0 or f[1] == 0), "polynomial: its roots do no harm")
    else:
        _require(kind == "no-fixed-point" and not data, "proof: of no kind that fits, or it lacks a part")
        _require(_zero(times(v, G)) and not _zero(times(v, _turned(g))), "vector: y^T G is not 0, or y^T g is")


def _falling(H: Rows, data: dict[str, Any]) -> Rows:
    """Return a symmetric P, having checked that x^T P x falls along x' = H x."""
    P, [D] = table(data.get("P"), "P", len(H), len(H)), table([data.get("D")], "D", 1, len(H))
    Q = [[-(x + y) for x, y in zip(*rows, strict=True)] for rows in zip(times(P, H), times(_turned(H), P), strict=True)]
    _require(_turned(P) == P and min(map(_sign, D)) > 0, "P is not symmetric, or D not positive")
    _require(_dominant([[q * d for q, d in zip(row, D, strict=True)] for row in Q]), "D: it does not show that Q > 0")
    return P


def _dominant(X: Rows) -> bool:
    return all(_sign(2 * row[i] + sum(-_sign(x) * x for x in row)) > 0 for i, row in enumerate(X))


def _hurwitz(f: list[Fraction]) -> bool:
    upper, lower = f[::-2], f[-2::-2]
    while lower and lower[0] > 0:
        factor, below = upper[0] / lower[0], [*lower[1:], Fraction(0)]
        upper, lower = lower, [x - factor * y for x, y in zip(upper[1:], below, strict=False)]
    return not lower


def table(value: Any, name: str, rows: int | None, columns: int | None) -> Rows:
    """Return a matrix from lists of texts; None leaves a size open. (Decimal takes any number of digits, int few.)"""
    fits = isinstance(value, list) and rows in (None, len(value)) and all(isinstance(row, list) for row in value)
    fits = fits and all(columns in (None, len(row)) and all(NUMBER.fullmatch(str(v)) for v in row) for row in value)
    _require(fits, f"{name}: not numbers in the right places")
    return [[_number(str(v)) for v in row] for row in value]


def _number(text: str) -> Number:
    """Return the number that a text of the form NUMBER stands for."""
    value: Number = Fraction(0)
    for minus, factor, inside in re.findall(rf"(-?) ?(?:({FRACTION})\*?)?(?:sqrt\(([0-9]+)\))?", text):
        if factor or inside:
            size = Fraction(*(int(Decimal(part)) for part in (factor or "1").split("/")))
            value += (-size if minus else size) * (_square_root(int(inside)) if inside else 1)
    return value


def times(X: Rows, Y: Rows) -> Rows:
    """Return X Y, summed in integers where all are fractions."""
    if any(isinstance(value, Root) for rows in (X, Y) for row in rows for value in row):
        return [[sum(map(mul, row, column), Fraction(0)) for column in _turned(Y)] for row in X]
    left, right = ([_cleared(values) for values in part] for part in (X, _turned(Y)))
    return [[Fraction(sum(map(mul, row, column)), p * q) for column, q in right] for row, p in left]


def _cleared(values: list[Fraction]) -> tuple[list[int], int]:
    common = lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values], common


def _turned(X: Rows) -> Rows:
    return [list(column) for column in zip(*X, strict=True)]


def _minus(X: Rows, Y: Rows) -> Rows:
    return [[x + -y for x, y in zip(*rows, strict=True)] for rows in zip(X, Y, strict=True)]


def _diagonal(n: int, value: Number = 1) -> Rows:
    return [[value * Fraction(i == j) for j in range(n)] for i in range(n)]


def _zero(X: Rows) -> bool:
    return not any(map(any, X))


def _require(condition: bool, why: str) -> None:
    if not condition:
        raise Rejected(why)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

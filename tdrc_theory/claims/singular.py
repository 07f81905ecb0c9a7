"""Convergence for singular C (Appendix, last part of the main proof)."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import E, both, equal, greater, iff, implies, less, norm2, symbols

C, z, x, x_next, rho, gamma, zero = symbols("C z x x' rho gamma 0")
beta, eta, b_a, l_r, l_c, s = symbols("beta eta b_a lambda_r lambda_c s")
SINGULAR = "Appendix, singular C"
_C = E(x * x.T)
_A = E(rho * x * (x - gamma * x_next).T)
_kernel = equal(_C * z, zero)
_third = (eta * beta + l_r) ** 2 * (beta * l_r + b_a) + beta * l_c**2 * l_r
_root = equal(s**2 * (beta * l_r + b_a), -(beta * l_c**2 * l_r))
_negative = (less(l_r, 0), greater(beta * l_r + b_a, 0))

CLAIMS = (
    Claim(
        id="singular-C.left-kernel",
        title="C z = 0 gives z^T A = 0: singular C forces singular A",
        source=SINGULAR,
        role=Role.NECESSARY,
        printed=implies(_kernel, equal(z.T * _A, zero.T)),
        theorem="singular_C",
        remark="not in the paper; z^T x = 0 almost surely there",
    ),
    Claim(
        id="singular-C.b_a",
        title="beta lambda_r + b_a > 0 can be met at every z although b_c is 0 at some",
        source=SINGULAR,
        role=Role.SUFFICIENT,
        printed=implies(
            _kernel,
            greater(norm2(z), 0),
            greater(E(x.T * x), 0),
            greater(z.star * (beta * _A + _A * _A.T) * z + z.star * beta * _A.T * z, 0),
        ),
        corrected=implies(_kernel, both(equal(z.star * _A * z, 0), equal(z.star * _A * _A.T * z, 0))),
        erratum="E6",
        remark="where C z = 0, b_a and lambda_z are 0, so C3 fails: the corollary is vacuous; decide on range(C)",
    ),
    Claim(
        id="singular-C.third-condition",
        title="C3 fails where b_c, b_a and lambda_z are 0",
        source=SINGULAR,
        role=Role.REMARK,
        printed=implies(equal(l_r, 0), equal(l_c, 0), equal(b_a, 0), equal(_third, 0)),
    ),
    Claim(
        id="singular-C.bound-on-eta",
        title="the third inequality at b_c = 0 solved for eta, s being the square root",
        source=SINGULAR,
        role=Role.IDENTITY,
        printed=implies(
            *_negative,
            _root,
            greater(beta, 0),
            greater(eta * beta + l_r, 0),
            iff(greater(_third, 0), greater(eta * beta, s - l_r)),
        ),
    ),
    Claim(
        id="singular-C.first-condition",
        title="the bound on eta gives the first condition",
        source=SINGULAR,
        role=Role.REMARK,
        printed=implies(*_negative, _root, greater(eta * beta, s - l_r), greater(eta * beta + l_r, 0)),
    ),
)

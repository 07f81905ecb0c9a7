"""What proves the verdict, as a file that an independent checker judges."""

from __future__ import annotations

import json

from reports.page.section import Content, Missing, Section, Tell
from reports.page.subject import OnProblem
from reports.page.table import data_link
from tdrc_theory.errors import BadOption
from verify.certificate import certificate

_KINDS = {
    "stable": "a quadratic form that decreases along every solution (Lyapunov), and the kernel of a singular G",
    "unstable": "a quadratic form that shows an eigenvalue with positive real part",
    "factor": "an unstable factor of the characteristic polynomial, with a vector that it annihilates",
    "no-fixed-point": "a direction in which the weights drift without end",
    "spurious-fixed-point": "a fixed point that does not solve A w = b",
}
_FILE = "certificate.json"


def collect(subject: OnProblem, _: Tell) -> Content | Missing:
    """Return the certificate of a subject's verdict."""
    try:
        result = certificate(subject.conditions)
    except BadOption as error:
        return Missing(f"There is no certificate: {str(error).removeprefix('--certificate: ')}.")
    claim = result["claim"]
    text = json.dumps(result, separators=(",", ":")) + "\n"
    return Content(
        verdict=claim["verdict"],
        bias=subject.conditions.bias,
        kind=_KINDS[result["proof"]["kind"]],
        size=len(claim["G"]),
        sha256=result["sha256"],
        link=data_link("application/json", text),
        file=_FILE,
        command=f"tdrc check-certificate {_FILE}",
        alone=f"python -I verify/check_certificate.py {_FILE}",
    )


SECTION = Section("certificate", "Certificate", collect)

"""What proves the verdict, as a file that an independent checker judges."""

from __future__ import annotations

import json
from dataclasses import dataclass

from reports.page.section import Missing, Section, Tell
from reports.page.subject import OnProblem
from reports.page.table import data_link
from tdrc_theory.errors import BadOption
from verify.certificate import certificate
from verify.conditions.fixed_points import Bias

_TOLD = {
    "stable": "a quadratic form that decreases along every solution (Lyapunov), and the kernel of a singular G",
    "unstable": "a quadratic form that shows an eigenvalue with positive real part",
    "factor": "an unstable factor of the characteristic polynomial, with a vector that it annihilates",
    "no-fixed-point": "a direction in which the weights drift without end",
    "spurious-fixed-point": "a fixed point that does not solve A w = b",
}
_FILE = "certificate.json"


@dataclass(frozen=True, slots=True)
class CertificateShown:
    """What the section shows.

    Attributes:
        verdict: what it proves.
        bias: what stands beside that.
        kind: what it consists of.
        size: of G.
        sha256: of its content, as the checker computes it.
        link: holds the file.
        file: what it is called.
        command: judges it.
        alone: judges it with nothing but the checker's one file.
    """

    verdict: str
    bias: Bias | None
    kind: str
    size: int
    sha256: str
    link: str
    file: str = _FILE
    command: str = f"tdrc check-certificate {_FILE}"
    alone: str = f"python -I verify/check_certificate.py {_FILE}"


def collect(subject: OnProblem, _: Tell) -> CertificateShown | Missing:
    """Return the certificate of a subject's verdict."""
    try:
        result = certificate(subject.conditions)
    except BadOption as error:
        return Missing(f"There is no certificate: {str(error).removeprefix('--certificate: ')}.")
    claim = result["claim"]
    text = json.dumps(result, separators=(",", ":")) + "\n"
    kind, link = _TOLD[result["proof"]["kind"]], data_link("application/json", text)
    return CertificateShown(claim["verdict"], subject.conditions.bias, kind, len(claim["G"]), result["sha256"], link)


SECTION = Section("certificate", "Certificate", collect)

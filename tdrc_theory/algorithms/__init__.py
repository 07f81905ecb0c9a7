"""The algorithms, one a file. Adding one is a new file and a new line here."""

from tdrc_theory.algorithms.gtd2 import GTD2
from tdrc_theory.algorithms.htd import HTD
from tdrc_theory.algorithms.td import TD
from tdrc_theory.algorithms.tdcpp import TDCPP
from tdrc_theory.algorithms.tdrc import TDC, TDRC
from tdrc_theory.algorithms.vtrace import VTRACE
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.files import load_algorithm
from tdrc_theory.registry import named

ALGORITHMS: tuple[Algorithm, ...] = (TD, TDC, GTD2, HTD, VTRACE, TDRC, TDCPP)


def find_algorithm(name: str | Algorithm) -> Algorithm:
    """Return a built-in algorithm by name, or the one that `FILE.py:FUNCTION` names; an Algorithm is found already.

    Raises:
        UnknownName: neither a name nor of that form.
        BadAlgorithm: the file or the function is not an algorithm.
    """
    if isinstance(name, Algorithm):
        return name
    if name.rpartition(":")[0].endswith(".py"):
        return load_algorithm(name)
    return named("algorithm", name, ALGORITHMS, also="FILE.py:FUNCTION for one of your own")

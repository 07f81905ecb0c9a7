"""The algorithms, one a file. Adding one is a new file and a new line here."""

from tdrc_theory.algorithms.differential_td import DIFFERENTIAL_TD
from tdrc_theory.algorithms.emphatic_td import EMPHATIC_TD
from tdrc_theory.algorithms.expected_sarsa import EXPECTED_SARSA
from tdrc_theory.algorithms.gtd import GTD
from tdrc_theory.algorithms.gtd2 import GTD2
from tdrc_theory.algorithms.gtd2_lambda import GTD2_LAMBDA
from tdrc_theory.algorithms.htd import HTD
from tdrc_theory.algorithms.htd_lambda import HTD_LAMBDA
from tdrc_theory.algorithms.r_gtd import R_GTD
from tdrc_theory.algorithms.residual_gradient import NAIVE_RESIDUAL_GRADIENT, RESIDUAL_GRADIENT
from tdrc_theory.algorithms.retrace import RETRACE
from tdrc_theory.algorithms.td import TD
from tdrc_theory.algorithms.td_lambda import TD_LAMBDA
from tdrc_theory.algorithms.td_ridge import TD_RIDGE
from tdrc_theory.algorithms.td_target import TD_TARGET
from tdrc_theory.algorithms.tdc_momentum import TDC_MOMENTUM
from tdrc_theory.algorithms.tdcpp import TDCPP
from tdrc_theory.algorithms.tdrc import TDC, TDRC
from tdrc_theory.algorithms.tdrc_lambda import TDC_LAMBDA, TDRC_LAMBDA
from tdrc_theory.algorithms.tree_backup import TREE_BACKUP
from tdrc_theory.algorithms.vtrace import VTRACE
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.files import load_algorithm
from tdrc_theory.registry import named

OF_THE_PAPER: tuple[Algorithm, ...] = (TD, TDC, GTD2, HTD, VTRACE, TDRC, TDCPP)
"""Those that the TDRC paper speaks of."""

ALGORITHMS: tuple[Algorithm, ...] = (
    *OF_THE_PAPER,
    GTD,
    TD_LAMBDA,
    GTD2_LAMBDA,
    TDC_LAMBDA,
    TDRC_LAMBDA,
    HTD_LAMBDA,
    EMPHATIC_TD,
    RESIDUAL_GRADIENT,
    NAIVE_RESIDUAL_GRADIENT,
    TD_RIDGE,
    TD_TARGET,
    TDC_MOMENTUM,
    R_GTD,
    DIFFERENTIAL_TD,
    EXPECTED_SARSA,
    TREE_BACKUP,
    RETRACE,
)


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

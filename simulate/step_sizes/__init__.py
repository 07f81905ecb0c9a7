"""The step-size rules, one a file. Adding one is a new file and a new line here."""

from simulate.step_sizes.adagrad import ADAGRAD
from simulate.step_sizes.adam import ADAM
from simulate.step_sizes.amsgrad import AMSGRAD
from simulate.step_sizes.constant import CONSTANT
from simulate.step_sizes.decaying import DECAYING
from simulate.step_sizes.double_update import DOUBLE_UPDATE
from simulate.step_sizes.step_size import StepSize
from tdrc_theory.registry import named

STEP_SIZES: tuple[StepSize, ...] = (CONSTANT, DECAYING, ADAGRAD, ADAM, AMSGRAD, DOUBLE_UPDATE)


def find_step_size(name: str) -> StepSize:
    """Return a rule by name.

    Raises:
        UnknownName: there is none of that name.
    """
    return named("step-size rule", name, STEP_SIZES)

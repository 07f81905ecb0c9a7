"""Logged transitions: A, b, C and a learner's expected update estimated, each number with an interval.

>>> import numpy as np
>>> from verify.data import Arrays, check_data
>>> action = np.arange(1000) % 2                      # of behaviour: left, right, left, right, ...
>>> state = np.arange(1000) // 2 % 2                  # features 1 and 2
>>> arrays = {"x": [1.0, 2.0] @ np.eye(2)[:, state], "x_next": 1.0 + action, "reward": 0 * action, "rho": 2 * action}
>>> check_data(Arrays(arrays), "td", gamma="9/10").status.value
'not-convergent'
"""

import verify.data.terminal  # noqa: F401 - how a report is shown
from verify.data.files import open_file
from verify.data.report import DataReport, check_data
from verify.data.transitions import Arrays, from_episodes

__all__ = ["Arrays", "DataReport", "check_data", "from_episodes", "open_file"]

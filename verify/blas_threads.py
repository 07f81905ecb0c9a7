"""In the process of a command that imports this, matrices take one thread, unless the user says how many.

Of some hundred rows they gain little from more, and where other programs want the cores threads wait for each other by
spinning: on two busy ones, the limits of Baird's problem took 52 s of CPU instead of 8. It is imported before NumPy.
Other programs keep their own ways.
"""

import os

from tdrc_theory.cli.start import STARTED_AS

if STARTED_AS is not None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # OpenBLAS and MKL read it when NumPy is first imported

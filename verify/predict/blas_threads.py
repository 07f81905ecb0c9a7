"""In a command's process, matrices are multiplied and decomposed on one thread, unless the user says how many.

Of a few hundred rows they gain little from more, and where other programs want the cores threads wait for each other by
spinning: on two busy ones, the limits of Baird's problem took 52 s of CPU instead of 8. A program that imports this
package keeps its own ways.
"""

import os

from tdrc_theory.cli.interrupt import STARTED_AS

if STARTED_AS is not None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # OpenBLAS and MKL read it when NumPy is first imported

"""What the paper says of these experiments, a section a file. Adding a statement is a line in its section's tuple.

Not judged are two sentences: that h moves more on Boyan's chain than elsewhere, since h is not recorded, and that
methods are more alike in their sensitivity to eta with constant step sizes, which names no measure.
"""

from simulate.statement import Statement
from simulate.tables.comparison import Evidence
from simulate.tables.statements.appendix import APPENDIX
from simulate.tables.statements.beta import BETA
from simulate.tables.statements.boyan_value import BOYAN_VALUE
from simulate.tables.statements.eta import ETA
from simulate.tables.statements.overall import OVERALL

STATEMENTS: tuple[Statement[Evidence], ...] = (BOYAN_VALUE, *OVERALL, *ETA, *BETA, *APPENDIX)

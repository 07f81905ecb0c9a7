"""Compiled kernels: many configurations of one algorithm in lockstep on one trajectory."""

from simulate.kernels.kernel import Kernel, Readings, kernel
from simulate.kernels.layout import Lanes, lanes
from simulate.kernels.plan import check_reads, used_parameters

__all__ = ["Kernel", "Lanes", "Readings", "check_reads", "kernel", "lanes", "used_parameters"]

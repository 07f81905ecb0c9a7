"""Verdicts on a given problem by a proof assistant: one Coq file a verdict, and a checker that is proven sound."""

from verify.kernel.verdicts import KernelAnswer, kernel_answers, proven, proven_where_possible

__all__ = ["KernelAnswer", "kernel_answers", "proven", "proven_where_possible"]

"""Verdicts on a given problem by a proof assistant: one Coq file a verdict, and a checker that is proven sound."""

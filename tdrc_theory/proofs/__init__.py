"""Claims of the paper proven for every dimension, checked by Coq (*.v; MathComp, no axioms)."""

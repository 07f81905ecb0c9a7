From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Box 1: C + (beta + lambda) I may be singular; the identity for det (G - lambda I) does without its inverse. *)
Theorem printed_nonsingularity_refuted :
  ~ forall (d : nat) (beta lambda : rat) (C : 'M[rat]_d),
      C^T = C -> positive_semidefinite C -> 0 < beta ->
      C + beta%:M + lambda%:M \in unitmx.
Proof.
move=> /(_ 1%N 1 (- 1) 0 (trmx0 _ _ _)); rewrite add0r -raddfD subrr raddf0 unitmxE det0.
move=> nonsingular; suff : 0 \is a @GRing.unit rat_unitRing by [].
by apply: nonsingular => // z; rewrite mulmx0 mul0mx mxE.
Qed.

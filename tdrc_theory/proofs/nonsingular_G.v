From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions determinant_of_G.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Condition (v) needs A, and not only A + beta I, to be nonsingular. *)
Theorem G_nonsingular_iff (F : fieldType) d (eta beta : F) (A C : 'M[F]_d) :
  eta != 0 -> (tdrc_G eta beta A C \in unitmx) = (A + beta%:M \in unitmx) && (A \in unitmx).
Proof.
have -> : A + beta%:M = (A^T + beta%:M)^T by rewrite linearD /= trmxK tr_scalar_mx.
by move=> eta_neq0; rewrite !unitmxE det_G det_tr !unitrM unitrX ?unitfE.
Qed.

Theorem printed_condition_v_refuted :
  ~ forall (d : nat) (eta beta : rat) (A C : 'M[rat]_d),
      0 < eta -> A + beta%:M \in unitmx -> tdrc_G eta beta A C \in unitmx.
Proof.
move=> /(_ 1%N 1 1 0 0 isT); rewrite G_nonsingular_iff ?oner_eq0 // add0r unitmx1 unitmxE det0.
by move/(_ isT).
Qed.

From mathcomp Require Import all_ssreflect all_algebra complex.
From tdrc Require Import definitions hurwitz tdcpp sufficiency.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* TDC++ is TDC with C + beta I for C, so beta has no upper bound; A must be nonsingular. *)
Theorem tdcpp_converges (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> C^T = C -> A \in unitmx ->
  positive_definite (eta *: (C + beta%:M) + A) ->
  hurwitz (tdcpp_G eta beta A C).
Proof.
move=> eta_gt0 C_sym A_unit eta_bound.
have -> : tdcpp_G eta beta A C = tdrc_G eta 0 A (C + beta%:M) by rewrite /tdrc_G raddf0 addr0.
apply: form_bounds_suffice => // [|z z_neq0]; first by rewrite linearD /= C_sym tr_scalar_mx.
have : A^T *m z != 0.
  by apply: contraNneq z_neq0 => Az0; rewrite -[z](mulKmx (_ : A^T \in unitmx)) ?unitmx_tr // Az0 mulmx0.
by move/positive_definite_1; rewrite scale0r add0r mulmx1 trmx_mul trmxK !mulmxA.
Qed.

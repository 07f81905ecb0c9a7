From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions positive_definite.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The paper allows eta = 0; then h never moves, and w is at rest where A w is b shifted by what h is. *)
Theorem at_rest_without_eta (R : comRingType) d (beta : R) (A C : 'M[R]_d) (b h w : 'cV[R]_d) :
  tdrc_G 0 beta A C *m col_mx h w + tdrc_g 0 b = 0 <-> A *m w = b + (A^T - C) *m h.
Proof.
rewrite /tdrc_G /tdrc_g mul_block_col add_col_mx !scale0r oppr0 !mul0mx !addr0 mulNmx.
split=> [/eqP|->].
  by rewrite col_mx_eq0 addrAC subr_eq0 addrC => /andP[_ /eqP].
by rewrite opprD [_ + (- _ - _)]addrC subrK addNr col_mx0.
Qed.

Theorem eta_0_refuted :
  ~ forall (d : nat) (beta : rat) (A C : 'M[rat]_d) (b h w : 'cV[rat]_d),
      A + beta%:M \in unitmx -> C \in unitmx -> positive_definite A ->
      tdrc_G 0 beta A C *m col_mx h w + tdrc_g 0 b = 0 -> A *m w = b.
Proof.
move=> /(_ 1%N 1 1%:M 2%:R%:M 0 1%:M (- 1%:M)); rewrite -raddfD !unitmxE !det_scalar1.
move=> /(_ isT isT (@positive_definite_1 _ _)).
rewrite at_rest_without_eta !mul1mx add0r trmx1 => main.
have /main/matrixP/(_ 0 0) : - 1%:M = (1%:M - 2%:R%:M) *m 1%:M :> 'M[rat]_1; last by rewrite !mxE.
by rewrite mulmx1 -raddfB -raddfN.
Qed.

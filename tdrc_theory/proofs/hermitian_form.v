From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

(* A complex row v = a + i b, and its conjugate transpose v* = a^T - i b^T. *)
Definition row_of (R : rcfType) d (a b : 'rV[R]_d) : 'rV[R[i]]_d :=
  map_mx (real_complex R) a + 'i *: map_mx (real_complex R) b.
Definition col_of (R : rcfType) d (a b : 'rV[R]_d) : 'cV[R[i]]_d :=
  map_mx (real_complex R) a^T - 'i *: map_mx (real_complex R) b^T.

(* The real and the imaginary part of v X v*, for a real matrix X. *)
Definition form_re (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) : R :=
  (a *m X *m a^T) 0 0 + (b *m X *m b^T) 0 0.
Definition form_im (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) : R :=
  (b *m X *m a^T) 0 0 - (a *m X *m b^T) 0 0.

Lemma every_row (R : rcfType) d (v : 'rV[R[i]]_d) :
  v = row_of (map_mx (@complex.Re R) v) (map_mx (@complex.Im R) v).
Proof.
apply/rowP => j; rewrite !mxE; case: (v 0 j) => x y.
by apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; ring.
Qed.

Lemma form_complex (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) :
  (row_of a b *m map_mx (real_complex R) X *m col_of a b) 0 0 = form_re a b X +i* form_im a b X.
Proof.
rewrite /row_of /col_of !(mulmxDl, mulmxDr, mulmxN) -?scalemxAl -?scalemxAr -?scalemxAl -!map_mxM.
rewrite /form_re /form_im.
move: (a *m X *m a^T) (b *m X *m b^T) (b *m X *m a^T) (a *m X *m b^T) => s t u v; rewrite !mxE.
by apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; ring.
Qed.

Lemma form_im_sym (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) : X^T = X -> form_im a b X = 0.
Proof.
move=> X_sym; apply/eqP; rewrite subr_eq0; apply/eqP.
by rewrite -[in RHS](trmxK (a *m X *m b^T)) [RHS]mxE !trmx_mul trmxK X_sym mulmxA.
Qed.

Lemma form_re_gt0 (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) :
  positive_definite X -> row_of a b != 0 -> 0 < form_re a b X.
Proof.
move=> X_pos ab_neq0.
have X_gt0 (z : 'rV[R]_d) : z != 0 -> 0 < (z *m X *m z^T) 0 0 by have := X_pos z^T; rewrite trmxK trmx_eq0.
have X_ge0 (z : 'rV[R]_d) : 0 <= (z *m X *m z^T) 0 0.
  by have [->|/X_gt0/ltW//] := eqVneq z 0; rewrite !mul0mx mxE.
have [a0|/X_gt0 a_gt0] := eqVneq a 0; last by rewrite ltr_spaddl.
rewrite ltr_spaddr // X_gt0 //; apply: contraNneq ab_neq0 => b0.
by rewrite /row_of a0 b0 !map_mx0 scaler0 addr0.
Qed.

Lemma form_re_linear (R : rcfType) d (a b : 'rV[R]_d) (k : R) (X Y : 'M[R]_d) :
  form_re a b (k *: X + Y) = k * form_re a b X + form_re a b Y.
Proof.
rewrite /form_re !mulmxDr !mulmxDl -!scalemxAr -!scalemxAl.
move: (a *m X *m _) (b *m X *m _) (a *m Y *m _) (b *m Y *m _) => s t u v; rewrite !mxE.
by move: (s 0 0) (t 0 0) (u 0 0) (v 0 0) => ? ? ? ?; ring.
Qed.

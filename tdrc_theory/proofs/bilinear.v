From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* x^T M y as a number, and what is used of it. *)
Definition bilinear (R : comRingType) d (M : 'M[R]_d) (x y : 'cV[R]_d) : R := (x^T *m M *m y) 0 0.

Lemma bilinearDl (R : comRingType) d (M : 'M[R]_d) x y z : bilinear M (x + y) z = bilinear M x z + bilinear M y z.
Proof. by rewrite /bilinear linearD /= !mulmxDl mxE. Qed.

Lemma bilinearDr (R : comRingType) d (M : 'M[R]_d) x y z : bilinear M x (y + z) = bilinear M x y + bilinear M x z.
Proof. by rewrite /bilinear mulmxDr mxE. Qed.

Lemma bilinearZl (R : comRingType) d (M : 'M[R]_d) c x y : bilinear M (c *: x) y = c * bilinear M x y.
Proof. by rewrite /bilinear linearZ /= -!scalemxAl mxE. Qed.

Lemma bilinearZr (R : comRingType) d (M : 'M[R]_d) c x y : bilinear M x (c *: y) = c * bilinear M x y.
Proof. by rewrite /bilinear -scalemxAr mxE. Qed.

Lemma bilinear_sym (R : comRingType) d (M : 'M[R]_d) x y : M^T = M -> bilinear M x y = bilinear M y x.
Proof.
by move=> M_sym; rewrite /bilinear -[x^T *m M *m y]trmxK mxE !trmx_mul trmxK M_sym mulmxA.
Qed.

Lemma bilinear_linear (R : comRingType) d k (M N : 'M[R]_d) x y :
  bilinear (k *: M + N) x y = k * bilinear M x y + bilinear N x y.
Proof.
rewrite /bilinear mulmxDr mulmxDl -scalemxAr -scalemxAl.
by move: (_ *m M *m _) (_ *m N *m _) => s t; rewrite !mxE.
Qed.

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* (b - A w)^T M (b - A w): the MSPBE for M = C^-1, the regularised MSPBE++ for M = (C + beta I)^-1. *)
Definition mspbe (R : ringType) d (A M : 'M[R]_d) (b w : 'cV[R]_d) : 'M[R]_1 :=
  (b - A *m w)^T *m M *m (b - A *m w).

(* The gradient of a quadratic function is what stands before v in its value at w + v. *)
Theorem mspbe_gradient (R : comUnitRingType) d (A C : 'M[R]_d) (b w v : 'cV[R]_d) :
  C^T = C ->
  mspbe A (invmx C) b (w + v) =
  mspbe A (invmx C) b w + (- 2%:R *: (A^T *m invmx C *m (b - A *m w)))^T *m v + (A *m v)^T *m invmx C *m (A *m v).
Proof.
move=> C_sym; rewrite /mspbe; have -> : b - A *m (w + v) = (b - A *m w) - A *m v by rewrite mulmxDr opprD addrA.
move: (b - A *m w) => e; have M_sym : (invmx C)^T = invmx C by rewrite trmx_inv C_sym.
have tr1 (x : 'M[R]_1) : x^T = x by apply/matrixP => i j; rewrite !ord1 mxE.
have cross : (A *m v)^T *m invmx C *m e = e^T *m invmx C *m (A *m v).
  by rewrite -[LHS]tr1 !trmx_mul !trmxK M_sym !mulmxA.
rewrite [(e - _)^T]linearB /= !(mulmxBl, mulmxBr) cross [(- 2%:R *: _)^T]linearZ /= -scalemxAl.
have -> : (A^T *m invmx C *m e)^T *m v = e^T *m invmx C *m (A *m v) by rewrite !trmx_mul trmxK M_sym !mulmxA.
by rewrite scaleNr scaler_nat mulr2n !opprD opprK !addrA.
Qed.

(* The paper prints C^-1 + beta I for (C + beta I)^-1. *)
Theorem printed_mspbepp_refuted :
  ~ forall (d : nat) (beta : rat) (A C : 'M[rat]_d) (b w : 'cV[rat]_d),
      0 < beta -> C \in unitmx ->
      mspbe A (invmx C + beta%:M) b w = mspbe A (invmx (C + beta%:M)) b w.
Proof.
move=> /(_ 1%N 1 0 1%:M 1%:M 0 isT (unitmx1 _ _)).
rewrite /mspbe mulmx0 subr0 trmx1 !mul1mx !mulmx1 invmx1 -raddfD invmx_scalar => /matrixP/(_ 0 0).
by rewrite !mxE.
Qed.

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* For a given h: GTD2's expected update of w is A^T h, TDC's is (b - A w) - (C - A^T) h. *)
Theorem tdc_and_gtd2_agree_iff (R : ringType) d (A C : 'M[R]_d) (b h w : 'cV[R]_d) :
  (b - A *m w) - (C - A^T) *m h = A^T *m h <-> C *m h = b - A *m w.
Proof.
rewrite mulmxBl opprB addrCA; split=> [/eqP|->]; last by rewrite subrr addr0.
by rewrite -subr_eq0 addrAC subrr add0r subr_eq0 => /eqP.
Qed.

Theorem printed_agreement_refuted :
  ~ forall (d : nat) (A C : 'M[rat]_d) (b h w : 'cV[rat]_d), (b - A *m w) - (C - A^T) *m h = A^T *m h.
Proof.
move=> /(_ 1%N 0 1%:M 0 1%:M 0)/tdc_and_gtd2_agree_iff/matrixP/(_ 0 0).
by rewrite mulmx0 mulmx1 subr0 !mxE.
Qed.

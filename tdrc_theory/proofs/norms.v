From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* TDC++: z^T A A^T z is the square of the norm of A^T z, not of A z. *)
Theorem norm_of_A_transposed (R : comRingType) d (A : 'M[R]_d) (z : 'cV[R]_d) :
  z^T *m (A *m A^T) *m z = (A^T *m z)^T *m (A^T *m z).
Proof. by rewrite trmx_mul trmxK !mulmxA. Qed.

Theorem printed_norm_refuted :
  ~ forall (d : nat) (A : 'M[rat]_d) (z : 'cV[rat]_d), z^T *m (A *m A^T) *m z = (A *m z)^T *m (A *m z).
Proof.
move=> /(_ 2%N (delta_mx 0 1) (delta_mx 0 0)); rewrite norm_of_A_transposed trmx_delta.
rewrite !mul_delta_mx_cond /= mulr0n mulr1n trmx_delta mul_delta_mx mulmx0 => /matrixP/(_ 0 0).
by rewrite !mxE.
Qed.

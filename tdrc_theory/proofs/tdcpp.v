From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions determinant_identity.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

Definition tdcpp_G (R : comRingType) d (eta beta : R) (A C : 'M[R]_d) : 'M_(d + d) :=
  block_mx (- (eta *: (C + beta%:M))) (- (eta *: A))
           (A^T - (C + beta%:M))      (- A).

Theorem tdcpp_det (R : comRingType) d (eta beta lambda : R) (A C : 'M[R]_d) :
  \det (tdcpp_G eta beta A C - lambda%:M) =
  \det (lambda *: (eta *: (C + beta%:M) + lambda%:M) + A *m (eta *: A^T + lambda%:M)).
Proof.
(* G of TDC++ is that of TDC with C + beta I for C. *)
have -> : tdcpp_G eta beta A C = tdrc_G eta 0 A (C + beta%:M) by rewrite /tdrc_G raddf0 addr0.
by rewrite det_identity mulr0 add0r.
Qed.

(* The paper prints C + beta I without eta; d = 1, eta = 2, lambda = 1, A = 0 and C = 1 tell the two apart. *)
Theorem printed_tdcpp_det_refuted :
  ~ forall (d : nat) (eta beta lambda : rat) (A C : 'M[rat]_d),
      \det (tdcpp_G eta beta A C - lambda%:M) =
      \det (lambda *: ((C + beta%:M) + lambda%:M) + A *m (eta *: A^T + lambda%:M)).
Proof.
move=> /(_ 1%N 2%:R 0 1 0 1%:M); rewrite tdcpp_det !mul0mx !det_mx11 !mxE.
by [].
Qed.

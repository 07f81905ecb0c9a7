From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

Theorem det_G (R : comRingType) d (eta beta : R) (A C : 'M[R]_d) :
  \det (tdrc_G eta beta A C) = eta ^+ d * \det (A^T + beta%:M) * \det A.
Proof.
(* Row 1 is eta times row 2 plus a row whose second block is 0. *)
have -> : tdrc_G eta beta A C =
    block_mx 1%:M eta%:M 0 1%:M *m block_mx (- (eta *: (A^T + beta%:M))) 0 (A^T - C) (- A).
  rewrite mulmx_block !mul0mx !mul1mx !add0r !mul_scalar_mx scalerN; congr block_mx.
  by by_entries.
rewrite det_mulmx det_ublock det_lblock !det1 !mul1r -!scaleN1r !detZ.
have sign : (-1) ^+ d * (-1) ^+ d = 1 :> R by rewrite -exprMn mulrNN mulr1 expr1n.
by ring: sign.
Qed.

(* The paper prints eta ^ (2 d); d = 1 and eta = 2 tell the two apart. *)
Theorem printed_det_G_refuted :
  ~ forall (d : nat) (eta beta : rat) (A C : 'M[rat]_d),
      \det (tdrc_G eta beta A C) = eta ^+ (2 * d) * \det (A^T + beta%:M) * \det A.
Proof.
move=> /(_ 1%N 2%:R 0 1%:M 1%:M); rewrite det_G.
by rewrite trmx1 raddf0 addr0 det1.
Qed.

From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* No block is inverted. *)
Lemma det_block_monic (R : comRingType) d (M N K : 'M[R]_d) (c : R) :
  GRing.lreg (\det K) -> \det (block_mx M c%:M N K) = \det (K *m M - c *: N).
Proof.
move=> regular; apply: regular; rewrite -[\det (block_mx _ _ _ _)]mul1r mulrA.
have <- : \det (block_mx K (- c%:M) 0 1%:M) = \det K * 1 by rewrite det_ublock det1.
rewrite -det_mulmx mulmx_block !mul0mx !mul1mx !add0r mulNmx !mul_scalar_mx.
rewrite mulNmx mul_scalar_mx mul_mx_scalar subrr det_lblock mulrC.
by [].
Qed.

Lemma det_block_scalar (R : comRingType) d (M N K : 'M[R]_d) (c : R) :
  \det (block_mx M c%:M N K) = \det (K *m M - c *: N).
Proof.
(* det (K + t I) is monic in t, so it cancels; then t = 0. *)
pose K' := map_mx polyC K + 'X%:M.
have regular : GRing.lreg (\det K').
  have -> : K' = char_poly_mx (- K) by rewrite /char_poly_mx map_mxN opprK addrC.
  exact/monic_lreg/char_poly_monic.
have/(congr1 (horner_eval 0)) := det_block_monic (map_mx polyC M) (map_mx polyC N) c%:P regular.
have at0 n (P : 'M[R]_n) : map_mx (horner_eval 0) (map_mx polyC P) = P.
  by apply/matrixP=> i j; rewrite !mxE /horner_eval hornerC.
have K0 : map_mx (horner_eval 0) K' = K.
  by rewrite map_mxD at0 map_scalar_mx /= /horner_eval hornerX raddf0 addr0.
rewrite -!det_map_mx map_block_mx map_mxB map_mxM map_mxZ !at0 K0 map_scalar_mx /=.
by rewrite /horner_eval !hornerC.
Qed.

Theorem det_identity (R : comRingType) d (eta beta lambda : R) (A C : 'M[R]_d) :
  \det (tdrc_G eta beta A C - lambda%:M) =
  \det (lambda *: (eta *: C + (eta * beta + lambda)%:M) + A *m (eta *: A^T + (eta * beta + lambda)%:M)).
Proof.
set s := eta * beta + lambda.
have -> : tdrc_G eta beta A C - lambda%:M =
    block_mx 1%:M eta%:M 0 1%:M *m
    block_mx (- (eta *: A^T + s%:M)) (eta * lambda)%:M (A^T - C) (- (A + lambda%:M)).
  rewrite scalar_mx_block opp_block_mx add_block_mx mulmx_block !oppr0 !addr0.
  rewrite !mul0mx !mul1mx !add0r !mul_scalar_mx; congr block_mx;
    by rewrite /s; by_entries.
rewrite det_mulmx det_ublock !det1 !mul1r det_block_scalar; congr (\det _).
rewrite mulNmx mulmxN opprK mulmxDl mul_scalar_mx.
by by_entries.
Qed.

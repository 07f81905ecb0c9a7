From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions determinant_identity.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Box 1. *)
Theorem sign_taken_out (R : comRingType) d (eta beta lambda : R) (A C : 'M[R]_d) :
  \det (tdrc_G eta beta A C - lambda%:M) =
  (- 1) ^+ (2 * d) * \det (block_mx (eta *: (C + beta%:M) + lambda%:M) (eta *: A) (C - A^T) (A + lambda%:M)).
Proof.
rewrite mul2n -addnn -detZ scaleN1r; congr (\det _).
by rewrite /tdrc_G scalar_mx_block !opp_block_mx add_block_mx; congr block_mx; matrix_ring.
Qed.

Theorem schur_complement_determinant (F : fieldType) d (eta beta lambda : F) (A C : 'M[F]_d) :
  let X := eta *: C + (eta * beta + lambda)%:M in
  X \in unitmx ->
  \det (tdrc_G eta beta A C - lambda%:M) = \det X * \det (A + lambda%:M - eta *: ((C - A^T) *m invmx X *m A)).
Proof.
move=> X X_unit; rewrite sign_taken_out exprM sqrrN expr1n expr1n mul1r.
have -> : eta *: (C + beta%:M) + lambda%:M = X by rewrite /X; matrix_ring.
have -> : block_mx X (eta *: A) (C - A^T) (A + lambda%:M) =
    block_mx 1%:M 0 ((C - A^T) *m invmx X) 1%:M *m
    block_mx X (eta *: A) 0 (A + lambda%:M - eta *: ((C - A^T) *m invmx X *m A)).
  rewrite mulmx_block !mul1mx !mul0mx !addr0 mulmxKV //; congr block_mx.
  by move: (invmx X) => N; matrix_ring.
by rewrite det_mulmx det_lblock det_ublock !det1 !mul1r.
Qed.

Theorem resolvent (F : fieldType) d (eta beta lambda : F) (C : 'M[F]_d) :
  let X := eta *: C + (eta * beta + lambda)%:M in
  X \in unitmx -> eta *: (C *m invmx X) = 1%:M - (eta * beta + lambda) *: invmx X.
Proof.
move=> X X_unit; rewrite -(mulmxV X_unit); move: (invmx X) => N; rewrite /X.
by matrix_ring.
Qed.

Theorem schur_complement_rewritten (F : fieldType) d (eta beta lambda : F) (A C : 'M[F]_d) :
  let s := eta * beta + lambda in let X := eta *: C + s%:M in
  X \in unitmx ->
  A + lambda%:M - eta *: ((C - A^T) *m invmx X *m A) =
  lambda%:M + s *: (invmx X *m A) + eta *: (A^T *m invmx X *m A).
Proof.
move=> s X X_unit; have := resolvent X_unit; rewrite -/s -/X; move: (invmx X) => N CN.
have -> : eta *: ((C - A^T) *m N *m A) = eta *: (C *m N) *m A - eta *: (A^T *m N *m A) by matrix_ring.
by rewrite CN; matrix_ring.
Qed.

(* Large beta. *)
Theorem characteristic_by_powers_of_beta (R : comRingType) d (eta beta lambda : R) (A C : 'M[R]_d) :
  \det (tdrc_G eta beta A C - lambda%:M) =
  \det ((eta * beta + lambda) *: (lambda%:M + A) + eta *: (lambda *: C + A *m A^T)).
Proof. by rewrite det_identity; congr (\det _); matrix_ring. Qed.

Theorem w_at_equilibrium (F : fieldType) d (beta : F) (A C : 'M[F]_d) :
  C + beta%:M \in unitmx ->
  (A + beta%:M)^T *m invmx (C + beta%:M) = 1%:M + (A^T - C) *m invmx (C + beta%:M).
Proof. by move=> unit; rewrite -[in RHS](mulmxV unit); move: (invmx _) => N; matrix_ring. Qed.

Theorem size_of_h (R : comRingType) d (beta : R) (C : 'M[R]_d) (h : 'cV[R]_d) :
  C^T = C ->
  ((C + beta%:M) *m h)^T *m ((C + beta%:M) *m h) =
  (C *m h)^T *m (C *m h) + (2%:R * beta) *: (h^T *m C *m h) + beta ^+ 2 *: (h^T *m h).
Proof. by move=> C_sym; rewrite !trmx_mul !trmxD !C_sym; matrix_ring. Qed.

Theorem tdrc_asymmetry (F : fieldType) d (beta : F) (A C : 'M[F]_d) :
  let N := invmx (C + beta%:M) in
  (A + beta%:M)^T *m N *m A - A^T *m N *m (A + beta%:M) = beta *: (N *m A - A^T *m N).
Proof. by move=> N; rewrite /N; move: (invmx _) => {}N; matrix_ring. Qed.

Theorem ridge_bias (F : fieldType) d (beta : F) (C : 'M[F]_d) :
  C + beta%:M \in unitmx -> invmx (C + beta%:M) *m C = 1%:M - beta *: invmx (C + beta%:M).
Proof. by move=> unit; rewrite -(mulVmx unit); move: (invmx _) => N; matrix_ring. Qed.

(* Appendix, noise bound: twice the sum is a bound. *)
Theorem two_parts_of_the_noise (R : comRingType) d (h w : 'cV[R]_d) :
  2%:R *: (h^T *m h) + 2%:R *: (w^T *m w) - (h + w)^T *m (h + w) = (h - w)^T *m (h - w).
Proof. by matrix_ring. Qed.

Theorem td_stops_at_its_fixed_point (F : fieldType) d (alpha : F) (A : 'M[F]_d) (b w : 'cV[F]_d) :
  alpha != 0 -> w + alpha *: (b - A *m w) = w -> A *m w = b.
Proof.
move=> alpha_neq0 /eqP; rewrite -subr_eq0 addrAC subrr add0r scaler_eq0 (negPf alpha_neq0) subr_eq0.
by move=> /eqP.
Qed.

(* A singular C: the steps of the theorem. *)
Theorem eigenvector_in_box_1 (R : comRingType) d (eta beta lambda : R) (A C : 'M[R]_d) (h w : 'cV[R]_d) :
  let row_h := - (eta *: ((C + beta%:M) *m h + A *m w)) - lambda *: h in
  let row_w := (A^T - C) *m h - A *m w - lambda *: w in
  (lambda *: (eta *: C + (eta * beta + lambda)%:M) + A *m (eta *: A^T + (eta * beta + lambda)%:M)) *m h =
  eta *: (A *m row_w) - (lambda%:M + A) *m row_h.
Proof. by move=> row_h row_w; rewrite /row_h /row_w; matrix_ring. Qed.

Theorem eigenvector_in_range (R : comRingType) d (eta beta lambda : R) (A C : 'M[R]_d) (h w : 'cV[R]_d) :
  - (eta *: ((C + beta%:M) *m h + A *m w)) = lambda *: h ->
  (eta * beta + lambda) *: h = - (eta *: (C *m h + A *m w)).
Proof. by move=> row; rewrite scalerDl -row; matrix_ring. Qed.

Theorem second_block_row (R : comRingType) d (beta : R) (A C : 'M[R]_d) (h w : 'cV[R]_d) :
  (C + beta%:M) *m h + A *m w = 0 -> (A^T - C) *m h - A *m w = (A + beta%:M)^T *m h.
Proof. by move=> row; rewrite -[LHS]addr0 -row; matrix_ring. Qed.

(* GTD2. *)
Definition gtd2_G (R : comRingType) d (eta : R) (A C : 'M[R]_d) : 'M_(d + d) :=
  block_mx (- (eta *: C)) (- (eta *: A)) A^T 0.

Theorem saddle_point_symmetric (F : fieldType) d (eta : F) (A C : 'M[F]_d) :
  eta != 0 -> C^T = C ->
  let saddle := block_mx eta^-1%:M 0 0 (- 1%:M) *m gtd2_G eta A C in saddle^T = saddle.
Proof.
move=> eta_neq0 C_sym saddle; rewrite /saddle /gtd2_G mulmx_block !mul0mx !addr0 !add0r !mul_scalar_mx mulmx0.
rewrite !scalerN !scalerA mulVf // !scale1r mulNmx mul1mx tr_block_mx !trmxN trmxK C_sym.
by rewrite trmx0.
Qed.

Lemma det_block_corner (R : comRingType) d (M N K : 'M[R]_d) (c : R) :
  \det (block_mx M N K c%:M) = \det (c *: M - N *m K).
Proof.
pose K' := map_mx polyC K; pose M' := map_mx polyC M; pose N' := map_mx polyC N; pose t : {poly R} := 'X - (- c)%:P.
have regular : GRing.lreg (t ^+ d) by apply/monic_lreg/monic_exp/monicXsubC.
have : \det (block_mx M' N' K' t%:M) = \det (t *: M' - N' *m K').
  apply: regular; rewrite ![t ^+ d * _]mulrC.
  have {1}<- : \det (block_mx t%:M 0 (- K') 1%:M) = t ^+ d by rewrite det_lblock det1 mulr1 det_scalar.
  rewrite -det_mulmx mulmx_block !mulmx0 !add0r !mulmx1 !mulmxN !mul_mx_scalar mul_scalar_mx subrr.
  by rewrite det_ublock det_scalar.
move/(congr1 (horner_eval 0)); have at0 n (P : 'M[R]_n) : map_mx (horner_eval 0) (map_mx polyC P) = P.
  by apply/matrixP=> i j; rewrite !mxE /horner_eval hornerC.
have t0 : horner_eval 0 t = c by rewrite /horner_eval hornerXsubC sub0r opprK.
rewrite -!det_map_mx map_block_mx map_mxB map_mxM map_mxZ !at0 map_scalar_mx /= t0.
by [].
Qed.

Theorem gtd2_characteristic (R : comRingType) d (eta lambda : R) (A C : 'M[R]_d) :
  \det (gtd2_G eta A C - lambda%:M) = \det (lambda ^+ 2 *: 1%:M + (eta * lambda) *: C + eta *: (A *m A^T)).
Proof.
rewrite /gtd2_G scalar_mx_block opp_block_mx add_block_mx !oppr0 !addr0 add0r.
have -> : - lambda%:M = (- lambda)%:M :> 'M[R]_d by rewrite raddfN.
rewrite det_block_corner.
by congr (\det _); matrix_ring.
Qed.

From mathcomp Require Import all_ssreflect all_algebra complex.
From tdrc Require Import definitions determinant_of_G bilinear positive_definite.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma quadratic_C (R : realFieldType) n d (p : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) (z : 'cV[R]_d) :
  (z^T *m (\sum_i p i *: (x i *m (x i)^T)) *m z) 0 0 = \sum_i p i * ((x i)^T *m z) 0 0 ^+ 2.
Proof.
rewrite mulmx_sumr mulmx_suml summxE; apply: eq_bigr => i _.
rewrite -scalemxAr -scalemxAl mxE mulmxA -[(_ *m _) *m z]mulmxA [in LHS]mxE big_ord1 expr2; congr (_ * (_ * _)).
by rewrite -{1}[z^T *m x i]trmxK trmx_mul trmxK mxE.
Qed.

(* In TDRC y = rho (x - gamma x'). *)
Lemma left_kernel (R : realFieldType) n d
    (p : 'I_n -> R) (x y : 'I_n -> 'cV[R]_d) (z : 'cV[R]_d) :
  (forall i, 0 <= p i) ->
  (\sum_i p i *: (x i *m (x i)^T)) *m z = 0 -> z^T *m (\sum_i p i *: (x i *m (y i)^T)) = 0.
Proof.
move=> p_ge0 Cz0; have := quadratic_C p x z; rewrite -mulmxA Cz0 mulmx0 mxE => /esym/eqP.
rewrite psumr_eq0 => [/allP xz0|i _]; last by rewrite mulr_ge0 ?sqr_ge0.
rewrite mulmx_sumr big1 // => i _; have := xz0 i (mem_index_enum i).
rewrite mulf_eq0 expf_eq0 /= -scalemxAr => /orP[/eqP->|/eqP xz]; first by rewrite scale0r.
have -> : z^T *m (x i *m (y i)^T) = 0; last by rewrite scaler0.
have -> : z^T *m (x i *m (y i)^T) = ((x i)^T *m z)^T *m (y i)^T by rewrite trmx_mul trmxK mulmxA.
by rewrite [(x i)^T *m z]mx11_scalar xz raddf0 trmx0 mul0mx.
Qed.

(* C = E[x x^T] and A = E[rho x (x - gamma x')^T], p being the probabilities of the transitions; z may be complex. *)
Theorem singular_C (R : rcfType) n d (gamma : R) (p rho : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) (z : 'cV[R[i]]_d) :
  let C := \sum_i p i *: (x i *m (x i)^T) in
  let A := \sum_i p i *: (rho i *: (x i *m (x i - gamma *: x' i)^T)) in
  (forall i, 0 <= p i) ->
  map_mx (real_complex R) C *m z = 0 -> z^T *m map_mx (real_complex R) A = 0.
Proof.
move=> C A p_ge0 Cz0; pose re := map_mx (@complex.Re R) z; pose im := map_mx (@complex.Im R) z.
have parts m (M : 'M[R]_(m, d)) j : (map_mx (real_complex R) M *m z) j 0 = (M *m re) j 0 +i* (M *m im) j 0.
  apply/eqP; rewrite eq_complex !mxE !raddf_sum /=; apply/andP.
  by split; apply/eqP/eq_bigr => k _; rewrite !mxE; case: (z k 0) => s t /=; rewrite mul0r ?subr0 ?addr0.
have zero m (M : 'M[R]_(m, d)) : map_mx (real_complex R) M *m z = 0 <-> M *m re = 0 /\ M *m im = 0.
  split=> [/colP M0|[re0 im0]]; last by apply/colP => j; rewrite parts re0 im0 !mxE.
  by split; apply/colP => j; have := M0 j; rewrite parts !mxE => -[].
have tr0 (u : 'cV[R]_d) : C *m u = 0 -> A^T *m u = 0.
  have -> : A = \sum_i p i *: (x i *m (rho i *: (x i - gamma *: x' i))^T).
    by apply: eq_bigr => i _; rewrite [(rho i *: _)^T]linearZ /= -scalemxAr.
  by move=> Cu0; rewrite -[u]trmxK -trmx_mul (left_kernel _ p_ge0 Cu0) trmx0.
have [Cre0 Cim0] := (zero _ C).1 Cz0.
apply: trmx_inj; rewrite trmx_mul trmxK trmx0 map_trmx.
by apply/zero; split; apply: tr0.
Qed.

(* There b_c = lambda_z = b_a = 0, so C3 reads 0 > 0. *)
Theorem C3_fails_where_C_vanishes (R : realFieldType) n d
    (p : 'I_n -> R) (x y : 'I_n -> 'cV[R]_d) (z : 'cV[R]_d) :
  let C := \sum_i p i *: (x i *m (x i)^T) in
  let A := \sum_i p i *: (x i *m (y i)^T) in
  (forall i, 0 <= p i) -> C *m z = 0 ->
  [/\ z^T *m C *m z = 0, z^T *m A *m z = 0 & z^T *m (A *m A^T) *m z = 0].
Proof.
move=> C A p_ge0 Cz0; have zA0 : z^T *m A = 0 by exact: left_kernel p_ge0 Cz0.
by rewrite -mulmxA Cz0 mulmx0 mulmxA zA0 !mul0mx.
Qed.

Theorem singular_C_forces_det_0 (R : realFieldType) n d (eta beta : R)
    (p : 'I_n -> R) (x y : 'I_n -> 'cV[R]_d) :
  let C := \sum_i p i *: (x i *m (x i)^T) in
  let A := \sum_i p i *: (x i *m (y i)^T) in
  (forall i, 0 <= p i) -> \det C = 0 -> \det A = 0 /\ \det (tdrc_G eta beta A C) = 0.
Proof.
move=> C A p_ge0 det_C.
have [v v_neq0 vC] : exists2 v : 'rV[R]_d, v != 0 & v *m C = 0 by apply/det0P; rewrite det_C.
have C_sym : C^T = C.
  by rewrite linear_sum; apply: eq_bigr => i _; rewrite linearZ /= trmx_mul trmxK.
have Cv : C *m v^T = 0 by rewrite -[C]C_sym -trmx_mul vC trmx0.
have det_A : \det A = 0.
  apply/eqP/det0P; exists v => //; rewrite -[v]trmxK.
  exact: left_kernel p_ge0 Cv.
by rewrite det_G det_A mulr0.
Qed.

(* The note of the fixed-point theorem, true as printed. *)
Theorem C_beta_positive_definite (R : realFieldType) n d (beta : R) (p : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) :
  (forall i, 0 <= p i) -> 0 < beta -> positive_definite (\sum_i p i *: (x i *m (x i)^T) + beta%:M).
Proof.
move=> p_ge0 beta_gt0 z z_neq0; rewrite addrC -scalemx1 -/(bilinear _ _ _) bilinear_linear /bilinear quadratic_C.
apply: ltr_spaddl; first by rewrite mulr_gt0 ?positive_definite_1.
by apply: sumr_ge0 => i _; rewrite mulr_ge0 ?sqr_ge0.
Qed.

Theorem C_beta_invertible (R : realFieldType) n d (beta : R) (p : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) :
  (forall i, 0 <= p i) -> 0 < beta -> \sum_i p i *: (x i *m (x i)^T) + beta%:M \in unitmx.
Proof. by move=> p_ge0 beta_gt0; apply/positive_definite_unit/C_beta_positive_definite. Qed.

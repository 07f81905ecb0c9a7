From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz positive_definite hermitian_form.
From tdrc Require Import substochastic diagonal_dominance emphatic_td expected_traces.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

(* Sutton, Mahmood and White 2016, section 2, and what it gives for emphatic TD. *)
Theorem positive_definite_eigenvalues (R : rcfType) d (A : 'M[R]_d) :
  positive_definite A ->
  forall l : R[i], eigenvalue (map_mx (real_complex R) A) l -> 0 < complex.Re l.
Proof.
move=> A_pos l /eigenvalueP[u uA u_neq0]; move: uA u_neq0.
rewrite (every_row u); set a := map_mx _ u; set b := map_mx _ u => uA u_neq0.
have := congr1 (fun m => (m *m col_of a b) 0 0) uA.
have uE : row_of a b *m col_of a b = row_of a b *m map_mx (real_complex R) 1%:M *m col_of a b.
  by rewrite map_mx1 mulmx1.
rewrite form_complex -scalemxAl [RHS]mxE uE form_complex (form_im_sym _ _ (trmx1 _ _)).
have n_gt0 := form_re_gt0 (@positive_definite_1 _ _) u_neq0; have A_gt0 := form_re_gt0 A_pos u_neq0.
case: l {uA} => s t /eqP; rewrite eq_complex /= mulr0 subr0 => /andP[/eqP re _].
by rewrite -(pmulr_lgt0 _ n_gt0) -re.
Qed.

Theorem positive_definite_symmetric_part (R : realFieldType) d (M : 'M[R]_d) :
  positive_definite M <-> positive_definite (M + M^T).
Proof.
have twice (z : 'cV[R]_d) : (z^T *m (M + M^T) *m z) 0 0 = (z^T *m M *m z) 0 0 *+ 2.
  have flip : (z^T *m M^T *m z) 0 0 = (z^T *m M *m z) 0 0.
    by rewrite -[in RHS](trmxK (z^T *m M *m z)) [RHS]mxE !trmx_mul trmxK mulmxA.
  by rewrite mulmxDr mulmxDl mulr2n -[in X in _ = _ + X]flip; move: (_ *m M *m _) (_ *m M^T *m _) => x y; rewrite mxE.
by split=> M_pos z /M_pos; rewrite twice pmulrn_lgt0.
Qed.

(* TD on-policy: mu is stationary. *)
Theorem on_policy_key_matrix (R : realFieldType) n (gamma : R) (P : 'M[R]_n) (mu : 'cV[R]_n) :
  let K := diag_mx mu^T *m (1%:M - gamma *: P) in
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) -> (forall s, 0 < mu s 0) -> mu^T *m P = mu^T ->
  [/\ forall s, \sum_t K s t = (1 - gamma) * mu s 0, forall t, \sum_s K s t = (1 - gamma) * mu t 0
    & positive_definite K].
Proof.
move=> K /andP[gamma_ge0 gamma_lt1] P_ge0 P_1 mu_gt0 stationary.
have rows s : \sum_t K s t = (1 - gamma) * mu s 0.
  rewrite /K mul_diag_mx; under eq_bigr do rewrite mxE.
  rewrite -mulr_sumr mxE mulrC; congr (_ * _); under eq_bigr do rewrite !mxE.
  rewrite sumrB -mulr_sumr P_1 mulr1 (bigD1 s) //= eqxx big1 ?addr0 // => t ts.
  by rewrite eq_sym (negPf ts).
have columns t : \sum_s K s t = (1 - gamma) * mu t 0.
  have solves : mu^T *m (1%:M - gamma *: P) = ((1 - gamma) *: mu)^T.
    by rewrite mulmxBr mulmx1 -scalemxAr stationary [RHS]linearZ /= scalerBl scale1r.
  by have := column_sums t solves; rewrite mxE.
split=> //; apply: positive_definite_by_sums => [s t st|s].
  rewrite /K mul_diag_mx !mxE (negPf st) sub0r mulrN oppr_le0.
  by apply: mulr_ge0; [exact: ltW | exact: mulr_ge0].
by rewrite rows columns addr_gt0 ?mulr_gt0 ?subr_gt0.
Qed.

(* Emphatic TD's expected update is stable, if only the features differ where m(s) > 0. *)
Theorem emphatic_td_stable (R : rcfType) n k d (b pi : 'I_n -> 'I_k -> R) p (gamma lambda : 'rV[R]_n)
    (i : 'cV[R]_n) (X Z : 'M[R]_(n, d)) :
  let P := transitions pi p in let m := emphasis P gamma lambda i in
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) -> ending P gamma lambda ->
  nonnegative i -> stationary_trace b pi p gamma lambda m X Z ->
  (forall w : 'cV[R]_d, (forall s, 0 < m s 0 -> (X *m w) s 0 = 0) -> w = 0) ->
  hurwitz (- expected_A b pi p gamma lambda m X Z).
Proof.
move=> P m cover pi1 p1 ends i_ge0 stationary independent l.
rewrite emphatic_td_expected_A // map_mxN => /eigenvalueP[v vA v_neq0].
rewrite -oppr_gt0; have -> : - complex.Re l = complex.Re (- l) by case: l {vA}.
apply: positive_definite_eigenvalues (emphatic_td_A ends i_ge0 independent) _ _; apply/eigenvalueP.
by exists v; rewrite // scaleNr -vA mulmxN opprK.
Qed.

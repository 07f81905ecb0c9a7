From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz substochastic diagonal_dominance emphatic_td expected_traces.
From tdrc Require Import stable_key_matrices positive_definite key_matrix_example emphasis_by_sums renewal.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Sutton, Mahmood and White 2016, formula by formula: section 2. *)
Theorem negative_diagonal_is_amplified (R : realFieldType) (alpha u : R) : 0 < alpha -> u < 0 -> 1 < 1 - alpha * u.
Proof. by move=> alpha_gt0 u_lt0; rewrite ltr_addl oppr_gt0 pmulr_rlt0. Qed.

Theorem positive_diagonal_is_damped (R : realFieldType) (alpha u : R) :
  0 < alpha -> 0 < u -> alpha * u < 1 -> 0 < 1 - alpha * u < 1.
Proof. by move=> alpha_gt0 u_gt0 small; rewrite subr_gt0 small gtr_addl oppr_lt0 mulr_gt0. Qed.

Lemma form_of_features (R : comRingType) n d (M : 'M[R]_n) (X : 'M[R]_(n, d)) (z : 'cV[R]_d) :
  z^T *m (X^T *m M *m X) *m z = (X *m z)^T *m M *m (X *m z).
Proof. by rewrite trmx_mul !mulmxA. Qed.

Theorem positive_definite_by_features (R : realFieldType) n d (M : 'M[R]_n) (X : 'M[R]_(n, d)) :
  positive_definite M -> X^T *m X \in unitmx -> positive_definite (X^T *m M *m X).
Proof.
move=> M_pos independent z z_neq0; rewrite form_of_features; apply: M_pos; apply: contraNneq z_neq0 => Xz0.
by rewrite -(mulKmx independent z) -[X^T *m X *m z]mulmxA Xz0 !mulmx0.
Qed.

Theorem positive_semidefinite_by_features (R : realFieldType) n d (M : 'M[R]_n) (X : 'M[R]_(n, d)) :
  positive_definite M -> positive_semidefinite (X^T *m M *m X).
Proof.
move=> M_pos z; rewrite form_of_features; have [->|/M_pos/ltW//] := eqVneq (X *m z) 0.
by rewrite mulmx0 mxE.
Qed.

Theorem positive_definite_by_column_sums (R : realFieldType) n (gamma : R) (P : 'M[R]_n) (d : 'cV[R]_n) :
  let K := diag_mx d^T *m (1%:M - gamma *: P) in
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) -> (forall s, 0 < d s 0) ->
  (forall t, 0 <= \sum_s K s t) -> positive_definite K.
Proof.
move=> K /andP[gamma_ge0 gamma_lt1] P_ge0 P_1 d_gt0 columns; apply: positive_definite_by_sums => [s t st|s].
  rewrite /K mul_diag_mx !mxE (negPf st) sub0r mulrN oppr_le0.
  by apply: mulr_ge0; [exact: ltW | exact: mulr_ge0].
apply: ltr_spaddl => //; have -> : \sum_t K s t = (1 - gamma) * d s 0; last by rewrite mulr_gt0 ?subr_gt0.
rewrite /K mul_diag_mx; under eq_bigr do rewrite mxE.
rewrite -mulr_sumr mxE mulrC; congr (_ * _); under eq_bigr do rewrite !mxE.
rewrite sumrB -mulr_sumr P_1 mulr1 (bigD1 s) //= eqxx big1 ?addr0 // => t ts.
by rewrite eq_sym (negPf ts).
Qed.

(* After Varga, with the absolute values. *)
Theorem positive_definite_by_dominance (R : realFieldType) n (P : 'M[R]_n) :
  P^T = P -> (forall s, 0 < P s s) -> (forall s, \sum_t `|P s t| < 2%:R * P s s) -> positive_definite P.
Proof.
move=> P_sym diagonal dominant z z_neq0.
pose K : 'M[R]_n := \matrix_(s, t) if s == t then P s s else - `|P s t|; pose y : 'cV[R]_n := map_mx Num.norm z.
have rest s : \sum_t `|P s t| = P s s + \sum_(t | t != s) `|P s t|.
  by rewrite (bigD1 s) //= ger0_norm // ltW.
have K_sum s : 0 < P s s - \sum_(t | t != s) `|P s t|.
  by rewrite subr_gt0; have := dominant s; rewrite rest mulr_natl mulr2n ltr_add2l.
have K_pos : positive_definite K.
  apply: positive_definite_by_sums => [s t st|s]; first by rewrite mxE (negPf st) oppr_le0.
  have row : \sum_t K s t = P s s - \sum_(t | t != s) `|P s t|.
    rewrite (bigD1 s) //= mxE eqxx; congr (_ + _); rewrite -sumrN; apply: eq_bigr => t ts.
    by rewrite mxE eq_sym (negPf ts).
  have -> : \sum_t K t s = \sum_t K s t; last by rewrite row addr_gt0.
  apply: eq_bigr => t _; rewrite !mxE eq_sym; case: eqP => [->//|_].
  by rewrite -[in LHS]P_sym mxE.
have y_neq0 : y != 0.
  apply: contraNneq z_neq0 => /colP y0; apply/eqP/colP => s; have := y0 s; rewrite !mxE => /eqP.
  by rewrite normr_eq0 => /eqP.
apply: lt_le_trans (K_pos y y_neq0) _; rewrite !mxE; apply: ler_sum => t _; rewrite !mxE !mulr_suml.
apply: ler_sum => s _; rewrite !mxE; case: eqP => [->|_].
  by rewrite mulrAC [in X in _ <= X]mulrAC -normrM ger0_norm ?sqr_ge0 // -expr2 sqr_ge0.
by rewrite mulrN mulNr -!normrM ler_oppl; apply: le_trans (ler_norm _) _; rewrite normrN.
Qed.

(* Eq. 5: what the distributions of the states tend to. *)
Lemma goes_to_0_plus (R : realFieldType) (u v : nat -> R) :
  goes_to_0 u -> goes_to_0 v -> goes_to_0 (fun t => u t + v t).
Proof.
move=> u0 v0 e e_gt0; have half_gt0 : 0 < e / 2%:R by rewrite divr_gt0 ?ltr0n.
have [N uN] := u0 _ half_gt0; have [M vM] := v0 _ half_gt0; exists (maxn N M) => t; rewrite geq_max => /andP[Nt Mt].
have -> : e = e / 2%:R + e / 2%:R by field.
by apply: le_lt_trans (ler_norm_add _ _) _; apply: ltr_add; [exact: uN | exact: vM].
Qed.

Lemma goes_to_0_times (R : realFieldType) (c : R) (u : nat -> R) : goes_to_0 u -> goes_to_0 (fun t => c * u t).
Proof.
move=> u0 e e_gt0; have size_gt0 : 0 < `|c| + 1 by rewrite ltr_spaddr ?ltr01.
have [N uN] := u0 _ (divr_gt0 e_gt0 size_gt0); exists N => t /uN; rewrite ltr_pdivl_mulr // normrM mulrC.
by apply: le_lt_trans; rewrite ler_wpmul2r // ler_addl.
Qed.

Lemma goes_to_0_sum (R : realFieldType) (I : Type) (r : seq I) (u : I -> nat -> R) :
  (forall i, goes_to_0 (u i)) -> goes_to_0 (fun t => \sum_(i <- r) u i t).
Proof.
move=> u0; elim: r => [|i r IH] e e_gt0; first by exists 0%N => t _; rewrite big_nil normr0.
have [N small] := goes_to_0_plus (u0 i) IH e_gt0; exists N => t /small.
by rewrite big_cons.
Qed.

Theorem limiting_distribution_is_stationary (R : realFieldType) n (P : 'M[R]_n) (mu : nat -> 'cV[R]_n) (d : 'cV[R]_n) :
  (forall t, mu t.+1 = P^T *m mu t) -> (forall s, goes_to_0 (fun t => mu t s 0 - d s 0)) -> P^T *m d = d.
Proof.
move=> mu_next limit; apply/colP => s; apply/eqP; rewrite -subr_eq0 -normr_le0 leNgt; apply/negP => gap_gt0.
have next0 : goes_to_0 (fun t => mu t.+1 s 0 - d s 0).
  by move=> e /(limit s)[N small]; exists N => t /leqW; exact: small.
have [N small] := goes_to_0_plus next0
  (goes_to_0_sum (index_enum _) (fun u => goes_to_0_times (- P u s) (limit u))) gap_gt0.
have := small N (leqnn N); rewrite ltNge => /negP; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP; congr `|_|.
rewrite mu_next !mxE addrAC -big_split /=; congr (_ - _); apply: eq_bigr => u _; rewrite !mxE; ring.
Qed.

Theorem on_policy_sums_are_positive (R : realFieldType) n (gamma : R) (P : 'M[R]_n) (mu : 'cV[R]_n) :
  let K := diag_mx mu^T *m (1%:M - gamma *: P) in
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) -> (forall s, 0 < mu s 0) -> mu^T *m P = mu^T ->
  forall s, 0 < \sum_t K s t /\ 0 < \sum_t K t s.
Proof.
move=> K gamma_01 P_ge0 P_1 mu_gt0 stationary s.
have [rows columns _] := on_policy_key_matrix gamma_01 P_ge0 P_1 mu_gt0 stationary.
by rewrite rows columns mulr_gt0 // subr_gt0; case/andP: gamma_01.
Qed.

Lemma stable_by_positive_definite (R : rcfType) d (A : 'M[R]_d) : positive_definite A -> hurwitz (- A).
Proof.
move=> A_pos l; rewrite map_mxN => /eigenvalueP[v vA v_neq0].
rewrite -oppr_gt0; have -> : - complex.Re l = complex.Re (- l) by case: l {vA}.
apply: positive_definite_eigenvalues A_pos _ _; apply/eigenvalueP.
by exists v; rewrite // scaleNr -vA mulmxN opprK.
Qed.

Theorem on_policy_td_stable (R : rcfType) n k (gamma : R) (P : 'M[R]_n) (mu : 'cV[R]_n) (X : 'M[R]_(n, k)) :
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) -> (forall s, 0 < mu s 0) -> mu^T *m P = mu^T ->
  X^T *m X \in unitmx -> hurwitz (- (X^T *m (diag_mx mu^T *m (1%:M - gamma *: P)) *m X)).
Proof.
move=> gamma_01 P_ge0 P_1 mu_gt0 stationary independent.
have [_ _ K_pos] := on_policy_key_matrix gamma_01 P_ge0 P_1 mu_gt0 stationary.
exact/stable_by_positive_definite/positive_definite_by_features.
Qed.

(* Section 3. *)
Theorem ratio_has_mean_1 (F : fieldType) k (b pi : 'I_k -> F) :
  (forall a, b a != 0) -> \sum_a pi a = 1 -> \sum_a b a * (pi a / b a) = 1.
Proof. by move=> b_neq0 pi1; rewrite -pi1; apply: eq_bigr => a _; rewrite mulrC divfK. Qed.

(* Section 4: gamma is one number below 1, and f that of eq. 12. *)
Lemma discounted_unit (R : realFieldType) n (gamma : R) (P : 'M[R]_n) :
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) -> 1%:M - gamma *: P \in unitmx.
Proof.
move=> gamma_01 P_ge0 P_1; case/andP: (gamma_01) => gamma_ge0 gamma_lt1.
apply: contraT => singular; have /rowV0Pn[v /sub_kermxP v0 v_neq0] : kermx (1%:M - gamma *: P) != 0.
  by rewrite kermx_eq0 row_free_unit.
have vE : v = gamma *: (v *m P).
  by move: v0; rewrite mulmxBr mulmx1 -scalemxAr => /eqP; rewrite subr_eq0 => /eqP.
have sum_gt0 : 0 < \sum_t `|v 0 t|.
  rewrite lt_def sumr_ge0 ?andbT // psumr_eq0 //; apply: contra v_neq0 => /allP zero; apply/eqP/rowP => t.
  by have := zero t (mem_index_enum t); rewrite /= normr_eq0 mxE => /eqP.
have : \sum_t `|v 0 t| <= gamma * \sum_t `|v 0 t|.
  have le t : `|v 0 t| <= gamma * \sum_s `|v 0 s| * P s t.
    rewrite {1}vE mxE normrM ger0_norm // ler_wpmul2l // mxE; apply: le_trans (ler_norm_sum _ _ _) _.
    by apply: ler_sum => s _; rewrite normrM [`|P s t|]ger0_norm.
  apply: le_trans (ler_sum _ (fun t _ => le t)) _; rewrite -mulr_sumr exchange_big /= ler_wpmul2l //.
  by apply: ler_sum => s _; rewrite -mulr_sumr P_1 mulr1.
by rewrite -subr_ge0 -[X in _ - X]mul1r -mulrBl pmulr_lge0 // subr_ge0 leNgt gamma_lt1.
Qed.

Theorem emphatic_td0_followon (R : realFieldType) n (gamma : R) (P : 'M[R]_n) (d : 'cV[R]_n) :
  let f := invmx (1%:M - (gamma *: P)^T) *m d in
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) ->
  f = d + gamma *: (P^T *m f) /\ 1%:M - gamma *: P \in unitmx.
Proof.
move=> f gamma_01 P_ge0 P_1; have unit := discounted_unit gamma_01 P_ge0 P_1; split=> //.
have unit_tr : 1%:M - (gamma *: P)^T \in unitmx.
  by rewrite -[X in X - _]trmx1 -linearB unitmx_tr.
by apply/eqP; rewrite -subr_eq -[X in X - _]mul1mx scalemxAl -linearZ -mulmxBl /f mulKVmx.
Qed.

(* F_t in the mean, by its rule, and A: d is how often the chain is in each state. *)
Theorem emphatic_td0_expected_A (R : realFieldType) n k q (gamma : R) (b pi : 'I_n -> 'I_k -> R) p (d : 'cV[R]_n)
    (X Z : 'M[R]_(n, q)) :
  let P := transitions pi p in let f := invmx (1%:M - (gamma *: P)^T) *m d in
  covers b pi -> (forall s a, 0 <= pi s a) -> (forall s, \sum_a pi s a = 1) ->
  (forall s a t, 0 <= p s a t) -> (forall s a, \sum_t p s a t = 1) -> 0 <= gamma < 1 ->
  (forall t, f t 0 = d t 0 + gamma * \sum_s \sum_a b s a * p s a t * (pi s a / b s a * f s 0)) /\
  expected_A b pi p (const_mx gamma) 0 f X Z = X^T *m (diag_mx f^T *m (1%:M - gamma *: P)) *m X.
Proof.
move=> P f cover pi_ge0 pi1 p_ge0 p1 gamma_01.
have P_ge0 : nonnegative P by move=> s t; rewrite mxE sumr_ge0 // => a _; rewrite mulr_ge0.
have [fE _] := emphatic_td0_followon d gamma_01 P_ge0 (transitions_sum1 pi1 p1); rewrite -/f in fE.
split=> [t|]; last by rewrite off_policy_td_expected_A // diag_const_mx mul_mx_scalar.
rewrite {1}fE mxE; congr (_ + _); rewrite mxE; congr (_ * _); rewrite mxE; apply: eq_bigr => s _.
rewrite !mxE mulr_suml; apply: eq_bigr => a _; have [b0|b_neq0] := eqVneq (b s a) 0.
  by rewrite b0 cover // !(mul0r, mulr0).
by field.
Qed.

Theorem emphatic_td0_stable (R : rcfType) n k (gamma : R) (P : 'M[R]_n) (d : 'cV[R]_n) (X : 'M[R]_(n, k)) :
  let K := diag_mx (invmx (1%:M - (gamma *: P)^T) *m d)^T *m (1%:M - gamma *: P) in
  0 <= gamma < 1 -> nonnegative P -> (forall s, \sum_t P s t = 1) -> (forall s, 0 < d s 0) -> X^T *m X \in unitmx ->
  positive_definite K /\ hurwitz (- (X^T *m K *m X)).
Proof.
move=> K gamma_01 P_ge0 P_1 d_gt0 independent; have unit := discounted_unit gamma_01 P_ge0 P_1.
suff K_pos : positive_definite K by split=> //; exact/stable_by_positive_definite/positive_definite_by_features.
have PE : P_gamma P (const_mx gamma) = gamma *: P by rewrite /P_gamma diag_const_mx mul_mx_scalar.
have ends : ending P (const_mx gamma) 0.
  case/andP: gamma_01 => gamma_ge0 /ltW gamma_le1; split=> [|s|s|]; rewrite ?mxE ?lexx ?ler01 ?gamma_ge0 ?PE //.
  by split=> // s; rewrite P_1.
have DN : (1%:M - P_gamma P (const_mx gamma)) *m invmx (1%:M - P_gamma P (const_mx gamma)) = 1%:M.
  by rewrite mulmxV // PE.
have [_] := emphatic_td_theorem_1 ends d_gt0; rewrite (key_matrix_without_lambda _ DN) PE /K.
suff -> : (invmx (1%:M - (gamma *: P)^T) *m d)^T = d^T *m invmx (1%:M - gamma *: P) by [].
by apply: (can_inj (mulmxK unit)); rewrite invmx_tr_row // mulmxKV.
Qed.

(* Section 6. *)
Theorem emphatic_td_A_by_inverses (R : fieldType) n d (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n)
    (X : 'M[R]_(n, d)) :
  let m := emphasis P gamma lambda i in 1%:M - P_gamma_lambda P gamma lambda \in unitmx ->
  X^T *m diag_mx m^T *m invmx (1%:M - P_gamma_lambda P gamma lambda) *m (1%:M - P_gamma P gamma) *m X =
  X^T *m key_matrix P gamma lambda i *m X.
Proof.
move=> m unit; rewrite /key_matrix /weighted -/m; move: m => m; rewrite !mulmxA.
have -> : 1%:M - P_lambda P gamma lambda =
    invmx (1%:M - P_gamma_lambda P gamma lambda) *m (1%:M - P_gamma P gamma).
  rewrite /P_lambda -{1}(mulVmx unit) -mulmxBr; congr (_ *m _).
  by rewrite mulmxBr mulmx1 /P_gamma_lambda -/(P_gamma P gamma) opprB addrA subrK.
by rewrite !mulmxA.
Qed.

Theorem mean_trace_by_inverse (R : realFieldType) n d (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n)
    (X : 'M[R]_(n, d)) :
  let m := emphasis P gamma lambda i in
  let Z := invmx (1%:M - P^T *m (diag_mx gamma *m diag_mx lambda)) *m (P^T *m (diag_mx m^T *m X)) in
  ending P gamma lambda -> Z = P^T *m (diag_mx gamma *m diag_mx lambda *m Z + diag_mx m^T *m X).
Proof.
move=> m Z ends; have unit : 1%:M - P^T *m (diag_mx gamma *m diag_mx lambda) \in unitmx.
  have := P_gamma_lambda_unit ends; rewrite /P_gamma_lambda -mulmxA; set D := diag_mx gamma *m diag_mx lambda => unit.
  have D_tr : D^T = D by rewrite /D trmx_mul !tr_diag_mx diag_mxC.
  rewrite -unitmx_tr; have -> : (1%:M - P^T *m D)^T = 1%:M - D *m P.
    by rewrite trmxD trmxN trmx1 trmx_mul D_tr trmxK.
  apply: (mulmx1_unit (_ : _ *m (1%:M + D *m invmx (1%:M - P *m D) *m P) = 1%:M)).1.
  set N := invmx _; have moved : D *m N *m P - D *m P *m (D *m N *m P) = D *m P.
    by rewrite -[in RHS](mulmx1 D) -(mulmxV unit) -/N mulmxBl mul1mx mulmxBr mulmxBl !mulmxA.
  by rewrite mulmxDr mulmx1 mulmxBl mul1mx moved subrK.
by apply/eqP; rewrite mulmxDr -subr_eq0 opprD addrA subr_eq0 mulmxA -{1}[Z]mul1mx -mulmxBl mulKVmx.
Qed.

Theorem trajectories_that_end (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda -> 1%:M - P_gamma_lambda P gamma lambda \in unitmx.
Proof. exact: P_gamma_lambda_unit. Qed.

Theorem key_matrix_signs (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  ending P gamma lambda -> nonnegative i ->
  nonnegative (diag_mx (emphasis P gamma lambda i)^T *m P_lambda P gamma lambda) /\
  forall s, 0 <= key_matrix P gamma lambda i s s.
Proof.
move=> ends i_ge0; have [[T_ge0 T_le1] _] := P_lambda_substochastic ends.
have m_ge0 s : 0 <= emphasis P gamma lambda i s 0.
  by have [i_le _ _] := key_matrix_sums ends i_ge0 s; apply: le_trans i_le.
rewrite /key_matrix /weighted.
move: (P_lambda _ _ _) (emphasis _ _ _ _) T_ge0 T_le1 m_ge0 => T m T_ge0 T_le1 m_ge0.
split=> [s t|s]; first by rewrite mul_diag_mx !mxE mulr_ge0.
rewrite mul_diag_mx !mxE eqxx mulr_ge0 // subr_ge0; apply: le_trans (T_le1 s).
by rewrite (bigD1 s) //= ler_addl sumr_ge0.
Qed.

Theorem followon_solves (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  let f := followon P gamma i in ending P gamma lambda -> f = i + diag_mx gamma *m P^T *m f.
Proof.
move=> f [_ _ _ unit]; have unit_tr : 1%:M - (P_gamma P gamma)^T \in unitmx.
  by rewrite -[X in X - _]trmx1 -linearB unitmx_tr.
have -> : diag_mx gamma *m P^T = (P_gamma P gamma)^T by rewrite /P_gamma trmx_mul tr_diag_mx.
by apply/eqP; rewrite -subr_eq -[X in X - _]mul1mx -mulmxBl /f /followon mulKVmx.
Qed.

Theorem emphasis_step (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  ending P gamma lambda ->
  emphasis P gamma lambda i =
  (1%:M - diag_mx lambda *m diag_mx gamma *m P^T) *m invmx (1%:M - diag_mx gamma *m P^T) *m i.
Proof.
move=> ends; rewrite emphasis_by_followon //; have fE := followon_solves i ends.
have -> : invmx (1%:M - diag_mx gamma *m P^T) = invmx (1%:M - (P_gamma P gamma)^T).
  by rewrite /P_gamma trmx_mul tr_diag_mx.
rewrite -mulmxA -/(followon P gamma i); move: (followon _ _ _) fE => f fE.
rewrite {1}(_ : i = f - diag_mx gamma *m P^T *m f); last by rewrite {1}fE addrK.
by rewrite mulmxBr !mulmxBl !mul1mx !mulmxA addrC addrA subrK.
Qed.

Theorem fixed_point_has_no_projected_error (F : fieldType) n k (D : 'M[F]_n) (X : 'M[F]_(n, k)) (A : 'M[F]_k)
    (b w : 'cV[F]_k) :
  A *m w = b -> X *m invmx (X^T *m D *m X) *m (b - A *m w) = 0.
Proof. by move=> ->; rewrite subrr mulmx0. Qed.

Theorem values_are_a_fixed_point (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (r : 'cV[R]_n) :
  let v := invmx (1%:M - P_gamma P gamma) *m r in ending P gamma lambda ->
  invmx (1%:M - P_gamma_lambda P gamma lambda) *m r + P_lambda P gamma lambda *m v = v.
Proof.
move=> v ends; have [_ _ _ unit] := ends; apply/eqP; rewrite -subr_eq0 -addrA addr_eq0 opprB.
by rewrite -{1}[v]mul1mx -mulmxBl one_minus_P_lambda // -mulmxA /v mulKVmx.
Qed.

Theorem key_matrix_semidefinite (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  ending P gamma lambda -> nonnegative i -> positive_semidefinite (key_matrix P gamma lambda i).
Proof.
move=> ends i_ge0 z; have [positive zero] := emphatic_td_zero_interest z ends i_ge0.
have [/existsP[s /andP[m_gt0 z_neq0]]|] := boolP [exists s, (0 < emphasis P gamma lambda i s 0) && (z s 0 != 0)].
  by apply/ltW/positive; exists s.
rewrite negb_exists => /forallP none; rewrite zero // => s m_gt0; apply/eqP.
by have := none s; rewrite m_gt0 negbK.
Qed.

Theorem key_matrix_without_interest (R : realFieldType) n (P : 'M[R]_n.+1) (gamma lambda : 'rV[R]_n.+1) :
  ~ positive_definite (key_matrix P gamma lambda 0).
Proof.
move=> /(_ (const_mx 1)); rewrite /key_matrix /weighted /emphasis mulmx0 trmx0 raddf0 mul0mx mulmx0 mul0mx mxE ltxx.
suff one_neq0 : const_mx 1 != 0 :> 'cV[R]_n.+1 by move=> /(_ one_neq0).
by apply/eqP => /colP/(_ 0)/eqP; rewrite !mxE oner_eq0.
Qed.

(* Section 8: with interest at the first time only. *)
Theorem always_right (F : numFieldType) (rho gamma lambda i M : nat -> F) :
  let past := earlier (fun k => rho k * M k) (fun j => gamma j * lambda j * rho j) in
  let F' t := i t + gamma t * past t in
  (forall t, M t = i t + gamma t * (1 - lambda t) * past t) ->
  (forall t, rho t = 2%:R) -> (forall t, gamma t = 9%:R / 10%:R) -> (forall t, lambda t = 0) ->
  forall t, F' t.+1 = 9%:R / 5%:R * F' t + i t.+1.
Proof.
move=> past F' M_is rho2 gamma_is lambda0 t; have [_ F_next] := emphasis_by_sums M_is.
by rewrite /F' F_next rho2 gamma_is; congr (_ * _ + _); field.
Qed.

(* Section 2, below eq. 4: how far a step may go. *)
Theorem step_shortens (R : realFieldType) d (A : 'M[R]_d) (y : 'cV[R]_d) :
  let form : R := (y^T *m A *m y) 0 0 in let size (z : 'cV[R]_d) : R := (z^T *m z) 0 0 in
  positive_definite A -> y != 0 ->
  0 < 2%:R * form / size (A *m y) /\
  forall alpha, 0 < alpha < 2%:R * form / size (A *m y) -> size ((1%:M - alpha *: A) *m y) < size y.
Proof.
move=> form size A_pos y_neq0; have form_gt0 : 0 < form by apply: A_pos.
have size_gt0 : 0 < size (A *m y).
  have := @positive_definite_1 R d (A *m y); rewrite mulmx1; apply; apply: contraTneq form_gt0 => Ay0.
  by rewrite /form -mulmxA Ay0 mulmx0 mxE ltxx.
split=> [|alpha /andP[alpha_gt0]]; first by rewrite divr_gt0 ?mulr_gt0 ?ltr0n.
rewrite ltr_pdivl_mulr // => small.
have -> : size ((1%:M - alpha *: A) *m y) = size y - alpha * (2%:R * form - alpha * size (A *m y)).
  have yv : (y^T *m (A *m y)) 0 0 = form by rewrite mulmxA.
  have vy : ((A *m y)^T *m y) 0 0 = form.
    by have -> : (A *m y)^T *m y = (y^T *m (A *m y))^T; [rewrite [RHS]trmx_mul trmxK | rewrite mxE].
  rewrite /size mulmxBl mul1mx -scalemxAl; move: (A *m y) yv vy => v yv vy.
  have -> : (y - alpha *: v)^T *m (y - alpha *: v) =
      y^T *m y - alpha *: (y^T *m v) - alpha *: (v^T *m y) + (alpha * alpha) *: (v^T *m v) by matrix_ring.
  move: (y^T *m y) (y^T *m v) (v^T *m y) (v^T *m v) yv vy => p q u s qE uE.
  by rewrite !mxE qE uE; move: (p 0 0) (s 0 0) (form : R) => *; ring.
by rewrite ltr_subl_addr ltr_addl mulr_gt0 // subr_gt0.
Qed.

(* Section 9: everything constant, on-policy. *)
Lemma powers_vanish (R : archiFieldType) (gamma : R) : 0 <= gamma < 1 -> goes_to_0 (fun t => gamma ^+ t).
Proof.
move=> /andP[gamma_ge0 gamma_lt1] e e_gt0; have [gamma0|gamma_neq0] := eqVneq gamma 0.
  by exists 1%N => -[//|t] _; rewrite gamma0 expr0n normr0.
have gamma_gt0 : 0 < gamma by rewrite lt_def gamma_neq0.
have kappa_gt1 : 1 < gamma^-1 by rewrite invf_gt1.
have [N large] := power_above_line (2%:R / e) kappa_gt1; exists N => t Nt.
have := large t Nt; rewrite exprVn normrX ger0_norm // => far.
have power_gt0 : 0 < gamma ^+ t by rewrite exprn_gt0.
have : 2%:R / e <= (gamma ^+ t)^-1.
  by apply: le_trans far; rewrite ler_pemulr ?ler1n // divr_ge0 ?ler0n ?ltW.
rewrite -(ler_pmul2r power_gt0) mulVf ?gt_eqF // mulrAC ler_pdivr_mulr // mul1r; apply: lt_le_trans.
by rewrite mulr_natl mulr2n ltr_addl.
Qed.

Theorem emphasis_tends_to_a_constant (R : archiFieldType) (rho gamma lambda i : R) (F : nat -> R) :
  rho = 1 -> 0 <= gamma < 1 -> (forall t, F t.+1 = rho * gamma * F t + i) ->
  goes_to_0 (fun t => (lambda * i + (1 - lambda) * F t) - (lambda * i + (1 - lambda) * (i / (1 - gamma)))).
Proof.
move=> -> gamma_01 F_next.
have gamma_neq1 : 1 - gamma != 0 by case/andP: gamma_01 => _ lt1; rewrite subr_eq0 gt_eqF.
pose c := (1 - lambda) * (F 0%N - i / (1 - gamma)).
have F_is t : lambda * i + (1 - lambda) * F t - (lambda * i + (1 - lambda) * (i / (1 - gamma))) = c * gamma ^+ t.
  have -> : F t = i / (1 - gamma) + (F 0%N - i / (1 - gamma)) * gamma ^+ t; last by rewrite /c; ring.
  elim: t => [|t IH]; first by rewrite mulr1 addrC subrK.
  by rewrite F_next IH exprS; field.
move=> e e_gt0; have bound_gt0 : 0 < e / (`|c| + 1) by rewrite divr_gt0 // ltr_spaddr ?ltr01.
have [N small] := powers_vanish gamma_01 bound_gt0; exists N => t Nt; rewrite F_is normrM.
have := small t Nt; rewrite ltr_pdivl_mulr ?ltr_spaddr ?ltr01 // mulrC; apply: le_lt_trans.
by rewrite ler_wpmul2r // ler_addl ler01.
Qed.

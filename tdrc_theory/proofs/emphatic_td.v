From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions substochastic diagonal_dominance.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Sutton, Mahmood and White 2016, section 6. P: transitions under the target policy; gamma, lambda: functions of
   the state; i: the interest in a state times its probability under the behaviour. *)
Definition P_gamma (F : fieldType) n (P : 'M[F]_n) (gamma : 'rV[F]_n) : 'M_n := P *m diag_mx gamma.
Definition P_gamma_lambda (F : fieldType) n (P : 'M[F]_n) (gamma lambda : 'rV[F]_n) : 'M_n :=
  P *m diag_mx gamma *m diag_mx lambda.
Definition P_lambda (F : fieldType) n (P : 'M[F]_n) (gamma lambda : 'rV[F]_n) : 'M_n :=
  invmx (1%:M - P_gamma_lambda P gamma lambda) *m (P_gamma P gamma *m (1%:M - diag_mx lambda)).
Definition followon (F : fieldType) n (P : 'M[F]_n) (gamma : 'rV[F]_n) (i : 'cV[F]_n) : 'cV_n :=
  invmx (1%:M - (P_gamma P gamma)^T) *m i.
Definition emphasis (F : fieldType) n (P : 'M[F]_n) (gamma lambda : 'rV[F]_n) (i : 'cV[F]_n) : 'cV_n :=
  invmx (1%:M - (P_lambda P gamma lambda)^T) *m i.
Definition weighted (F : fieldType) n (m : 'cV[F]_n) (T : 'M[F]_n) : 'M_n := diag_mx m^T *m (1%:M - T).
Definition key_matrix (F : fieldType) n (P : 'M[F]_n) (gamma lambda : 'rV[F]_n) (i : 'cV[F]_n) : 'M_n :=
  weighted (emphasis P gamma lambda i) (P_lambda P gamma lambda).

(* I - P Gamma has an inverse where the product of the gammas along a trajectory goes to 0, as the paper assumes. *)
Definition ending (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) : Prop :=
  [/\ substochastic P, forall s, 0 <= gamma 0 s <= 1, forall s, 0 <= lambda 0 s <= 1
    & 1%:M - P_gamma P gamma \in unitmx].

Lemma column_sums (F : fieldType) n (T : 'M[F]_n) (m i : 'cV[F]_n) t :
  m^T *m (1%:M - T) = i^T -> \sum_s weighted m T s t = i t 0.
Proof.
move/rowP/(_ t); rewrite [RHS]mxE => <-; rewrite mxE; apply: eq_bigr => s _.
by rewrite /weighted mul_diag_mx mxE.
Qed.

Lemma invmx_tr_row (F : fieldType) n (T : 'M[F]_n) (i : 'cV[F]_n) :
  1%:M - T \in unitmx -> (invmx (1%:M - T^T) *m i)^T *m (1%:M - T) = i^T.
Proof.
move=> T_unit; have -> : 1%:M - T^T = (1%:M - T)^T by rewrite linearB /= trmx1.
by rewrite -trmx_inv trmx_mul trmxK mulmxKV.
Qed.

(* Section 4: emphatic TD(0), gamma a number and the interest 1 everywhere. *)
Theorem emphatic_td0_column_sums (F : fieldType) n (gamma : F) (P : 'M[F]_n) (mu : 'cV[F]_n) t :
  1%:M - gamma *: P \in unitmx ->
  \sum_s (diag_mx (invmx (1%:M - (gamma *: P)^T) *m mu)^T *m (1%:M - gamma *: P)) s t = mu t 0.
Proof. by move=> unit; apply/column_sums/invmx_tr_row. Qed.

Lemma P_gamma_substochastic (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda -> substochastic (P_gamma P gamma).
Proof.
move=> [[P_ge0 P_le1] gamma01 _ _]; rewrite /P_gamma mul_mx_diag; split=> [s t|s].
  by rewrite mxE mulr_ge0 //; case/andP: (gamma01 t).
apply: le_trans (P_le1 s); apply: ler_sum => t _; rewrite mxE ler_pimulr //.
by case/andP: (gamma01 t).
Qed.

Lemma P_gamma_lambda_bounds (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda ->
  nonnegative (P_gamma_lambda P gamma lambda) /\ nonnegative (P_gamma P gamma - P_gamma_lambda P gamma lambda).
Proof.
move=> ends; have [Q_ge0 _] := P_gamma_substochastic ends; have [_ _ lambda01 _] := ends.
rewrite /P_gamma_lambda mul_mx_diag; split=> s t; case/andP: (lambda01 t) => l_ge0 l_le1.
  by rewrite mxE mulr_ge0.
by rewrite [X in 0 <= X]mxE [X in _ + X]mxE [X in _ - X]mxE subr_ge0 ler_pimulr.
Qed.

Lemma P_gamma_lambda_substochastic (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda -> substochastic (P_gamma_lambda P gamma lambda).
Proof.
move=> ends; have [_ Q_le1] := P_gamma_substochastic ends; have [B_ge0 B_le] := P_gamma_lambda_bounds ends.
split=> // s; apply: le_trans (Q_le1 s); apply: ler_sum => t _.
by rewrite -subr_ge0; have := B_le s t; rewrite [X in 0 <= X]mxE [X in _ + X]mxE.
Qed.

Lemma P_gamma_lambda_unit (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda -> 1%:M - P_gamma_lambda P gamma lambda \in unitmx.
Proof.
move=> ends; have [B_ge0 B_le] := P_gamma_lambda_bounds ends; have [_ _ _ Q_unit] := ends.
exact: smaller_nonsingular (P_gamma_substochastic ends) Q_unit B_ge0 B_le.
Qed.

(* Eq. 24. *)
Theorem one_minus_P_lambda (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda ->
  1%:M - P_lambda P gamma lambda = invmx (1%:M - P_gamma_lambda P gamma lambda) *m (1%:M - P_gamma P gamma).
Proof.
move=> ends; rewrite /P_lambda mulmxBr mulmx1 -/(P_gamma_lambda _ _ _).
have -> : 1%:M - P_gamma P gamma =
    (1%:M - P_gamma_lambda P gamma lambda) - (P_gamma P gamma - P_gamma_lambda P gamma lambda).
  by rewrite opprB addrA subrK.
by rewrite [RHS]mulmxBr mulVmx // P_gamma_lambda_unit.
Qed.

Theorem P_lambda_substochastic (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) :
  ending P gamma lambda ->
  substochastic (P_lambda P gamma lambda) /\ 1%:M - P_lambda P gamma lambda \in unitmx.
Proof.
move=> ends; have B_unit := P_gamma_lambda_unit ends.
have N_ge0 := nonnegative_inverse (P_gamma_lambda_substochastic ends) B_unit.
have [_ B_le] := P_gamma_lambda_bounds ends; have [_ _ _ Q_unit] := ends.
split; last by rewrite one_minus_P_lambda // unitmx_mul unitmx_inv B_unit.
split=> [|s]; first by apply: nonnegative_mul => //; rewrite mulmxBr mulmx1.
have [_ Q_le1] := P_gamma_substochastic ends.
have : 0 <= ((1%:M - P_lambda P gamma lambda) *m (const_mx 1 : 'cV_n)) s 0.
  rewrite one_minus_P_lambda // -mulmxA; apply: nonnegative_mul => // t u.
  rewrite mulmxBl mul1mx !mxE; under [X in _ - X]eq_bigr do rewrite [X in _ * X]mxE mulr1.
  by rewrite subr_ge0.
rewrite mulmxBl mul1mx !mxE; under [X in _ - X]eq_bigr do rewrite [X in _ * X]mxE mulr1.
by rewrite subr_ge0.
Qed.

(* Eqs. 25 and 26: the emphasis as the learner accumulates it. *)
Theorem emphasis_by_followon (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  ending P gamma lambda ->
  emphasis P gamma lambda i = diag_mx lambda *m i + (1%:M - diag_mx lambda) *m followon P gamma i.
Proof.
move=> ends; have [T_sub T_unit] := P_lambda_substochastic ends; have [_ _ _ Q_unit] := ends.
apply: trmx_inj; apply: (can_inj (mulmxK T_unit)); rewrite invmx_tr_row //.
have := invmx_tr_row i Q_unit; rewrite -/(followon P gamma i); move: (followon _ _ _) => f f_solves.
have fQ : f^T *m P_gamma P gamma = f^T - i^T by rewrite -f_solves mulmxBr mulmx1 subKr.
have -> : (diag_mx lambda *m i + (1%:M - diag_mx lambda) *m f)^T = f^T *m (1%:M - P_gamma_lambda P gamma lambda).
  rewrite linearD /= !trmx_mul linearB /= trmx1 !tr_diag_mx !mulmxBr !mulmx1 /P_gamma_lambda -/(P_gamma P gamma).
  by rewrite mulmxA fQ mulmxBl opprB addrCA.
by rewrite one_minus_P_lambda // -mulmxA mulKVmx // P_gamma_lambda_unit.
Qed.

Lemma weighted_off_diagonal (R : realFieldType) n (T : 'M[R]_n) (m : 'cV[R]_n) :
  nonnegative T -> nonnegative m -> off_diagonal_nonpositive (weighted m T).
Proof.
move=> T_ge0 m_ge0 s t st; rewrite /weighted mul_diag_mx !mxE (negPf st) sub0r.
by rewrite mulrN oppr_le0 mulr_ge0.
Qed.

Lemma weighted_row_sums (R : realFieldType) n (T : 'M[R]_n) (m : 'cV[R]_n) s :
  substochastic T -> nonnegative m -> 0 <= \sum_t weighted m T s t.
Proof.
move=> [T_ge0 T_le1] m_ge0; rewrite /weighted mul_diag_mx; under eq_bigr do rewrite mxE.
rewrite -mulr_sumr mulr_ge0 ?mxE //; under eq_bigr do rewrite !mxE.
rewrite sumrB (bigD1 s) //= eqxx big1 ?addr0 ?subr_ge0 // => t ts.
by rewrite eq_sym (negPf ts).
Qed.

Lemma weights_nonnegative (R : realFieldType) n (T : 'M[R]_n) (m i : 'cV[R]_n) :
  substochastic T -> 1%:M - T \in unitmx -> m^T *m (1%:M - T) = i^T -> nonnegative i ->
  forall s, i s 0 <= m s 0.
Proof.
move=> [T_ge0 T_le1] T_unit m_solves i_ge0 s.
have m_ge0 : nonnegative m^T.
  apply: (nonnegative_row_solution (conj T_ge0 T_le1) T_unit) => t u; rewrite m_solves mxE.
  by rewrite ord1.
have /rowP/(_ s) : i^T = m^T - m^T *m T by rewrite -m_solves mulmxBr mulmx1.
rewrite !mxE => ->; rewrite ler_subl_addr ler_addl sumr_ge0 // => t _.
by rewrite mulr_ge0.
Qed.

(* Where the form vanishes z is 0 at every state of positive weight: such states would keep it to themselves. *)
Lemma weighted_form (R : realFieldType) n (T : 'M[R]_n) (m i z : 'cV[R]_n) :
  substochastic T -> 1%:M - T \in unitmx -> m^T *m (1%:M - T) = i^T -> nonnegative i ->
  (exists2 s, 0 < m s 0 & z s 0 != 0) -> 0 < (z^T *m weighted m T *m z) 0 0.
Proof.
move=> T_sub T_unit m_solves i_ge0 [s0 m_gt0 z_neq0].
have m_ge0 : nonnegative m.
  by move=> s j; rewrite ord1; apply: le_trans (weights_nonnegative T_sub T_unit m_solves i_ge0 s).
have [T_ge0 _] := T_sub; have K_le0 := weighted_off_diagonal T_ge0 m_ge0.
set K := weighted m T in K_le0 *.
have sums_ge0 s : 0 <= (\sum_t K s t + \sum_t K t s) * z s 0 ^+ 2.
  by rewrite mulr_ge0 ?sqr_ge0 // addr_ge0 ?weighted_row_sums // (column_sums s m_solves).
have difference_ge0 s t : 0 <= - K s t * (z s 0 - z t 0) ^+ 2.
  have [->|st] := eqVneq s t; first by rewrite subrr expr0n mulr0.
  by rewrite mulr_ge0 ?sqr_ge0 // oppr_ge0 K_le0.
rewrite -(pmulr_rgt0 _ (ltr0n _ 2)) form_by_differences lt_def; apply/andP; split; last first.
  by rewrite addr_ge0 ?sumr_ge0 // => s _; rewrite sumr_ge0.
apply: contraNneq z_neq0 => /eqP; rewrite paddr_eq0; last 2 first.
- by rewrite sumr_ge0.
- by rewrite sumr_ge0 // => s _; rewrite sumr_ge0.
rewrite psumr_eq0 // psumr_eq0 => [|s _]; last by rewrite sumr_ge0.
case/andP=> /allP sums0 /allP differences0; apply: contraTT m_gt0 => z_neq0.
rewrite -leNgt; pose w := \row_s if z s 0 == 0 then 0 else m s 0.
suff /rowP/(_ s0) : w = 0 by rewrite !mxE (negPf z_neq0) => ->.
apply: (subsolution_eq0 T_sub T_unit) => [j s|s]; first by rewrite mxE; case: ifP.
rewrite [X in X <= _]mxE; case: ifPn => [_|zs_neq0].
  by rewrite mxE sumr_ge0 // => t _; rewrite mxE; case: ifP; rewrite ?mul0r // mulr_ge0.
have i0 : i s 0 = 0.
  have := sums0 s (mem_index_enum s); rewrite /= mulf_eq0 sqrf_eq0 (negPf zs_neq0) orbF.
  by rewrite paddr_eq0 ?weighted_row_sums ?(column_sums s m_solves) // => /andP[_ /eqP].
have /rowP/(_ s) : m^T = i^T + m^T *m T by rewrite -m_solves mulmxBr mulmx1 subrK.
rewrite !mxE i0 add0r => ->; apply: ler_sum => t _; rewrite !mxE; case: ifPn => // /eqP zt0.
have ts : t != s by apply: contraNneq zs_neq0 => <-; rewrite zt0.
have := differences0 t (mem_index_enum t); rewrite /= psumr_eq0 // => /allP/(_ s (mem_index_enum s)).
rewrite /= mulf_eq0 sqrf_eq0 zt0 sub0r !oppr_eq0 (negPf zs_neq0) orbF /K /weighted mul_diag_mx !mxE.
by rewrite (negPf ts) sub0r mulrN oppr_eq0 mul0r => /eqP->.
Qed.

Lemma key_matrix_solves (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  ending P gamma lambda -> (emphasis P gamma lambda i)^T *m (1%:M - P_lambda P gamma lambda) = i^T.
Proof. by move=> ends; apply: invmx_tr_row; case: (P_lambda_substochastic ends). Qed.

(* Row sums are 0 where no discounting follows: gamma = 1 at each next state and lambda = 0. *)
Theorem key_matrix_sums (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  ending P gamma lambda -> nonnegative i ->
  forall s, [/\ i s 0 <= emphasis P gamma lambda i s 0,
                \sum_t key_matrix P gamma lambda i t s = i s 0
              & 0 <= \sum_t key_matrix P gamma lambda i s t].
Proof.
move=> ends i_ge0 s; have [T_sub T_unit] := P_lambda_substochastic ends.
have m_ge := weights_nonnegative T_sub T_unit (key_matrix_solves i ends) i_ge0.
split=> //; first exact: column_sums s (key_matrix_solves i ends).
by apply: weighted_row_sums => // t j; rewrite ord1; apply: le_trans (m_ge t).
Qed.

(* Theorem 1. *)
Theorem emphatic_td_theorem_1 (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n) :
  let K := key_matrix P gamma lambda i in
  ending P gamma lambda -> (forall s, 0 < i s 0) ->
  (forall s, \sum_(t | t != s) `|(K + K^T) s t| < (K + K^T) s s) /\ positive_definite K.
Proof.
move=> K ends i_gt0; have i_ge0 : nonnegative i by move=> s j; rewrite ord1 ltW.
have sums := key_matrix_sums ends i_ge0; have [[T_ge0 _] _] := P_lambda_substochastic ends.
have K_le0 : off_diagonal_nonpositive K.
  apply: weighted_off_diagonal => // s j; rewrite ord1; apply: le_trans (i_ge0 s 0) _.
  by case: (sums s).
have sums_gt0 s : 0 < \sum_t K s t + \sum_t K t s by case: (sums s) => _ -> row_ge0; rewrite ltr_spaddr.
by split; [exact: strictly_diagonally_dominant | exact: positive_definite_by_sums].
Qed.

(* The conjecture that ends section 6: with zero interests the key matrix is positive definite where m(s) > 0. *)
Theorem emphatic_td_zero_interest (R : realFieldType) n (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i z : 'cV[R]_n) :
  let K := key_matrix P gamma lambda i in
  ending P gamma lambda -> nonnegative i ->
  ((exists2 s, 0 < emphasis P gamma lambda i s 0 & z s 0 != 0) -> 0 < (z^T *m K *m z) 0 0) /\
  ((forall s, 0 < emphasis P gamma lambda i s 0 -> z s 0 = 0) -> (z^T *m K *m z) 0 0 = 0).
Proof.
move=> K ends i_ge0; have [T_sub T_unit] := P_lambda_substochastic ends.
have m_ge := weights_nonnegative T_sub T_unit (key_matrix_solves i ends) i_ge0.
split=> [|z0]; first exact: weighted_form T_sub T_unit (key_matrix_solves i ends) i_ge0.
move: m_ge z0; rewrite /K /key_matrix; move: (emphasis _ _ _ _) => m m_ge z0.
rewrite -mulmxA mxE big1 // => s _; rewrite /weighted -mulmxA mul_diag_mx !mxE.
have [/z0->|] := boolP (0 < m s 0); first by rewrite mul0r.
rewrite -leNgt => m_le0; have -> : m s 0 = 0 by apply/eqP; rewrite eq_le m_le0 (le_trans (i_ge0 s 0)).
by rewrite mul0r mulr0.
Qed.

(* A, where features differ on the states with m(s) > 0. *)
Theorem emphatic_td_A (R : realFieldType) n d (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n)
    (X : 'M[R]_(n, d)) :
  ending P gamma lambda -> nonnegative i ->
  (forall w : 'cV[R]_d, (forall s, 0 < emphasis P gamma lambda i s 0 -> (X *m w) s 0 = 0) -> w = 0) ->
  positive_definite (X^T *m key_matrix P gamma lambda i *m X).
Proof.
move=> ends i_ge0 independent w w_neq0.
have -> : w^T *m (X^T *m key_matrix P gamma lambda i *m X) *m w = (X *m w)^T *m key_matrix P gamma lambda i *m (X *m w).
  by rewrite trmx_mul !mulmxA.
apply: (emphatic_td_zero_interest (X *m w) ends i_ge0).1; set m := emphasis _ _ _ _ in independent *.
have [/existsP[s /andP[m_gt0 Xw_neq0]]|] := boolP [exists s, (0 < m s 0) && ((X *m w) s 0 != 0)]; first by exists s.
rewrite negb_exists => /forallP none; case/negP: w_neq0; apply/eqP/independent => s m_gt0; apply/eqP.
by have := none s; rewrite m_gt0 negbK.
Qed.

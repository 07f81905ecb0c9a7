From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions substochastic diagonal_dominance emphatic_td.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What is expected along a step from s by action a to t, behaviour b, dynamics p; f has the probability of s in it. *)
Definition step_sum (F : fieldType) n k q r (b : 'I_n -> 'I_k -> F) (p : 'I_n -> 'I_k -> 'I_n -> F)
    (f : 'I_n -> 'I_k -> 'I_n -> 'M[F]_(q, r)) : 'M_(q, r) :=
  \sum_s \sum_a \sum_t (b s a * p s a t) *: f s a t.
Definition covers (F : fieldType) n k (b pi : 'I_n -> 'I_k -> F) : Prop := forall s a, b s a = 0 -> pi s a = 0.
Definition transitions (F : fieldType) n k (pi : 'I_n -> 'I_k -> F) (p : 'I_n -> 'I_k -> 'I_n -> F) : 'M_n :=
  \matrix_(s, t) \sum_a pi s a * p s a t.
(* The trace after the step, e = rho (gamma lambda e_before + m x), in the mean over what came before s;
   rows of Z: the means of e_before, each times the probability of its state. *)
Definition trace_after (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) (gamma lambda : 'rV[F]_n) (m : 'cV[F]_n)
    (X Z : 'M[F]_(n, d)) s a : 'rV_d :=
  (pi s a / b s a) *: ((gamma 0 s * lambda 0 s) *: row s Z + m s 0 *: row s X).
(* The means of the trace before a step are those after the step before. *)
Definition stationary_trace (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) (p : 'I_n -> 'I_k -> 'I_n -> F)
    (gamma lambda : 'rV[F]_n) (m : 'cV[F]_n) (X Z : 'M[F]_(n, d)) : Prop :=
  forall u, row u Z = step_sum b p (fun s a t => (t == u)%:R *: trace_after b pi gamma lambda m X Z s a).
Definition expected_A (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) (p : 'I_n -> 'I_k -> 'I_n -> F)
    (gamma lambda : 'rV[F]_n) (m : 'cV[F]_n) (X Z : 'M[F]_(n, d)) : 'M_d :=
  step_sum b p (fun s a t => (trace_after b pi gamma lambda m X Z s a)^T *m (row s X - gamma 0 t *: row t X)).

(* Eq. 7. *)
Theorem importance_sampling (F : fieldType) k (b pi Y : 'I_k -> F) :
  (forall a, b a = 0 -> pi a = 0) -> \sum_a b a * (pi a / b a * Y a) = \sum_a pi a * Y a.
Proof.
move=> cover; apply: eq_bigr => a _; have [b0|b_neq0] := eqVneq (b a) 0; first by rewrite b0 cover // !mul0r.
by rewrite mulrA mulrCA mulfV // mulr1.
Qed.

Lemma step_sum_ratio (F : fieldType) n k q r (b pi : 'I_n -> 'I_k -> F) p (g : 'I_n -> 'I_n -> 'M[F]_(q, r)) :
  covers b pi ->
  step_sum b p (fun s a t => (pi s a / b s a) *: g s t) = \sum_s \sum_t transitions pi p s t *: g s t.
Proof.
move=> cover; apply: eq_bigr => s _; rewrite exchange_big; apply: eq_bigr => t _; rewrite mxE scaler_suml.
apply: eq_bigr => a _; rewrite scalerA; congr (_ *: _).
have [b0|b_neq0] := eqVneq (b s a) 0; first by rewrite b0 cover // !mul0r.
by rewrite mulrAC mulrCA mulfV // mulr1.
Qed.

Lemma transitions_sum1 (F : fieldType) n k (pi : 'I_n -> 'I_k -> F) p :
  (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) -> forall s, \sum_t transitions pi p s t = 1.
Proof.
move=> pi1 p1 s; under eq_bigr do rewrite mxE.
by rewrite exchange_big -[RHS](pi1 s); apply: eq_bigr => a _; rewrite -mulr_sumr p1 mulr1.
Qed.


(* E_b[rho x x^T] = E[x x^T]. *)
Theorem excursion_matrix (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) p (mu : 'cV[F]_n) (X : 'M[F]_(n, d)) :
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) ->
  step_sum b p (fun s a t => (pi s a / b s a) *: (mu s 0 *: ((row s X)^T *m row s X))) =
  \sum_s mu s 0 *: ((row s X)^T *m row s X).
Proof.
move=> cover pi1 p1; rewrite (step_sum_ratio p (fun s _ => mu s 0 *: ((row s X)^T *m row s X)) cover).
by apply: eq_bigr => s _; rewrite -scaler_suml transitions_sum1 // scale1r.
Qed.

(* The means after a step but for rho. *)
Definition after_step (F : fieldType) n d (gamma lambda : 'rV[F]_n) (m : 'cV[F]_n) (X Z : 'M[F]_(n, d)) : 'M_(n, d) :=
  diag_mx gamma *m diag_mx lambda *m Z + diag_mx m^T *m X.

Lemma trace_after_row (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) gamma lambda m (X Z : 'M[F]_(n, d)) s a :
  trace_after b pi gamma lambda m X Z s a = (pi s a / b s a) *: row s (after_step gamma lambda m X Z).
Proof.
congr (_ *: _); rewrite /after_step mulmx_diag !mul_diag_mx; apply/rowP => j.
by rewrite !mxE.
Qed.

Lemma trace_means (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) p gamma lambda m (X Z : 'M[F]_(n, d)) u :
  covers b pi ->
  step_sum b p (fun s a t => (t == u)%:R *: trace_after b pi gamma lambda m X Z s a) =
  row u ((transitions pi p)^T *m after_step gamma lambda m X Z).
Proof.
move=> cover; set Y := after_step _ _ _ _ _.
have -> : step_sum b p (fun s a t => (t == u)%:R *: trace_after b pi gamma lambda m X Z s a) =
    step_sum b p (fun s a t => (pi s a / b s a) *: ((t == u)%:R *: row s Y)).
  apply: eq_bigr => s _; apply: eq_bigr => a _; apply: eq_bigr => t _; congr (_ *: _).
  by rewrite trace_after_row !scalerA mulrC.
rewrite step_sum_ratio //; clearbody Y; apply/rowP => j; rewrite !mxE summxE; apply: eq_bigr => s _.
rewrite summxE (bigD1 u) //= eqxx scale1r big1 ?addr0 => [|t tu]; last by rewrite (negPf tu) scale0r scaler0 mxE.
by rewrite !mxE.
Qed.

Lemma mean_trace (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) p gamma lambda m (X Z : 'M[F]_(n, d)) :
  covers b pi -> stationary_trace b pi p gamma lambda m X Z ->
  Z = (transitions pi p)^T *m after_step gamma lambda m X Z.
Proof. by move=> cover stationary; apply/row_matrixP => u; rewrite [LHS]stationary trace_means. Qed.

Lemma expected_A_by_means (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) p gamma lambda m (X Z : 'M[F]_(n, d)) :
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) ->
  expected_A b pi p gamma lambda m X Z =
  (after_step gamma lambda m X Z)^T *m (1%:M - transitions pi p *m diag_mx gamma) *m X.
Proof.
move=> cover pi1 p1; set Y := after_step _ _ _ _ _.
have -> : expected_A b pi p gamma lambda m X Z =
    step_sum b p (fun s a t => (pi s a / b s a) *: ((row s Y)^T *m (row s X - gamma 0 t *: row t X))).
  apply: eq_bigr => s _; apply: eq_bigr => a _; apply: eq_bigr => t _; congr (_ *: _).
  by rewrite trace_after_row linearZ /= -scalemxAl.
have P1 := transitions_sum1 pi1 p1.
rewrite step_sum_ratio // -mulmxA mulmxBl mul1mx mulmxBr mul_mx_diag; move: (transitions pi p) P1 => P P1; clearbody Y.
apply/matrixP => i j; rewrite summxE [RHS]mxE [X in _ = X + _]mxE [X in _ = _ + X]mxE [X in _ = _ - X]mxE -sumrB.
apply: eq_bigr => s _; rewrite summxE mxE -mulrBr.
under eq_bigr do rewrite mxE mxE big_ord1 !mxE mulrCA mulrBr.
rewrite -mulr_sumr sumrB -mulr_suml P1 mul1r; congr (_ * (_ - _)).
by rewrite mxE; apply: eq_bigr => t _; rewrite !mxE mulrA.
Qed.

Lemma next_feature_by_trace (F : fieldType) n k d (b pi : 'I_n -> 'I_k -> F) p gamma lambda m (X Z : 'M[F]_(n, d)) :
  covers b pi -> stationary_trace b pi p gamma lambda m X Z ->
  step_sum b p (fun s a t => (row t X)^T *m trace_after b pi gamma lambda m X Z s a) = X^T *m Z.
Proof.
move=> cover stationary; rewrite [in RHS](mean_trace cover stationary); set Y := after_step _ _ _ _ _.
have -> : step_sum b p (fun s a t => (row t X)^T *m trace_after b pi gamma lambda m X Z s a) =
    step_sum b p (fun s a t => (pi s a / b s a) *: ((row t X)^T *m row s Y)).
  apply: eq_bigr => s _; apply: eq_bigr => a _; apply: eq_bigr => t _; congr (_ *: _).
  by rewrite trace_after_row -scalemxAr.
rewrite step_sum_ratio // mulmxA; move: (transitions pi p) => P; clearbody Y.
apply/matrixP => i j; rewrite summxE mxE; apply: eq_bigr => s _; rewrite summxE mxE mulr_suml.
by apply: eq_bigr => t _; rewrite [LHS]mxE [(_^T *m _) i j]mxE big_ord1 !mxE mulrCA mulrA.
Qed.

(* TDRC with traces, dw = delta e - gamma (1 - lambda) (h.e) x' and dh = delta e - (h.x) x - beta h: gamma (1 - lambda)
   E[x' e^T] = C - A^T, where mu is the distribution of states, C = E[x x^T] and A = E[e (x - gamma x')^T]. *)
Theorem tdrc_lambda_correction (F : fieldType) n k d (gamma lambda : F) (b pi : 'I_n -> 'I_k -> F) p
    (mu : 'cV[F]_n) (X Z : 'M[F]_(n, d)) :
  let gammas := const_mx gamma in let lambdas := const_mx lambda in
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) ->
  stationary_trace b pi p gammas lambdas mu X Z ->
  (gamma * (1 - lambda)) *: step_sum b p (fun s a t => (row t X)^T *m trace_after b pi gammas lambdas mu X Z s a) =
  \sum_s mu s 0 *: ((row s X)^T *m row s X) - (expected_A b pi p gammas lambdas mu X Z)^T.
Proof.
move=> gammas lambdas cover pi1 p1 stationary; rewrite next_feature_by_trace // expected_A_by_means //.
have -> : \sum_s mu s 0 *: ((row s X)^T *m row s X) = X^T *m (diag_mx mu^T *m X).
  apply/matrixP => i j; rewrite summxE mul_diag_mx [RHS]mxE; apply: eq_bigr => s _.
  by rewrite [LHS]mxE [(_^T *m _) i j]mxE big_ord1 !mxE mulrCA.
rewrite !trmx_mul linearB /= trmx1 trmx_mul tr_diag_mx trmxK mulmxBl mul1mx mulmxBr.
rewrite -[_ *m _ *m after_step _ _ _ _ _]mulmxA.
rewrite -(mean_trace cover stationary) /after_step /gammas /lambdas !diag_const_mx.
rewrite -scalar_mxM !mul_scalar_mx mulmxDr -!scalemxAr opprB addrCA opprD addrA.
by rewrite addrACA subrr addr0 mulrBr mulr1 scalerBl.
Qed.

Theorem tdrc_lambda_G (F : fieldType) n k d (eta beta gamma lambda : F) (b pi : 'I_n -> 'I_k -> F) p
    (mu : 'cV[F]_n) (X Z : 'M[F]_(n, d)) :
  let gammas := const_mx gamma in let lambdas := const_mx lambda in
  let C := \sum_s mu s 0 *: ((row s X)^T *m row s X) in
  let A := expected_A b pi p gammas lambdas mu X Z in
  let N := step_sum b p (fun s a t => (row t X)^T *m trace_after b pi gammas lambdas mu X Z s a) in
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) ->
  stationary_trace b pi p gammas lambdas mu X Z ->
  block_mx (- (eta *: (C + beta%:M))) (- (eta *: A)) (- ((gamma * (1 - lambda)) *: N)) (- A) = tdrc_G eta beta A C.
Proof.
move=> gammas lambdas C A N cover pi1 p1 stationary.
by rewrite /N tdrc_lambda_correction // opprB.
Qed.

(* Emphatic TD: the mean of the follow-on trace, times the probability of its state. *)
Theorem followon_mean (F : fieldType) n k (b pi : 'I_n -> 'I_k -> F) p (gamma : 'rV[F]_n) (i f : 'cV[F]_n) :
  covers b pi -> 1%:M - P_gamma (transitions pi p) gamma \in unitmx ->
  (forall t, f t 0 = i t 0 + gamma 0 t * \sum_s \sum_a b s a * p s a t * (pi s a / b s a * f s 0)) ->
  f = followon (transitions pi p) gamma i.
Proof.
move=> cover unit mean; apply: trmx_inj; apply: (can_inj (mulmxK unit)); rewrite invmx_tr_row //.
rewrite mulmxBr mulmx1 /P_gamma mul_mx_diag; apply/rowP => t; rewrite !mxE mean mulr_sumr -addrA.
rewrite [X in _ + X](_ : _ = 0) ?addr0 // -sumrB big1 // => s _; rewrite !mxE mulr_suml mulr_sumr mulr_sumr -sumrB.
apply: big1 => a _; have [b0|b_neq0] := eqVneq (b s a) 0; first by rewrite b0 cover // !(mul0r, mulr0) subrr.
rewrite (_ : _ * (pi s a / b s a * f s 0) = f s 0 * (pi s a * p s a t)); last by field.
by rewrite mulrCA [gamma 0 t * _]mulrC subrr.
Qed.

(* Section 3: A of off-policy TD(0), where d is how often the chain is in each state. *)
Theorem off_policy_td_expected_A (F : fieldType) n k q (b pi : 'I_n -> 'I_k -> F) p (gamma : 'rV[F]_n) (d : 'cV[F]_n)
    (X Z : 'M[F]_(n, q)) :
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) ->
  expected_A b pi p gamma 0 d X Z = X^T *m (diag_mx d^T *m (1%:M - transitions pi p *m diag_mx gamma)) *m X.
Proof.
move=> cover pi1 p1; rewrite expected_A_by_means // /after_step raddf0 mulmx0 mul0mx add0r.
by rewrite trmx_mul tr_diag_mx !mulmxA.
Qed.

(* Eqs. 21 to 23: A of emphatic TD, by the means Z of the trace. *)
Theorem emphatic_td_A_by_mean_traces (R : realFieldType) n d (P : 'M[R]_n) (gamma lambda : 'rV[R]_n) (i : 'cV[R]_n)
    (X Z : 'M[R]_(n, d)) :
  let m := emphasis P gamma lambda i in
  ending P gamma lambda -> Z = P^T *m (diag_mx gamma *m diag_mx lambda *m Z + diag_mx m^T *m X) ->
  (diag_mx gamma *m diag_mx lambda *m Z + diag_mx m^T *m X)^T *m (1%:M - P *m diag_mx gamma) *m X =
  X^T *m key_matrix P gamma lambda i *m X.
Proof.
move=> m ends; rewrite /key_matrix -/m /weighted one_minus_P_lambda //; move: m => m ZE.
rewrite !mulmxA; congr (_ *m _ *m _).
have B_unit := P_gamma_lambda_unit ends; apply: (can_inj (mulmxK B_unit)); rewrite mulmxKV //.
set Y := _ + _ in ZE *; have YE : Y^T *m P = Z^T by rewrite [in RHS]ZE trmx_mul trmxK.
rewrite mulmxBr mulmx1 /P_gamma_lambda !mulmxA YE /Y linearD /= !trmx_mul !tr_diag_mx.
by rewrite diag_mxC mulmxA addrAC subrr add0r.
Qed.

(* The same by the learner's own updates. *)
Theorem emphatic_td_expected_A (R : realFieldType) n k d (b pi : 'I_n -> 'I_k -> R) p (gamma lambda : 'rV[R]_n)
    (i : 'cV[R]_n) (X Z : 'M[R]_(n, d)) :
  let P := transitions pi p in let m := emphasis P gamma lambda i in
  covers b pi -> (forall s, \sum_a pi s a = 1) -> (forall s a, \sum_t p s a t = 1) -> ending P gamma lambda ->
  stationary_trace b pi p gamma lambda m X Z ->
  expected_A b pi p gamma lambda m X Z = X^T *m key_matrix P gamma lambda i *m X.
Proof.
move=> P m cover pi1 p1 ends /(mean_trace cover) means.
by rewrite expected_A_by_means // -/P /after_step emphatic_td_A_by_mean_traces.
Qed.

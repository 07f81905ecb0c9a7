From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz substochastic emphatic_td expected_traces stable_key_matrices.
From tdrc Require Import key_matrix_example renewal.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Emphatic TD(lambda), eqs. 17 to 20 of Sutton, Mahmood and White 2016. Before a step there are the state, rho of the
   step before (0 at the start), F, e and the weights; a step is an action and the state that it leads to. *)
Definition emphatic_td_step (R : fieldType) n k d (alpha : R) (b pi : 'I_n -> 'I_k -> R) (r : 'I_n -> 'I_k -> 'I_n -> R)
    (gamma lambda i : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) (before : 'I_n * R * R * 'cV[R]_d * 'cV[R]_d)
    (taken : 'I_k * 'I_n) : 'I_n * R * R * 'cV[R]_d * 'cV[R]_d :=
  let: (s, rho_before, F_before, e_before, w) := before in let: (a, t) := taken in
  let rho := pi s a / b s a in
  let F := rho_before * gamma s * F_before + i s in
  let e := rho *: ((gamma s * lambda s) *: e_before + (lambda s * i s + (1 - lambda s) * F) *: x s) in
  let delta := r s a t + gamma t * ((x t)^T *m w) 0 0 - ((x s)^T *m w) 0 0 in
  (t, rho, F, e, w + (alpha * delta) *: e).
Definition emphatic_td_weights (R : fieldType) n k d (alpha : R) (b pi : 'I_n -> 'I_k -> R)
    (r : 'I_n -> 'I_k -> 'I_n -> R) (gamma lambda i : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) (s : 'I_n) (w : 'cV[R]_d)
    (steps : seq ('I_k * 'I_n)) : 'cV[R]_d :=
  (foldl (emphatic_td_step alpha b pi r gamma lambda i x) (s, 0, 0, 0, w) steps).2.
(* How likely a trajectory is: actions by b, states by p. *)
Definition trajectory_probability (R : ringType) n k (b : 'I_n -> 'I_k -> R) (p : 'I_n -> 'I_k -> 'I_n -> R) (s : 'I_n)
    (steps : seq ('I_k * 'I_n)) : R :=
  \prod_(z <- zip (s :: map snd steps) steps) (b z.1 z.2.1 * p z.1 z.2.1 z.2.2).
(* The mean of the weights after t steps: over all trajectories of that length. *)
Definition emphatic_td_mean (R : fieldType) n k d (alpha : R) (b pi : 'I_n -> 'I_k -> R)
    (p r : 'I_n -> 'I_k -> 'I_n -> R) (gamma lambda i : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) (s : 'I_n) (w : 'cV[R]_d)
    (t : nat) : 'cV[R]_d :=
  \sum_(steps : t.-tuple ('I_k * 'I_n))
    trajectory_probability b p s steps *: emphatic_td_weights alpha b pi r gamma lambda i x s w steps.

Arguments emphatic_td_step : simpl never.

(* Over trajectories of one step more. *)
Lemma sum_over_trajectories (V : zmodType) (T : finType) t (f : seq T -> V) :
  \sum_(steps : t.+1.-tuple T) f steps = \sum_(z : T) \sum_(steps : t.-tuple T) f (z :: steps).
Proof.
rewrite pair_big_dep /= (reindex (fun zs : T * t.-tuple T => cons_tuple zs.1 zs.2)) //=.
exists (fun steps => (thead steps, behead_tuple steps)) => [[z steps] _|steps _]; last by rewrite [RHS]tuple_eta.
by congr pair; apply/val_inj.
Qed.

(* By the first step. *)
Lemma mean_by_first_step (R : fieldType) n k d alpha b pi (p r : 'I_n -> 'I_k -> 'I_n -> R) gamma lambda i
    (x : 'I_n -> 'cV[R]_d) t before :
  let after steps := (foldl (emphatic_td_step alpha b pi r gamma lambda i x) before steps).2 in
  \sum_(steps : t.+1.-tuple ('I_k * 'I_n)) trajectory_probability b p before.1.1.1.1 steps *: after steps =
  \sum_a \sum_s (b before.1.1.1.1 a * p before.1.1.1.1 a s) *:
    \sum_(steps : t.-tuple ('I_k * 'I_n)) trajectory_probability b p s steps *: after ((a, s) :: steps).
Proof.
move=> after; pose f steps := trajectory_probability b p before.1.1.1.1 steps *: after steps.
rewrite (@sum_over_trajectories _ _ t f) [RHS]pair_bigA; apply: eq_bigr => -[a s] _; rewrite scaler_sumr.
by apply: eq_bigr => steps _; rewrite /f /trajectory_probability /= big_cons scalerA.
Qed.

(* theta -> 2 theta: left (0) and right (1) lead to the first and the second state, behaviour takes both alike, the
   target policy goes right, features are 1 and 2, gamma = 9/10, lambda = 0, and the start is on the left. *)
Definition theta_2theta_b (R : fieldType) (s a : 'I_2) : R := 2%:R^-1.
Definition theta_2theta_pi (R : ringType) (s a : 'I_2) : R := (a == 1)%:R.
Definition theta_2theta_p (R : ringType) (s a t : 'I_2) : R := (t == a)%:R.
Definition theta_2theta_x (R : ringType) (s : 'I_2) : 'cV[R]_1 := (s.+1%:R)%:M.

Definition theta_2theta_weight (R : fieldType) (alpha : R) (w : 'cV[R]_1) (steps : seq ('I_2 * 'I_2)) : 'cV[R]_1 :=
  emphatic_td_weights alpha (@theta_2theta_b R) (@theta_2theta_pi R) (fun _ _ _ => 0) (fun=> 9%:R / 10%:R) (fun=> 0)
    (fun=> 1) (@theta_2theta_x R) 0 w steps.
Definition theta_2theta_mean (R : fieldType) (alpha : R) (w : 'cV[R]_1) (t : nat) : 'cV[R]_1 :=
  emphatic_td_mean alpha (@theta_2theta_b R) (@theta_2theta_pi R) (@theta_2theta_p R) (fun _ _ _ => 0)
    (fun=> 9%:R / 10%:R) (fun=> 0) (fun=> 1) (@theta_2theta_x R) 0 w t.

(* After j steps to the right: the trace, the factor as in renewal_diverges, and the mean of a weight of 1. *)
Definition followon_at (R : fieldType) (j : nat) : R := 5%:R / 4%:R * ((9%:R / 5%:R) ^+ j.+1 - 1).
Definition factor_at (R : fieldType) (j : nat) : R := if j is 0 then 8%:R / 5%:R else 1 - (9%:R / 5%:R) ^+ j.+1.
Fixpoint mean_at (R : fieldType) (alpha : R) (j t : nat) : R :=
  if t is t'.+1 then (1 - 2%:R^-1) * mean_at alpha 0 t' + 2%:R^-1 * (1 + alpha * factor_at R j) * mean_at alpha j.+1 t'
  else 1.

(* The learner's step there. *)
Definition theta_2theta_step (R : fieldType) (alpha : R) :=
  emphatic_td_step alpha (@theta_2theta_b R) (@theta_2theta_pi R) (fun _ _ _ => 0) (fun=> 9%:R / 10%:R) (fun=> 0)
    (fun=> 1) (@theta_2theta_x R).

Arguments theta_2theta_step : simpl never.

Lemma step_left (R : numFieldType) (alpha : R) s rho F e (w : 'cV[R]_1) : exists F' e',
  theta_2theta_step alpha (s, rho, F, e, w) (ord0, ord0) = (ord0, 0, F', e', w).
Proof.
by do 2!eexists; rewrite /theta_2theta_step /emphatic_td_step /theta_2theta_pi !mul0r !scale0r scaler0 addr0.
Qed.

Lemma step_right (R : numFieldType) (alpha : R) j (s : 'I_2) rho F e (w : 'cV[R]_1) (right := lift ord0 ord0) :
  s = (j != 0%N) :> nat -> rho * (9%:R / 10%:R) * F + 1 = followon_at R j -> exists e',
  theta_2theta_step alpha (s, rho, F, e, w) (right, right) =
    (right, 2%:R, followon_at R j, e', (1 + alpha * factor_at R j) *: w).
Proof.
move=> s_at F_at; eexists; rewrite /theta_2theta_step /emphatic_td_step F_at.
rewrite /theta_2theta_pi /theta_2theta_b invrK mul1r.
congr (_, _, _, _, _); apply/matrixP => k l; rewrite !ord1 !mxE !big_ord1 !mxE /= !mulr1n s_at /bump /=.
by rewrite /followon_at; case: j {s_at F_at} => [|j] /=; field.
Qed.

Lemma followon_succ (R : numFieldType) j : 2%:R * (9%:R / 10%:R) * followon_at R j + 1 = followon_at R j.+1.
Proof. by rewrite /followon_at [_ ^+ j.+2]exprS; field. Qed.

Lemma mean_at_place (R : numFieldType) (alpha : R) t j (s : 'I_2) rho F e (w : 'cV[R]_1) :
  s = (j != 0%N) :> nat -> rho * (9%:R / 10%:R) * F + 1 = followon_at R j ->
  \sum_(steps : t.-tuple ('I_2 * 'I_2)) trajectory_probability (@theta_2theta_b R) (@theta_2theta_p R) s steps *:
    (foldl (theta_2theta_step alpha) (s, rho, F, e, w) steps).2 = mean_at alpha j t *: w.
Proof.
elim: t j s rho F e w => [|t IH] j s rho F e w s_at F_at.
  rewrite (bigD1 [tuple]) //= big1 ?addr0 => [|steps /eqP[]]; last by apply/val_inj; case: steps => [[]].
  by rewrite /trajectory_probability big_nil.
have likely (a z : 'I_2) : theta_2theta_b R s a * theta_2theta_p R s a z = if z == a then 2%:R^-1 else 0.
  by rewrite /theta_2theta_b /theta_2theta_p; case: ifP; rewrite ?mulr1 ?mulr0.
rewrite (mean_by_first_step _ _ _ _ _ _ _ _ _ _ (s, rho, F, e, w)) /= -/(theta_2theta_step alpha).
rewrite !big_ord_recl !big_ord0 !likely /= !scale0r !add0r !addr0.
have [F' [e' ->]] := step_left alpha s rho F e w; have [e'' ->] := step_right alpha e w s_at F_at.
rewrite (IH 0%N) ?(IH j.+1) ?followon_succ //.
  by rewrite !scalerA -scalerDl; congr (_ *: _); rewrite /=; field.
by rewrite /followon_at; field.
Qed.

Lemma theta_2theta_mean_at (R : numFieldType) (alpha : R) w t : theta_2theta_mean alpha w t = mean_at alpha 0 t *: w.
Proof. by apply: mean_at_place; rewrite // /followon_at; field. Qed.

(* Along the target policy's path. *)
Lemma weight_at_place (R : numFieldType) (alpha : R) t j (s : 'I_2) rho F e (w : 'cV[R]_1) (right := lift ord0 ord0) :
  s = (j != 0%N) :> nat -> rho * (9%:R / 10%:R) * F + 1 = followon_at R j ->
  (foldl (theta_2theta_step alpha) (s, rho, F, e, w) (nseq t (right, right))).2 =
  (\prod_(i < t) (1 + alpha * factor_at R (j + i))) *: w.
Proof.
elim: t j s rho F e w => [|t IH] j s rho F e w s_at F_at; first by rewrite big_ord0 scale1r.
have [e' /= ->] := step_right alpha e w s_at F_at; rewrite (IH j.+1) ?followon_succ //.
rewrite scalerA big_ord_recl addn0 mulrC; congr (_ * _ *: _).
by apply: eq_bigr => i _; rewrite addnS.
Qed.

Lemma weight_to_the_right (R : numFieldType) (alpha : R) (w : 'cV[R]_1) t :
  theta_2theta_weight alpha w (nseq t (1, 1)) = (\prod_(i < t) (1 + alpha * factor_at R i)) *: w.
Proof.
have -> : 1 = lift ord0 ord0 :> 'I_2 by apply/val_inj.
by apply: (@weight_at_place _ alpha t 0%N); rewrite // /followon_at; field.
Qed.

Lemma factor_is_0 (R : numFieldType) (alpha : R) j :
  0 < alpha -> (1 + alpha * factor_at R j == 0) = (0 < j)%N && (alpha * ((9%:R / 5%:R) ^+ j.+1 - 1) == 1).
Proof.
case: j => [|j] alpha_gt0 /=.
  by rewrite gt_eqF // ltr_spaddl ?ltr01 ?mulr_ge0 ?invr_ge0 ?ler0n ?ltW.
by rewrite /factor_at -opprB mulrN subr_eq0 eq_sym.
Qed.

(* The only step sizes at which an update of that path makes the weight 0. *)
Lemma weight_ends_at_0 (R : numFieldType) (alpha : R) (w : 'cV[R]_1) :
  0 < alpha -> w != 0 ->
  ((exists t, theta_2theta_weight alpha w (nseq t (1, 1)) = 0) <->
   (exists2 k, (1 < k)%N & alpha * ((9%:R / 5%:R) ^+ k - 1) = 1)).
Proof.
move=> alpha_gt0 /negPf w_neq0; split=> [[t /eqP]|[[|[|j]] // _ equal]].
  rewrite weight_to_the_right scaler_eq0 w_neq0 orbF => /prodf_eq0[j _].
  by rewrite factor_is_0 // => /andP[j_gt0 /eqP equal]; exists j.+1.
have j0 : 1 + alpha * factor_at R j.+1 = 0 by apply/eqP; rewrite factor_is_0 // equal eqxx.
by exists j.+2; rewrite weight_to_the_right big_ord_recr; move: j0 => /= ->; rewrite mulr0 scale0r.
Qed.

Lemma theta_2theta_mean_diverges (R : archiFieldType) (alpha : R) (w : 'cV[R]_1) :
  0 < alpha -> (forall t, theta_2theta_weight alpha w (nseq t (1, 1)) != 0) ->
  outgrows_every_bound (fun t => theta_2theta_mean alpha w t 0 0).
Proof.
move=> alpha_gt0 moves; have w_neq0 : w != 0 := moves 0%N; have w_gt0 : 0 < `|w 0 0|.
  rewrite normr_gt0; apply: contraNneq w_neq0 => w0; apply/eqP/matrixP => i j; by rewrite !ord1 w0 mxE.
have kappa_gt1 : 1 < 9%:R / 5%:R :> R by rewrite ltr_pdivl_mulr ?ltr0n // mul1r ltr_nat.
have diverges : outgrows_every_bound (mean_at alpha 0).
  pose b : nat -> R := fun=> 2%:R^-1; pose offset : R := - (4%:R / 5%:R).
  apply: (@renewal_diverges _ alpha _ offset b (factor_at R) (mean_at alpha) 1 alpha_gt0 kappa_gt1) => //.
  - by move=> j; rewrite /b invr_gt0 ltr0n invf_le1 ?ltr0n // ler1n.
  - by move=> [|j] // _; rewrite /factor_at /offset [_ ^+ j.+3]exprS; field.
  - rewrite -subr_eq0; have -> : factor_at R 2 - factor_at R 1 = - 324%:R / 125%:R by rewrite /factor_at; field.
    by rewrite mulf_neq0 ?oppr_eq0 ?invr_eq0 ?pnatr_eq0.
  move=> j; apply: contraNneq (moves j.+1) => j0.
  by rewrite weight_to_the_right big_ord_recr /= j0 mulr0 scale0r.
move=> B; have [N N_far] := diverges (B / `|w 0 0|); exists N => t Nt.
by rewrite theta_2theta_mean_at mxE normrM -ltr_pdivr_mulr // N_far.
Qed.

Lemma theta_2theta_transitions (R : fieldType) :
  transitions (@theta_2theta_pi R) (@theta_2theta_p R) = matrix_2 0 1 0 1.
Proof.
apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 /theta_2theta_pi /theta_2theta_p /=.
by case: j => [[|[|//]] j_lt] /=; rewrite ?(mul0r, mul1r, mulr0, addr0, add0r); case: ifP.
Qed.

Lemma theta_2theta_ending (R : realFieldType) :
  ending (transitions (@theta_2theta_pi R) (@theta_2theta_p R)) (const_mx (9%:R / 10%:R)) 0.
Proof.
rewrite theta_2theta_transitions; set gamma := const_mx _.
have DN : (1%:M - P_gamma (matrix_2 0 1 0 1) gamma) *m matrix_2 1 9%:R 0 10%:R = 1%:M.
  rewrite /P_gamma diag_2 matrix_2_mul one_2 !mxE; apply/matrixP => i j.
  by rewrite !mxE !big_ord_recl big_ord0 !mxE /=; do 2!case: ifP => _; field.
have [D_unit _] := mulmx1_unit DN; split=> // [|s|s]; last by rewrite mxE lexx ler01.
  split=> [s t|s]; first by rewrite mxE; do 2?case: ifP => _ //; rewrite ler01.
  by rewrite !big_ord_recl big_ord0 !mxE /=; case: ifP => _; rewrite add0r addr0.
by rewrite mxE divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
Qed.

(* Behaviour is in each state half of the time, and the update that is expected then is stable. *)
Definition theta_2theta_stable (R : rcfType) : Prop :=
  let b := @theta_2theta_b R in let pi := @theta_2theta_pi R in let p := @theta_2theta_p R in
  let gamma := const_mx (9%:R / 10%:R) in let d : 'cV_2 := const_mx 2%:R^-1 in
  let X := \matrix_s (theta_2theta_x R s)^T in let m := emphasis (transitions pi p) gamma 0 d in
  (transitions b p)^T *m d = d /\
  exists2 Z, stationary_trace b pi p gamma 0 m X Z & hurwitz (- expected_A b pi p gamma 0 m X Z).

Lemma theta_2theta_is_stable (R : rcfType) : theta_2theta_stable R.
Proof.
pose b := @theta_2theta_b R; pose pi := @theta_2theta_pi R; pose p := @theta_2theta_p R.
pose gamma : 'rV[R]_2 := const_mx (9%:R / 10%:R); pose d : 'cV[R]_2 := const_mx 2%:R^-1.
pose X := \matrix_s (theta_2theta_x R s)^T; pose m := emphasis (transitions pi p) gamma 0 d.
have ends : ending (transitions pi p) gamma 0 := theta_2theta_ending R.
have cover : covers b pi by move=> s a /eqP; rewrite invr_eq0 pnatr_eq0.
rewrite /theta_2theta_stable -/b -/pi -/p -/gamma -/d -/X -/m; split.
  have -> : transitions b p = const_mx 2%:R^-1.
    apply/matrixP => s t; rewrite !mxE -mulr_sumr (bigD1 t) //= /p /theta_2theta_p eqxx big1 ?addr0 ?mulr1 // => a.
    by rewrite eq_sym => /negPf->.
  by apply/matrixP => s t; rewrite !mxE !big_ord_recl big_ord0 !mxE; field.
pose Z := (transitions pi p)^T *m (diag_mx m^T *m X).
have stationary : stationary_trace b pi p gamma 0 m X Z.
  by move=> u; rewrite trace_means // /after_step raddf0 mulmx0 mul0mx add0r.
have d_ge0 : nonnegative d by move=> s t; rewrite mxE invr_ge0 ler0n.
exists Z => //; apply: emphatic_td_stable => // [s|s a|w w0].
- by rewrite !big_ord_recl big_ord0 add0r addr0.
- by rewrite (bigD1 a) //= /p /theta_2theta_p eqxx big1 ?addr0 // => t /negPf->.
have [d_le_m _ _] := key_matrix_sums ends d_ge0 0.
have : (X *m w) 0 0 = 0 by apply: w0; apply: lt_le_trans d_le_m; rewrite mxE invr_gt0 ltr0n.
by rewrite mxE big_ord1 !mxE /= mulr1n mul1r => w00; apply/matrixP => i j; rewrite !ord1 w00 mxE.
Qed.

(* The mean goes to infinity at every step size above 0 but where an update of the target policy's path makes the weight
   exactly 0, which happens at the step sizes 1 / ((9/5)^k - 1), k >= 2. *)
Theorem emphatic_td_mean_diverges :
  [/\ forall R : rcfType, theta_2theta_stable R,
      forall (R : archiFieldType) (alpha : R) (w : 'cV[R]_1),
        0 < alpha -> (forall t, theta_2theta_weight alpha w (nseq t (1, 1)) != 0) ->
        outgrows_every_bound (fun t => theta_2theta_mean alpha w t 0 0)
    & forall (R : archiFieldType) (alpha : R) (w : 'cV[R]_1),
        0 < alpha -> w != 0 ->
        ((exists t, theta_2theta_weight alpha w (nseq t (1, 1)) = 0) <->
         (exists2 k, (1 < k)%N & alpha * ((9%:R / 5%:R) ^+ k - 1) = 1))].
Proof.
split=> [R|R alpha w|R alpha w]; first exact: theta_2theta_is_stable.
  exact: theta_2theta_mean_diverges.
exact: weight_ends_at_0.
Qed.

(* So it does not go to 0 at the step size of Figure 3. *)
Theorem emphatic_td_mean_does_not_settle :
  (forall R : rcfType, theta_2theta_stable R) /\
  (forall R : archiFieldType, ~ goes_to_0 (fun t => theta_2theta_mean 1000%:R^-1 (1%:M : 'cV[R]_1) t 0 0)).
Proof.
split=> [R|R settles]; first exact: theta_2theta_is_stable.
have alpha_gt0 : 0 < 1000%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have /(_ 1)[M far] : outgrows_every_bound (fun t => theta_2theta_mean 1000%:R^-1 (1%:M : 'cV[R]_1) t 0 0).
  apply: theta_2theta_mean_diverges => // t; apply/eqP => ends.
  have [|k _ equal] := (weight_ends_at_0 alpha_gt0 (matrix_nonzero1 _ _)).1; first by exists t.
  have {equal} : (9%:R / 5%:R) ^+ k = 1001%:R :> R.
    move: equal => /(canRL (mulKf _)); rewrite invr_eq0 pnatr_eq0 => /(_ isT); rewrite invrK mulr1 => /eqP.
    by rewrite subr_eq -(natrD _ 1000 1) => /eqP.
  rewrite expr_div_n => /(canRL (divfK _)); rewrite expf_neq0 ?pnatr_eq0 // => /(_ isT).
  rewrite -!natrX -natrM => /eqP; rewrite eqr_nat => /eqP equal.
  by have : (7 %| 9 ^ k)%N; [rewrite equal dvdn_mulr | rewrite Euclid_dvdX].
have [N near] := settles 1 ltr01.
have := lt_trans (far (maxn M N) (leq_maxl _ _)) (near _ (leq_maxr _ _)); by rewrite ltxx.
Qed.

From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions expectations expected_updates tdcpp mspbe block_identities.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* E[rho x x^T] = E[x x^T]: the ratio's mean is 1 in each state (excursion_matrix). *)
Definition excursion (R : comRingType) n d (p rho : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) : Prop :=
  mean p (fun k => rho k *: (x k *m (x k)^T)) = mean_C p x.

Lemma mean_A_tr (R : comRingType) n d gamma (p rho : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) :
  excursion p rho x ->
  (mean_A gamma p rho x x')^T = mean_C p x - gamma *: mean p (fun k => rho k *: (x' k *m (x k)^T)).
Proof. by move=> <-; rewrite /mean_A; mean_ring. Qed.

Lemma mean_step_w (R : comRingType) n d gamma (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) (h w : 'cV[R]_d) :
  excursion p rho x ->
  mean p (fun k => tdrc_step_w gamma (rho k) (r k) (x k) (x' k) h w) =
  mean_b p rho r x - mean_A gamma p rho x x' *m w - (mean_C p x - (mean_A gamma p rho x x')^T) *m h.
Proof. by move=> <-; rewrite /mean_b /mean_A; mean_ring. Qed.

Lemma mean_gtd2_step_w (R : comRingType) n d gamma (p rho : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) (h : 'cV[R]_d) :
  mean p (fun k => gtd2_step_w gamma (rho k) (x k) (x' k) h) = (mean_A gamma p rho x x')^T *m h.
Proof. by rewrite /mean_A; mean_ring. Qed.

Theorem expected_step_h (R : comRingType) n d gamma beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  \sum_k p k = 1 ->
  mean p (fun k => tdrc_step_h gamma beta (rho k) (r k) (x k) (x' k) h w) =
  mean_b p rho r x - mean_A gamma p rho x x' *m w - (mean_C p x + beta%:M) *m h.
Proof.
by move=> p1; rewrite /mean_b /mean_A /mean_C mulmxDl mul_scalar_mx [in RHS](mean_const (beta *: h) p1); mean_ring.
Qed.

Theorem tdc_form (R : comRingType) n d gamma (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) (h w : 'cV[R]_d) :
  excursion p rho x -> mean_C p x *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w ->
  (mean_A gamma p rho x x')^T *m h =
  mean p (fun k => rho k *: (x k *m td_error gamma (r k) (x k) (x' k) w)) -
  gamma *: (mean p (fun k => rho k *: (x' k *m (x k)^T)) *m h).
Proof. by move=> ratio solves; rewrite expected_td_error -solves -ratio /mean_A; mean_ring. Qed.

Theorem tdc_and_gtd2_agree_where_h_solves (R : comRingType) n d gamma (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  excursion p rho x ->
  mean p (fun k => tdrc_step_w gamma (rho k) (r k) (x k) (x' k) h w) =
    mean p (fun k => gtd2_step_w gamma (rho k) (x k) (x' k) h) <->
  mean_C p x *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w.
Proof. by move=> ratio; rewrite mean_step_w // mean_gtd2_step_w; apply: tdc_and_gtd2_agree_iff. Qed.

Theorem tdrc_rearrangement (R : comRingType) n d gamma beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  excursion p rho x -> (mean_C p x + beta%:M) *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w ->
  (mean_A gamma p rho x x' + beta%:M)^T *m h =
  mean p (fun k => rho k *: (x k *m td_error gamma (r k) (x k) (x' k) w)) -
  gamma *: (mean p (fun k => rho k *: (x' k *m (x k)^T)) *m h).
Proof.
move=> ratio solves; rewrite expected_td_error -solves trmxD mean_A_tr //.
by move: (mean_C _ _) (mean _ _) => C N; matrix_ring.
Qed.

Theorem rearrangement_with_inverse (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w : 'cV[F]_d) :
  C + beta%:M \in unitmx ->
  (A + beta%:M)^T *m invmx (C + beta%:M) *m (b - A *m w) =
  b - A *m w - (C - A^T) *m invmx (C + beta%:M) *m (b - A *m w).
Proof.
move=> unit; move: (b - A *m w) => e.
rewrite -[X in _ = X - _](mulKVmx unit); move: (invmx _) => N; matrix_ring.
Qed.

Theorem expected_step_w (R : comRingType) n d gamma beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  excursion p rho x -> (mean_C p x + beta%:M) *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w ->
  mean p (fun k => tdrc_step_w gamma (rho k) (r k) (x k) (x' k) h w) = (mean_A gamma p rho x x' + beta%:M)^T *m h.
Proof.
move=> ratio solves; rewrite mean_step_w // -solves; move: (mean_C _ _) (mean_A _ _ _ _ _) => C A.
by matrix_ring.
Qed.

Theorem single_sample (R : comRingType) d (gamma eta beta rho r : R) (x x' h w : 'cV[R]_d) :
  block_mx (- (eta *: (x *m x^T + beta%:M))) ((eta * rho) *: (x *m (gamma *: x' - x)^T))
           (- ((rho * gamma) *: (x' *m x^T))) (rho *: (x *m (gamma *: x' - x)^T)) *m col_mx h w +
    col_mx ((eta * rho * r) *: x) ((rho * r) *: x) =
  col_mx (eta *: tdrc_step_h gamma beta rho r x x' h w) (tdrc_step_w gamma rho r x x' h w).
Proof.
by rewrite mul_block_col add_col_mx; congr col_mx; rewrite /tdrc_step_h /tdrc_step_w /td_error; matrix_ring.
Qed.

(* For every h and w, so that G and g are determined by it. *)
Theorem expected_update (R : comRingType) n d gamma eta beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  \sum_k p k = 1 -> excursion p rho x ->
  col_mx (mean p (fun k => eta *: tdrc_step_h gamma beta (rho k) (r k) (x k) (x' k) h w))
         (mean p (fun k => tdrc_step_w gamma (rho k) (r k) (x k) (x' k) h w)) =
  tdrc_G eta beta (mean_A gamma p rho x x') (mean_C p x) *m col_mx h w + tdrc_g eta (mean_b p rho r x).
Proof.
move=> p1 ratio; rewrite -meanZ expected_step_h // mean_step_w // /tdrc_G /tdrc_g mul_block_col add_col_mx.
by move: (mean_C _ _) (mean_A _ _ _ _ _) (mean_b _ _ _ _) => C A b; congr col_mx; matrix_ring.
Qed.

Theorem tdcpp_expected_update (R : comRingType) n d gamma eta beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  \sum_k p k = 1 -> excursion p rho x ->
  col_mx (mean p (fun k => eta *: tdrc_step_h gamma beta (rho k) (r k) (x k) (x' k) h w))
         (mean p (fun k => tdrc_step_w gamma (rho k) (r k) (x k) (x' k) h w - beta *: h)) =
  tdcpp_G eta beta (mean_A gamma p rho x x') (mean_C p x) *m col_mx h w + tdrc_g eta (mean_b p rho r x).
Proof.
move=> p1 ratio; rewrite -meanD -[mean p (fun=> - _)](mean_const _ p1) -meanZ expected_step_h // mean_step_w //.
rewrite /tdcpp_G /tdrc_g mul_block_col add_col_mx.
by move: (mean_C _ _) (mean_A _ _ _ _ _) (mean_b _ _ _ _) => C A b; congr col_mx; matrix_ring.
Qed.

Theorem gtd2_expected_update (R : comRingType) n d gamma eta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  \sum_k p k = 1 ->
  col_mx (mean p (fun k => eta *: tdrc_step_h gamma 0 (rho k) (r k) (x k) (x' k) h w))
         (mean p (fun k => gtd2_step_w gamma (rho k) (x k) (x' k) h)) =
  gtd2_G eta (mean_A gamma p rho x x') (mean_C p x) *m col_mx h w + col_mx (eta *: mean_b p rho r x) 0.
Proof.
move=> p1; rewrite -meanZ expected_step_h // mean_gtd2_step_w /gtd2_G mul_block_col add_col_mx.
rewrite raddf0 !addr0 mul0mx addr0.
by move: (mean_C _ _) (mean_A _ _ _ _ _) (mean_b _ _ _ _) => C A b; congr col_mx; matrix_ring.
Qed.

Theorem tdcpp_rearrangement (R : comRingType) n d gamma beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  excursion p rho x -> (mean_C p x + beta%:M) *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w ->
  (mean_A gamma p rho x x')^T *m h =
  mean p (fun k => rho k *: (x k *m td_error gamma (r k) (x k) (x' k) w)) -
  gamma *: (mean p (fun k => rho k *: (x' k *m (x k)^T)) *m h) - beta *: h.
Proof.
move=> ratio solves; rewrite expected_td_error -solves mean_A_tr //.
by move: (mean_C _ _) (mean _ _) => C N; matrix_ring.
Qed.

Theorem mspbe_by_expectations (F : fieldType) n d gamma (p rho r : 'I_n -> F) (x x' : 'I_n -> 'cV[F]_d) (w : 'cV[F]_d) :
  let error := mean p (fun k => rho k *: (x k *m td_error gamma (r k) (x k) (x' k) w)) in
  error^T *m invmx (mean p (fun k => x k *m (x k)^T)) *m error =
  mspbe (mean_A gamma p rho x x') (invmx (mean_C p x)) (mean_b p rho r x) w.
Proof. by rewrite /= expected_td_error. Qed.

Theorem tdcpp_objective (F : fieldType) n d gamma beta (p rho r : 'I_n -> F) (x x' : 'I_n -> 'cV[F]_d) (w : 'cV[F]_d) :
  let error := mean p (fun k => rho k *: (x k *m td_error gamma (r k) (x k) (x' k) w)) in
  error^T *m invmx (mean p (fun k => x k *m (x k)^T) + beta%:M) *m error =
  mspbe (mean_A gamma p rho x x') (invmx (mean_C p x + beta%:M)) (mean_b p rho r x) w.
Proof. by rewrite /= expected_td_error. Qed.

(* The h of TDC and of GTD2 moves by the same rule, which is TDRC's with beta = 0. *)
Theorem least_squares_is_at_rest (R : comRingType) n d gamma (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  \sum_k p k = 1 -> mean_C p x *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w ->
  mean p (fun k => tdrc_step_h gamma 0 (rho k) (r k) (x k) (x' k) h w) = 0.
Proof. by move=> p1 solves; rewrite expected_step_h // raddf0 addr0 solves subrr. Qed.

Theorem ridge_is_at_rest (R : comRingType) n d gamma beta (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (h w : 'cV[R]_d) :
  \sum_k p k = 1 -> (mean_C p x + beta%:M) *m h = mean_b p rho r x - mean_A gamma p rho x x' *m w ->
  mean p (fun k => tdrc_step_h gamma beta (rho k) (r k) (x k) (x' k) h w) = 0.
Proof. by move=> p1 solves; rewrite expected_step_h // solves subrr. Qed.

Theorem step_without_h (R : comRingType) d (gamma rho r : R) (x x' w : 'cV[R]_d) :
  tdrc_step_w gamma rho r x x' 0 w = rho *: (x *m td_error gamma r x x' w).
Proof. by rewrite /tdrc_step_w !mulmx0 scaler0 subr0. Qed.

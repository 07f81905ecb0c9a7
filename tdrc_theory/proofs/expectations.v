From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Samples k = 0, ..., n-1 of probabilities p: a transition has features x and x', reward r and importance ratio rho. *)
Definition mean (R : comRingType) n q r (p : 'I_n -> R) (f : 'I_n -> 'M[R]_(q, r)) : 'M_(q, r) := \sum_k p k *: f k.
Definition mean_A (R : comRingType) n d (gamma : R) (p rho : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) : 'M_d :=
  mean p (fun k => rho k *: (x k *m (x k - gamma *: x' k)^T)).
Definition mean_b (R : comRingType) n d (p rho r : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) : 'cV_d :=
  mean p (fun k => (rho k * r k) *: x k).
Definition mean_C (R : comRingType) n d (p : 'I_n -> R) (x : 'I_n -> 'cV[R]_d) : 'M_d :=
  mean p (fun k => x k *m (x k)^T).

(* One transition; the TD error is a matrix of one entry. *)
Definition td_error (R : comRingType) d (gamma r : R) (x x' w : 'cV[R]_d) : 'M_1 :=
  r%:M + gamma *: (x'^T *m w) - x^T *m w.
Definition tdrc_step_w (R : comRingType) d (gamma rho r : R) (x x' h w : 'cV[R]_d) : 'cV_d :=
  rho *: (x *m td_error gamma r x x' w) - (rho * gamma) *: (x' *m (x^T *m h)).
Definition tdrc_step_h (R : comRingType) d (gamma beta rho r : R) (x x' h w : 'cV[R]_d) : 'cV_d :=
  rho *: (x *m td_error gamma r x x' w) - x *m (x^T *m h) - beta *: h.
Definition gtd2_step_w (R : comRingType) d (gamma rho : R) (x x' h : 'cV[R]_d) : 'cV_d :=
  rho *: ((x - gamma *: x') *m (x^T *m h)).

Lemma meanD (R : comRingType) n q r (p : 'I_n -> R) (f g : 'I_n -> 'M[R]_(q, r)) :
  mean p f + mean p g = mean p (fun k => f k + g k).
Proof. by rewrite -big_split; apply: eq_bigr => k _; rewrite scalerDr. Qed.

Lemma meanN (R : comRingType) n q r (p : 'I_n -> R) (f : 'I_n -> 'M[R]_(q, r)) : - mean p f = mean p (fun k => - f k).
Proof. by rewrite -sumrN; apply: eq_bigr => k _; rewrite scalerN. Qed.

Lemma meanZ (R : comRingType) n q r (p : 'I_n -> R) c (f : 'I_n -> 'M[R]_(q, r)) :
  c *: mean p f = mean p (fun k => c *: f k).
Proof. by rewrite scaler_sumr; apply: eq_bigr => k _; rewrite !scalerA mulrC. Qed.

Lemma mean_mull (R : comRingType) n q r s (p : 'I_n -> R) (f : 'I_n -> 'M[R]_(q, r)) (M : 'M_(r, s)) :
  mean p f *m M = mean p (fun k => f k *m M).
Proof. by rewrite mulmx_suml; apply: eq_bigr => k _; rewrite scalemxAl. Qed.

Lemma mean_mulr (R : comRingType) n q r s (p : 'I_n -> R) (f : 'I_n -> 'M[R]_(q, r)) (M : 'M_(s, q)) :
  M *m mean p f = mean p (fun k => M *m f k).
Proof. by rewrite mulmx_sumr; apply: eq_bigr => k _; rewrite scalemxAr. Qed.

Lemma mean_tr (R : comRingType) n q r (p : 'I_n -> R) (f : 'I_n -> 'M[R]_(q, r)) :
  (mean p f)^T = mean p (fun k => (f k)^T).
Proof. by rewrite /mean linear_sum; apply: eq_bigr => k _; exact: trmxZ. Qed.

Lemma mean_const (R : comRingType) n q r (p : 'I_n -> R) (M : 'M[R]_(q, r)) : \sum_k p k = 1 -> M = mean p (fun=> M).
Proof. by move=> p1; rewrite /mean -scaler_suml p1 scale1r. Qed.

Lemma eq_mean (R : comRingType) n q r (p : 'I_n -> R) (f g : 'I_n -> 'M[R]_(q, r)) :
  (forall k, f k = g k) -> mean p f = mean p g.
Proof. by move=> fg; apply: eq_bigr => k _; rewrite fg. Qed.

(* Closes an equality of sums of means. *)
Ltac mean_ring :=
  rewrite ?(mean_tr, mean_mull, mean_mulr, meanZ, meanN, meanD); apply: eq_mean => ?;
  rewrite /tdrc_step_w /tdrc_step_h /gtd2_step_w /td_error; matrix_ring.

Theorem expected_td_error (R : comRingType) n d gamma (p rho r : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) (w : 'cV[R]_d) :
  mean p (fun k => rho k *: (x k *m td_error gamma (r k) (x k) (x' k) w)) =
  mean_b p rho r x - mean_A gamma p rho x x' *m w.
Proof. by rewrite /mean_A /mean_b; mean_ring. Qed.

Theorem gtd2_form (R : comRingType) n d gamma (p rho : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d) (h : 'cV[R]_d) :
  (mean_A gamma p rho x x')^T *m h = mean p (fun k => rho k *: ((x k - gamma *: x' k) *m (x k)^T)) *m h.
Proof. by rewrite /mean_A; mean_ring. Qed.

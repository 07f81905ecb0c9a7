From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions expectations.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* h and w after a list of transitions (rho, r, x, x'), with a constant step size. *)
Definition tdrc_run (R : comRingType) d (alpha eta beta gamma : R) (steps : seq (R * R * 'cV[R]_d * 'cV[R]_d))
    (h w : 'cV[R]_d) : 'cV[R]_d * 'cV[R]_d :=
  foldl (fun hw step => let: (rho, r, x, x') := step in
    (hw.1 + (alpha * eta) *: tdrc_step_h gamma beta rho r x x' hw.1 hw.2,
     hw.2 + alpha *: tdrc_step_w gamma rho r x x' hw.1 hw.2)) (h, w) steps.

(* Rewards times c: from h = w = 0 on the weights are those of the rewards, times c. No beta is better for it. *)
Theorem rewards_scale_the_weights (R : comRingType) d (alpha eta beta gamma c : R)
    (steps : seq (R * R * 'cV[R]_d * 'cV[R]_d)) (h w : 'cV[R]_d) :
  tdrc_run alpha eta beta gamma [seq let: (rho, r, x, x') := step in (rho, c * r, x, x') | step <- steps]
    (c *: h) (c *: w) =
  (c *: (tdrc_run alpha eta beta gamma steps h w).1, c *: (tdrc_run alpha eta beta gamma steps h w).2).
Proof.
rewrite /tdrc_run; elim: steps h w => // -[[[rho r] x] x'] steps IH h w /=; rewrite -IH.
by congr (foldl _ (_, _) _); rewrite /tdrc_step_h /tdrc_step_w /td_error; matrix_ring.
Qed.

(* Features times c: with beta times c^2, and the step size over c^2, the weights are divided by c; no value changes. *)
Theorem features_scale_beta (F : fieldType) d (alpha eta beta gamma c : F)
    (steps : seq (F * F * 'cV[F]_d * 'cV[F]_d)) (h w : 'cV[F]_d) :
  c != 0 ->
  tdrc_run (alpha / c ^+ 2) eta (c ^+ 2 * beta) gamma
    [seq let: (rho, r, x, x') := step in (rho, r, c *: x, c *: x') | step <- steps] (c^-1 *: h) (c^-1 *: w) =
  (c^-1 *: (tdrc_run alpha eta beta gamma steps h w).1, c^-1 *: (tdrc_run alpha eta beta gamma steps h w).2).
Proof.
move=> c_neq0; rewrite /tdrc_run; elim: steps h w => // -[[[rho r] x] x'] steps IH h w /=; rewrite -IH.
have undo (m : 'cV[F]_d) (z : 'cV[F]_d) : (c *: m)^T *m (c^-1 *: z) = m^T *m z.
  by rewrite trmxZ -scalemxAl -scalemxAr scalerA mulfV ?scale1r.
by congr (foldl _ (_, _) _); rewrite /tdrc_step_h /tdrc_step_w /td_error !undo; matrix_expand; matrix_products;
  apply/matrixP => ? ?; rewrite !mxE;
  repeat match goal with |- context [@fun_of_matrix ?T ?m ?n ?M ?i ?j] =>
    let X := fresh in move: (@fun_of_matrix T m n M i j) => X end; field.
Qed.

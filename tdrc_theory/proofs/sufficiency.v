From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions determinant_identity hurwitz conditions hermitian_form bilinear positive_definite.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma map_tdrc_G (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (toC := real_complex R) :
  map_mx toC (tdrc_G eta beta A C) = tdrc_G (toC eta) (toC beta) (map_mx toC A) (map_mx toC C).
Proof.
rewrite /tdrc_G map_block_mx !map_mxN map_mxB -map_trmx; congr block_mx; first congr (- _).
  by rewrite map_mxZ map_mxD map_scalar_mx.
by rewrite map_mxZ.
Qed.

(* Box 1 and what follows it: at an eigenvalue some v gives the scalar quadratic. *)
Lemma eigenvalue_quadratic (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (l : R[i]) :
  C^T = C -> eigenvalue (map_mx (real_complex R) (tdrc_G eta beta A C)) l ->
  exists a b : 'rV[R]_d, row_of a b != 0 /\
    l ^+ 2 * (form_re a b 1%:M)%:C + l * ((eta * beta * form_re a b 1%:M + eta * form_re a b C)%:C +
      (form_re a b A +i* form_im a b A)) +
    eta%:C * (beta%:C * (form_re a b A +i* form_im a b A) + (form_re a b (A *m A^T))%:C) = 0.
Proof.
move=> C_sym; rewrite /eigenvalue /eigenspace kermx_eq0 row_free_unit map_tdrc_G.
rewrite unitmxE unitfE negbK det_identity => /det0P[v v_neq0].
rewrite (every_row v); set a := map_mx _ v; set b := map_mx _ v => root.
exists a, b; split; first by rewrite -every_row.
pose F X := (row_of a b *m X *m col_of a b) 0 0.
have FD X Y : F (X + Y) = F X + F Y.
  by rewrite /F mulmxDr mulmxDl; move: (_ *m X *m _) (_ *m Y *m _) => x y; rewrite !mxE.
have FZ c X : F (c *: X) = c * F X.
  by rewrite /F -scalemxAr -scalemxAl; move: (_ *m X *m _) => x; rewrite !mxE.
have FM X : F (map_mx (real_complex R) X) = form_re a b X +i* form_im a b X by exact: form_complex.
have F1 c : F c%:M = c * (form_re a b 1%:M)%:C.
  by rewrite -[c%:M]scalemx1 FZ -(map_mx1 (ComplexField.real_complex_rmorphism R)) FM form_im_sym ?trmx1.
have := congr1 (fun m => (m *m col_of a b) 0 0) root; rewrite mul0mx [RHS]mxE -/(F _) => <-.
rewrite mulmxDr mul_mx_scalar -scalemxAr map_trmx -map_mxM.
rewrite FD !FZ FD FD !FZ !F1 !FM.
have AAt_sym : (A *m A^T)^T = A *m A^T by rewrite trmx_mul trmxK.
rewrite (form_im_sym _ _ C_sym) (form_im_sym _ _ AAt_sym).
move: (form_re a b C) (form_re a b A) (form_im a b A) (form_re a b _) (form_re a b _) => c x y n m.
clear; case: l => s t; apply/eqP; rewrite eq_complex /=.
by apply/andP; split; apply/eqP; ring.
Qed.

(* Theorem 3.1, corrected: the first condition bounds beta, the second eta. For real z, z^T A z = z^T H z. *)
Theorem form_bounds_suffice (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C ->
  positive_definite (beta *: A + A *m A^T) -> positive_definite (eta *: C + A) ->
  hurwitz (tdrc_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym beta_bound eta_bound l.
case/(eigenvalue_quadratic C_sym) => a [b [ab_neq0 root]].
have n_gt0 : 0 < form_re a b 1%:M := form_re_gt0 (@positive_definite_1 _ _) ab_neq0.
have := form_re_gt0 eta_bound ab_neq0; have := form_re_gt0 beta_bound ab_neq0.
rewrite !form_re_linear; move: (form_re a b _) n_gt0 => n n_gt0 in root *.
move: (form_re a b A) (form_im a b A) (form_re a b C) (form_re a b (A *m A^T)) root => x y c m root beta_ok eta_ok.
have n_neq0 : n != 0 by rewrite gt_eqF.
have beta_ok' : 0 < beta * (x / n) + m / n by rewrite mulrA -mulrDl divr_gt0.
have eta_ok' : 0 < eta * (c / n) + x / n by rewrite mulrA -mulrDl divr_gt0.
apply: (C1_and_C3_decide beta (c / n) (m / n) (x / n) (y / n) eta_gt0).2.
  by have [] := bounds_give_conditions (y / n) eta_gt0 beta_ge0 beta_ok' eta_ok'.
move: root; case: l => s t /eqP; rewrite eq_complex /= => /andP[/eqP re /eqP im].
apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; apply: (mulfI n_neq0); rewrite [RHS]mulr0.
  by rewrite -[RHS]re; field.
by rewrite -[RHS]im; field.
Qed.

(* Case (i): TD converges. *)
Theorem case_i (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C ->
  positive_semidefinite C -> positive_definite A -> hurwitz (tdrc_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym C_pos A_pos.
apply: form_bounds_suffice => // z z_neq0; rewrite -/(bilinear _ _ _) bilinear_linear.
  rewrite ltr_spaddr // ?mulr_ge0 // ?ltW ?A_pos //.
  exact: positive_definite_AAt (positive_definite_unit A_pos) z z_neq0.
by rewrite ltr_spaddr ?A_pos // mulr_ge0 ?C_pos // ltW.
Qed.

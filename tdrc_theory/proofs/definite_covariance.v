From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz bilinear positive_definite hermitian_form quadratic determinant_of_G.
From tdrc Require Import necessity pencil singular_C theorem_3_1 tdcpp block_identities.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma positive_definite_shift (R : realFieldType) d (beta : R) (M : 'M[R]_d) :
  0 <= beta -> positive_definite M -> positive_definite (M + beta%:M).
Proof.
move=> beta_ge0 M_pos z z_neq0; rewrite addrC -scalemx1 -/(bilinear _ _ _) bilinear_linear ltr_spaddr ?M_pos //.
by rewrite mulr_ge0 // ltW // positive_definite_1.
Qed.

Theorem C_beta_positive_definite_with_C (R : rcfType) d (beta : R) (C : 'M[R]_d) :
  0 <= beta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> positive_definite (C + beta%:M).
Proof. by move=> beta_ge0 C_sym C_ge0 C_unit; apply/positive_definite_shift/b_c_positive. Qed.

(* TDC's bound on eta makes TDC++ converge at every beta. *)
Theorem tdcpp_needs_no_bound_on_beta (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> A \in unitmx ->
  (forall t, eigenvalue (invmx C *m symmetric_part A) t -> - t < eta) -> hurwitz (tdcpp_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym C_ge0 C_unit A_unit /(eta_bound _ _ C_sym C_ge0 C_unit) C_bound.
have Cb_pos := C_beta_positive_definite_with_C beta_ge0 C_sym C_ge0 C_unit.
have Cb_unit := positive_definite_unit Cb_pos.
apply: tdcpp_convergence => //; apply/eta_bound => //; first by rewrite trmxD C_sym tr_scalar_mx.
  by move=> z; have [->|/Cb_pos/ltW//] := eqVneq z 0; rewrite mulmx0 mxE.
rewrite scalerDr scale_scalar_mx addrAC.
by apply: positive_definite_shift C_bound; rewrite mulr_ge0 // ltW.
Qed.

Theorem singular_C_is_not_hurwitz (R : rcfType) n d (eta beta : R) (p : 'I_n -> R) (x y : 'I_n -> 'cV[R]_d) :
  let C := \sum_i p i *: (x i *m (x i)^T) in
  let A := \sum_i p i *: (x i *m (y i)^T) in
  (forall i, 0 <= p i) -> \det C = 0 -> ~ hurwitz (tdrc_G eta beta A C).
Proof.
move=> C A p_ge0 C0 /hurwitz_det_gt0; rewrite -scaleN1r detZ.
by have [_ ->] := singular_C_forces_det_0 eta beta y p_ge0 C0; rewrite mulr0 ltxx.
Qed.

Theorem gtd2_convergence (R : rcfType) d (eta : R) (A C : 'M[R]_d) :
  0 < eta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> A \in unitmx -> hurwitz (gtd2_G eta A C).
Proof.
move=> eta_gt0 C_sym C_ge0 C_unit A_unit l.
have C_pos := b_c_positive C_sym C_ge0 C_unit; have AA_pos := positive_definite_AAt A_unit.
have -> : map_mx (real_complex R) (gtd2_G eta A C) =
    gtd2_G eta%:C (map_mx (real_complex R) A) (map_mx (real_complex R) C).
  by rewrite /gtd2_G map_block_mx !map_mxN !map_mxZ map_trmx map_mx0.
rewrite /eigenvalue /eigenspace kermx_eq0 row_free_unit unitmxE unitfE negbK gtd2_characteristic => /det0P[v v_neq0].
rewrite (every_row v) in v_neq0 *; set a := map_mx _ v in v_neq0 *; set b := map_mx _ v in v_neq0 * => root.
have n_gt0 := form_re_gt0 (@positive_definite_1 _ _) v_neq0.
have c_gt0 := form_re_gt0 C_pos v_neq0; have m_gt0 := form_re_gt0 AA_pos v_neq0.
have AA_sym : (A *m A^T)^T = A *m A^T by rewrite trmx_mul trmxK.
have {root} : l ^+ 2 * (form_re a b 1%:M)%:C + eta%:C * l * (form_re a b C)%:C +
    eta%:C * (form_re a b (A *m A^T))%:C = 0.
  pose F X := (row_of a b *m X *m col_of a b) 0 0.
  have FD X Y : F (X + Y) = F X + F Y.
    by rewrite /F mulmxDr mulmxDl; move: (_ *m X *m _) (_ *m Y *m _) => x y; rewrite !mxE.
  have FZ c X : F (c *: X) = c * F X.
    by rewrite /F -scalemxAr -scalemxAl; move: (_ *m X *m _) => x; rewrite !mxE.
  have FM X : X^T = X -> F (map_mx (real_complex R) X) = (form_re a b X)%:C.
    by move=> X_sym; rewrite /F form_complex form_im_sym.
  have := congr1 (fun m => (m *m col_of a b) 0 0) root; rewrite mul0mx [RHS]mxE -/(F _) => <-.
  rewrite map_trmx -map_mxM !FD !FZ (FM _ C_sym) (FM _ AA_sym).
  by rewrite -(FM _ (trmx1 _ _)) (map_mx1 (ComplexField.real_complex_rmorphism R)).
move: (form_re a b _) n_gt0 => n n_gt0 root.
move: (form_re a b C) (form_re a b (A *m A^T)) c_gt0 m_gt0 root => c m c_gt0 m_gt0 root.
have n_neq0 : n != 0 by rewrite gt_eqF.
have p_gt0 : 0 < eta * c / n by rewrite divr_gt0 ?mulr_gt0.
have q_gt0 : 0 < eta * m / n by rewrite divr_gt0 ?mulr_gt0.
apply: (roots_in_left_half_plane ((eta * c / n)%:C) ((eta * m / n)%:C)).2.
  by split; rewrite /= ?p_gt0 // mulr0 addr0 expr0n subr0 mulr_gt0 ?exprn_gt0.
move: root; case: l {v v_neq0 a b} => s t /eqP; rewrite eq_complex /= => /andP[/eqP re /eqP im].
apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; apply: (mulfI n_neq0); rewrite [RHS]mulr0.
  by rewrite -[RHS]re; field.
by rewrite -[RHS]im; field.
Qed.

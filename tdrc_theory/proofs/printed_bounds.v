From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz bilinear positive_definite hermitian_form sufficiency pencil conditions.
From tdrc Require Import nonsingular_G theorem_3_1.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma AAt_sym (R : comRingType) d (A : 'M[R]_d) : (A *m A^T)^T = A *m A^T.
Proof. by rewrite trmx_mul trmxK. Qed.

(* The printed bound on beta, by E2, asks for a negative definite H. *)
Theorem printed_bound_on_beta (R : rcfType) d (beta : R) (A : 'M[R]_d) :
  0 <= beta -> symmetric_part A \in unitmx ->
  (forall t, eigenvalue (invmx (symmetric_part A) *m (A *m A^T)) t -> beta < - t) ->
  positive_definite (- symmetric_part A) /\ A \in unitmx.
Proof.
move=> beta_ge0 H_unit bound; have H_sym := symmetric_part_sym A; move: (symmetric_part A) H_sym H_unit bound => H.
move=> H_sym H_unit bound; have t_lt0 t : eigenvalue (invmx H *m (A *m A^T)) t -> t < 0.
  by move/bound => /(le_lt_trans beta_ge0); rewrite oppr_gt0.
have A_unit : A \in unitmx.
  rewrite -row_free_unit -kermx_eq0; apply: contraT => /rowV0Pn[v /sub_kermxP vA v_neq0].
  have : eigenvalue (invmx H *m (A *m A^T)) 0.
    apply/(eigenvalue_pencil _ H_sym (AAt_sym A) H_unit); exists v^T; first by rewrite trmx_eq0.
    by rewrite scale0r -mulmxA -trmx_mul vA trmx0 mulmx0.
  by move/t_lt0; rewrite ltxx.
split=> //; apply: (positive_definite_by_eigenvalues (AAt_sym A)) (positive_definite_AAt A_unit) _.
  by rewrite trmxN H_sym.
move=> tau z z_neq0 Hz; have tau_neq0 : tau != 0.
  apply: contraNneq (unit_neq0 H_unit z_neq0) => tau0; move: Hz; rewrite tau0 scale0r mulNmx => /eqP.
  by rewrite oppr_eq0.
have : eigenvalue (invmx H *m (A *m A^T)) (- tau^-1).
  apply/(eigenvalue_pencil _ H_sym (AAt_sym A) H_unit); exists z => //; apply: (scalerI tau_neq0).
  by rewrite -Hz scalerA mulrN mulfV // scaleN1r mulNmx.
by move/t_lt0; rewrite oppr_lt0 invr_gt0.
Qed.

Theorem note_on_beta (R : rcfType) d (A : 'M[R]_d) :
  A \in unitmx -> symmetric_part A \in unitmx ->
  ((forall t, eigenvalue (invmx (symmetric_part A) *m (A *m A^T)) t -> 0 < - t) <->
   positive_definite (- symmetric_part A)).
Proof.
move=> A_unit H_unit; split=> [/(printed_bound_on_beta (lexx 0) H_unit)[]//|H_neg t].
case/(eigenvalue_pencil _ (symmetric_part_sym A) (AAt_sym A) H_unit) => z z_neq0 Sz.
have := positive_definite_AAt A_unit z_neq0; rewrite -mulmxA Sz -scalemxAr mulmxA mxE.
have := H_neg z z_neq0; rewrite mulmxN mulNmx [X in 0 < X]mxE oppr_gt0 => h_lt0.
by rewrite nmulr_lgt0 // oppr_gt0.
Qed.

Theorem note_on_eta (R : rcfType) d (A C : 'M[R]_d) :
  C^T = C -> positive_semidefinite C -> C \in unitmx -> ~ positive_definite A ->
  ~ forall t, eigenvalue (invmx C *m symmetric_part A) t -> 0 < t.
Proof.
move=> C_sym C_ge0 C_unit A_not_pos H_pos; apply: A_not_pos => z z_neq0.
have C_pos := b_c_positive C_sym C_ge0 C_unit.
rewrite -/(bilinear _ _ _) -bilinear_symmetric_part; move: z z_neq0.
apply: (positive_definite_by_eigenvalues C_sym (symmetric_part_sym A) C_pos) => t z z_neq0 Hz; apply: H_pos.
by apply/(eigenvalue_pencil _ C_sym (symmetric_part_sym A) C_unit); exists z.
Qed.

Theorem case_ii_as_printed (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> symmetric_part A \in unitmx ->
  (forall t, eigenvalue (invmx (symmetric_part A) *m (A *m A^T)) t -> beta < - t) ->
  (forall t, eigenvalue (invmx C *m symmetric_part A) t -> - t < eta) ->
  hurwitz (tdrc_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym C_ge0 C_unit H_unit beta_ok eta_ok.
have [_ A_unit] := printed_bound_on_beta beta_ge0 H_unit beta_ok.
apply: case_ii => // t; have S_pos := positive_definite_AAt A_unit.
have -> : - invmx (A *m A^T) *m symmetric_part A = invmx (A *m A^T) *m - symmetric_part A by rewrite mulNmx mulmxN.
have H_sym := symmetric_part_sym A; move: (symmetric_part A) H_sym H_unit beta_ok {eta_ok} => H H_sym H_unit beta_ok.
case/(eigenvalue_pencil _ (AAt_sym A)); [by rewrite trmxN H_sym | exact: positive_definite_unit | move=> z z_neq0 Hz].
have [t_le0|t_gt0] := lerP t 0; first by apply: le_lt_trans ltr01; rewrite mulr_ge0_le0.
have : eigenvalue (invmx H *m (A *m A^T)) (- t^-1).
  apply/(eigenvalue_pencil _ H_sym (AAt_sym A) H_unit); exists z => //; apply: (scalerI (lt0r_neq0 t_gt0)).
  by rewrite -Hz scalerA mulrN mulfV ?lt0r_neq0 // scaleN1r mulNmx.
by move/beta_ok; rewrite opprK -(ltr_pmul2r t_gt0) mulVf ?lt0r_neq0.
Qed.

(* With beta at its bound the form may be 0, but A + beta I nonsingular keeps 0 from being an eigenvalue. *)
Lemma at_the_bound (R : rcfType) d (beta : R) (A : 'M[R]_d) :
  A \in unitmx -> 0 <= beta -> (forall t, eigenvalue (- invmx (A *m A^T) *m symmetric_part A) t -> beta * t <= 1) ->
  positive_semidefinite (A *m A^T + beta *: symmetric_part A).
Proof.
move=> A_unit beta_ge0 bound z; have [->|z_neq0] := eqVneq z 0; first by rewrite mulmx0 mxE.
rewrite addrC -/(bilinear _ _ _) bilinear_linear leNgt; apply/negP => neg.
have s_gt0 : 0 < bilinear (A *m A^T) z z by exact: positive_definite_AAt.
move: neg; set s := bilinear (A *m A^T) z z in s_gt0 *; set h := bilinear _ z z => neg.
have h_lt0 : h < 0.
  by rewrite ltNge; apply: contraTN neg => h_ge0; rewrite -leNgt addr_ge0 ?mulr_ge0 // ltW.
have b_gt0 : 0 < s / - h by rewrite divr_gt0 // oppr_gt0.
have b_lt : s / - h < beta by rewrite ltr_pdivr_mulr ?oppr_gt0 // mulrN -subr_lt0 opprK addrC.
have : positive_definite (A *m A^T + (s / - h) *: symmetric_part A).
  apply/(beta_bound _ A_unit) => t /bound t_le; have [t_le0|t_gt0] := lerP t 0.
    by apply: le_lt_trans ltr01; rewrite mulr_ge0_le0 // ltW.
  by apply: lt_le_trans t_le; rewrite ltr_pmul2r.
move/(_ z z_neq0); rewrite addrC -/(bilinear _ _ _) bilinear_linear -/s -/h invrN mulrN mulNr divfK ?lt_eqF //.
by rewrite addNr ltxx.
Qed.

Theorem case_ii_at_the_bound (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> A \in unitmx ->
  A + beta%:M \in unitmx ->
  (forall t, eigenvalue (- invmx (A *m A^T) *m symmetric_part A) t -> beta * t <= 1) ->
  (forall t, eigenvalue (invmx C *m symmetric_part A) t -> - t < eta) ->
  hurwitz (tdrc_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym C_ge0 C_unit A_unit Ab_unit /(at_the_bound A_unit beta_ge0) beta_ok.
move=> /(eta_bound _ _ C_sym C_ge0 C_unit) eta_ok l l_eigen.
have l_neq0 : l != 0.
  apply: contraTneq l_eigen => ->; rewrite /eigenvalue /eigenspace raddf0 subr0 kermx_eq0 row_free_unit negbK.
  by rewrite map_unitmx G_nonsingular_iff ?gt_eqF // Ab_unit.
have [a [b [ab_neq0 root]]] := eigenvalue_quadratic C_sym l_eigen.
have n_gt0 := form_re_gt0 (@positive_definite_1 _ _) ab_neq0.
have m_gt0 := form_re_gt0 (positive_definite_AAt A_unit) ab_neq0.
have eta_ok' : positive_definite (eta *: C + A) by rewrite -[A]scale1r; apply: form_bound; rewrite scale1r.
have := form_re_gt0 eta_ok' ab_neq0; rewrite form_re_linear => eta_z.
have beta_z : 0 <= beta * form_re a b A + form_re a b (A *m A^T).
  have ge0 (v : 'rV[R]_d) : 0 <= beta * (v *m A *m v^T) 0 0 + (v *m (A *m A^T) *m v^T) 0 0.
    have := beta_ok v^T; rewrite addrC -/(bilinear _ _ _) bilinear_linear bilinear_symmetric_part /bilinear.
    by rewrite trmxK.
  by rewrite /form_re mulrDr addrACA addr_ge0.
move: (form_re a b _) n_gt0 => n n_gt0 in root *.
move: (form_re a b A) (form_im a b A) (form_re a b C) (form_re a b (A *m A^T)) root m_gt0 eta_z beta_z {l_eigen}.
move=> x y c m root m_gt0 eta_z beta_z.
have n_neq0 : n != 0 by rewrite gt_eqF.
pose Omega := eta * beta + eta * (c / n) + x / n.
have eta_ok'' : 0 < eta * (c / n) + x / n by rewrite mulrA -mulrDl divr_gt0.
have Omega_gt0 : 0 < Omega by rewrite /Omega -addrA ltr_spaddr // mulr_ge0 // ltW.
have k_ge0 : 0 <= beta * (x / n) + m / n by rewrite mulrA -mulrDl divr_ge0 // ltW.
pose C3 := Omega ^+ 2 * (beta * (x / n) + m / n) + beta * (y / n) ^+ 2 * (eta * (c / n) + x / n).
have quadratic : l ^+ 2 + ((eta * beta + eta * (c / n))%:C + (x / n) +i* (y / n)) * l +
    eta%:C * (beta%:C * ((x / n) +i* (y / n)) + (m / n)%:C) = 0.
  move: root; case: l {l_neq0} => s t /eqP; rewrite eq_complex /= => /andP[/eqP re /eqP im].
  apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; apply: (mulfI n_neq0); rewrite [RHS]mulr0.
    by rewrite -[RHS]re; field.
  by rewrite -[RHS]im; field.
have first_ge0 : 0 <= Omega ^+ 2 * (beta * (x / n) + m / n) by rewrite mulr_ge0 // sqr_ge0.
have second_ge0 : 0 <= beta * (y / n) ^+ 2 * (eta * (c / n) + x / n).
  by apply: mulr_ge0 (ltW eta_ok''); apply: mulr_ge0 (sqr_ge0 _).
have [C3_0|C3_neq0] := eqVneq C3 0; last first.
  apply: (C1_and_C3_decide beta (c / n) (m / n) (x / n) (y / n) eta_gt0).2 quadratic; split=> //.
  by rewrite lt_def C3_neq0 addr_ge0.
move/eqP: C3_0; rewrite paddr_eq0 // mulf_eq0 expf_eq0 (gt_eqF Omega_gt0) /= => /andP[/eqP k0].
rewrite mulf_eq0 (gt_eqF eta_ok'') orbF mulf_eq0 sqrf_eq0 => by0.
have by0' : beta * (y / n) = 0 by apply/eqP; rewrite mulf_eq0.
have : l * (l + Complex Omega (y / n)) = 0.
  rewrite -[RHS]quadratic; move: k0 by0'; rewrite /Omega; case: l {root l_neq0 quadratic} => s t k0 by0'.
  apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP.
    by rewrite !mul0r !subr0 k0; ring.
  by rewrite !mul0r !addr0 by0'; ring.
move/eqP; rewrite mulf_eq0 (negPf l_neq0) addr_eq0 => /eqP->.
by rewrite /= oppr_lt0.
Qed.

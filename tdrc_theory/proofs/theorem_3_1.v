From mathcomp Require Import all_ssreflect all_algebra complex.
From tdrc Require Import definitions hurwitz bilinear positive_definite sufficiency pencil tdcpp.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* H in the paper. *)
Definition symmetric_part (R : fieldType) d (A : 'M[R]_d) : 'M[R]_d := 2%:R^-1 *: (A + A^T).

Lemma symmetric_part_sym (R : fieldType) d (A : 'M[R]_d) : (symmetric_part A)^T = symmetric_part A.
Proof. by rewrite /symmetric_part linearZ /= linearD /= trmxK addrC. Qed.

Lemma bilinear_symmetric_part (R : realFieldType) d (A : 'M[R]_d) z : bilinear (symmetric_part A) z z = bilinear A z z.
Proof.
have flip : bilinear A^T z z = bilinear A z z.
  by rewrite /bilinear -[in RHS](trmxK (z^T *m A *m z)) [RHS]mxE !trmx_mul trmxK mulmxA.
have -> : bilinear (symmetric_part A) z z = 2%:R^-1 * (bilinear A z z + bilinear A^T z z).
  rewrite /bilinear /symmetric_part -scalemxAr -scalemxAl mulmxDr mulmxDl.
  by move: (_ *m A *m _) (_ *m A^T *m _) => s t; rewrite !mxE.
by rewrite flip -mulr2n -(mulr_natl (bilinear A z z) 2) mulKf ?pnatr_eq0.
Qed.

Lemma eigenvalue_pencil (R : rcfType) d (P S : 'M[R]_d) t :
  P^T = P -> S^T = S -> P \in unitmx ->
  eigenvalue (invmx P *m S) t <-> exists2 z : 'cV[R]_d, z != 0 & S *m z = t *: (P *m z).
Proof.
move=> P_sym S_sym P_unit; split=> [/eigenvalueP[v vPS v_neq0]|[z z_neq0 Sz]].
  exists (invmx P *m v^T); first by rewrite unit_neq0 ?unitmx_inv ?trmx_eq0.
  by rewrite mulKVmx // -linearZ /= -vPS !trmx_mul S_sym trmx_inv P_sym mulmxA.
apply/eigenvalueP; exists (P *m z)^T; last by rewrite trmx_eq0 unit_neq0.
by rewrite trmx_mul P_sym mulmxA mulmxK // -[S]S_sym -trmx_mul Sz linearZ /= trmx_mul P_sym.
Qed.

Lemma pencil_shift (R : rcfType) d (P H : 'M[R]_d) (k l : R) (z : 'cV[R]_d) t :
  (k *: P + l *: H) *m z = t *: (P *m z) <-> l *: (H *m z) = (t - k) *: (P *m z).
Proof.
rewrite mulmxDl -!scalemxAl scalerBl; split=> [<-|->]; first by rewrite addrAC subrr add0r.
by rewrite addrC subrK.
Qed.

(* The bound on beta. *)
Theorem beta_bound (R : rcfType) d (beta : R) (A : 'M[R]_d) :
  A \in unitmx ->
  (positive_definite (A *m A^T + beta *: symmetric_part A) <->
   forall t, eigenvalue (- invmx (A *m A^T) *m symmetric_part A) t -> beta * t < 1).
Proof.
move=> A_unit; set P := A *m A^T; set H := symmetric_part A; have H_sym : H^T = H by exact: symmetric_part_sym.
have P_sym : P^T = P by rewrite trmx_mul trmxK.
have P_pos : positive_definite P by exact: positive_definite_AAt.
have P_unit := positive_definite_unit P_pos.
have spectrum t : eigenvalue (- invmx P *m H) t <-> exists2 z : 'cV[R]_d, z != 0 & H *m z = - t *: (P *m z).
  have -> : - invmx P *m H = invmx P *m - H by rewrite mulNmx mulmxN.
  rewrite eigenvalue_pencil //; last by rewrite linearN /= H_sym.
  split=> -[z z_neq0 Hz]; exists z => //; first by rewrite scaleNr -Hz mulNmx opprK.
  by rewrite mulNmx Hz scaleNr opprK.
split=> [S_pos t /spectrum[z z_neq0 Hz]|bound].
  have := S_pos z z_neq0; rewrite -mulmxA mulmxDl -scalemxAl Hz scalerA -{1}[P *m z]scale1r -scalerDl -scalemxAr.
  by rewrite mulmxA mxE pmulr_lgt0 ?P_pos // mulrN subr_gt0.
apply: (positive_definite_by_eigenvalues P_sym) => //; first by rewrite linearD linearZ /= P_sym H_sym.
move=> t z z_neq0; rewrite -[P in P + _]scale1r => /pencil_shift Hz.
have [beta0|beta_neq0] := eqVneq beta 0.
  move: Hz; rewrite beta0 scale0r => /esym/eqP; rewrite scaler_eq0 subr_eq0 (negPf (unit_neq0 P_unit z_neq0)) orbF.
  by move/eqP->; exact: ltr01.
have : eigenvalue (- invmx P *m H) ((1 - t) / beta).
  apply/spectrum; exists z => //; apply: (scalerI beta_neq0).
  by rewrite Hz scalerA mulrN mulrC divfK // opprB.
by move/bound; rewrite mulrC divfK // ltr_subl_addr ltr_addl.
Qed.

(* The bound on eta. *)
Theorem eta_bound (R : rcfType) d (eta : R) (A C : 'M[R]_d) :
  C^T = C -> positive_semidefinite C -> C \in unitmx ->
  (positive_definite (eta *: C + symmetric_part A) <->
   forall t, eigenvalue (invmx C *m symmetric_part A) t -> - t < eta).
Proof.
move=> C_sym C_ge0 C_unit; have C_pos := b_c_positive C_sym C_ge0 C_unit.
have H_sym := symmetric_part_sym A; move: (symmetric_part A) H_sym => H H_sym.
split=> [S_pos t /eigenvalue_pencil[]// z z_neq0 Hz|bound].
  have := S_pos z z_neq0; rewrite -mulmxA mulmxDl -scalemxAl Hz -scalerDl -scalemxAr mulmxA mxE.
  by rewrite pmulr_lgt0 ?C_pos // addrC -ltr_subl_addl sub0r.
apply: (positive_definite_by_eigenvalues C_sym) => //; first by rewrite linearD linearZ /= C_sym H_sym.
move=> t z z_neq0; rewrite -[H in _ + H]scale1r => /pencil_shift; rewrite scale1r => Hz.
have /bound : eigenvalue (invmx C *m H) (t - eta) by apply/eigenvalue_pencil => //; exists z.
by rewrite opprB ltr_subl_addr ltr_addl.
Qed.

Lemma form_bound (R : rcfType) d (k : R) (A M : 'M[R]_d) :
  positive_definite (M + k *: symmetric_part A) -> positive_definite (M + k *: A).
Proof.
rewrite !(addrC M) => S_pos z /S_pos; rewrite -!/(bilinear _ _ _) !bilinear_linear.
by rewrite bilinear_symmetric_part.
Qed.

(* Theorem 3.1 (ii) for the eigenvalues of G, with the right bound on beta. *)
Theorem case_ii (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> A \in unitmx ->
  (forall t, eigenvalue (- invmx (A *m A^T) *m symmetric_part A) t -> beta * t < 1) ->
  (forall t, eigenvalue (invmx C *m symmetric_part A) t -> - t < eta) ->
  hurwitz (tdrc_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym C_ge0 C_unit A_unit /(beta_bound _ A_unit) beta_ok.
move=> /(eta_bound _ _ C_sym C_ge0 C_unit) eta_ok.
apply: form_bounds_suffice => //; first by rewrite addrC; exact: form_bound.
by rewrite -[A]scale1r; apply: form_bound; rewrite scale1r.
Qed.

(* TDC is TDRC with beta = 0. *)
Theorem tdc_convergence (R : rcfType) d (eta : R) (A C : 'M[R]_d) :
  0 < eta -> C^T = C -> positive_semidefinite C -> C \in unitmx -> A \in unitmx ->
  (forall t, eigenvalue (invmx C *m symmetric_part A) t -> - t < eta) ->
  hurwitz (tdrc_G eta 0 A C).
Proof. by move=> *; apply: case_ii => // t _; rewrite mul0r ltr01. Qed.

(* TDC++: beta has no upper bound, and A must be nonsingular. *)
Theorem tdcpp_convergence (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C -> positive_semidefinite C -> C + beta%:M \in unitmx -> A \in unitmx ->
  (forall t, eigenvalue (invmx (C + beta%:M) *m symmetric_part A) t -> - t < eta) ->
  hurwitz (tdcpp_G eta beta A C).
Proof.
move=> eta_gt0 beta_ge0 C_sym C_ge0 Cb_unit A_unit bound.
have -> : tdcpp_G eta beta A C = tdrc_G eta 0 A (C + beta%:M) by rewrite /tdrc_G raddf0 addr0.
apply: tdc_convergence => //; first by rewrite linearD /= C_sym tr_scalar_mx.
move=> z; rewrite addrC -scalemx1 -/(bilinear _ _ _) bilinear_linear addr_ge0 ?C_ge0 // mulr_ge0 //.
have [->|/positive_definite_1/ltW//] := eqVneq z 0; by rewrite /bilinear mulmx0 mxE.
Qed.

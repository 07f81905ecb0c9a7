From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions determinant_identity hurwitz conditions hermitian_form bilinear positive_definite.
From tdrc Require Import sufficiency.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

(* C1 and C3 at z = a + i b, times (z* z) and (z* z)^3. *)
Definition Omega_at (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (a b : 'rV[R]_d) : R :=
  eta * beta * form_re a b 1%:M + eta * form_re a b C + form_re a b A.
Definition C1_and_C3_at (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (a b : 'rV[R]_d) : Prop :=
  0 < Omega_at eta beta A C a b /\
  0 < Omega_at eta beta A C a b ^+ 2 * (beta * form_re a b A + form_re a b (A *m A^T)) +
      beta * form_im a b A ^+ 2 * (eta * form_re a b C + form_re a b A).
Definition in_range (R : rcfType) d (C : 'M[R]_d) (a : 'rV[R]_d) : Prop := exists y, a = y *m C.
Definition C1_and_C3_on_range (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) : Prop :=
  forall a b : 'rV[R]_d, row_of a b != 0 -> in_range C a -> in_range C b -> C1_and_C3_at eta beta A C a b.

Lemma parts_mul (R : rcfType) d (y : 'rV[R[i]]_d) (C : 'M[R]_d) :
  map_mx (@complex.Re R) (y *m map_mx (real_complex R) C) = map_mx (@complex.Re R) y *m C /\
  map_mx (@complex.Im R) (y *m map_mx (real_complex R) C) = map_mx (@complex.Im R) y *m C.
Proof.
split; apply/rowP => j; rewrite !mxE raddf_sum; apply: eq_bigr => k _; rewrite !mxE;
  by case: (y 0 k) => s t /=; rewrite mulr0 ?subr0 ?add0r ?addr0 // mulrC.
Qed.

Lemma form_re_tr (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) : form_re a b X^T = form_re a b X.
Proof.
have flip (u : 'rV[R]_d) : (u *m X^T *m u^T) 0 0 = (u *m X *m u^T) 0 0.
  by rewrite -[in RHS](trmxK (u *m X *m u^T)) [RHS]mxE !trmx_mul trmxK mulmxA.
by rewrite /form_re !flip.
Qed.

Lemma form_im_tr (R : rcfType) d (a b : 'rV[R]_d) (X : 'M[R]_d) : form_im a b X^T = - form_im a b X.
Proof.
have flip (u v : 'rV[R]_d) : (u *m X^T *m v^T) 0 0 = (v *m X *m u^T) 0 0.
  by rewrite -[in RHS](trmxK (v *m X *m u^T)) [RHS]mxE !trmx_mul trmxK mulmxA.
by rewrite /form_im !flip opprB.
Qed.

(* At an eigenvalue other than 0 and - eta beta the vector of Box 1 is in the range of C. *)
Lemma eigenvalue_quadratic_on_range (R : rcfType) d (eta beta : R) (A C X : 'M[R]_d) (l : R[i]) :
  C^T = C -> A = C *m X -> eigenvalue (map_mx (real_complex R) (tdrc_G eta beta A C)) l ->
  l * ((eta * beta)%:C + l) != 0 ->
  exists a b : 'rV[R]_d, [/\ row_of a b != 0, in_range C a, in_range C b &
    l ^+ 2 * (form_re a b 1%:M)%:C + l * ((eta * beta * form_re a b 1%:M + eta * form_re a b C)%:C +
      (form_re a b A -i* form_im a b A)) +
    eta%:C * (beta%:C * (form_re a b A -i* form_im a b A) + (form_re a b (A *m A^T))%:C) = 0].
Proof.
move=> C_sym A_range; rewrite /eigenvalue /eigenspace kermx_eq0 row_free_unit map_tdrc_G.
rewrite unitmxE unitfE negbK det_identity -rmorphM -det_tr => /det0P[v v_neq0].
set A' := map_mx _ A; set C' := map_mx _ C; set s := _ + l => root ls_neq0.
have C'_sym : C'^T = C' by rewrite /C' map_trmx C_sym.
have tr : (l *: (eta%:C *: C' + s%:M) + A' *m (eta%:C *: A'^T + s%:M))^T =
    l *: (eta%:C *: C' + s%:M) + (eta%:C *: A' + s%:M) *m A'^T.
  rewrite [LHS]linearD /= [(l *: _)^T]linearZ /= [(_ *: C' + _)^T]linearD /= [(_ *: C')^T]linearZ /= C'_sym.
  by rewrite tr_scalar_mx trmx_mul [(_ + _)^T]linearD /= [(_ *: A'^T)^T]linearZ /= trmxK tr_scalar_mx.
have {tr}root : l *: (v *m (eta%:C *: C' + s%:M)) + v *m (eta%:C *: A' + s%:M) *m A'^T = 0.
  have /= : v *m (l *: (eta%:C *: C' + s%:M) + A' *m (eta%:C *: A'^T + s%:M))^T = 0 by exact: root.
  by rewrite tr mulmxDr -scalemxAr mulmxA.
pose W := v *m (eta%:C *: A' + s%:M) *m (map_mx (real_complex R) X)^T.
pose y := - ((l * s)^-1 *: ((l * eta%:C) *: v + W)).
have v_range : v = y *m C'.
  have A'_tr : A'^T = (map_mx (real_complex R) X)^T *m C' by rewrite /A' A_range map_mxM trmx_mul C'_sym.
  have ls_v : (l * s) *: v + ((l * eta%:C) *: v + W) *m C' = 0.
    rewrite -[RHS]root mulmxDl -[W *m C']mulmxA -A'_tr [v *m (_ *: C' + _)]mulmxDr mul_mx_scalar -scalemxAr.
    rewrite [in RHS]scalerDr !scalerA.
    by rewrite -scalemxAl addrA [(l * s) *: v + _]addrC.
  have := congr1 (fun m => (l * s)^-1 *: m) ls_v; rewrite scalerDr scaler0 scalerA mulVf // scale1r => /eqP.
  by rewrite addr_eq0 scalemxAl -mulNmx => /eqP.
rewrite (every_row v) in v_neq0 root; set a := map_mx _ v in v_neq0 root; set b := map_mx _ v in v_neq0 root.
have [re im] := parts_mul y C; rewrite -v_range -/a -/b in re im.
exists a, b; split=> //; [by exists (map_mx (@complex.Re R) y) | by exists (map_mx (@complex.Im R) y) | ].
pose F X := (row_of a b *m X *m col_of a b) 0 0.
have FD Y Z : F (Y + Z) = F Y + F Z.
  by rewrite /F mulmxDr mulmxDl; move: (_ *m Y *m _) (_ *m Z *m _) => x z; rewrite !mxE.
have FZ c Y : F (c *: Y) = c * F Y.
  by rewrite /F -scalemxAr -scalemxAl; move: (_ *m Y *m _) => x; rewrite !mxE.
have FM Y : F (map_mx (real_complex R) Y) = form_re a b Y +i* form_im a b Y by exact: form_complex.
have F1 c : F c%:M = c * (form_re a b 1%:M)%:C.
  by rewrite -[c%:M]scalemx1 FZ -(map_mx1 (ComplexField.real_complex_rmorphism R)) FM form_im_sym ?trmx1.
have : F (l *: (eta%:C *: C' + s%:M) + (eta%:C *: A' + s%:M) *m A'^T) = 0.
  by move: root; rewrite scalemxAr -[row_of a b *m _ *m A'^T]mulmxA -mulmxDr /F => ->; rewrite mul0mx mxE.
rewrite mulmxDl -scalemxAl mul_scalar_mx map_trmx -map_mxM => <-.
rewrite FD !FZ FD FD !FZ !F1 !FM.
have AAt_sym : (A *m A^T)^T = A *m A^T by rewrite trmx_mul trmxK.
rewrite (form_im_sym _ _ C_sym) (form_im_sym _ _ AAt_sym) form_re_tr form_im_tr.
move: (form_re a b C) (form_re a b A) (form_im a b A) (form_re a b _) (form_re a b _) => c x t n m.
rewrite /s; clear; case: l => p q; apply/eqP; rewrite eq_complex /=.
by apply/andP; split; apply/eqP; ring.
Qed.
(* C3 at real z: the form of A (A^T + beta I) is 0 at no z of the range of C other than 0. *)
Lemma no_zero_on_range (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (z y : 'cV[R]_d) :
  C^T = C -> C1_and_C3_on_range eta beta A C -> z = C *m y ->
  z^T *m (A *m ((A^T + beta%:M) *m z)) = 0 -> z = 0.
Proof.
move=> C_sym conditions z_range root; apply/eqP; apply: contraT => z_neq0.
have a_neq0 : row_of z^T 0 != 0.
  rewrite /row_of map_mx0 scaler0 addr0; apply: contra z_neq0 => /eqP a0; apply/eqP/colP => j.
  by have := congr1 (fun m : 'rV[R[i]]_d => complex.Re (m 0 j)) a0; rewrite !mxE.
have a_range : in_range C z^T by exists y^T; rewrite z_range trmx_mul C_sym.
have b_range : in_range C (0 : 'rV[R]_d) by exists 0; rewrite mul0mx.
have [_] := conditions _ _ a_neq0 a_range b_range.
have -> : form_im z^T 0 A = 0 by rewrite /form_im !mul0mx trmx0 mulmx0 !mxE subr0.
have reE X : form_re z^T 0 X = (z^T *m X *m z) 0 0 by rewrite /form_re !mul0mx trmxK [X in _ + X]mxE addr0.
rewrite expr0n mulr0 mul0r addr0 !reE.
suff -> : beta * (z^T *m A *m z) 0 0 + (z^T *m (A *m A^T) *m z) 0 0 = 0 by rewrite mulr0 ltxx.
have := congr1 (fun m : 'M[R]_1 => m 0 0) root; rewrite [RHS]mxE => <-.
have -> : z^T *m (A *m ((A^T + beta%:M) *m z)) = beta *: (z^T *m A *m z) + z^T *m (A *m A^T) *m z.
  by rewrite mulmxDl mul_scalar_mx !mulmxDr -!scalemxAr addrC !mulmxA.
by move: (z^T *m A *m z) (_ *m (A *m A^T) *m z) => s t; rewrite !mxE.
Qed.

Lemma A_At_kernel (R : realFieldType) d (A : 'M[R]_d) (z : 'cV[R]_d) : A *m (A^T *m z) = 0 -> A^T *m z = 0.
Proof.
move=> root; apply/eqP; apply: contraT => Az_neq0; have := positive_definite_1 Az_neq0.
by rewrite mulmx1 trmx_mul trmxK -mulmxA root mulmx0 mxE ltxx.
Qed.

Lemma block_rows (R : comRingType) d (eta beta : R) (A C : 'M[R]_d) (h w : 'cV[R]_d) :
  tdrc_G eta beta A C *m col_mx h w = col_mx (- eta *: ((C + beta%:M) *m h + A *m w))
                           ((A^T + beta%:M) *m h - ((C + beta%:M) *m h + A *m w)).
Proof.
rewrite /tdrc_G mul_block_col !mulNmx -!scalemxAl -opprD -scalerDr scaleNr; congr col_mx.
by rewrite opprD addrA -mulmxBl opprD addrACA subrr addr0.
Qed.

Lemma no_zero (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (h y : 'cV[R]_d) :
  C^T = C -> C1_and_C3_on_range eta beta A C -> h = C *m y -> A *m ((A^T + beta%:M) *m h) = 0 -> h = 0.
Proof.
by move=> C_sym conditions h_range root; apply: (no_zero_on_range C_sym conditions h_range); rewrite root mulmx0.
Qed.

Lemma range_h (R : fieldType) d (beta : R) (C : 'M[R]_d) (h y : 'cV[R]_d) :
  beta != 0 -> (C + beta%:M) *m h = C *m y -> h = C *m (beta^-1 *: (y - h)).
Proof.
move=> beta_neq0 row; rewrite -scalemxAr mulmxBr -row mulmxDl mul_scalar_mx addrAC subrr add0r scalerA mulVf //.
by rewrite scale1r.
Qed.

Lemma zero_is_semisimple (R : rcfType) d (eta beta : R) (A C X : 'M[R]_d) (v : 'cV[R]_(d + d)) :
  0 < eta -> C^T = C -> A = C *m X -> C1_and_C3_on_range eta beta A C ->
  tdrc_G eta beta A C *m (tdrc_G eta beta A C *m v) = 0 -> tdrc_G eta beta A C *m v = 0.
Proof.
move=> eta_gt0 C_sym A_range conditions.
rewrite -[v]vsubmxK; move: (usubmx v) (dsubmx v) => h w; rewrite !block_rows.
set r := (C + _) *m h + A *m w; set q := (A^T + _) *m h; set h1 := - eta *: r.
move/eqP; rewrite col_mx_eq0 scaler_eq0 oppr_eq0 (gt_eqF eta_gt0) /= subr_eq0 => /andP[/eqP row1].
rewrite row1 => /eqP row2.
suff [r0 q0] : r = 0 /\ q = 0 by rewrite /h1 r0 q0 scaler0 subrr col_mx0.
have h1_0 : h1 = 0.
  have [beta0|beta_neq0] := eqVneq beta 0.
    apply: (@no_zero _ _ _ _ _ _ _ (- eta *: (h + X *m w)) C_sym conditions); last by rewrite row2 mulmx0.
    by rewrite /h1 /r beta0 raddf0 addr0 A_range -mulmxA -mulmxDr -scalemxAr.
  have h1_range : (C + beta%:M) *m h1 = C *m - (X *m (q - r)).
    by apply/eqP; rewrite mulmxN mulmxA -A_range -addr_eq0; apply/eqP.
  by apply: (no_zero C_sym conditions (range_h beta_neq0 h1_range)); rewrite row2 mulmx0.
have r0 : r = 0 by apply/eqP; move/eqP: h1_0; rewrite scaler_eq0 oppr_eq0 (gt_eqF eta_gt0).
move: row1; rewrite h1_0 mulmx0 add0r r0 subr0 => Aq; split=> //.
have [beta0|beta_neq0] := eqVneq beta 0.
  by move: Aq; rewrite /q beta0 raddf0 addr0; exact: A_At_kernel.
have h_range : (C + beta%:M) *m h = C *m - (X *m w).
  by apply/eqP; rewrite mulmxN mulmxA -A_range -addr_eq0; apply/eqP.
by rewrite /q (no_zero C_sym conditions (range_h beta_neq0 h_range) Aq) mulmx0.
Qed.

Lemma zero_columns (R : ringType) d n (M : 'M[R]_(d, n)) : (forall j, col j M = 0) -> M = 0.
Proof. by move=> columns0; apply/matrixP => i j; have /colP/(_ i) := columns0 j; rewrite !mxE. Qed.

Lemma kernel_of_At (R : rcfType) d (eta beta : R) (A C X : 'M[R]_d) (z : 'cV[R]_d) :
  C^T = C -> A = C *m X -> C1_and_C3_on_range eta beta A C -> A^T *m z = 0 -> C *m z = 0.
Proof.
move=> C_sym A_range conditions.
have /submxP[D CD] : (C <= C *m C)%MS.
  rewrite submxE; apply/eqP/zero_columns => j; rewrite colE -mulmxA -colE -{1}C_sym.
  by apply: A_At_kernel; rewrite C_sym mulmxA colE mulmxA mulmx_coker mul0mx.
have C_twice : C = C *m (C *m D^T) by rewrite mulmxA -{1}C_sym {1}CD !trmx_mul C_sym.
move=> Az0; have root : A^T *m (C *m (D^T *m z)) = 0.
  by rewrite -[RHS]Az0 A_range trmx_mul C_sym -!mulmxA [in RHS]C_twice -!mulmxA.
have Cu0 : C *m (D^T *m z) = 0.
  apply: (no_zero_on_range C_sym conditions erefl); rewrite mulmxDl root add0r mul_scalar_mx -scalemxAr -scalemxAr.
  by rewrite mulmxA -[A]trmxK -trmx_mul root trmx0 mul0mx scaler0.
by rewrite C_twice -!mulmxA Cu0 mulmx0.
Qed.

Lemma td_fixed_points_exist (R : rcfType) d (eta beta : R) (A C X : 'M[R]_d) (y : 'cV[R]_d) :
  C^T = C -> A = C *m X -> C1_and_C3_on_range eta beta A C -> exists w, A *m w = C *m y.
Proof.
move=> C_sym A_range conditions.
have /submxP[D CD] : (C <= A^T)%MS.
  rewrite submxE; apply/eqP/zero_columns => j; rewrite colE -mulmxA -colE.
  by apply: (kernel_of_At C_sym A_range conditions); rewrite colE mulmxA mulmx_coker mul0mx.
by exists (D^T *m y); rewrite mulmxA -[A]trmxK -trmx_mul -CD C_sym.
Qed.

Lemma at_rest_is_td (R : rcfType) d (eta beta : R) (A C X : 'M[R]_d) (y h w : 'cV[R]_d) :
  0 < eta -> C^T = C -> A = C *m X -> C1_and_C3_on_range eta beta A C ->
  tdrc_G eta beta A C *m col_mx h w + tdrc_g eta (C *m y) = 0 -> A *m w = C *m y.
Proof.
move=> eta_gt0 C_sym A_range conditions.
rewrite block_rows /tdrc_g add_col_mx; set r := (C + _) *m h + A *m w => /eqP.
rewrite scaleNr addrC -scalerBr col_mx_eq0 scaler_eq0 (gt_eqF eta_gt0) /= subr_eq0 => /andP[/eqP row1].
rewrite -addrA [- r + _]addrC row1 subrr addr0 => /eqP row2.
have [beta0|beta_neq0] := eqVneq beta 0.
  move: row2 row1; rewrite /r beta0 raddf0 !addr0 => /(kernel_of_At C_sym A_range conditions)->.
  by rewrite add0r.
have row : (C + beta%:M) *m h = C *m (y - X *m w) by rewrite mulmxBr mulmxA -A_range row1 /r addrK.
have h0 : h = 0 by apply: (no_zero C_sym conditions (range_h beta_neq0 row)); rewrite row2 mulmx0.
by rewrite /r h0 mulmx0 add0r.
Qed.

(* Convergence for a singular C: C1 and C3 need to hold on the range of C only, also where next features leave it. *)
Theorem singular_C_convergence (R : rcfType) d (eta beta : R) (A C X : 'M[R]_d) :
  0 < eta -> 0 <= beta -> C^T = C -> A = C *m X -> C1_and_C3_on_range eta beta A C ->
  [/\ forall l : R[i], eigenvalue (map_mx (real_complex R) (tdrc_G eta beta A C)) l -> l != 0 -> complex.Re l < 0,
      forall v : 'cV[R]_(d + d), tdrc_G eta beta A C *m (tdrc_G eta beta A C *m v) = 0 -> tdrc_G eta beta A C *m v = 0,
      forall y : 'cV[R]_d, exists w, A *m w = C *m y
    & forall y h w : 'cV[R]_d, tdrc_G eta beta A C *m col_mx h w + tdrc_g eta (C *m y) = 0 -> A *m w = C *m y].
Proof.
move=> eta_gt0 beta_ge0 C_sym A_range conditions; split.
- move=> l eigen l_neq0; have [s0|s_neq0] := eqVneq ((eta * beta)%:C + l) 0.
    have lE : l = - (eta * beta)%:C by apply/eqP; rewrite -addr_eq0 addrC s0.
    rewrite lE /= oppr_lt0 lt_def mulr_ge0 ?(ltW eta_gt0) // andbT.
    by apply: contraNneq l_neq0 => eb0; rewrite lE eb0 oppr0.
  have ls_neq0 : l * ((eta * beta)%:C + l) != 0 by rewrite mulf_neq0.
  have [a [b [ab_neq0 a_range b_range]]] := eigenvalue_quadratic_on_range C_sym A_range eigen ls_neq0.
  have [] := conditions a b ab_neq0 a_range b_range; rewrite /Omega_at.
  have n_gt0 : 0 < form_re a b 1%:M := form_re_gt0 (@positive_definite_1 _ _) ab_neq0.
  move: (form_re a b _) n_gt0 => n n_gt0.
  move: (form_re a b A) (form_im a b A) (form_re a b C) (form_re a b (A *m A^T)) => x y c m C1 C3 root.
  have n_neq0 : n != 0 by rewrite gt_eqF.
  apply: (C1_and_C3_decide beta (c / n) (m / n) (x / n) (- y / n) eta_gt0).2.
    split.
      have -> : eta * beta + eta * (c / n) + x / n = (eta * beta * n + eta * c + x) / n by field.
      by rewrite divr_gt0.
    set third := (X in 0 < X); have -> : third = ((eta * beta * n + eta * c + x) ^+ 2 * (beta * x + m) +
        beta * y ^+ 2 * (eta * c + x)) / n ^+ 3 by rewrite /third; field.
    by rewrite divr_gt0 // exprn_gt0.
  move: root; case: l {eigen l_neq0 s_neq0 ls_neq0} => s t /eqP; rewrite eq_complex /= => /andP[/eqP re /eqP im].
  apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; apply: (mulfI n_neq0); rewrite [RHS]mulr0.
    by rewrite -[RHS]re; field.
  by rewrite -[RHS]im; field.
- by move=> v; exact: zero_is_semisimple eta_gt0 C_sym A_range conditions.
- by move=> y; exact: td_fixed_points_exist C_sym A_range conditions.
- by move=> y h w; exact: at_rest_is_td eta_gt0 C_sym A_range conditions.
Qed.

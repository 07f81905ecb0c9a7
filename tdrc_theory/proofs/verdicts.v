From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz hermitian_form complex_forms positive_definite pencil lyapunov.
From tdrc Require Import lyapunov_existence.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma complex_mul (R : rcfType) m n p (X : 'M[R]_(m, n)) (Y : 'M[R]_(n, p)) :
  map_mx (real_complex R) (X *m Y) = map_mx (real_complex R) X *m map_mx (real_complex R) Y.
Proof. exact: map_mxM. Qed.

(* 0 is semisimple, the other eigenvalues have negative real part, and there are fixed points, all of a kind. *)
Definition converges_to_a_set (R : rcfType) n (G : 'M[R]_n) (g : 'cV[R]_n) (solves : 'cV[R]_n -> Prop) : Prop :=
  [/\ forall l : R[i], eigenvalue (map_mx (real_complex R) G) l -> l = 0 \/ complex.Re l < 0,
      forall v : 'cV[R]_n, G *m (G *m v) = 0 -> G *m v = 0,
      exists v : 'cV[R]_n, G *m v + g = 0
    & forall v : 'cV[R]_n, G *m v + g = 0 -> solves v].

Lemma positive_definiteZ (R : realFieldType) n (c : R) (M : 'M[R]_n) :
  0 < c -> positive_definite (c *: M) <-> positive_definite M.
Proof.
move=> c_gt0; have form z : (z^T *m (c *: M) *m z) 0 0 = c * (z^T *m M *m z) 0 0.
  by rewrite -scalemxAr -scalemxAl mxE.
by split=> pos z /pos; rewrite form pmulr_rgt0.
Qed.

Lemma form_tr (R : comRingType) n (M : 'M[R]_n) (u v : 'cV[R]_n) : (u^T *m M *m v) 0 0 = (v^T *m M^T *m u) 0 0.
Proof. by rewrite -[in LHS](trmxK (u^T *m M *m v)) mxE !trmx_mul trmxK mulmxA. Qed.

(* Q = - (H^T P + P H) > 0 shows that H is nonsingular, whatever P is. *)
Lemma falling_injective (R : realFieldType) n (H P : 'M[R]_n) (v : 'cV[R]_n) :
  positive_definite (- (H^T *m P + P *m H)) -> H *m v = 0 -> v = 0.
Proof.
move=> Q_pos Hv0; apply/eqP; apply: contraT => /Q_pos.
rewrite mulmxN mulNmx mulmxDr mulmxDl !mulmxA -[v^T *m P *m H *m v]mulmxA Hv0 mulmx0 addr0.
by rewrite -trmx_mul Hv0 trmx0 !mul0mx oppr0 mxE ltxx.
Qed.

Lemma eigenvalue_axis (R : rcfType) n (H P : 'M[R]_n) (l : R[i]) :
  positive_definite (- (H^T *m P + P *m H)) -> eigenvalue (map_mx (real_complex R) H) l -> complex.Re l != 0.
Proof.
move=> Q_pos /hermitian_parts[a [b [ab_neq0 aM bM]]]; have := form_re_gt0 Q_pos ab_neq0.
have -> : form_re a b (- (H^T *m P + P *m H)) = - (2%:R * complex.Re l * form_re a b P).
  have right (v : 'rV[R]_n) : H *m v^T = (v *m H^T)^T by rewrite trmx_mul trmxK.
  rewrite /form_re !(mulmxN, mulNmx, mulmxDr, mulmxDl) !mulmxA aM bM -![_ *m P *m H *m _]mulmxA !right aM bM.
  matrix_expand; matrix_products; rewrite !mxE.
  repeat match goal with |- context [@fun_of_matrix ?T ?m ?n ?M ?i ?j] =>
    let x := fresh in move: (@fun_of_matrix T m n M i j) => x end.
  by ring.
by apply: contraTneq => ->; rewrite mulr0 mul0r oppr0 ltxx.
Qed.

(* If H were Hurwitz, P would be positive definite: compare it with a P that is. *)
Lemma falling_positive (R : rcfType) n (H P : 'M[R]_n) :
  P^T = P -> positive_definite (- (H^T *m P + P *m H)) -> hurwitz H -> positive_definite P.
Proof.
move=> P_sym Q_pos /lyapunov_function_exists[S [S_sym S_pos T_pos]].
apply: (positive_definite_by_eigenvalues S_sym P_sym S_pos) => t z z_neq0 Pz.
have form X : X^T = X -> (z^T *m (- (H^T *m X + X *m H)) *m z) 0 0 = - (2%:R * (z^T *m H^T *m (X *m z)) 0 0).
  move=> X_sym; rewrite mulmxN mulNmx mxE mulmxDr mulmxDl mxE !mulmxA; congr (- _).
  rewrite (_ : (z^T *m X *m H *m z) 0 0 = (z^T *m H^T *m X *m z) 0 0) ?mulr_natl //.
  have := form_tr (X *m H) z z; rewrite !mulmxA => ->.
  by rewrite trmx_mul X_sym !mulmxA.
have := Q_pos _ z_neq0; have := T_pos _ z_neq0; rewrite !form // Pz -scalemxAr [in X in _ -> X -> _]mxE.
move: (fun_of_matrix _ 0 0) => f f_pos; have -> : - (2%:R * (t * f)) = t * - (2%:R * f) by ring.
by rewrite pmulr_lgt0.
Qed.

Lemma eigenvalue_shift (R : rcfType) n (G : 'M[R]_n) (c : R) (l : R[i]) :
  eigenvalue (map_mx (real_complex R) (G - c%:M)) l ->
  eigenvalue (map_mx (real_complex R) G) (l + c%:C).
Proof.
case/eigenvalueP => v vH v_neq0; apply/eigenvalueP; exists v => //; move: vH.
rewrite map_mxB map_scalar_mx mulmxBr mul_mx_scalar scalerDl => <-.
by rewrite addrNK.
Qed.

Lemma real_part_above (R : rcfType) n (H : 'M[R]_n) :
  (forall l, eigenvalue (map_mx (real_complex R) H) l -> complex.Re l != 0) -> ~ hurwitz H ->
  exists2 l, eigenvalue (map_mx (real_complex R) H) l & 0 < complex.Re l.
Proof.
move=> off_axis not_stable; set M := map_mx _ _ in off_axis *.
have [r charE] := closed_field_poly_normal (char_poly M).
have lead : lead_coef (char_poly M) = 1 by apply/monicP/char_poly_monic.
rewrite lead scale1r in charE.
have spectrum l : eigenvalue M l = (l \in r) by rewrite eigenvalue_root_char charE root_prod_XsubC.
have [/hasP[l l_r l_gt0]|no] := boolP (has (fun l => 0 < complex.Re l) r).
  by exists l; rewrite ?spectrum.
case: not_stable => l l_eigen; have := off_axis _ l_eigen; rewrite lt_neqAle => -> /=.
by rewrite leNgt; apply: contra no => l_gt0; apply/hasP; exists l; rewrite -?spectrum.
Qed.

Lemma unstable_direction (R : rcfType) n (G P : 'M[R]_n) (c : R) (v : 'cV[R]_n) :
  P^T = P -> positive_definite (- ((G - c%:M)^T *m P + P *m (G - c%:M))) -> (v^T *m P *m v) 0 0 < 0 ->
  exists2 l : R[i], eigenvalue (map_mx (real_complex R) G) l & c < complex.Re l.
Proof.
move=> P_sym Q_pos Pv_lt0.
have not_stable : ~ hurwitz (G - c%:M).
  move=> /(falling_positive P_sym Q_pos)/(_ v) P_pos; have /P_pos : v != 0.
    by apply: contraTneq Pv_lt0 => ->; rewrite mulmx0 mxE ltxx.
  by move/(lt_trans Pv_lt0); rewrite ltxx.
have [l l_eigen l_gt0] := real_part_above (fun l => @eigenvalue_axis _ _ _ _ l Q_pos) not_stable.
exists (l + c%:C); first exact: eigenvalue_shift.
by case: l l_gt0 {l_eigen} => x y /= x_gt0; rewrite ltr_addr.
Qed.

(* The space is the sum of N's columns and of ker M, both invariant; G - N M is - 1 on the first, G on the second. *)
Lemma stable_beside_kernel (R : rcfType) n p (G P : 'M[R]_n) (N : 'M[R]_(n, p)) (M : 'M[R]_(p, n)) (g u : 'cV[R]_n)
    (solves : 'cV[R]_n -> Prop) :
  G *m N = 0 -> M *m G = 0 -> M *m N = 1%:M -> G *m u + g = 0 -> (forall y, solves (u + N *m y)) ->
  positive_definite P -> positive_definite (- ((G - N *m M)^T *m P + P *m (G - N *m M))) ->
  converges_to_a_set G g solves.
Proof.
move=> GN MG MN Gu solved P_pos Q_pos; have stable := lyapunov P_pos Q_pos.
split; last 2 [by exists u] => [l l_eigen|v GGv|v Gv].
- have [->|l_neq0] := eqVneq l 0; [by left | right; apply: stable; move: l_eigen].
  case/eigenvalueP => x xG x_neq0; apply/eigenvalueP; exists x => //.
  have xN : x *m map_mx (real_complex R) N = 0.
    apply: (scalerI l_neq0); rewrite scaler0 scalemxAl -xG -mulmxA.
    have -> : map_mx (real_complex R) G *m map_mx (real_complex R) N = 0.
      by rewrite -complex_mul GN map_mx0.
    exact: mulmx0.
  by rewrite map_mxB mulmxBr xG complex_mul mulmxA xN mul0mx subr0.
- apply: (falling_injective Q_pos).
  by rewrite mulmxBl GGv -mulmxA [M *m (G *m v)]mulmxA MG mul0mx mulmx0 subr0.
- have z0 : v - u - N *m (M *m (v - u)) = 0.
    apply: (falling_injective Q_pos); set d := v - u.
    have Gd : G *m d = 0.
      apply/eqP; rewrite mulmxBr subr_eq0; apply/eqP; apply: (addIr g).
      by rewrite Gv Gu.
    have Md : M *m (d - N *m (M *m d)) = 0 by rewrite mulmxBr (mulmxA M N) MN mul1mx subrr.
    by rewrite mulmxBl -(mulmxA N) Md mulmx0 subr0 mulmxBr Gd (mulmxA G) GN mul0mx subrr.
  by rewrite (_ : v = u + N *m (M *m (v - u))) //; apply/eqP; rewrite -subr_eq0 opprD addrA z0.
Qed.

(* What contradicts convergence to a point and to a set. *)
Lemma unstable_does_not_converge (R : rcfType) n (G : 'M[R]_n) (g : 'cV[R]_n) solves (l : R[i]) :
  eigenvalue (map_mx (real_complex R) G) l -> l != 0 -> 0 <= complex.Re l ->
  ~ hurwitz G /\ ~ converges_to_a_set G g solves.
Proof.
move=> l_eigen l_neq0 l_ge0; split=> [/(_ _ l_eigen)|[/(_ _ l_eigen) l_stable _ _ _]]; first by rewrite ltNge l_ge0.
by case: l_stable => [/eqP|]; [exact/negP | rewrite ltNge l_ge0].
Qed.

Lemma zero_eigenvalue (R : rcfType) n (G : 'M[R]_n) (v : 'cV[R]_n) : v != 0 -> G *m v = 0 -> ~ hurwitz G.
Proof.
move=> v_neq0 Gv stable; have : G \notin unitmx.
  by apply/negP => unit; case/negP: v_neq0; rewrite -(mulKmx unit v) Gv mulmx0.
rewrite unitmxE unitfE negbK => /det0P[x x_neq0 xG].
have /stable : eigenvalue (map_mx (real_complex R) G) 0.
  by apply/eigenvalueP; exists (map_mx (real_complex R) x); rewrite ?map_mx_eq0 // -complex_mul xG map_mx0 scale0r.
by rewrite /= ltxx.
Qed.

Lemma defective_zero (R : rcfType) n (G : 'M[R]_n) (g : 'cV[R]_n) solves (v : 'cV[R]_n) :
  G *m v != 0 -> G *m (G *m v) = 0 -> ~ hurwitz G /\ ~ converges_to_a_set G g solves.
Proof.
move=> Gv_neq0 GGv; split; first exact: zero_eigenvalue Gv_neq0 GGv.
by case=> _ /(_ v GGv) Gv _ _; rewrite Gv eqxx in Gv_neq0.
Qed.

Lemma no_fixed_point (R : rcfType) n (G : 'M[R]_n) (g : 'cV[R]_n) solves (y : 'rV[R]_n) :
  y *m G = 0 -> y *m g != 0 -> ~ hurwitz G /\ ~ converges_to_a_set G g solves.
Proof.
move=> yG yg_neq0; have y_neq0 : y != 0 by apply: contraNneq yg_neq0 => ->; rewrite mul0mx.
split=> [stable|[_ _ [v /(congr1 (mulmx y))]]].
  have /stable : eigenvalue (map_mx (real_complex R) G) 0; last by rewrite /= ltxx.
  by apply/eigenvalueP; exists (map_mx (real_complex R) y); rewrite ?map_mx_eq0 // -complex_mul yG map_mx0 scale0r.
by rewrite mulmxDr mulmxA yG mul0mx add0r mulmx0 => yg0; rewrite yg0 eqxx in yg_neq0.
Qed.

Lemma spurious_fixed_point (R : rcfType) n (G : 'M[R]_n) (g : 'cV[R]_n) (solves : 'cV[R]_n -> Prop)
    (v u : 'cV[R]_n) :
  v != 0 -> G *m v = 0 -> G *m u + g = 0 -> ~ solves u -> ~ hurwitz G /\ ~ converges_to_a_set G g solves.
Proof.
move=> v_neq0 Gv Gu other; split; first exact: zero_eigenvalue v_neq0 Gv.
by case=> _ _ _ /(_ _ Gu).
Qed.

From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hermitian_form bilinear positive_definite.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma row_parts (R : rcfType) n m (v : 'rV[R[i]]_n) (M : 'M[R]_(n, m)) :
  map_mx (@complex.Re R) (v *m map_mx (real_complex R) M) = map_mx (@complex.Re R) v *m M /\
  map_mx (@complex.Im R) (v *m map_mx (real_complex R) M) = map_mx (@complex.Im R) v *m M.
Proof.
split; apply/rowP => j; rewrite !mxE raddf_sum /=; apply: eq_bigr => k _;
  by rewrite !mxE; case: (v 0 k) => s t /=; rewrite mulr0 ?subr0 ?add0r.
Qed.

(* S z = t P z has a solution, as t is real at every complex one. *)
Lemma real_eigenpair (R : rcfType) d (P S : 'M[R]_d.+1) :
  P^T = P -> S^T = S -> positive_definite P ->
  exists t, exists2 z : 'cV[R]_d.+1, z != 0 & S *m z = t *: (P *m z).
Proof.
move=> P_sym S_sym P_pos; have P_unit := positive_definite_unit P_pos.
have toC_unit : map_mx (real_complex R) P \in unitmx by rewrite map_unitmx.
have [|l] := closed_rootP (char_poly (map_mx (real_complex R) (S *m invmx P))) _.
  by rewrite size_char_poly.
rewrite -eigenvalue_root_char => /eigenvalueP[u uSP u_neq0].
have uS : u *m map_mx (real_complex R) S = l *: (u *m map_mx (real_complex R) P).
  by rewrite scalemxAl -uSP map_mxM map_invmx mulmxA mulmxKV.
move: uS u_neq0; rewrite (every_row u); set a := map_mx _ u; set b := map_mx _ u => uS u_neq0.
have := congr1 (fun m => (m *m col_of a b) 0 0) uS.
rewrite -scalemxAl [RHS]mxE !form_complex (form_im_sym _ _ P_sym) (form_im_sym _ _ S_sym).
have := form_re_gt0 P_pos u_neq0; move: (form_re a b P) (form_re a b S) => p s p_gt0.
case: l {uSP} uS => t t' uS /eqP; rewrite eq_complex /= !mulr0 subr0 add0r => /andP[_].
rewrite eq_sym mulf_eq0 (gt_eqF p_gt0) orbF => /eqP t'0; rewrite {}t'0 in uS.
have scale_re (w : 'rV[R[i]]_d.+1) : map_mx (@complex.Re R) (Complex t 0 *: w) = t *: map_mx (@complex.Re R) w.
  by apply/rowP => j; rewrite !mxE; case: (w 0 j) => x y /=; rewrite mul0r subr0.
have scale_im (w : 'rV[R[i]]_d.+1) : map_mx (@complex.Im R) (Complex t 0 *: w) = t *: map_mx (@complex.Im R) w.
  by apply/rowP => j; rewrite !mxE; case: (w 0 j) => x y /=; rewrite mul0r addr0.
have aS : a *m S = t *: (a *m P).
  by have := congr1 (map_mx (@complex.Re R)) uS; rewrite scale_re !(row_parts _ _).1 -every_row.
have bS : b *m S = t *: (b *m P).
  by have := congr1 (map_mx (@complex.Im R)) uS; rewrite scale_im !(row_parts _ _).2 -every_row.
have real_row (c : 'rV[R]_d.+1) : c *m S = t *: (c *m P) -> S *m c^T = t *: (P *m c^T).
  by move=> cS; rewrite -[S]S_sym -[P]P_sym -!trmx_mul cS linearZ.
exists t; have [a0|a_neq0] := eqVneq a 0; last by exists a^T; rewrite ?trmx_eq0 ?real_row.
exists b^T; rewrite ?real_row // trmx_eq0; apply: contraNneq u_neq0 => b0.
by rewrite /row_of a0 b0 !map_mx0 scaler0 addr0.
Qed.

(* By induction: v solves S v = t P v; so does the pencil restricted to what is P-orthogonal to v. *)
Theorem positive_definite_by_eigenvalues (R : rcfType) d (P S : 'M[R]_d) :
  P^T = P -> S^T = S -> positive_definite P ->
  (forall t (z : 'cV[R]_d), z != 0 -> S *m z = t *: (P *m z) -> 0 < t) ->
  positive_definite S.
Proof.
have [n] := ubnP d; elim: n => // n IH in d P S *.
case: d P S => [|d] P S; first by move=> _ _ _ _ _ z; rewrite [z]flatmx0 eqxx.
rewrite ltnS => d_lt P_sym S_sym P_pos spectrum.
have [t [v v_neq0 Sv]] := real_eigenpair P_sym S_sym P_pos.
have t_gt0 := spectrum _ _ v_neq0 Sv; have p_gt0 : 0 < bilinear P v v by exact: P_pos.
have [m [W [m_lt W_free W_ker]]] :
    exists m (W : 'M[R]_(m, d.+1)), [/\ (m < n)%N, row_free W & (W :=: kermx (P *m v))%MS].
  exists (\rank (kermx (P *m v))), (row_base (kermx (P *m v))); split; [|exact: row_base_free|exact: eq_row_base].
  have r_gt0 : (0 < \rank (P *m v))%N.
    by rewrite lt0n mxrank_eq0; apply: contraTneq p_gt0 => Pv0; rewrite /bilinear -mulmxA Pv0 mulmx0 mxE ltxx.
  rewrite mxrank_ker (leq_ltn_trans _ d_lt) //.
  by case: (\rank _) r_gt0 => // r _; rewrite subSS leq_subr.
have WPv : W *m (P *m v) = 0 by apply/sub_kermxP; rewrite W_ker.
have W_inj u : W^T *m u = 0 -> u = 0.
  move/(congr1 trmx); rewrite trmx_mul trmxK trmx0 => /eqP.
  by rewrite mulmx_free_eq0 // trmx_eq0 => /eqP.
have orth u : v^T *m P *m (W^T *m u) = 0.
  by rewrite -[P]P_sym -trmx_mul mulmxA -trmx_mul WPv trmx0 mul0mx.
have split_v z : exists c u, z = c *: v + W^T *m u.
  pose c := bilinear P z v / bilinear P v v; pose y := z - c *: v; exists c.
  have /submxP[u yE] : (y^T <= W)%MS.
    rewrite W_ker; apply/sub_kermxP; rewrite mulmxA [LHS]mx11_scalar -/(bilinear P y v).
    by rewrite /y -scaleNr bilinearDl bilinearZl mulNr divfK ?gt_eqF // subrr raddf0.
  by exists u^T; rewrite -trmx_mul -yE trmxK addrC subrK.
have vS : v^T *m S = t *: (v^T *m P) by rewrite -[S]S_sym -[P]P_sym -!trmx_mul Sv linearZ.
pose restricted M := W *m M *m W^T.
have restrict M u u' : bilinear (restricted M) u u' = bilinear M (W^T *m u) (W^T *m u').
  by rewrite /bilinear /restricted trmx_mul trmxK !mulmxA.
have S'_pos : positive_definite (restricted S).
  apply: (IH m (restricted P) _ m_lt).
  - by rewrite /restricted !trmx_mul trmxK P_sym mulmxA.
  - by rewrite /restricted !trmx_mul trmxK S_sym mulmxA.
  - move=> u u_neq0; rewrite -/(bilinear _ _ _) restrict; apply: P_pos.
    by apply: contraNneq u_neq0 => /W_inj ->.
  move=> t' u u_neq0 S'u; have y_neq0 : W^T *m u != 0 by apply: contraNneq u_neq0 => /W_inj ->.
  apply: (spectrum _ _ y_neq0); move: S'u; rewrite /restricted -!mulmxA => S'u; apply/eqP; rewrite -subr_eq0.
  set r := _ - _; have Wr : W *m r = 0 by rewrite mulmxBr S'u -scalemxAr subrr.
  have vr : v^T *m r = 0 by rewrite mulmxBr -scalemxAr !(mulmxA v^T) vS -scalemxAl orth !scaler0 subrr.
  have [c [u' rE]] := split_v r.
  have rr : r^T *m r = 0.
    rewrite {1}rE [(_ + _)^T]linearD /= [(c *: v)^T]linearZ /= trmx_mul trmxK mulmxDl -scalemxAl vr -mulmxA Wr.
    by rewrite scaler0 mulmx0 addr0.
  by apply: contraT => /positive_definite_1; rewrite mulmx1 rr mxE ltxx.
move=> z z_neq0; rewrite -/(bilinear S z z); have [c [u zE]] := split_v z.
rewrite zE bilinearDl !bilinearDr !bilinearZl !bilinearZr (bilinear_sym (W^T *m u) v S_sym).
have -> : bilinear S v (W^T *m u) = 0 by rewrite /bilinear vS -scalemxAl orth scaler0 mxE.
have -> : bilinear S v v = t * bilinear P v v by rewrite /bilinear vS -!scalemxAl mxE.
rewrite !mulr0 addr0 add0r; have [u0|u_neq0] := eqVneq u 0.
  move: z_neq0; rewrite zE u0 mulmx0 addr0 scaler_eq0 (negPf v_neq0) orbF => c_neq0.
  have -> : bilinear S 0 0 = 0 by rewrite /bilinear mulmx0 mxE.
  by rewrite addr0 mulrA -expr2; apply: mulr_gt0; [rewrite exprn_even_gt0 | exact: mulr_gt0].
rewrite ltr_spaddr //; first by rewrite -restrict; apply: S'_pos.
by rewrite mulrA -expr2; apply: mulr_ge0; [exact: sqr_ge0 | rewrite ltW ?mulr_gt0].
Qed.

(* b_c > 0 at every z, for a nonsingular C. *)
Theorem b_c_positive (R : rcfType) d (C : 'M[R]_d) :
  C^T = C -> positive_semidefinite C -> C \in unitmx -> positive_definite C.
Proof.
move=> C_sym C_ge0 C_unit; apply: (positive_definite_by_eigenvalues (trmx1 _ _)) => //.
  exact: positive_definite_1.
move=> t z z_neq0; rewrite mul1mx => Cz; have n_gt0 := positive_definite_1 z_neq0; rewrite mulmx1 in n_gt0.
rewrite lt_def; apply/andP; split.
  by apply: contraNneq (unit_neq0 C_unit z_neq0) => t0; rewrite Cz t0 scale0r.
by have := C_ge0 z; rewrite -mulmxA Cz -scalemxAr mxE pmulr_lge0.
Qed.

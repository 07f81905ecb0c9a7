From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz verdicts.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

(* v, G v, G^2 v, ... as rows, and the sum of c_j G^j v. *)
Definition krylov (R : ringType) n (G : 'M[R]_n) (v : 'cV[R]_n) (m : nat) : 'M[R]_(m, n) :=
  \matrix_(j < m) (iter j (mulmx G) v)^T.
Definition combination (R : ringType) n (G : 'M[R]_n) (v : 'cV[R]_n) (m : nat) (c : nat -> R) : 'cV[R]_n :=
  \sum_(j < m) c j *: iter j (mulmx G) v.

Lemma combination_krylov (R : comRingType) n (G : 'M[R]_n) v m c :
  combination G v m c = ((\row_(j < m) c j) *m krylov G v m)^T.
Proof.
apply/colP => i; rewrite summxE !mxE; apply: eq_bigr => j _.
by rewrite !mxE.
Qed.

Lemma combination_neq0 (R : fieldType) n (G : 'M[R]_n) v m (c : nat -> R) (X : 'M[R]_(n, m)) (j : 'I_m) :
  krylov G v m *m X = 1%:M -> c j != 0 -> combination G v m c != 0.
Proof.
move=> KX; apply: contraNneq; rewrite combination_krylov => /(congr1 trmx); rewrite trmxK trmx0 => cK.
have /rowP/(_ j) : \row_(i < m) c i = 0 by rewrite -[LHS]mulmx1 -KX mulmxA cK mul0mx.
by rewrite !mxE => ->.
Qed.

Lemma mul_combination (R : comRingType) n (G : 'M[R]_n) v m c :
  G *m combination G v m c = \sum_(j < m) c j *: iter j.+1 (mulmx G) v.
Proof. by rewrite mulmx_sumr; apply: eq_bigr => j _; rewrite -scalemxAr. Qed.

Lemma iter_complex (R : rcfType) n (G : 'M[R]_n) (v : 'cV[R]_n) j :
  iter j (mulmx (map_mx (real_complex R) G)) (map_mx (real_complex R) v) = map_mx (real_complex R) (iter j (mulmx G) v).
Proof. by elim: j => //= j ->; rewrite complex_mul. Qed.

Lemma krylov_complex (R : rcfType) n (G : 'M[R]_n) v m :
  krylov (map_mx (real_complex R) G) (map_mx (real_complex R) v) m = map_mx (real_complex R) (krylov G v m).
Proof.
by apply/matrixP => j i; rewrite !mxE iter_complex !mxE.
Qed.

(* Every root of a polynomial f with f(G) v = 0, of least degree, is an eigenvalue of G. *)
Lemma root_is_eigenvalue (R : rcfType) n (G : 'M[R]_n) v (f : {poly R}) (X : 'M[R]_(n, (size f).-1)) (l : R[i]) :
  (1 < size f)%N -> krylov G v (size f).-1 *m X = 1%:M -> combination G v (size f) (fun j => f`_j) = 0 ->
  root (map_poly (real_complex R) f) l -> eigenvalue (map_mx (real_complex R) G) l.
Proof.
move=> f_size KX fv /factor_theorem[h fE]; set Gc := map_mx _ G; set vc := map_mx (real_complex R) v.
set m := (size f).-1; have f_m : size f = m.+1 by rewrite prednK // ltnW.
have fc_size : size (map_poly (real_complex R) f) = m.+1 by rewrite size_map_poly.
have h_size : size h = m.
  have h_neq0 : h != 0 by apply/eqP => h0; move: fc_size; rewrite fE h0 mul0r size_poly0.
  by move: fc_size; rewrite fE size_Mmonic ?monicXsubC // size_XsubC addn2 /= => -[].
have coef_f j : (f`_j)%:C = (if j is i.+1 then h`_i else 0) - l * h`_j.
  have -> : (f`_j)%:C = (map_poly (real_complex R) f)`_j by rewrite coef_map.
  by rewrite fE mulrBr coefB coefMX coefMC mulrC; case: j.
pose w := combination Gc vc m (fun j => h`_j).
have Gw : Gc *m w = l *: w.
  apply/eqP; rewrite -subr_eq0 mul_combination scaler_sumr.
  have -> : \sum_(j < m) h`_j *: iter j.+1 (mulmx Gc) vc =
      \sum_(j < m.+1) (if j : nat is i.+1 then h`_i else 0) *: iter j (mulmx Gc) vc.
    by rewrite [RHS]big_ord_recl /= scale0r add0r.
  have -> : \sum_(j < m) l *: (h`_j *: iter j (mulmx Gc) vc) = \sum_(j < m.+1) (l * h`_j) *: iter j (mulmx Gc) vc.
    rewrite [RHS]big_ord_recr /= [h`_m]nth_default ?h_size // mulr0 scale0r addr0.
    by apply: eq_bigr => j _; rewrite scalerA.
  have fc0 : \sum_(j < m.+1) (f`_j)%:C *: iter j (mulmx Gc) vc = 0.
    have := congr1 (map_mx (real_complex R)) fv; rewrite f_m map_mx0 /combination map_mx_sum => sum0.
    by rewrite -[RHS]sum0; apply: eq_bigr => j _; rewrite iter_complex; exact/esym/map_mxZ.
  by apply/eqP; rewrite -sumrB -[RHS]fc0; apply: eq_bigr => j _; rewrite -scalerBl -coef_f.
have w_neq0 : w != 0.
  have m_gt0 : (0 < m)%N by rewrite -ltnS -f_m.
  have m1 : (m.-1 < m)%N by rewrite prednK.
  have KXc : krylov Gc vc m *m map_mx (real_complex R) X = 1%:M by rewrite krylov_complex -complex_mul KX map_mx1.
  apply: (@combination_neq0 _ _ _ _ _ (fun j => h`_j) _ (Ordinal m1) KXc) => /=.
  rewrite -h_size -/(lead_coef h) lead_coef_eq0; apply: contraTneq m_gt0 => h0.
  by rewrite -h_size h0 size_poly0.
rewrite /eigenvalue /eigenspace kermx_eq0 row_free_unit unitmxE unitfE negbK -det_tr.
apply/det0P; exists w^T; rewrite ?trmx_eq0 // -trmx_mul mulmxBl Gw mul_scalar_mx subrr.
exact: trmx0.
Qed.

Lemma sum_of_roots (F : fieldType) (r : seq F) :
  (0 < size r)%N -> (\prod_(x <- r) ('X - x%:P))`_(size r).-1 = - \sum_(x <- r) x.
Proof.
elim: r => // x r IH _; rewrite -[(size (x :: r)).-1]/(size r) !big_cons mulrBl coefB coefXM coefCM.
have [r0|r_gt0] := posnP (size r).
  by rewrite r0 (size0nil r0) !big_nil coefC /= mulr1 addr0 sub0r.
rewrite /= IH //; have := size_prod_XsubC r id => size_r.
have -> : (\prod_(y <- r) ('X - y%:P))`_(size r) = 1.
  have /monicP : \prod_(y <- r) ('X - y%:P) \is monic by exact: monic_prod_XsubC.
  by rewrite /lead_coef size_r.
by rewrite mulr1 opprD addrC.
Qed.

(* The sum of the roots' real parts is not negative where the coefficient before the leading one is not positive. *)
Lemma root_not_left (R : rcfType) (f : {poly R}) :
  (1 < size f)%N -> 0 < lead_coef f -> f`_(size f).-2 <= 0 ->
  exists2 l : R[i], root (map_poly (real_complex R) f) l & 0 <= complex.Re l.
Proof.
move=> f_size lead_gt0 next_le0; set fc := map_poly (real_complex R) f.
have [r fE] := closed_field_poly_normal fc; have lead : lead_coef fc = (lead_coef f)%:C by rewrite lead_coef_map.
have lead_neq0 : lead_coef fc != 0 by rewrite lead eq_complex /= eqxx andbT gt_eqF.
have r_size : size r = (size f).-1.
  have : size fc = size f by rewrite size_map_poly.
  by rewrite fE size_scale // size_prod_XsubC => <-.
have r_gt0 : (0 < size r)%N by rewrite r_size -ltnS prednK // ltnW.
have sumE : \sum_(l <- r) l = - (f`_(size f).-2 / lead_coef f)%:C.
  have := sum_of_roots r_gt0; rewrite r_size => eq_sum.
  have : fc`_(size f).-2 = lead_coef fc * (\prod_(l <- r) ('X - l%:P))`_(size f).-2 by rewrite {1}fE coefZ.
  rewrite eq_sum coef_map /= lead mulrN => next.
  have -> : (f`_(size f).-2 / lead_coef f)%:C = (f`_(size f).-2)%:C / (lead_coef f)%:C by rewrite fmorph_div.
  by rewrite next mulNr opprK mulrAC mulfV ?mul1r // -lead.
have roots l : root fc l = (l \in r) by rewrite fE rootZ // root_prod_XsubC.
have [/hasP[l l_r l_ge0]|no] := boolP (has (fun l => 0 <= complex.Re l) r); first by exists l; rewrite ?roots.
have : complex.Re (\sum_(l <- r) l) < 0.
  case: r r_gt0 no {fE r_size sumE roots} => // l r _ /=; rewrite negb_or => /andP[l_lt0 others].
  rewrite big_cons raddfD /= -ltNge in l_lt0 *; apply: ltr_naddr => //.
  rewrite raddf_sum big_seq /= -oppr_ge0 -sumrN; apply: sumr_ge0 => t t_r; rewrite oppr_ge0 leNgt.
  apply: contra others => t_gt0.
  by apply/hasP; exists t => //; exact: ltW.
by rewrite sumE /= ltNge oppr_ge0 pmulr_lle0 ?invr_gt0 // next_le0.
Qed.

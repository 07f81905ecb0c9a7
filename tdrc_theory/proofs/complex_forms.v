From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions singular_C.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

(* The conjugate transpose, and a real matrix taken for a complex one. *)
Definition star (R : rcfType) m n (M : 'M[R[i]]_(m, n)) : 'M_(n, m) := (map_mx conjc M)^T.
Definition to_complex (R : rcfType) m n (M : 'M[R]_(m, n)) : 'M[R[i]]_(m, n) := map_mx (real_complex R) M.
Definition form_over (R : rcfType) d (z : 'cV[R[i]]_d) (M : 'M[R[i]]_d) : R[i] :=
  (star z *m M *m z) 0 0 / (star z *m z) 0 0.

Lemma conjcM (R : rcfType) (x y : R[i]) : conjc (x * y) = conjc x * conjc y.
Proof. by case: x y => a b [c e]; apply/eqP; rewrite eq_complex /=; apply/andP; split; apply/eqP; ring. Qed.

Lemma conjcD (R : rcfType) (x y : R[i]) : conjc (x + y) = conjc x + conjc y.
Proof. by case: x y => a b [c e]; apply/eqP; rewrite eq_complex /= opprD !eqxx. Qed.

Lemma star_mul (R : rcfType) m n p (M : 'M[R[i]]_(m, n)) (N : 'M_(n, p)) : star (M *m N) = star N *m star M.
Proof.
rewrite /star -trmx_mul; congr trmx; apply/matrixP => i j; rewrite !mxE.
rewrite (big_morph _ (@conjcD R) (conjc0 R)); apply: eq_bigr => k _; rewrite conjcM.
by rewrite !mxE.
Qed.

Lemma starD (R : rcfType) m n (M N : 'M[R[i]]_(m, n)) : star (M + N) = star M + star N.
Proof. by apply/matrixP => i j; rewrite !mxE conjcD. Qed.

Lemma star_real (R : rcfType) m n (M : 'M[R]_(m, n)) : star (to_complex M) = (to_complex M)^T.
Proof. by apply/matrixP => i j; rewrite !mxE conjc_real. Qed.

Lemma starK (R : rcfType) m n (M : 'M[R[i]]_(m, n)) : star (star M) = M.
Proof. by apply/matrixP => i j; rewrite !mxE conjcK. Qed.

Lemma star_square_neq0 (R : rcfType) d (z : 'cV[R[i]]_d) : z != 0 -> (star z *m z) 0 0 != 0.
Proof.
apply: contra => /eqP/(congr1 (@complex.Re R)); rewrite mxE raddf_sum /=.
have square j : complex.Re (star z 0 j * z j 0) = complex.Re (z j 0) ^+ 2 + complex.Im (z j 0) ^+ 2.
  by rewrite !mxE; case: (z j 0) => a b /=; ring.
under eq_bigr do rewrite square; move/eqP; rewrite psumr_eq0 => [/allP z0|j _]; last by rewrite addr_ge0 ?sqr_ge0.
apply/eqP/colP => j; have := z0 j (mem_index_enum j); rewrite /= paddr_eq0 ?sqr_ge0 // !sqrf_eq0 mxE.
by case: (z j 0) => a b /= /andP[/eqP-> /eqP->].
Qed.

Lemma form_overD (R : rcfType) d (z : 'cV[R[i]]_d) M N : form_over z (M + N) = form_over z M + form_over z N.
Proof. by rewrite /form_over mulmxDr mulmxDl [X in X / _]mxE mulrDl. Qed.

Lemma form_overZ (R : rcfType) d (z : 'cV[R[i]]_d) c M : form_over z (c *: M) = c * form_over z M.
Proof. by rewrite /form_over -scalemxAr -scalemxAl [X in X / _]mxE mulrA. Qed.

Lemma form_over1 (R : rcfType) d (z : 'cV[R[i]]_d) c : z != 0 -> form_over z c%:M = c.
Proof.
move=> z_neq0; rewrite /form_over mul_mx_scalar -scalemxAl [X in X / _]mxE.
by rewrite mulfK // star_square_neq0.
Qed.

(* Eq. 14. *)
Theorem quadratic_of_an_eigenvalue (R : rcfType) d (eta beta lambda : R[i]) (A C : 'M[R[i]]_d) (z : 'cV[R[i]]_d) :
  z != 0 ->
  let s := eta * beta + lambda in
  form_over z (lambda *: (eta *: C + s%:M) + A *m (eta *: A^T + s%:M)) =
  lambda ^+ 2 + (eta * beta + eta * form_over z C + form_over z A) * lambda +
  eta * (beta * form_over z A + form_over z (A *m A^T)).
Proof.
move=> z_neq0 s; rewrite mulmxDr mul_mx_scalar -scalemxAr.
rewrite !(form_overD, form_overZ, form_over1 _ z_neq0) /s.
by move: (form_over z (A *m A^T)) (form_over z A) (form_over z C) => m x c; ring.
Qed.

(* TDC++. *)
Theorem tdcpp_quadratic (R : rcfType) d (eta beta : R) (lambda : R[i]) (A C : 'M[R]_d) (z : 'cV[R[i]]_d) :
  let A' := to_complex A in let C' := to_complex (C + beta%:M) in
  star z *m (lambda *: (eta%:C *: C' + lambda%:M) + A' *m (eta%:C *: A'^T + lambda%:M)) *m z =
  lambda ^+ 2 *: (star z *m z) + lambda *: (star z *m (eta%:C *: C' + A') *m z) +
  eta%:C *: (star (A'^T *m z) *m (A'^T *m z)).
Proof.
move=> A' C'; have -> : star (A'^T *m z) = star z *m A' by rewrite star_mul /A' -star_real starK.
by move: A' C' (star z) => A' C' y; matrix_ring.
Qed.

Theorem tdcpp_sum_of_roots (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) (z : 'cV[R[i]]_d) :
  C^T = C ->
  let form := star z *m to_complex (eta *: (C + beta%:M) + A) *m z in
  star form + form = 2%:R *: (star z *m to_complex (eta *: (C + beta%:M) + 2%:R^-1 *: (A + A^T)) *m z).
Proof.
move=> C_sym form; have -> : star form = star z *m to_complex (eta *: (C + beta%:M) + A^T) *m z.
  rewrite /form !star_mul starK star_real /to_complex map_trmx trmxD trmxZ trmxD C_sym tr_scalar_mx.
  by rewrite mulmxA.
rewrite /form -mulmxDl -mulmxDr scalemxAl scalemxAr; congr (_ *m _ *m _); apply/matrixP => i j; rewrite !mxE.
move: (_ * (C i j + _)) (A i j) (A j i) => c x y; apply/eqP; rewrite -[2%:R]/(1 + 1) mulrDl mul1r eq_complex /=.
have half u v : 2%:R^-1 * (u + v) + 2%:R^-1 * (u + v) = u + v :> R.
  by rewrite -mulrDl -mulr2n -(mulr_natl _^-1) mulfV ?mul1r // pnatr_eq0.
by rewrite addr0 eqxx andbT addrACA [X in _ == X]addrACA half [y + x]addrC.
Qed.

(* Where C z = 0. *)
Theorem forms_vanish_with_C (R : rcfType) n d (gamma : R) (p rho : 'I_n -> R) (x x' : 'I_n -> 'cV[R]_d)
    (z : 'cV[R[i]]_d) :
  let C := \sum_i p i *: (x i *m (x i)^T) in
  let A := \sum_i p i *: (rho i *: (x i *m (x i - gamma *: x' i)^T)) in
  (forall i, 0 <= p i) -> to_complex C *m z = 0 ->
  star z *m to_complex A *m z = 0 /\ star z *m to_complex (A *m A^T) *m z = 0.
Proof.
move=> C A p_ge0 Cz0.
have zA0 : star z *m to_complex A = 0.
  apply: (@singular_C _ _ _ gamma p rho x x' (map_mx conjc z) p_ge0); rewrite -/C; apply: trmx_inj.
  rewrite trmx_mul trmx0 -/(star z) -/(to_complex C) -star_real -star_mul Cz0.
  by apply/matrixP => i j; rewrite !mxE conjc0.
by rewrite zA0 mul0mx /to_complex map_mxM mulmxA zA0 !mul0mx.
Qed.

Theorem box_1_off_range (R : rcfType) n d (eta beta lambda : R) (p : 'I_n -> R) (x y : 'I_n -> 'cV[R]_d)
    (w : 'cV[R]_d) (z : 'cV[R[i]]_d) :
  let C := \sum_i p i *: (x i *m (x i)^T) in
  let A := \sum_i p i *: (x i *m (y i)^T) in
  let s := eta * beta + lambda in
  (forall i, 0 <= p i) -> C *m w = 0 ->
  to_complex (w^T *m (lambda *: (eta *: C + s%:M) + A *m (eta *: A^T + s%:M))) *m z =
  (lambda * s)%:C *: (to_complex w^T *m z).
Proof.
move=> C A s p_ge0 Cw0; have wA0 : w^T *m A = 0 by exact: left_kernel p_ge0 Cw0.
have C_sym : C^T = C.
  by rewrite /C linear_sum; apply: eq_bigr => i _; rewrite /= trmxZ trmx_mul trmxK.
have wC0 : w^T *m C = 0 by rewrite -[C]C_sym -trmx_mul Cw0 trmx0.
rewrite mulmxDr mulmxA wA0 mul0mx addr0 -scalemxAr mulmxDr -scalemxAr wC0 scaler0 add0r mul_mx_scalar scalerA.
by rewrite /to_complex map_mxZ -scalemxAl.
Qed.

Theorem form_at_semisimple_zero (F : fieldType) d (beta : F) (A : 'M[F]_d) (h : 'cV[F]_d) :
  2%:R != 0 :> F ->
  h^T *m A *m (A + beta%:M)^T *m h = h^T *m (A *m A^T + beta *: (2%:R^-1 *: (A + A^T))) *m h.
Proof.
move=> two_neq0; have flip : h^T *m A^T *m h = h^T *m A *m h.
  have tr1 (u : 'M[F]_1) : u^T = u by apply/matrixP => i j; rewrite !ord1 mxE.
  by rewrite -[LHS]tr1 !trmx_mul !trmxK mulmxA.
matrix_expand; rewrite flip; matrix_products; apply/matrixP => i j; rewrite !mxE.
by congr (_ + _ * _); rewrite -mulr2n -[X in _ = _ * X]mulr_natl mulKf.
Qed.

From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz complex_forms lyapunov.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Definition hermitian_positive (R : rcfType) n (P : 'M[R[i]]_n) : Prop :=
  star P = P /\ forall z : 'cV[R[i]]_n, z != 0 -> 0 < (star z *m P *m z) 0 0.

Lemma square_gt0 (R : rcfType) (s : R[i]) : s != 0 -> 0 < conjc s * s.
Proof.
case: s => a b; rewrite eq_complex /= negb_and => ab_neq0; rewrite ltcE /=; apply/andP; split.
  by apply/eqP; ring.
have -> : a * a - - b * b = a ^+ 2 + b ^+ 2 by ring.
have square (x : R) : x != 0 -> 0 < x ^+ 2 by move=> x_neq0; rewrite exprn_even_gt0 //=.
by case/orP: ab_neq0 => /square pos; [exact: ltr_spaddl pos (sqr_ge0 _) | exact: ltr_spaddr pos (sqr_ge0 _)].
Qed.

Lemma starN (R : rcfType) m n (M : 'M[R[i]]_(m, n)) : star (- M) = - star M.
Proof. by apply/matrixP => i j; rewrite !mxE; case: (M j i). Qed.

Lemma star0 (R : rcfType) m n : star (0 : 'M[R[i]]_(m, n)) = 0.
Proof. by apply/matrixP => i j; rewrite !mxE conjc0. Qed.

Lemma star_eq0 (R : rcfType) m n (M : 'M[R[i]]_(m, n)) : (star M == 0) = (M == 0).
Proof. by apply/eqP/eqP => [M0|->]; [rewrite -[M]starK M0 star0 | rewrite star0]. Qed.

Lemma star_block (R : rcfType) m n (A : 'M[R[i]]_m) B C (D : 'M_n) :
  star (block_mx A B C D) = block_mx (star A) (star C) (star B) (star D).
Proof. by rewrite /star map_block_mx tr_block_mx. Qed.

Lemma star_inv (R : rcfType) n (Q : 'M[R[i]]_n) : Q \in unitmx -> star Q = Q -> star (invmx Q) = invmx Q.
Proof.
move=> unit Q_star; apply: (can_inj (mulmxK unit)); rewrite mulVmx // -{2}Q_star -star_mul mulmxV //.
by apply/matrixP => i j; rewrite !mxE conjc_nat eq_sym.
Qed.

Lemma hermitian_positive_unit (R : rcfType) n (P : 'M[R[i]]_n) : hermitian_positive P -> P \in unitmx.
Proof.
case=> _ P_pos; rewrite unitmxE unitfE; apply/det0P => -[v v_neq0 vP].
by have := P_pos (star v); rewrite star_eq0 starK vP mul0mx mxE ltxx => /(_ v_neq0).
Qed.

Lemma hermitian_positive_congruence (R : rcfType) n (P T : 'M[R[i]]_n) :
  T \in unitmx -> hermitian_positive P -> hermitian_positive (star T *m P *m T).
Proof.
move=> T_unit [P_star P_pos]; split; first by rewrite !star_mul starK P_star mulmxA.
move=> z z_neq0; have Tz_neq0 : T *m z != 0 by apply: contraNneq z_neq0 => Tz0; rewrite -(mulKmx T_unit z) Tz0 mulmx0.
by have := P_pos _ Tz_neq0; rewrite star_mul !mulmxA.
Qed.

(* By completing the square. *)
Lemma hermitian_positive_block (R : rcfType) n (Q : 'M[R[i]]_n) (g : 'cV_n) (k : R[i]) :
  hermitian_positive Q -> 0 < k -> 0 < k - (star g *m invmx Q *m g) 0 0 ->
  hermitian_positive (block_mx (k%:M : 'M_1) (- star g) (- g) Q).
Proof.
move=> Q_pos k_gt0 rest_gt0; have unit := hermitian_positive_unit Q_pos; have [Q_star Q_gt0] := Q_pos.
have N_star := star_inv unit Q_star; split.
  rewrite star_block !starN starK Q_star; congr block_mx; apply/matrixP => i j; rewrite !ord1 !mxE eqxx !mulr1n.
  by move: k_gt0; case: (k) => a b; rewrite ltcE /= => /andP[/eqP-> _]; rewrite oppr0.
move=> z; rewrite -[z]vsubmxK; move: (usubmx z) (dsubmx z) => s y {z}.
have -> : star (col_mx s y) = row_mx (star s) (star y) by rewrite /star map_col_mx tr_col_mx.
rewrite col_mx_eq0 mul_row_block mul_row_col.
pose y' := y - invmx Q *m g *m s; have := Q_gt0 y'.
have -> : (star s *m k%:M + star y *m - g) *m s + (star s *m - star g + star y *m Q) *m y =
    star y' *m Q *m y' + star s *m (k%:M - star g *m invmx Q *m g) *m s.
  rewrite /y' starD starN !star_mul N_star.
  have QN : Q *m invmx Q = 1%:M by rewrite mulmxV.
  have NQ : invmx Q *m Q = 1%:M by rewrite mulVmx.
  move: (invmx Q) (star s) (star y) (star g) QN NQ => N s' y'' g' QN NQ.
  have c1 (m : nat) (w : 'M[R[i]]_(m, n)) : w *m Q *m N = w by rewrite -mulmxA QN mulmx1.
  have c2 (m : nat) (w : 'M[R[i]]_(m, n)) : w *m N *m Q = w by rewrite -mulmxA NQ mulmx1.
  by matrix_expand; rewrite ?(c1, c2); matrix_ring.
have -> : star s *m (k%:M - star g *m invmx Q *m g) *m s =
    ((k - (star g *m invmx Q *m g) 0 0) * (conjc (s 0 0) * s 0 0))%:M.
  move: (star g *m _ *m g) => G; apply/matrixP => i j; rewrite !ord1 !mxE big_ord1 !mxE big_ord1 !mxE !mulr1n.
  by rewrite mulrAC [RHS]mulrC.
move=> y'_gt0 nonzero; rewrite mxE [X in _ + X]mxE mulr1n.
have y'_ge0 : 0 <= (star y' *m Q *m y') 0 0.
  by have [->|/y'_gt0/ltW//] := eqVneq y' 0; rewrite mulmx0 mxE.
have [s0|s_neq0] := eqVneq s 0; last first.
  apply: ltr_spaddr y'_ge0; apply: mulr_gt0 rest_gt0 _; apply: square_gt0.
  by apply: contraNneq s_neq0 => s00; apply/eqP/matrixP => i j; rewrite !ord1 s00 mxE.
have -> : s 0 0 = 0 by rewrite s0 mxE.
rewrite !mulr0 addr0; apply: y'_gt0; rewrite /y' s0 mulmx0 subr0.
by move: nonzero; rewrite s0 eqxx.
Qed.

Lemma eigenvalue_det (F : fieldType) n (M : 'M[F]_n) l : eigenvalue M l = (\det (M - l%:M) == 0).
Proof. by rewrite /eigenvalue /eigenspace kermx_eq0 row_free_unit unitmxE unitfE negbK. Qed.

(* An eigenvector as the first vector of a basis. *)
Lemma first_row (F : fieldType) n (M : 'M[F]_n.+1) (v : 'rV_n.+1) l :
  v != 0 -> v *m M = l *: v ->
  exists T : 'M_n.+1, T \in unitmx /\ (delta_mx 0 0 : 'rV_n.+1) *m (T *m M *m invmx T) = l *: delta_mx 0 0.
Proof.
move=> v_neq0 vM; exists (row_ebase v); have T_unit := row_ebase_unit v; split=> //.
have vE : v = col_ebase v *m (delta_mx 0 0 *m row_ebase v).
  rewrite -{1}(mulmx_ebase v) rank_rV v_neq0 -mulmxA; congr (_ *m (_ *m _)).
  by apply/matrixP => i j; rewrite !ord1 !mxE; case: j => -[|j].
have eE : delta_mx 0 0 *m row_ebase v = invmx (col_ebase v) *m v.
  by rewrite [X in _ = _ *m X]vE mulKmx // col_ebase_unit.
by rewrite !mulmxA eE -[_ *m v *m M]mulmxA vM -scalemxAr -eE -scalemxAl mulmxK.
Qed.

Lemma complex_lyapunov (R : rcfType) n (M : 'M[R[i]]_n) :
  (forall l, eigenvalue M l -> complex.Re l < 0) ->
  exists P, hermitian_positive P /\ hermitian_positive (- (star M *m P + P *m M)).
Proof.
elim: n M => [|n IH] M stable.
  by exists 0; split; split=> [|z]; rewrite ?[z]flatmx0 ?eqxx //; apply/matrixP => -[].
have [|l] := closed_rootP (char_poly M) _; first by rewrite size_char_poly.
rewrite -eigenvalue_root_char => l_eigen; have /eigenvalueP[v vM v_neq0] := l_eigen.
have [T [T_unit row0]] := first_row v_neq0 vM.
have [K K_def] : exists K : 'M_(1 + n), K = T *m M *m invmx T by exists (T *m M *m invmx T).
rewrite -K_def -rowE in row0.
have rowK j : K 0 j = l * (j == 0)%:R by have /rowP/(_ j) := row0; rewrite mxE => ->; rewrite !mxE eqxx.
pose r := dlsubmx K; pose M' := drsubmx K.
have KE : K = block_mx l%:M 0 r M'.
  have first : lshift n 0 = 0 :> 'I_(1 + n) by apply/val_inj.
  rewrite -[LHS]submxK; congr block_mx; apply/matrixP => i j; rewrite !mxE !ord1 first rowK ?mulr1 //.
  by rewrite mulr0.
have stable' t : eigenvalue M' t -> complex.Re t < 0.
  rewrite eigenvalue_det => /eqP det0; apply: stable; rewrite eigenvalue_det.
  have -> : \det (M - t%:M) = \det (K - t%:M).
    have -> : K - t%:M = T *m (M - t%:M) *m invmx T.
      by rewrite K_def mulmxBr mulmxBl mul_mx_scalar -scalemxAl mulmxV // scalemx1.
    by rewrite !det_mulmx mulrAC -det_mulmx mulmxV // det1 mul1r.
  rewrite KE (scalar_mx_block 1 n) opp_block_mx add_block_mx oppr0 addr0 det_lblock.
  by rewrite det0 mulr0.
have [P' [P'_pos Q'_pos]] := IH _ stable'; set Q' := - _ in Q'_pos.
have [P'_star _] := P'_pos; have [Q'_star Q'_gt0] := Q'_pos; have Q'_unit := hermitian_positive_unit Q'_pos.
pose g := P' *m r; pose rho := (star g *m invmx Q' *m g) 0 0.
have rho_ge0 : 0 <= rho.
  have -> : rho = (star (invmx Q' *m g) *m Q' *m (invmx Q' *m g)) 0 0.
    by rewrite /rho [star (invmx _ *m _)]star_mul star_inv // mulmxKV // -[star g *m _ *m g]mulmxA.
  by have [->|/Q'_gt0/ltW//] := eqVneq (invmx Q' *m g) 0; rewrite mulmx0 mxE.
have twice_gt0 : 0 < - (l + conjc l).
  have := stable l l_eigen; case: (l) => s t /= s_lt0; rewrite ltcE /= addrN oppr0 eqxx /= oppr_gt0.
  by rewrite -[0]addr0 ltr_add.
pose kappa := (1 + rho) / - (l + conjc l).
have one_rho_gt0 : 0 < 1 + rho := ltr_spaddl ltr01 rho_ge0.
have kappa_gt0 : 0 < kappa by rewrite divr_gt0.
pose P : 'M_(1 + n) := block_mx kappa%:M 0 0 P'.
have P_pos : hermitian_positive P.
  have := @hermitian_positive_block _ _ P' 0 kappa P'_pos kappa_gt0; rewrite star0 !oppr0; apply.
  by rewrite mulmx0 mxE subr0.
have K_pos : hermitian_positive (- (star K *m P + P *m K)).
  have -> : - (star K *m P + P *m K) = block_mx (1 + rho)%:M (- star g) (- g) Q'.
    rewrite KE /P star_block star0 !mulmx_block !(mul0mx, mulmx0, addr0, add0r) add_block_mx.
    rewrite !add0r ?addr0 opp_block_mx.
    rewrite /g star_mul P'_star; congr block_mx; apply/matrixP => i j.
    rewrite !ord1 !mxE !big_ord1 !mxE !eqxx !mulr1n.
    by rewrite [conjc l * _]mulrC -mulrDr [conjc l + l]addrC -mulrN /kappa divfK // gt_eqF.
  by apply: hermitian_positive_block Q'_pos one_rho_gt0 _; rewrite -/rho addrK ltr01.
have TM : T *m M = K *m T by rewrite K_def mulmxKV.
exists (star T *m P *m T); split; first exact: hermitian_positive_congruence.
have -> : star M *m (star T *m P *m T) + star T *m P *m T *m M = star T *m (star K *m P + P *m K) *m T.
  rewrite -[_ *m T *m M]mulmxA TM !mulmxA -star_mul TM star_mul.
  by rewrite mulmxDr mulmxDl !mulmxA.
by rewrite -mulNmx -mulmxN; apply: hermitian_positive_congruence.
Qed.

Lemma re_mull (R : rcfType) m n p (X : 'M[R]_(m, n)) (P : 'M[R[i]]_(n, p)) :
  map_mx (@complex.Re R) (to_complex X *m P) = X *m map_mx (@complex.Re R) P.
Proof.
apply/matrixP => i j; rewrite !mxE raddf_sum; apply: eq_bigr => k _; rewrite !mxE.
by case: (P k j) => s t /=; rewrite mul0r subr0.
Qed.

Lemma re_mulr (R : rcfType) m n p (P : 'M[R[i]]_(m, n)) (X : 'M[R]_(n, p)) :
  map_mx (@complex.Re R) (P *m to_complex X) = map_mx (@complex.Re R) P *m X.
Proof.
apply/matrixP => i j; rewrite !mxE raddf_sum; apply: eq_bigr => k _; rewrite !mxE.
by case: (P i k) => s t /=; rewrite mulr0 subr0.
Qed.

Lemma real_part_positive (R : rcfType) d (P : 'M[R[i]]_d) :
  hermitian_positive P -> positive_definite (map_mx (@complex.Re R) P).
Proof.
case=> _ P_pos z z_neq0; have z_neq0' : to_complex z != 0 by rewrite /to_complex map_mx_eq0.
have := P_pos _ z_neq0'; rewrite star_real ltcE => /andP[_]; congr (_ < _).
by rewrite -re_mull -re_mulr [RHS]mxE /to_complex map_trmx.
Qed.

(* E7: the u^T P u that falls along every solution exists for every Hurwitz matrix. *)
Theorem lyapunov_function_exists (R : rcfType) d (M : 'M[R]_d) :
  hurwitz M ->
  exists P : 'M[R]_d, [/\ P^T = P, positive_definite P & positive_definite (- (M^T *m P + P *m M))].
Proof.
move=> stable; have [P [P_pos Q_pos]] := complex_lyapunov stable; exists (map_mx (@complex.Re R) P).
split; last 2 first.
- exact: real_part_positive.
- have := real_part_positive Q_pos; rewrite star_real /to_complex map_trmx -/(to_complex _).
  by rewrite map_mxN map_mxD re_mull re_mulr.
apply/matrixP => i j; have [/matrixP/(_ i j) Pij _] := P_pos; rewrite !mxE -Pij !mxE.
by case: (P j i).
Qed.

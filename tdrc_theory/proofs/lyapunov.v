From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import definitions hurwitz hermitian_form pencil.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Lemma hermitian_parts (R : rcfType) d (l : R[i]) (M : 'M[R]_d) :
  eigenvalue (map_mx (real_complex R) M) l ->
  exists a b : 'rV[R]_d, [/\ row_of a b != 0, a *m M^T = complex.Re l *: a - complex.Im l *: b
    & b *m M^T = complex.Re l *: b + complex.Im l *: a].
Proof.
rewrite /eigenvalue /eigenspace kermx_eq0 row_free_unit unitmxE unitfE negbK -det_tr trmxD trmxN tr_scalar_mx map_trmx.
case/det0P => v v_neq0; rewrite mulmxBr mul_mx_scalar => /eqP; rewrite subr_eq0 => /eqP vM.
exists (map_mx (@complex.Re R) v), (map_mx (@complex.Im R) v); split; first by rewrite -every_row.
  rewrite -(row_parts v _).1 vM; apply/rowP => j; rewrite !mxE.
  by case: l {vM} => s t; case: (v 0 j).
rewrite -(row_parts v _).2 vM; apply/rowP => j; rewrite !mxE.
by case: l {vM} => s t; case: (v 0 j).
Qed.

(* u^T P u falls along every solution of u' = M u. *)
Theorem lyapunov (R : rcfType) d (M P : 'M[R]_d) :
  positive_definite P -> positive_definite (- (M^T *m P + P *m M)) -> hurwitz M.
Proof.
move=> P_pos Q_pos l /hermitian_parts[a [b [ab_neq0 aM bM]]].
have P_gt0 := form_re_gt0 P_pos ab_neq0; have := form_re_gt0 Q_pos ab_neq0.
have -> : form_re a b (- (M^T *m P + P *m M)) = - (2%:R * complex.Re l * form_re a b P).
  have right (v : 'rV[R]_d) : M *m v^T = (v *m M^T)^T by rewrite trmx_mul trmxK.
  rewrite /form_re !(mulmxN, mulNmx, mulmxDr, mulmxDl) !mulmxA aM bM -![_ *m P *m M *m _]mulmxA !right aM bM.
  matrix_expand; matrix_products; rewrite !mxE.
  repeat match goal with |- context [@fun_of_matrix ?T ?m ?n ?M ?i ?j] =>
    let x := fresh in move: (@fun_of_matrix T m n M i j) => x end.
  by ring.
by rewrite oppr_gt0 -mulrA pmulr_rlt0 ?ltr0n // pmulr_llt0.
Qed.

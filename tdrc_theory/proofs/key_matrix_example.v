From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions substochastic emphatic_td.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A 2 x 2 matrix by its entries. *)
Definition matrix_2 (R : ringType) (a b c d : R) : 'M[R]_2 :=
  \matrix_(i, j) if i == 0 then if j == 0 then a else b else if j == 0 then c else d.

Lemma matrix_2_mul (R : ringType) (a b c d a' b' c' d' : R) :
  matrix_2 a b c d *m matrix_2 a' b' c' d' =
  matrix_2 (a * a' + b * c') (a * b' + b * d') (c * a' + d * c') (c * b' + d * d').
Proof. by apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE addr0; do 2?case: ifP. Qed.

Lemma diag_2 (R : ringType) (v : 'rV[R]_2) : diag_mx v = matrix_2 (v 0 0) 0 0 (v 0 1).
Proof.
apply/matrixP => i j; rewrite !mxE; case: i => [[|[|//]] i_lt]; case: j => [[|[|//]] j_lt];
  rewrite /= ?mulr1n ?mulr0n //; by congr (v _ _); apply/val_inj.
Qed.

Lemma one_2 (R : ringType) : 1%:M = matrix_2 1 0 0 1 :> 'M[R]_2.
Proof. by apply/matrixP => i j; rewrite !mxE; case: i => [[|[|//]] i_lt]; case: j => [[|[|//]] j_lt]. Qed.

Lemma key_matrix_without_lambda (F : fieldType) n (P N : 'M[F]_n) (gamma : 'rV[F]_n) (i : 'cV[F]_n) :
  (1%:M - P_gamma P gamma) *m N = 1%:M ->
  key_matrix P gamma 0 i = diag_mx (i^T *m N) *m (1%:M - P_gamma P gamma).
Proof.
move=> DN; have [D_unit _] := mulmx1_unit DN; have zero : diag_mx 0 = 0 :> 'M[F]_n by rewrite linear0.
have PE : P_lambda P gamma 0 = P_gamma P gamma.
  by rewrite /P_lambda /P_gamma_lambda zero mulmx0 !subr0 invmx1 mul1mx mulmx1.
rewrite /key_matrix /weighted PE -(invmx_tr_row i D_unit) -[in RHS]mulmxA DN mulmx1.
by rewrite /emphasis PE.
Qed.

(* theta -> 2 theta, with gamma = 9/10 and d = (1/2, 1/2): the key matrix that section 4 gives. *)
Theorem key_matrix_of_theta_2theta :
  let P : 'M[rat]_2 := matrix_2 0 1 0 1 in let gamma : 'rV[rat]_2 := const_mx (9%:R / 10%:R) in
  ending P gamma 0 /\
  key_matrix P gamma 0 (const_mx 2%:R^-1) = matrix_2 (1 / 2%:R) (- 9%:R / 20%:R) 0 (19%:R / 20%:R).
Proof.
move=> P gamma.
have DE : 1%:M - P_gamma P gamma = matrix_2 1 (- (9%:R / 10%:R)) 0 (1 - 9%:R / 10%:R).
  rewrite /P_gamma diag_2 matrix_2_mul !mxE one_2; apply/matrixP => i j; rewrite !mxE.
  by do 2?case: ifP => _; apply/eqP.
have DN : (1%:M - P_gamma P gamma) *m matrix_2 1 9%:R 0 10%:R = 1%:M.
  by rewrite DE matrix_2_mul one_2; congr matrix_2; apply/eqP.
split; last first.
  rewrite (key_matrix_without_lambda _ DN) DE diag_2 matrix_2_mul.
  by congr matrix_2; rewrite !mxE !big_ord_recl big_ord0 !mxE; apply/eqP.
have [D_unit _] := mulmx1_unit DN; split=> // [|s|s]; [|by rewrite mxE|by rewrite mxE].
split=> [s t|s]; first by rewrite mxE; do 2?case: ifP.
by rewrite !big_ord_recl big_ord0 !mxE; do 2?case: ifP.
Qed.

(* A row sum is not positive where gamma is 1 in each next state. *)
Theorem key_matrix_row_sum_0 :
  let P : 'M[rat]_2 := matrix_2 0 1 1 0 in let gamma : 'rV[rat]_2 := \row_s if s == 0 then 0 else 1 in
  ending P gamma 0 /\ \sum_t key_matrix P gamma 0 (const_mx 1) 0 t = 0.
Proof.
move=> P gamma.
have DE : 1%:M - P_gamma P gamma = matrix_2 1 (- 1) 0 1.
  rewrite /P_gamma diag_2 matrix_2_mul !mxE one_2; apply/matrixP => i j; rewrite !mxE.
  by do 2?case: ifP => _; apply/eqP.
have DN : (1%:M - P_gamma P gamma) *m matrix_2 1 1 0 1 = 1%:M.
  by rewrite DE matrix_2_mul one_2; congr matrix_2; apply/eqP.
split; last first.
  rewrite (key_matrix_without_lambda _ DN) DE diag_2 matrix_2_mul !big_ord_recl big_ord0 !mxE /=.
  by rewrite !(mulr1, mulr0, mul0r, addr0, add0r, mulrN) subrr.
have [D_unit _] := mulmx1_unit DN; split=> // [|s|s]; [|by rewrite mxE; case: ifP|by rewrite mxE].
split=> [s t|s]; first by rewrite mxE; do 2?case: ifP.
by rewrite !big_ord_recl big_ord0 !mxE; do 2?case: ifP.
Qed.

From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions mspbe pencil.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The gradient of a function f that is quadratic is the g with f(w + v) = f(w) + g^T v + (what is quadratic in v). *)

Lemma flip (R : comRingType) d (M : 'M[R]_d) (v w : 'cV[R]_d) : v^T *m M *m w = w^T *m M^T *m v.
Proof.
have tr1 (x : 'M[R]_1) : x^T = x by apply/matrixP => i j; rewrite !ord1 mxE.
by rewrite -[LHS]tr1 !trmx_mul trmxK mulmxA.
Qed.

Lemma flip1 (R : comRingType) d (v w : 'cV[R]_d) : v^T *m w = w^T *m v.
Proof. by have := flip 1%:M v w; rewrite trmx1 !mulmx1. Qed.

(* Closes an equality of matrices of one entry. *)
Ltac number_field :=
  matrix_products; apply/matrixP => ? ?; rewrite !mxE;
  repeat match goal with |- context [@fun_of_matrix ?T ?m ?n ?M ?i ?j] =>
    let x := fresh in move: (@fun_of_matrix T m n M i j) => x end;
  field.

Theorem regulariser_gradient (F : fieldType) d (beta : F) (h v : 'cV[F]_d) :
  2%:R != 0 :> F ->
  (- 2%:R^-1) *: (beta *: ((h + v)^T *m (h + v))) =
  (- 2%:R^-1) *: (beta *: (h^T *m h)) + (- (beta *: h))^T *m v + (- 2%:R^-1) *: (beta *: (v^T *m v)).
Proof. by move=> two_neq0; matrix_expand; rewrite (flip1 v h); number_field. Qed.

Theorem ridge_gradient (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w h v : 'cV[F]_d) :
  2%:R != 0 :> F -> C^T = C ->
  let f (h : 'cV[F]_d) := h^T *m C *m h - 2%:R *: (h^T *m (b - A *m w)) + beta *: (h^T *m h) in
  (- 2%:R^-1) *: f (h + v) =
  (- 2%:R^-1) *: f h + (b - A *m w - (C + beta%:M) *m h)^T *m v +
  (- 2%:R^-1) *: (v^T *m C *m v + beta *: (v^T *m v)).
Proof.
move=> two_neq0 C_sym f; rewrite /f; move: (b - A *m w) => e; matrix_expand.
by rewrite (flip C v h) C_sym (flip1 v h) (flip1 v e); number_field.
Qed.

(* The only candidate for an objective of TD; H is the symmetric part of A. *)
Theorem td_potential_gradient (F : fieldType) d (A : 'M[F]_d) (b w v : 'cV[F]_d) :
  2%:R != 0 :> F ->
  let f (w : 'cV[F]_d) := 2%:R^-1 *: (w^T *m A *m w) - b^T *m w in
  f (w + v) = f w + (2%:R^-1 *: (A + A^T) *m w - b)^T *m v + 2%:R^-1 *: (v^T *m A *m v).
Proof. by move=> two_neq0 f; rewrite /f; matrix_expand; rewrite (flip A v w); number_field. Qed.

Theorem tdcpp_gradient (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w v : 'cV[F]_d) :
  2%:R != 0 :> F -> C^T = C ->
  let N := invmx (C + beta%:M) in
  (- 2%:R^-1) *: mspbe A N b (w + v) =
  (- 2%:R^-1) *: mspbe A N b w + (A^T *m N *m (b - A *m w))^T *m v + (- 2%:R^-1) *: ((A *m v)^T *m N *m (A *m v)).
Proof.
move=> two_neq0 C_sym N; have N_sym : N^T = N by rewrite trmx_inv trmxD C_sym tr_scalar_mx.
rewrite mspbe_gradient ?trmxD ?C_sym ?tr_scalar_mx // -/N; move: (mspbe _ _ _ _) (A^T *m N *m _) => c g.
by matrix_expand; number_field.
Qed.

(* Along w' = u with u = M w + b. *)
Theorem lyapunov_derivative (F : fieldType) d (M : 'M[F]_d) (b w v : 'cV[F]_d) :
  2%:R != 0 :> F ->
  let u (w : 'cV[F]_d) := M *m w + b in let f w := 2%:R^-1 *: ((u w)^T *m u w) in let g := M^T *m u w in
  f (w + v) = f w + g^T *m v + 2%:R^-1 *: ((M *m v)^T *m (M *m v)) /\ g^T *m u w = (u w)^T *m M *m u w.
Proof.
move=> two_neq0 u f g; split; last by rewrite /g trmx_mul trmxK.
have uD : u (w + v) = u w + M *m v by rewrite /u mulmxDr addrAC.
rewrite /f uD /g; move: (u w) => y; matrix_expand.
by rewrite -[v^T *m M^T *m y](flip M y v); number_field.
Qed.

Lemma solution_form (F : fieldType) d (C : 'M[F]_d) (u : 'cV[F]_d) :
  C^T = C -> C \in unitmx -> u^T *m invmx C *m u = (invmx C *m u)^T *m C *m (invmx C *m u).
Proof. by move=> C_sym unit; rewrite trmx_mul trmx_inv C_sym -!mulmxA [C *m _]mulKVmx. Qed.

Theorem minimum_is_td_fixed_point (R : rcfType) d (A C : 'M[R]_d) (b w h : 'cV[R]_d) :
  C^T = C -> positive_semidefinite C -> C \in unitmx -> A *m h = b ->
  (A^T *m invmx C *m (b - A *m w) = 0 <-> A *m w = b).
Proof.
move=> C_sym C_ge0 unit <-; have C_pos := b_c_positive C_sym C_ge0 unit.
split=> [gradient0|->]; last by rewrite subrr mulmx0.
have root : (A *m (h - w))^T *m invmx C *m (A *m (h - w)) = 0.
  transitivity ((h - w)^T *m (A^T *m invmx C *m (A *m h - A *m w))); last by rewrite gradient0 mulmx0.
  by rewrite -mulmxBr trmx_mul !mulmxA.
apply/eqP; rewrite eq_sym -subr_eq0 -mulmxBr -[A *m _](mulKVmx unit); apply: contraT => neq0.
have y_neq0 : invmx C *m (A *m (h - w)) != 0 by apply: contraNneq neq0 => ->; rewrite mulmx0.
by have := C_pos _ y_neq0; rewrite -solution_form // root mxE ltxx.
Qed.

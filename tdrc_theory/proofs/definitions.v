From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* G of TDRC: the expected update is rho' = G rho + g, with h above w in rho. *)
Definition tdrc_G (R : comRingType) d (eta beta : R) (A C : 'M[R]_d) : 'M_(d + d) :=
  block_mx (- (eta *: (C + beta%:M))) (- (eta *: A))
           (A^T - C)                  (- A).

Definition tdrc_g (R : comRingType) d (eta : R) (b : 'cV[R]_d) : 'cV_(d + d) := col_mx (eta *: b) b.

Definition positive_definite (R : numDomainType) d (M : 'M[R]_d) : Prop :=
  forall z : 'cV[R]_d, z != 0 -> 0 < (z^T *m M *m z) 0 0.

Definition positive_semidefinite (R : numDomainType) d (M : 'M[R]_d) : Prop :=
  forall z : 'cV[R]_d, 0 <= (z^T *m M *m z) 0 0.

(* Closes an equality of matrices that holds entry by entry. *)
Ltac by_entries :=
  apply/matrixP; let i := fresh in let j := fresh in intros i j;
  rewrite !mxE; try case: (i == j); rewrite /= ?mulr1n ?mulr0n; ring.

Lemma trmxD (R : ringType) m n (M N : 'M[R]_(m, n)) : (M + N)^T = M^T + N^T.
Proof. exact: linearD. Qed.

Lemma trmxN (R : ringType) m n (M : 'M[R]_(m, n)) : (- M)^T = - M^T.
Proof. exact: linearN. Qed.

Lemma trmxZ (R : ringType) m n c (M : 'M[R]_(m, n)) : (c *: M)^T = c *: M^T.
Proof. exact: linearZ. Qed.

(* Multiplies out sums of matrices of any shapes. Transposes of symmetric matrices have to be rewritten before. *)
Ltac matrix_expand :=
  rewrite ?(trmxD, trmxN, trmxZ, trmx_mul, trmxK, tr_scalar_mx, trmx1);
  rewrite ?(mulmxDl, mulmxDr, mulmxN, mulNmx, mul_scalar_mx, mul_mx_scalar, mulmx1, mul1mx, mulmx0, mul0mx,
            =^~ scalemxAl, =^~ scalemxAr) ?mulmxA.

(* Takes each product for a matrix of its own. *)
Ltac matrix_products :=
  repeat match goal with |- context [@mulmx ?R ?m ?n ?p ?A ?B] => let X := fresh in move: (@mulmx R m n p A B) => X end.

(* Closes an equality in the algebra of matrices. *)
Ltac matrix_ring := matrix_expand; matrix_products; by_entries.

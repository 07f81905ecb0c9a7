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

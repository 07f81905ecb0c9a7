From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Theorem 3.1's note says that -lambda_max(H^-1 A A^T) > 0 unless A is positive definite; here it is at most -1. *)
Theorem printed_beta_bound_can_be_negative :
  exists A : 'M[rat]_2,
    let H := 2%:R^-1 *: (A + A^T) in
    [/\ A \in unitmx, H \in unitmx,
        exists z : 'cV[rat]_2, (z^T *m A *m z) 0 0 < 0
      & eigenvalue (invmx H *m (A *m A^T)) 1].
Proof.
pose A : 'M[rat]_2 := diag_mx (\row_i (if i == 0 then 1 else - 1)).
have AA : A *m A = 1%:M.
  by rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP=> i; rewrite !mxE; case: ifP.
have [A_unit _] := mulmx1_unit AA.
exists A => H; have -> : H = A.
  by rewrite /H tr_diag_mx -mulr2n -scaler_nat scalerA mulVf ?scale1r.
split=> //.
  exists (delta_mx 1 0); rewrite trmx_delta -rowE -colE.
  by rewrite !mxE.
rewrite tr_diag_mx mulKmx //; apply/eigenvalueP; exists (delta_mx 0 0).
  rewrite -rowE row_diag_mx !mxE /= !scale1r.
  by [].
by apply/eqP => /rowP/(_ 0); rewrite !mxE.
Qed.

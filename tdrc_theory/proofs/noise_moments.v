From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions expectations.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Appendix, noise bound: x = 2^n before the end of an episode, with probability 7/8^n, n = 1, 2, ... The mean of x^2
   is finite; that of the squared update of h, at h = 1, w = 0, without rewards and with beta = 0, is not. *)
Theorem second_moments_do_not_bound_the_noise (R : archiFieldType) (gamma : R) :
  let p n := 7%:R / 8%:R ^+ n.+1 in let x n : 'cV[R]_1 := (2%:R ^+ n.+1)%:M in
  let update n := tdrc_step_h gamma 0 1 0 (x n) 0 1%:M 0 in
  [/\ forall N, \sum_(n < N) p n = 1 - (8%:R ^+ N)^-1,
      forall N, \sum_(n < N) p n * ((x n)^T *m x n) 0 0 <= 7%:R
    & forall bound, exists N, bound < \sum_(n < N) p n * ((update n)^T *m update n) 0 0].
Proof.
move=> p x update.
have power n m : (n.+1%:R : R) ^+ m != 0 by rewrite expf_neq0 // pnatr_eq0.
have product a b n : (a * b)%:R ^+ n = a%:R ^+ n * b%:R ^+ n :> R by rewrite natrM exprMn.
have form n : ((x n)^T *m x n) 0 0 = 2%:R ^+ n.+1 * 2%:R ^+ n.+1.
  by rewrite tr_scalar_mx -scalar_mxM mxE eqxx mulr1n.
have updateE n : update n = (- (2%:R ^+ n.+1 * 2%:R ^+ n.+1))%:M.
  rewrite /update /tdrc_step_h /td_error trmx0 !mul0mx !mulmx0 !scaler0 scale0r.
  by rewrite raddf0 !(subr0, addr0) mulmx0 scaler0 sub0r mulmx1 tr_scalar_mx -scalar_mxM raddfN.
split=> [N|N|bound].
- elim: N => [|N IH]; first by rewrite big_ord0 expr0 invr1 subrr.
  rewrite big_ord_recr /= IH /p exprS; move: (power 7%N N); move: (_ ^+ N) => e e_neq0; by field.
- have -> : \sum_(n < N) p n * ((x n)^T *m x n) 0 0 = 7%:R - 7%:R / 2%:R ^+ N.
    elim: N => [|N IH]; first by rewrite big_ord0 expr0 divr1 subrr.
    rewrite big_ord_recr /= IH form /p (product 4%N 2%N) (product 2%N 2%N) !exprS.
    by move: (power 1%N N); move: (_ ^+ N) => e e_neq0; field.
  by rewrite ler_subl_addr ler_addl divr_ge0 ?exprn_ge0 ?ler0n.
- exists (Num.bound `|bound|); set N := Num.bound _.
  have -> : \sum_(n < N) p n * ((update n)^T *m update n) 0 0 = 14%:R * (2%:R ^+ N - 1).
    elim: N => [|N IH]; first by rewrite big_ord0 expr0 subrr mulr0.
    rewrite big_ord_recr /= IH updateE tr_scalar_mx -scalar_mxM mxE eqxx mulr1n.
    rewrite /p (product 4%N 2%N) (product 2%N 2%N) !exprS.
    by move: (power 1%N N); move: (_ ^+ N) => e e_neq0; field.
  apply: (le_lt_trans (ler_norm bound)); apply: (lt_le_trans (archi_boundP (normr_ge0 bound))).
  have N_lt : (N.+1%:R : R) <= 2%:R ^+ N by rewrite -natrX ler_nat ltn_expl.
  have N_le : (N%:R : R) <= 2%:R ^+ N - 1 by rewrite ler_subr_addr -[1]/(1%:R) -natrD addn1.
  by apply: (le_trans N_le); rewrite ler_pemull ?ler1n // (le_trans (ler0n R N)).
Qed.

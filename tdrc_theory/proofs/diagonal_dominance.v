From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions substochastic.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition off_diagonal_nonpositive (R : numDomainType) n (K : 'M[R]_n) : Prop := forall s t, s != t -> K s t <= 0.

Lemma form_by_differences (R : comRingType) n (K : 'M[R]_n) (z : 'cV[R]_n) :
  2%:R * (z^T *m K *m z) 0 0 =
  \sum_s (\sum_t K s t + \sum_t K t s) * z s 0 ^+ 2 + \sum_s \sum_t - K s t * (z s 0 - z t 0) ^+ 2.
Proof.
have form : (z^T *m K *m z) 0 0 = \sum_s \sum_t K s t * (z s 0 * z t 0).
  rewrite mxE exchange_big /=; apply: eq_bigr => t _; rewrite mxE mulr_suml.
  by apply: eq_bigr => s _; rewrite mxE mulrAC mulrC.
have columns : \sum_s (\sum_t K t s) * z s 0 ^+ 2 = \sum_s \sum_t K s t * z t 0 ^+ 2.
  by rewrite [RHS]exchange_big; apply: eq_bigr => s _; rewrite mulr_suml.
rewrite form; under [X in _ = X + _]eq_bigr do rewrite mulrDl mulr_suml.
rewrite big_split columns /= -!big_split mulr_sumr; apply: eq_bigr => s _ /=.
by rewrite -!big_split mulr_sumr; apply: eq_bigr => t _ /=; ring.
Qed.

(* No bound on a single row or column is needed, only on the sum of both. *)
Theorem positive_definite_by_sums (R : realFieldType) n (K : 'M[R]_n) :
  off_diagonal_nonpositive K -> (forall s, 0 < \sum_t K s t + \sum_t K t s) -> positive_definite K.
Proof.
move=> K_le0 sums_gt0 z z_neq0; rewrite -(pmulr_rgt0 _ (ltr0n _ 2)) form_by_differences.
have differences_ge0 : 0 <= \sum_s \sum_t - K s t * (z s 0 - z t 0) ^+ 2.
  apply: sumr_ge0 => s _; apply: sumr_ge0 => t _; have [->|st] := eqVneq s t; first by rewrite subrr expr0n mulr0.
  by rewrite mulr_ge0 ?sqr_ge0 // oppr_ge0 K_le0.
rewrite ltr_spaddl // lt_def sumr_ge0 ?andbT => [|s _]; last by rewrite mulr_ge0 ?sqr_ge0 // ltW.
rewrite psumr_eq0 => [|s _]; last by rewrite mulr_ge0 ?sqr_ge0 // ltW.
apply: contra z_neq0 => /allP z0; apply/eqP/colP => s; rewrite mxE; apply/eqP.
by have := z0 s (mem_index_enum s); rewrite /= mulf_eq0 (gt_eqF (sums_gt0 s)) sqrf_eq0.
Qed.

Theorem strictly_diagonally_dominant (R : realFieldType) n (K : 'M[R]_n) :
  off_diagonal_nonpositive K -> (forall s, 0 < \sum_t K s t + \sum_t K t s) ->
  forall s, \sum_(t | t != s) `|(K + K^T) s t| < (K + K^T) s s.
Proof.
move=> K_le0 sums_gt0 s; have -> : \sum_(t | t != s) `|(K + K^T) s t| = \sum_(t | t != s) - (K + K^T) s t.
  apply: eq_bigr => t ts; rewrite ler0_norm // !mxE -[0]addr0 ler_add // K_le0 //.
  by rewrite eq_sym.
have : 0 < \sum_t (K + K^T) s t.
  by under eq_bigr do rewrite !mxE; rewrite big_split /= sums_gt0.
by rewrite (bigD1 s) //= => sum_gt0; rewrite sumrN -subr_gt0 opprK.
Qed.

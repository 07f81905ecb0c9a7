From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition nonnegative (R : numDomainType) m n (M : 'M[R]_(m, n)) : Prop := forall i j, 0 <= M i j.

(* Row sums are at most 1: transitions that may end, or that are discounted. *)
Definition substochastic (R : numDomainType) n (Q : 'M[R]_n) : Prop :=
  nonnegative Q /\ forall s, \sum_t Q s t <= 1.

Lemma nonnegative_mul (R : numDomainType) m n p (M : 'M[R]_(m, n)) (N : 'M[R]_(n, p)) :
  nonnegative M -> nonnegative N -> nonnegative (M *m N).
Proof. by move=> M_ge0 N_ge0 i j; rewrite mxE sumr_ge0 // => k _; rewrite mulr_ge0. Qed.

(* What is at most its own image under Q^T is 0: in sum nothing is lost, so each inequality is an equality. *)
Lemma subsolution_eq0 (R : realFieldType) n (Q : 'M[R]_n) (w : 'rV[R]_n) :
  substochastic Q -> 1%:M - Q \in unitmx -> nonnegative w -> (forall t, w 0 t <= (w *m Q) 0 t) -> w = 0.
Proof.
move=> [Q_ge0 Q_le1] Q_unit w_ge0 w_le.
have gain_ge0 t : true -> 0 <= (w *m Q) 0 t - w 0 t by rewrite subr_ge0 w_le.
have /eqP : \sum_t ((w *m Q) 0 t - w 0 t) = 0.
  apply/eqP; rewrite eq_le sumr_ge0 // andbT sumrB subr_le0.
  under eq_bigr do rewrite mxE.
  rewrite exchange_big /=; apply: ler_sum => s _.
  by rewrite -mulr_sumr ler_pimulr.
rewrite psumr_eq0 // => /allP same.
have : w *m (1%:M - Q) = 0.
  apply/rowP => t; have := same t (mem_index_enum t); rewrite mulmxBr mulmx1 !mxE /= subr_eq0 => /eqP->.
  by rewrite subrr.
by move/(congr1 (fun M => M *m invmx (1%:M - Q))); rewrite mulmxK // mul0mx.
Qed.

Lemma smaller_nonsingular (R : realFieldType) n (B Q : 'M[R]_n) :
  substochastic Q -> 1%:M - Q \in unitmx -> nonnegative B -> nonnegative (Q - B) -> 1%:M - B \in unitmx.
Proof.
move=> Q_sub Q_unit B_ge0 B_le; rewrite unitmxE unitfE; apply/det0P => -[v v_neq0 vB].
case/negP: v_neq0; have vE : v = v *m B by apply/eqP; rewrite -subr_eq0 -[v in v - _]mulmx1 -mulmxBr vB.
have /rowP v0 : map_mx Num.norm v = 0.
  apply: (subsolution_eq0 Q_sub Q_unit) => [i j|t]; first by rewrite mxE normr_ge0.
  rewrite mxE [in X in X <= _]vE !mxE; apply: le_trans (ler_norm_sum _ _ _) _.
  apply: ler_sum => s _; rewrite mxE normrM ler_wpmul2l //.
  by rewrite ger0_norm // -subr_ge0; have := B_le s t; rewrite !mxE.
by apply/eqP/rowP => j; have := v0 j; rewrite !mxE => /eqP; rewrite normr_eq0 => /eqP.
Qed.

Lemma nonnegative_row_solution (R : realFieldType) n (Q : 'M[R]_n) (f : 'rV[R]_n) :
  substochastic Q -> 1%:M - Q \in unitmx -> nonnegative (f *m (1%:M - Q)) -> nonnegative f.
Proof.
move=> Q_sub Q_unit v_ge0 i j; rewrite ord1 {i}; have [Q_ge0 _] := Q_sub.
pose w := \row_t Num.max (- f 0 t) 0.
have w_ge0 : nonnegative w by move=> s t; rewrite mxE le_maxr lexx orbT.
have /rowP/(_ j) : w = 0.
  apply: (subsolution_eq0 Q_sub Q_unit) => // t; rewrite mxE le_maxl; apply/andP; split; last exact: nonnegative_mul.
  have := v_ge0 0 t; rewrite mulmxBr mulmx1 mxE [X in _ + X]mxE subr_ge0 -ler_opp2 => /le_trans; apply.
  by rewrite !mxE -sumrN; apply: ler_sum => s _; rewrite mxE -mulNr ler_wpmul2r // le_maxr lexx.
by rewrite !mxE => f_max; rewrite -oppr_le0 -f_max le_maxr lexx.
Qed.

(* I - Q is an M-matrix. *)
Theorem nonnegative_inverse (R : realFieldType) n (Q : 'M[R]_n) :
  substochastic Q -> 1%:M - Q \in unitmx -> nonnegative (invmx (1%:M - Q)).
Proof.
move=> Q_sub Q_unit i j; have row_ge0 : nonnegative (row i (invmx (1%:M - Q))).
  by apply: (nonnegative_row_solution Q_sub Q_unit) => s t; rewrite rowE mulmxKV // !mxE ler0n.
by have := row_ge0 0 j; rewrite mxE.
Qed.

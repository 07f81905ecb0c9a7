From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions bilinear.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Samples k = 0, ..., K-1 of probabilities p, drawn independently: the average of F over all lists of n of them, and
   the weights after the updates of a list, first sample first. *)
Definition average (R : ringType) K (p : 'I_K -> R) (n : nat) (F : seq 'I_K -> R) : R :=
  iter n (fun E F => \sum_k p k * E (fun ks => F (k :: ks))) (fun F => F [::]) F.
Definition after_updates (V : Type) K (update : 'I_K -> V -> V) (ks : seq 'I_K) (v : V) : V :=
  foldl (fun v k => update k v) v ks.
Definition square_norm (R : ringType) n (v : 'cV[R]_n) : R := (v^T *m v) 0 0.

Section Averages.

Variables (R : realFieldType) (K : nat) (p : 'I_K -> R).
Hypothesis p_ge0 : forall k, 0 <= p k.
Hypothesis p_sum : \sum_k p k = 1.

Lemma averageS n F : average p n.+1 F = \sum_k p k * average p n (fun ks => F (k :: ks)).
Proof. by []. Qed.

Lemma average_le n F F' : (forall ks, F ks <= F' ks) -> average p n F <= average p n F'.
Proof.
elim: n F F' => [|n IH] F F' FF'; first exact: FF'.
by rewrite !averageS; apply: ler_sum => k _; rewrite ler_wpmul2l // IH.
Qed.

Lemma average_affine n a b F : average p n (fun ks => a * F ks + b) = a * average p n F + b.
Proof.
elim: n F => [|n IH] F //; rewrite !averageS mulr_sumr -[b in RHS]mul1r -p_sum mulr_suml -big_split /=.
by apply: eq_bigr => k _; rewrite (IH (fun ks => F (k :: ks))) mulrDr mulrCA.
Qed.

(* A function that falls by a factor in the mean, up to a constant. *)
Lemma average_falls (V : Type) (update : 'I_K -> V -> V) (f : V -> R) (r c : R) : 0 <= r < 1 -> 0 <= c ->
  (forall v, \sum_k p k * f (update k v) <= r * f v + c) ->
  forall n v, average p n (fun ks => f (after_updates update ks v)) <= r ^+ n * f v + c / (1 - r).
Proof.
move=> /andP[r_ge0 r_lt1] c_ge0 falls n v; have r'_gt0 : 0 < 1 - r by rewrite subr_gt0.
suff {v} : forall v,
    average p n (fun ks => f (after_updates update ks v)) <= r ^+ n * f v + c * (1 - r ^+ n) / (1 - r).
  move=> /(_ v)/le_trans; apply; rewrite ler_add2l ler_wpmul2r ?invr_ge0 ?(ltW r'_gt0) //.
  by rewrite ler_pimulr // ler_subl_addr ler_addl exprn_ge0.
elim: n => [|n IH] v; first by rewrite !expr0 mul1r subrr mulr0 mul0r addr0.
have -> : r ^+ n.+1 * f v + c * (1 - r ^+ n.+1) / (1 - r) = r ^+ n * (r * f v + c) + c * (1 - r ^+ n) / (1 - r).
  by rewrite exprS; field; rewrite lt0r_neq0.
move: (c * _ / _) IH => d IH; apply: (@le_trans _ _ (r ^+ n * (\sum_k p k * f (update k v)) + d)).
  rewrite averageS mulr_sumr -[d]mul1r -p_sum mulr_suml -big_split /=; apply: ler_sum => k _.
  by rewrite mulrCA -mulrDr ler_wpmul2l // p_sum mul1r.
by rewrite ler_add2r ler_wpmul2l ?exprn_ge0.
Qed.

End Averages.

Section Forms.

Variables (R : realFieldType) (n : nat).
Implicit Types (P : 'M[R]_n) (x y : 'cV[R]_n).

Lemma square_normE x : square_norm x = \sum_i x i 0 ^+ 2.
Proof. by rewrite /square_norm mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.

Lemma square_norm_ge0 x : 0 <= square_norm x.
Proof. by rewrite square_normE sumr_ge0 // => i _; exact: sqr_ge0. Qed.

Lemma ge_two_products (a b : R) : 2%:R * (a * b) <= a ^+ 2 + b ^+ 2.
Proof. by rewrite -subr_ge0 (_ : _ - _ = (a - b) ^+ 2) ?sqr_ge0 //; ring. Qed.

Lemma square_normD x y : square_norm (x + y) <= 2%:R * square_norm x + 2%:R * square_norm y.
Proof.
rewrite !square_normE !mulr_sumr -big_split; apply: ler_sum => i _ /=; rewrite mxE.
move: (x i 0) (y i 0) => a b; rewrite -subr_ge0.
by rewrite (_ : _ - _ = (a - b) ^+ 2) ?sqr_ge0 //; ring.
Qed.

(* Every form is at most a multiple of the square of the norm. *)
Lemma form_le P : exists2 c : R, 0 <= c & forall x, bilinear P x x <= c * square_norm x.
Proof.
exists (\sum_j \sum_i `|P i j|); first by apply: sumr_ge0 => i _; exact: sumr_ge0.
have entry_le x i : x i 0 ^+ 2 <= square_norm x.
  by rewrite square_normE (bigD1 i) //= ler_addl sumr_ge0 // => j _; exact: sqr_ge0.
move=> x; rewrite /bilinear mxE mulr_suml; apply: ler_sum => j _.
rewrite mxE !mulr_suml; apply: ler_sum => i _; rewrite mxE mulrAC mulrC.
apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l // -(ler_pmul2l (ltr0n R 2)) normrM.
apply: le_trans (ge_two_products _ _) _; rewrite !real_normK ?num_real // mulr_natl mulr2n.
exact: ler_add (entry_le _ _) (entry_le _ _).
Qed.

Lemma formB P Q x : (x^T *m (P - Q) *m x) 0 0 = bilinear P x x - bilinear Q x x.
Proof. by rewrite mulmxBr mulmxBl /bilinear; move: (_ *m P *m _) (_ *m Q *m _) => s t; rewrite !mxE. Qed.

(* V (x + y) <= (1 + t) V x + (1 + 1 / t) V y. *)
Lemma form_add_le P x y t : 0 < t -> (forall z, 0 <= bilinear P z z) -> P^T = P ->
  bilinear P (x + y) (x + y) <= (1 + t) * bilinear P x x + (1 + t^-1) * bilinear P y y.
Proof.
move=> t_gt0 P_ge0 P_sym; have := P_ge0 (t *: x - y); rewrite -scaleN1r.
rewrite !(bilinearDl, bilinearDr, bilinearZl, bilinearZr) (bilinear_sym y x P_sym).
move: (bilinear P x x) (bilinear P x y) (bilinear P y y) => a b c square_ge0.
rewrite -subr_ge0 (_ : _ - _ = t^-1 * (t * (t * a) + t * (-1 * b) + (-1 * (t * b) + -1 * (-1 * c)))).
  by rewrite mulr_ge0 // invr_ge0 ltW.
by field; rewrite lt0r_neq0.
Qed.

End Forms.

Section Moments.

(* Updates move weights along the columns of B, by coordinates `moved`; what they differ by, B y, becomes B (M y). *)
Variables (R : realFieldType) (K m n : nat) (p : 'I_K -> R) (update : 'I_K -> 'cV[R]_m -> 'cV[R]_m).
Variables (B : 'M[R]_(m, n)) (M : 'I_K -> 'M[R]_n) (moved : 'I_K -> 'cV[R]_m -> 'cV[R]_n) (P : 'M[R]_n) (rho : R).
Hypothesis p_ge0 : forall k, 0 <= p k.
Hypothesis p_sum : \sum_k p k = 1.
Hypothesis update_moves : forall k v, update k v = v + B *m moved k v.
Hypothesis update_differs : forall k v y, update k (v + B *m y) = update k v + B *m (M k *m y).
Hypothesis P_sym : P^T = P.
Hypothesis P_pos : positive_definite (P - 1%:M).
Hypothesis P_falls : positive_definite (rho *: P - \sum_k p k *: ((M k)^T *m P *m M k)).
Hypothesis rho_01 : 0 < rho < 1.

Let V (y : 'cV[R]_n) : R := bilinear P y y.

Lemma norm_le_form y : square_norm y <= V y.
Proof.
have [->|/P_pos/ltW] := eqVneq y 0; first by rewrite /V /bilinear /square_norm !mulmx0.
by rewrite formB subr_ge0 /bilinear mulmx1.
Qed.

Lemma form_ge0 y : 0 <= V y.
Proof. exact: le_trans (square_norm_ge0 y) (norm_le_form y). Qed.

Lemma form_falls y : \sum_k p k * V (M k *m y) <= rho * V y.
Proof.
have -> : \sum_k p k * V (M k *m y) = (y^T *m (\sum_k p k *: ((M k)^T *m P *m M k)) *m y) 0 0.
  rewrite mulmx_sumr mulmx_suml summxE; apply: eq_bigr => k _.
  by rewrite -scalemxAr -scalemxAl mxE /V /bilinear trmx_mul !mulmxA.
have [->|/P_falls/ltW] := eqVneq y 0; first by rewrite /V /bilinear !mulmx0 mxE mulr0.
by rewrite formB subr_ge0 /V /bilinear -scalemxAr -scalemxAl [X in _ <= X]mxE.
Qed.

Lemma columns_le : exists2 c : R, 0 <= c & forall y, square_norm (B *m y) <= c * V y.
Proof.
have [c c_ge0 B_le] := form_le (B^T *m B); exists c => // y.
apply: le_trans (ler_wpmul2l c_ge0 (norm_le_form y)); apply: le_trans (B_le y).
by rewrite /square_norm /bilinear trmx_mul !mulmxA.
Qed.

Lemma runs_differ ks v y :
  after_updates update ks (v + B *m y) = after_updates update ks v + B *m after_updates (fun k => mulmx (M k)) ks y.
Proof. by elim: ks v y => [|k ks IH] v y //=; rewrite update_differs IH. Qed.

Lemma run_moves ks v y : after_updates update ks (v + B *m y) =
  v + B *m after_updates (fun k y => M k *m y + moved k v) ks y.
Proof.
elim: ks y => [|k ks IH] y //=; rewrite -IH; congr after_updates.
by rewrite update_differs update_moves mulmxDr -addrA [B *m moved _ _ + _]addrC.
Qed.

Lemma runs_come_together : exists c : R, forall n v y,
  average p n (fun ks => square_norm (after_updates update ks (v + B *m y) - after_updates update ks v)) <=
  c * rho ^+ n * square_norm y.
Proof.
have [b b_ge0 B_le] := columns_le; have [a a_ge0 V_le] := form_le P; exists (b * a) => N v y.
have /andP[rho_gt0 rho_lt1] := rho_01.
apply: (@le_trans _ _ (b * average p N (fun ks => V (after_updates (fun k => mulmx (M k)) ks y)) + 0)).
  rewrite -(average_affine p_sum); apply: (average_le p_ge0) => ks.
  by rewrite addr0 runs_differ addrC addKr.
rewrite addr0 -!mulrA ler_wpmul2l // mulrCA; apply: le_trans (ler_wpmul2l (exprn_ge0 _ (ltW rho_gt0)) (V_le y)).
rewrite -[X in _ <= X]addr0 -(mul0r (1 - rho)^-1); apply: average_falls => //; first by rewrite ltW.
by move=> z; rewrite addr0; exact: form_falls.
Qed.

Lemma moments_stay_bounded v : exists c : R, forall n,
  average p n (fun ks => square_norm (after_updates update ks v)) <= c.
Proof.
have [b b_ge0 B_le] := columns_le; have /andP[rho_gt0 rho_lt1] := rho_01.
pose t := (1 - rho) / (2%:R * rho); pose r := (1 + rho) / 2%:R.
have t_gt0 : 0 < t by rewrite divr_gt0 ?subr_gt0 ?mulr_gt0 ?ltr0n.
have two_gt0 : 0 < 2%:R :> R by rewrite ltr0n.
have r_01 : 0 <= r < 1.
  rewrite divr_ge0 ?addr_ge0 ?ler01 ?(ltW rho_gt0) ?(ltW two_gt0) //=.
  by rewrite ltr_pdivr_mulr // mul1r -[2%:R]/(1 + 1) ltr_add2l.
pose w := (1 + t^-1) * \sum_k p k * V (moved k v).
have w_ge0 : 0 <= w.
  rewrite mulr_ge0 ?addr_ge0 ?invr_ge0 ?ler01 ?(ltW t_gt0) //.
  by apply: sumr_ge0 => k _; rewrite mulr_ge0 // form_ge0.
exists (2%:R * b * (w / (1 - r)) + 2%:R * square_norm v) => N.
apply: (@le_trans _ _ (2%:R * b * average p N
    (fun ks => V (after_updates (fun k y => M k *m y + moved k v) ks 0)) + 2%:R * square_norm v)).
  rewrite -(average_affine p_sum); apply: (average_le p_ge0) => ks.
  rewrite -{1}[v]addr0 -(mulmx0 _ B) run_moves; apply: le_trans (square_normD _ _) _.
  by rewrite addrC ler_add2r -mulrA ler_wpmul2l ?B_le // ltW.
rewrite ler_add2r ler_wpmul2l ?mulr_ge0 ?(ltW two_gt0) //.
have V0 : V 0 = 0 by rewrite /V /bilinear mulmx0 mxE.
have := @average_falls _ _ _ p_ge0 p_sum _ (fun k y => M k *m y + moved k v) V r w r_01 w_ge0 _ N 0.
rewrite V0 mulr0 add0r; apply => y; rewrite /w.
apply: (@le_trans _ _ ((1 + t) * (\sum_k p k * V (M k *m y)) + (1 + t^-1) * \sum_k p k * V (moved k v))).
  rewrite !mulr_sumr -big_split /=; apply: ler_sum => k _; rewrite mulrCA [X in _ <= _ + X]mulrCA -mulrDr.
  by rewrite ler_wpmul2l //; apply: form_add_le => //; exact: form_ge0.
rewrite ler_add2r; apply: (@le_trans _ _ ((1 + t) * (rho * V y))).
  by rewrite ler_wpmul2l ?form_falls // addr_ge0 ?ler01 ?ltW.
rewrite mulrA le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _); rewrite /t /r; field.
by rewrite !lt0r_neq0.
Qed.

End Moments.

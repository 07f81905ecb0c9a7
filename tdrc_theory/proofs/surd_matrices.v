From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import surds definitions substochastic diagonal_dominance positive_definite.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Matrices as lists of rows of numbers, with which Coq computes; `mx R m n l` is the m x n matrix over R. *)
Definition rows : Type := seq (seq surd).
Definition ints : seq Z -> seq surd := map Int.
Definition int_rows : seq (seq Z) -> rows := map ints.
Definition entry (l : rows) (i j : nat) : surd := nth nought (nth [::] l i) j.
Definition mx (R : rcfType) m n (l : rows) : 'M[R]_(m, n) := \matrix_(i, j) sr R (entry l i j).
Definition shaped (m n : nat) (l : rows) : bool := (size l == m) && all (fun r => size r == n) l.

Fixpoint dot (u v : seq surd) (sum : surd) : surd :=
  match u, v with
  | x :: u', y :: v' => dot u' v' (if null x then sum else add sum (mul x y))
  | _, _ => sum
  end.
(* l r^T, l^T, a l + b r, s times the identity. *)
Definition times_tr (l r : rows) : rows := [seq [seq dot u v nought | v <- r] | u <- l].
Definition turned (n : nat) (l : rows) : rows := [seq [seq nth nought u j | u <- l] | j <- iota 0 n].
Definition combined (a : surd) (l : rows) (b : surd) (r : rows) : rows :=
  [seq [seq add (mul a xy.1) (mul b xy.2) | xy <- zip uv.1 uv.2] | uv <- zip l r].
Definition diagonal (s : surd) (n : nat) : rows :=
  [seq [seq if i == j then s else nought | j <- iota 0 n] | i <- iota 0 n].
Definition zero (l : rows) : bool := all (all is_0) l.
Definition nonzero (l : rows) : bool := has (has is_not_0) l.
Definition same (l r : rows) : bool := zero (combined (Int 1) l (Int (-1)) r).
Definition dominated (l : rows) (n : nat) : bool :=
  all (fun i => above_0 (add (times_int 2 (entry l i i))
    (opp (foldr (fun x s => add (size_of x) s) nought (nth [::] l i))))) (iota 0 n).

Lemma shaped_size m n l : shaped m n l -> size l = m. Proof. by case/andP => /eqP. Qed.
Lemma shaped_row m n l i : shaped m n l -> (i < m)%N -> size (nth [::] l i) = n.
Proof. by case/andP => /eqP <- /(all_nthP [::]) row /row /eqP. Qed.

Lemma dotE (R : rcfType) n u v s : size u = n -> size v = n ->
  sr R (dot u v s) = sr R s + \sum_(j < n) sr R (nth nought u j) * sr R (nth nought v j).
Proof.
elim: u v s n => [|x u IH] [|y v] s [|n] //= => [_ _|[u_n] [v_n]]; first by rewrite big_ord0 addr0.
rewrite (IH v _ n) // big_ord_recl /= addrA; congr (_ + _).
case: ifP => [/(null_0 R)->|_]; first by rewrite mul0r addr0.
by rewrite srD srM.
Qed.

Lemma entry_times_tr m n p l r i j : shaped m n l -> shaped p n r -> (i < m)%N -> (j < p)%N ->
  entry (times_tr l r) i j = dot (nth [::] l i) (nth [::] r j) nought.
Proof.
move=> /shaped_size l_m /shaped_size r_p i_m j_p.
by rewrite /entry /times_tr (nth_map [::]) ?l_m // (nth_map [::]) ?r_p.
Qed.

Lemma mx_times_tr (R : rcfType) m n p l r : shaped m n l -> shaped p n r ->
  mx R m p (times_tr l r) = mx R m n l *m (mx R p n r)^T.
Proof.
move=> l_mn r_pn; apply/matrixP => i j; rewrite !mxE (entry_times_tr l_mn r_pn) //.
rewrite (@dotE R n) ?(shaped_row l_mn) ?(shaped_row r_pn) // sr_nought add0r.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

Lemma shaped_times_tr m n p l r : shaped m n l -> shaped p n r -> shaped m p (times_tr l r).
Proof.
move=> /shaped_size l_m /shaped_size r_p; rewrite /shaped size_map l_m eqxx /=.
by rewrite all_map (eq_all (a2 := predT)) ?all_predT // => u /=; rewrite size_map r_p eqxx.
Qed.

Lemma mx_turned (R : rcfType) m n l : size l = m -> mx R n m (turned n l) = (mx R m n l)^T.
Proof.
move=> l_m; apply/matrixP => j i; rewrite !mxE /entry /turned (nth_map 0%N) ?size_iota // nth_iota // add0n.
by rewrite (nth_map [::]) ?l_m.
Qed.

Lemma shaped_turned m n l : size l = m -> shaped n m (turned n l).
Proof.
move=> l_m; rewrite /shaped size_map size_iota eqxx /=.
by rewrite all_map (eq_all (a2 := predT)) ?all_predT // => u /=; rewrite size_map l_m eqxx.
Qed.

Lemma entry_combined m n a l b r i j : shaped m n l -> shaped m n r -> (i < m)%N -> (j < n)%N ->
  entry (combined a l b r) i j = add (mul a (entry l i j)) (mul b (entry r i j)).
Proof.
move=> l_mn r_mn i_m j_n; have [sl sr] := (shaped_size l_mn, shaped_size r_mn).
rewrite /entry /combined (nth_map ([::], [::])) ?size_zip ?sl ?sr ?minnn // nth_zip ?sl ?sr //=.
have [ul ur] := (shaped_row l_mn i_m, shaped_row r_mn i_m).
by rewrite (nth_map (nought, nought)) ?size_zip ?ul ?ur ?minnn // nth_zip ?ul ?ur.
Qed.

Lemma mx_combined (R : rcfType) m n a l b r : shaped m n l -> shaped m n r ->
  mx R m n (combined a l b r) = sr R a *: mx R m n l + sr R b *: mx R m n r.
Proof.
by move=> l_mn r_mn; apply/matrixP => i j; rewrite !mxE (entry_combined _ _ l_mn r_mn) // srD !srM.
Qed.

Lemma shaped_combined m n a l b r : shaped m n l -> shaped m n r -> shaped m n (combined a l b r).
Proof.
move=> l_mn r_mn; rewrite /shaped size_map size_zip (shaped_size l_mn) (shaped_size r_mn) minnn eqxx /=.
apply/(all_nthP [::]) => i; rewrite size_map size_zip (shaped_size l_mn) (shaped_size r_mn) minnn => i_m.
rewrite (nth_map ([::], [::])) ?size_zip ?(shaped_size l_mn) ?(shaped_size r_mn) ?minnn //.
rewrite nth_zip ?(shaped_size l_mn) ?(shaped_size r_mn) //= size_map size_zip.
by rewrite (shaped_row l_mn) // (shaped_row r_mn) // minnn.
Qed.

Lemma mx_diagonal (R : rcfType) n s : mx R n n (diagonal s n) = (sr R s)%:M.
Proof.
apply/matrixP => i j; rewrite !mxE /entry /diagonal (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota //.
by rewrite !nth_iota // !add0n -val_eqE /=; case: eqP.
Qed.

Lemma shaped_diagonal n s : shaped n n (diagonal s n).
Proof.
rewrite /shaped size_map size_iota eqxx /=.
by rewrite all_map (eq_all (a2 := predT)) ?all_predT // => u /=; rewrite size_map size_iota eqxx.
Qed.

Lemma mx_zero (R : rcfType) m n l : shaped m n l -> zero l -> mx R m n l = 0.
Proof.
move=> l_mn /(all_nthP [::]) rows0; apply/matrixP => i j; rewrite !mxE.
have i_m : (i < size l)%N by rewrite (shaped_size l_mn).
have /(all_nthP nought)/(_ j) := rows0 i i_m; rewrite (shaped_row l_mn) // => /(_ (ltn_ord j))/(is_0P R).
by [].
Qed.

Lemma mx_nonzero (R : rcfType) m n l : shaped m n l -> nonzero l -> mx R m n l != 0.
Proof.
move=> l_mn /(has_nthP [::])[i i_m] /(has_nthP nought)[j j_n].
rewrite (shaped_size l_mn) in i_m; rewrite (shaped_row l_mn) // in j_n.
move=> /(is_not_0P R); apply: contraNneq => /matrixP/(_ (Ordinal i_m) (Ordinal j_n)).
by rewrite !mxE => ->.
Qed.

Lemma mx_same (R : rcfType) m n l r : shaped m n l -> shaped m n r -> same l r -> mx R m n l = mx R m n r.
Proof.
move=> l_mn r_mn /(mx_zero R (shaped_combined _ _ l_mn r_mn)) /eqP.
rewrite (mx_combined R _ _ l_mn r_mn) /= zr1 scale1r -[Zneg 1]/(Z.opp (Zpos 1)) zrN scaleN1r subr_eq0.
by move=> /eqP.
Qed.

(* A symmetric matrix whose rows are dominated by positive diagonal entries. *)
Lemma dominance_definite (R : realFieldType) n (K : 'M[R]_n) :
  K^T = K -> (forall i, \sum_j `|K i j| < 2%:R * K i i) -> positive_definite K.
Proof.
move=> K_sym K_dom z z_neq0.
pose L := \matrix_(i, j) (if i == j then K i i else - `|K i j|) : 'M[R]_n.
have L_sym i j : L i j = L j i by rewrite !mxE eq_sym; case: eqP => [->|] //; rewrite -[in K i j]K_sym mxE.
have L_sum i : 0 < \sum_j L i j.
  rewrite (bigD1 i) //= mxE eqxx; have := K_dom i; rewrite (bigD1 i) //= => dom.
  have -> : \sum_(j | j != i) L i j = - \sum_(j | j != i) `|K i j|.
    by rewrite -sumrN; apply: eq_bigr => j ji; rewrite mxE eq_sym (negPf ji).
  have K_ge0 : 0 <= K i i.
    rewrite -(pmulr_rge0 _ (ltr0n R 2)); apply: le_trans (ltW (K_dom i)).
    by apply: sumr_ge0 => j _; exact: normr_ge0.
  by rewrite subr_gt0 -(ltr_add2l `|K i i|); apply: lt_le_trans dom _; rewrite ger0_norm // mulr_natl mulr2n.
have L_pos : positive_definite L.
  apply: positive_definite_by_sums => [s t st|s]; first by rewrite mxE (negPf st) oppr_le0 normr_ge0.
  rewrite addr_gt0 ?L_sum //; under eq_bigr do rewrite L_sym.
  exact: L_sum.
have /L_pos : map_mx Num.norm z != 0.
  apply: contraNneq z_neq0 => /colP z0; apply/eqP/colP => i; have := z0 i; rewrite !mxE => /eqP.
  by rewrite normr_eq0 => /eqP.
move=> /lt_le_trans; apply; rewrite !mxE; apply: ler_sum => j _; rewrite !mxE !mulr_suml; apply: ler_sum => i _.
rewrite !mxE; case: eqP => [->|_].
  by rewrite ![_ * K _ _ * _]mulrAC -normrM ger0_norm // -expr2 sqr_ge0.
by rewrite mulrN mulNr -!normrM ler_oppl -normrN ler_norm.
Qed.

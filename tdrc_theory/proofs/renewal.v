From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* |u t| goes to infinity; u t goes to 0. *)
Definition outgrows_every_bound (R : numDomainType) (u : nat -> R) : Prop :=
  forall B, exists N, forall t, (N <= t)%N -> B < `|u t|.
Definition goes_to_0 (R : numDomainType) (u : nat -> R) : Prop :=
  forall e, 0 < e -> exists N, forall t, (N <= t)%N -> `|u t| < e.

Lemma below_sum (R : numDomainType) (x : nat -> R) n N : (forall n, 0 <= x n) -> (n < N)%N -> x n <= \sum_(m < N) x m.
Proof. by move=> x_ge0 nN; rewrite (bigD1 (Ordinal nN)) //= ler_addl; apply: sumr_ge0 => m _. Qed.

(* Ratios that grow: early terms times late ones are no more than later ones. *)
Lemma product_below (R : realFieldType) (q : nat -> R) J :
  q 0%N = 1 -> (forall n, 0 < q n) ->
  (forall i j, (J <= j)%N -> q i.+1 * q (i + j)%N <= q i * q (i + j).+1) ->
  forall i j, (J <= j)%N -> q i * q j <= q (i + j)%N.
Proof.
move=> q0 q_gt0 ratios i j Jj; elim: i => [|i IH]; first by rewrite q0 mul1r.
rewrite -(ler_pmul2r (mulr_gt0 (q_gt0 i) (q_gt0 (i + j)%N))) addSn.
have -> : q i.+1 * q j * (q i * q (i + j)%N) = q i * q j * (q i.+1 * q (i + j)%N) by ring.
have -> : q (i + j).+1 * (q i * q (i + j)%N) = q (i + j)%N * (q i * q (i + j).+1) by ring.
by apply: ler_pmul (ratios _ _ Jj) => //; rewrite ?mulr_ge0 // ltW.
Qed.

Lemma convolution_below (R : realFieldType) (q : nat -> R) J t :
  q 0%N = 1 -> (forall n, 0 < q n) ->
  (forall i j, (J <= j)%N -> q i.+1 * q (i + j)%N <= q i * q (i + j).+1) -> (J.*2 <= t)%N ->
  \sum_(n < t.+1) q n * q (t - n)%N <= t.+1%:R * q t.
Proof.
move=> q0 q_gt0 ratios Jt; rewrite -[t.+1 in X in _ <= X]card_ord -sum1_card natr_sum mulr_suml.
apply: ler_sum => n _; rewrite mul1r; have nt : (n <= t)%N by rewrite -ltnS.
move: (nat_of_ord n) nt => {}n nt; have [Jn|nJ] := leqP J n.
  by rewrite mulrC -[in X in _ <= X](subnK nt); apply: product_below Jn.
rewrite -[in X in _ <= X](subnKC nt); apply: product_below ratios _ _ _ => //.
by rewrite leq_subRL //; apply: leq_trans Jt; rewrite -addnn leq_add2r ltnW.
Qed.

Lemma renewal_by_ratios (R : archiFieldType) (c k u : nat -> R) J :
  c 0%N = 1 -> (forall n, c n != 0) -> (forall n, `|k n| <= 1) ->
  (forall i j, (J <= j)%N -> `|c i.+1| * `|c (i + j)%N| <= `|c i| * `|c (i + j).+1|) ->
  (forall L, exists N, forall n, (N <= n)%N -> L * n.+1%:R * `|c n| <= `|c n.+1|) ->
  (forall t, u t = \sum_(n < t) c n * k n * u (t - n.+1)%N + c t) ->
  outgrows_every_bound u.
Proof.
move=> c0 c_neq0 k_le1 ratios large renewal.
have q_gt0 n : 0 < `|c n| by rewrite normr_gt0.
pose past t := \sum_(n < t) `|c n| * `|c (t - n.+1)%N|.
have past_small e : 0 < e -> exists T, forall t, (T < t)%N -> past t <= e * `|c t|.
  move=> e_gt0; have [N N_large] := large e^-1; exists (maxn N J.*2) => -[//|t]; rewrite ltnS geq_max => /andP[Nt Jt].
  have := N_large _ Nt; rewrite -mulrA mulrC ler_pdivr_mulr // [_ * e]mulrC; apply: le_trans.
  by apply: (@convolution_below _ (fun n => `|c n|) J); rewrite ?c0 ?normr1.
have step D t : (forall s, (s < t)%N -> `|u s| <= D * `|c s|) -> `|u t - c t| <= D * past t.
  move=> below; rewrite renewal addrK; apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_sumr; apply: ler_sum => n _.
  rewrite !normrM mulrCA -mulrA; apply: ler_pmul => //; first by rewrite mulr_ge0.
  rewrite -[X in _ <= X]mul1r; apply: ler_pmul => //; apply: below.
  by case: t n => [[]//|t] [n nt] /=; rewrite subSS ltnS leq_subr.
have half_gt0 : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have [T T_small] := past_small _ half_gt0.
pose D := 2%:R + \sum_(s < T.+1) `|u s| / `|c s|.
have ratio_ge0 s : 0 <= `|u s| / `|c s| by rewrite divr_ge0.
have D_ge2 : 2%:R <= D by rewrite ler_addl sumr_ge0.
have D_gt0 : 0 < D by apply: lt_le_trans D_ge2.
have below t : `|u t| <= D * `|c t|.
  elim/ltn_ind: t => t IH; have [tT|Tt] := leqP t T.
    rewrite -ler_pdivr_mulr // -[X in X <= _]add0r; apply: ler_add; first exact: ler0n.
    exact: (@below_sum _ (fun s => `|u s| / `|c s|)).
  have := le_trans (step D t IH) (ler_wpmul2l (ltW D_gt0) (T_small t Tt)).
  have -> : u t = (u t - c t) + c t by rewrite subrK.
  move=> near; apply: le_trans (ler_norm_add _ _) _; rewrite subrK in near *.
  have -> : D * `|c t| = D / 2%:R * `|c t| + D / 2%:R * `|c t| by field.
  apply: ler_add; first by rewrite -mulrA.
  by apply: ler_pemull => //; rewrite ler_pdivl_mulr ?mul1r ?ltr0n.
have [|T' T'_small] := past_small (D^-1 / 2%:R); first by rewrite mulr_gt0 ?invr_gt0 ?ltr0n.
have near t : (T' < t)%N -> `|c t| <= 2%:R * `|u t|.
  move=> Tt; have := le_trans (step D t (fun s _ => below s)) (ler_wpmul2l (ltW D_gt0) (T'_small _ Tt)).
  have -> : D * (D^-1 / 2%:R * `|c t|) = `|c t| / 2%:R by field; rewrite gt_eqF.
  rewrite ler_pdivl_mulr ?ltr0n // mulrC mulr_natl mulr_natl !mulr2n => half.
  rewrite -(ler_add2r `|c t|); apply: (@le_trans _ _ ((`|u t| + `|u t - c t|) *+ 2)).
    by rewrite -mulr2n ler_muln2r; have := ler_norm_sub (u t) (u t - c t); rewrite opprB addrC subrK.
  by rewrite mulrnDl ler_add2l mulr2n.
move=> B; have [N N_large] := large 2%:R.
have c_grows n : n.+1%:R * `|c N| <= `|c (N + n)%N|.
  elim: n => [|n IH]; first by rewrite mul1r addn0.
  rewrite addnS; apply: le_trans (N_large _ (leq_addr _ _)); apply: le_trans (ler_wpmul2l _ IH); last first.
    by rewrite mulr_ge0.
  rewrite mulrA -!natrM ler_pmul2r // ler_nat.
    apply: (@leq_trans (2 * n.+1)); first by rewrite mul2n -addnn addnS leq_addr.
  by rewrite -mulnA leq_mul2l leq_pmull.
exists (maxn T'.+1 (N + Num.bound (2%:R * `|B| / `|c N|))) => t; rewrite geq_max => /andP[/near T't Nt].
apply: le_lt_trans (ler_norm B) _; rewrite -(ltr_pmul2l (_ : 0 < 2%:R)) ?ltr0n //; apply: lt_le_trans T't.
have Nt' := leq_trans (leq_addr _ _) Nt; rewrite -leq_subRL // in Nt; rewrite -(subnKC Nt').
apply: lt_le_trans (c_grows _); rewrite -ltr_pdivr_mulr //; apply: lt_le_trans (archi_boundP _) _.
  by rewrite divr_ge0 // mulr_ge0.
by rewrite ler_nat ltnW.
Qed.

Lemma bernoulli (R : realDomainType) (d : R) n : 0 <= d -> 1 + d *+ n <= (1 + d) ^+ n.
Proof.
move=> d_ge0; elim: n => [|n IH]; first by rewrite addr0.
rewrite exprSr; apply: le_trans (ler_wpmul2r _ IH); last by rewrite addr_ge0 ?ler01.
by rewrite mulrDr mulr1 mulrSr addrA ler_add2l mulrDl mul1r ler_addl mulr_ge0 ?mulrn_wge0.
Qed.

Lemma power_above_line (R : archiFieldType) (kappa L : R) :
  1 < kappa -> exists J, forall n, (J <= n)%N -> L * n.+1%:R <= kappa ^+ n.
Proof.
rewrite -subr_gt0; move: (kappa - 1) (subrK 1 kappa) => d <-; rewrite addrC => d_gt0.
have twice n : n%:R * (n%:R - 1) * d ^+ 2 <= 2%:R * (1 + d) ^+ n.
  elim: n => [|n IH]; first by rewrite !mul0r expr0 mulr1 ler0n.
  have := ler_add IH (ler_wpmul2l (_ : 0 <= 2%:R * d) (bernoulli n (ltW d_gt0))).
  rewrite mulr_ge0 ?ler0n ?(ltW d_gt0) // => /(_ isT).
  have -> : 2%:R * (1 + d) ^+ n + 2%:R * d * (1 + d) ^+ n = 2%:R * (1 + d) ^+ n.+1 by rewrite exprS; ring.
  apply: le_trans; rewrite -[d *+ n]mulr_natl -[n.+1]addn1 natrD -subr_ge0.
  by rewrite [X in 0 <= X](_ : _ = 2%:R * d); [rewrite mulr_ge0 ?ler0n ?ltW | ring].
pose e := d ^+ 2; have e_gt0 : 0 < e by rewrite exprn_gt0.
exists (Num.bound (6%:R * `|L| / e)).+2 => n Jn; apply: le_trans (ler_wpmul2r (ler0n _ _) (ler_norm L)) _.
have n_ge : 6%:R * `|L| <= n%:R * e.
  rewrite -ler_pdivr_mulr //; apply/ltW/(lt_le_trans (archi_boundP _)).
    by rewrite divr_ge0 ?(ltW e_gt0) ?mulr_ge0 ?ler0n.
  by rewrite ler_nat; apply: leq_trans Jn; rewrite leqW.
rewrite -(ler_pmul2l (_ : 0 < 6%:R)) ?ltr0n // mulrA; apply: le_trans (ler_wpmul2r (ler0n _ _) n_ge) _.
have -> : 6%:R * (1 + d) ^+ n = 3%:R * (2%:R * (1 + d) ^+ n) by ring.
apply: le_trans (ler_wpmul2l (ler0n _ 3) (twice n)).
have -> : 3%:R * (n%:R * (n%:R - 1) * d ^+ 2) = n%:R * e * (3%:R * (n%:R - 1)) by rewrite -/e; ring.
apply: ler_wpmul2l; first by rewrite mulr_ge0 ?(ltW e_gt0) ?ler0n.
case: n Jn {n_ge} => // n n_ge1; have -> : n.+1%:R - 1 = n%:R :> R by rewrite -addn1 natrD addrK.
rewrite -natrM ler_nat !mulSn mul0n addn0.
have n_gt0 : (0 < n)%N by rewrite -ltnS; apply: leq_trans n_ge1.
by rewrite -addn2 leq_add2l; apply: (@leq_add 1 1).
Qed.

(* The target policy's steps lead from place 0 to 1, 2, ...: the one from j is taken with probability b j and multiplies
   the weight by 1 + alpha (a j); all others leave it alone and lead to 0. m j t is its mean t steps after place j. *)
Theorem renewal_diverges (R : archiFieldType) (alpha kappa offset : R) (b a : nat -> R) (m : nat -> nat -> R) N :
  0 < alpha -> 1 < kappa -> (forall j, 0 < b j <= 1) -> (forall j, (N <= j)%N -> b j = b N) ->
  (forall j, (N <= j)%N -> a j.+1 = kappa * a j + offset) -> a N.+1 != a N -> (forall j, 1 + alpha * a j != 0) ->
  (forall j, m j 0%N = 1) -> (forall j t, m j t.+1 = (1 - b j) * m 0%N t + b j * (1 + alpha * a j) * m j.+1 t) ->
  outgrows_every_bound (m 0%N).
Proof.
move=> alpha_gt0 kappa_gt1 b_01 b_N a_N a_moves neq0 m0 mS.
have b_gt0 j : 0 < b j by case/andP: (b_01 j).
pose f j := b j * (1 + alpha * a j).
have f_neq0 j : f j != 0 by rewrite mulf_neq0 // gt_eqF.
pose c t := \prod_(j < t) f j; have cS t : c t.+1 = c t * f t by rewrite /c big_ord_recr.
have [A [B [B_neq0 fE]]] : exists A B, B != 0 /\ forall i, f (N + i)%N = b N * (A + B * kappa ^+ i).
  have kappa_neq1 : 1 - kappa != 0 by rewrite subr_eq0 lt_eqF.
  pose rest := offset / (1 - kappa); exists (1 + alpha * rest), (alpha * (a N - rest)); split.
    rewrite mulf_neq0 ?(gt_eqF alpha_gt0) // subr_eq0; apply: contraNneq a_moves => aN.
    by rewrite a_N // aN /rest; apply/eqP; field.
  move=> i; rewrite /f b_N ?leq_addr //; congr (_ * _).
  have -> : a (N + i)%N = rest + (a N - rest) * kappa ^+ i; last by ring.
  elim: i => [|i IH]; first by rewrite addn0 mulr1 addrC subrK.
  by rewrite addnS a_N ?leq_addr // IH exprS /rest; field.
have kappa_i_ge1 i : 1 <= kappa ^+ i by rewrite exprn_ege1 ?ltW.
have B_gt0 : 0 < `|B| by rewrite normr_gt0.
have above i : b N * (`|B| * kappa ^+ i - `|A|) <= `|f (N + i)%N|.
  rewrite fE normrM [`|b N|]gtr0_norm // ler_pmul2l // [A + _]addrC.
  by apply: le_trans (ler_sub_norm_add _ _); rewrite normrM (ger0_norm (le_trans ler01 (kappa_i_ge1 i))).
have below i : `|f (N + i)%N| <= b N * (`|B| * kappa ^+ i + `|A|).
  rewrite fE normrM [`|b N|]gtr0_norm // ler_pmul2l // [A + _]addrC.
  by apply: le_trans (ler_norm_add _ _) _; rewrite normrM (ger0_norm (le_trans ler01 (kappa_i_ge1 i))).
have large L : exists M, forall n, (M <= n)%N -> L * n.+1%:R <= `|f n|.
  have [M M_large] := power_above_line ((`|L| * N.+1%:R / b N + `|A|) / `|B|) kappa_gt1.
  exists (N + M)%N => n Mn; have Nn := leq_trans (leq_addr _ _) Mn; rewrite -leq_subRL // in Mn.
  rewrite -(subnKC Nn); move: (n - N)%N Mn => i Mi; apply: le_trans (above i).
  have : ((`|L| * N.+1%:R / b N + `|A|) / `|B|) * i.+1%:R <= kappa ^+ i by apply: M_large.
  rewrite mulrAC ler_pdivr_mulr // [_ * `|B|]mulrC => far.
  apply: le_trans (ler_wpmul2r (ler0n _ _) (ler_norm L)) _.
  rewrite -ler_pdivr_mull //; apply: le_trans (ler_add far (lexx _)); rewrite ler_subr_addr.
  have -> : (`|L| * N.+1%:R / b N + `|A|) * i.+1%:R = (b N)^-1 * (`|L| * (N.+1 * i.+1)%:R) + `|A| * i.+1%:R.
    by rewrite natrM; field; rewrite gt_eqF.
  apply: ler_add; last by rewrite ler_pemulr // ler1n.
  rewrite ler_pmul2l ?invr_gt0 // ler_wpmul2l // ler_nat mulSn -addnS addnC leq_add2l.
  by rewrite leq_pmulr.
have [J1 J1_large] := power_above_line (2%:R * `|A| / `|B| + 1) kappa_gt1.
have [J2 J2_large] := large (\sum_(j < N) `|f j|).
have grows i j : (maxn J1 J2 <= j)%N -> `|f i| <= `|f (i + j)%N|.
  rewrite geq_max => /andP[J1j J2j]; have [iN|Ni] := ltnP i N.
    have := @below_sum _ (fun j => `|f j|) _ _ (fun=> normr_ge0 _) iN; move/le_trans; apply.
    apply: le_trans (J2_large _ (leq_trans J2j (leq_addl i j))).
    by rewrite ler_pemulr ?sumr_ge0 // ler1n.
  rewrite -(subnKC Ni) -addnA; move: (i - N)%N => {i Ni} i.
  apply: le_trans (below i) _; apply: le_trans (above _); rewrite ler_pmul2l // ler_subr_addr exprD.
  have : 2%:R * `|A| + `|B| <= `|B| * kappa ^+ j.
    have := J1_large _ J1j; rewrite -(ler_pmul2l B_gt0); apply: le_trans.
    rewrite [X in _ <= X](_ : _ = (2%:R * `|A| + `|B|) * j.+1%:R); last by field; rewrite gt_eqF.
    by rewrite ler_pemulr ?ler1n // addr_ge0 ?mulr_ge0 ?ler0n.
  move/(ler_wpmul2r (le_trans ler01 (kappa_i_ge1 i))); rewrite mulrDl -[`|B| * kappa ^+ j * _]mulrA.
  rewrite [kappa ^+ j * _]mulrC; apply: le_trans.
  rewrite -addrA [X in _ <= X]addrC ler_add2l -mulr2n -[`|A| *+ 2]mulr_natl.
  by apply: ler_pemulr => //; rewrite mulr_ge0 ?ler0n.
apply: (@renewal_by_ratios _ c (fun n => 1 - b n) _ (maxn J1 J2)) => [|n|n|i j Jj|L|t].
- by rewrite /c big_ord0.
- by apply/prodf_neq0 => j _; exact: f_neq0.
- by rewrite ger0_norm ?subr_ge0 ?ler_subl_addr ?ler_addl; case/andP: (b_01 n) => // /ltW.
- rewrite !cS !normrM mulrAC -!mulrA; do 2!apply: ler_wpmul2l => //.
  by rewrite -!normrM; apply: grows.
- have [M M_large] := large L; exists M => n Mn; rewrite cS normrM [X in _ <= X]mulrC.
  by apply: ler_wpmul2r (M_large _ Mn).
have along n : (n <= t)%N -> m 0%N t = \sum_(j < n) c j * (1 - b j) * m 0%N (t - j.+1)%N + c n * m n (t - n)%N.
  elim: n => [|n IH] nt; first by rewrite big_ord0 /c big_ord0 add0r mul1r subn0.
  rewrite IH ?(ltnW nt) // big_ord_recr /= -addrA -[(t - n)%N]prednK ?subn_gt0 // mS subnS cS /f.
  by congr (_ + _); ring.
by rewrite (along t) // subnn m0 mulr1.
Qed.

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra complex ssrZ zify ring.
From tdrc Require Import definitions hurwitz positive_definite lyapunov surds surd_matrices verdicts krylov.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The update varrho' = G varrho + g, where w is the last k of n entries, and the equation A w = b: numerators, over
   the denominators `over` (of G and g) and `over_A` (of A and b). With `own`, fixed points need not solve it. *)
Record claim : Type := Claim {
  n_of : nat; k_of : nat; over : positive; G_of : rows; g_of : seq surd;
  over_A : positive; A_of : rows; b_of : seq surd; own : bool }.

Inductive verdict : Type := Convergent | Convergent_to_a_set | Not_convergent.

Definition column (R : rcfType) n (u : seq surd) : 'cV[R]_n := (mx R 1 n [:: u])^T.
Definition last_entries (R : rcfType) k n : 'M[R]_(k, n) := \matrix_(i, j) ((j : nat) == (n - k + i)%N)%:R.
Definition claim_G (R : rcfType) (c : claim) : 'M[R]_(n_of c) :=
  (zr R (Zpos (over c)))^-1 *: mx R (n_of c) (n_of c) (G_of c).
Definition claim_g (R : rcfType) (c : claim) : 'cV[R]_(n_of c) :=
  (zr R (Zpos (over c)))^-1 *: column R (n_of c) (g_of c).
Definition claim_solves (R : rcfType) (c : claim) (v : 'cV[R]_(n_of c)) : Prop :=
  own c \/ mx R (k_of c) (k_of c) (A_of c) *m (last_entries R (k_of c) (n_of c) *m v) = column R (k_of c) (b_of c).

Definition means (R : rcfType) (c : claim) (v : verdict) : Prop :=
  match v with
  | Convergent => hurwitz (claim_G R c)
  | Convergent_to_a_set =>
      converges_to_a_set (claim_G R c) (claim_g R c) (@claim_solves R c) /\ ~ hurwitz (claim_G R c)
  | Not_convergent =>
      ~ hurwitz (claim_G R c) /\ ~ converges_to_a_set (claim_G R c) (claim_g R c) (@claim_solves R c)
  end.

(* What proves a verdict: see verify/check_certificate.py. `scale` and `q` are denominators. *)
Inductive certificate : Type :=
  | Stable (N M : rows) (scale : positive) (point : seq surd) (q : positive) (P : rows) (D : seq surd) (W : rows)
  | Unstable (shift : surd) (q : positive) (P : rows) (D : seq surd) (v : seq surd)
  | Factor (v f : seq surd) (X : rows) (scale : positive)
  | No_fixed_point (y : seq surd)
  | Spurious_fixed_point (v point : seq surd) (q : positive).

Definition whole (p : positive) : surd := Int (Zpos p).
Definition well_formed (c : claim) : bool :=
  [&& (0 < k_of c <= n_of c)%N, shaped (n_of c) (n_of c) (G_of c),
      shaped 1 (n_of c) [:: g_of c], shaped (k_of c) (k_of c) (A_of c) & shaped 1 (k_of c) [:: b_of c]].

(* x^T P x falls along x' = H x: Q D, for Q = - (P H + (P H)^T), is dominated by its diagonal. *)
Definition scaled_columns (l : rows) (D : seq surd) : rows := [seq [seq mul xd.1 xd.2 | xd <- zip u D] | u <- l].
Definition falls (n : nat) (H P : rows) (D : seq surd) : bool :=
  let T := times_tr P (turned n H) in
  [&& shaped n n P, same (turned n P) P, size D == n, all above_0 D
    & dominated (scaled_columns (combined (Int (-1)) T (Int (-1)) (turned n T)) D) n].
Definition rests (c : claim) (point : seq surd) (q : positive) : bool :=
  shaped 1 (n_of c) [:: point] && zero (combined (Int 1) (times_tr [:: point] (G_of c)) (whole q) [:: g_of c]).
Definition last_columns (c : claim) (l : rows) : rows := [seq drop (n_of c - k_of c) u | u <- l].
Definition residual (c : claim) (point : seq surd) (q : positive) : rows :=
  combined (Int 1) (times_tr (last_columns c [:: point]) (A_of c)) (Int (Zneg q)) [:: b_of c].

(* v, G v, ..., and the powers of d: f(G / d) v = 0 where the sum of f_j d^(m - j) G^j v is 0. *)
Fixpoint orbit (G : rows) (v : seq surd) (m : nat) : rows :=
  if m is m'.+1 then v :: orbit G (nth [::] (times_tr [:: v] G) 0) m' else [::].
Definition power (d : positive) (k : nat) : positive := iter k (Pos.mul d) 1%positive.
(* f is the least polynomial with f(G) v = 0, as v, G v, ... are independent; it is divisible by t^2, or the real parts
   of its roots, none of which is 0, do not add up to less than 0. *)
Definition bad_factor (c : claim) (v f : seq surd) (X : rows) (s : positive) : bool :=
  let n := n_of c in let m := (size f).-1 in let d := over c in let O := orbit (G_of c) v m.+1 in
  [&& (1 < size f <= n.+1)%N, shaped 1 n [:: v], shaped m n X, above_0 (last nought f),
      zero (times_tr [:: [seq mul (nth nought f j) (whole (power d (m - j))) | j <- iota 0 m.+1]] (turned n O)),
      same (times_tr (take m O) X)
        [seq [seq if i == j then whole (Pos.mul s (power d i)) else nought | j <- iota 0 m] | i <- iota 0 m]
    & if is_0 (nth nought f 0) then is_0 (nth nought f 1)
      else is_not_0 (nth nought f 0) && at_least_0 (opp (nth nought f m.-1))].

Definition accepts (c : claim) (v : verdict) (proof : certificate) : bool :=
  let n := n_of c in let G := G_of c in
  well_formed c &&
  match v, proof with
  | (Convergent | Convergent_to_a_set) as v, Stable N M s point q P D W =>
      let p := size N in
      [&& shaped p n N, shaped p n M, zero (times_tr N G), zero (times_tr M (turned n G)),
          same (times_tr M N) (diagonal (whole s) p),
          falls n (combined (whole s) G (Int (Zneg (over c))) (times_tr (turned n N) (turned n M))) P D,
          shaped n n W, dominated (times_tr (times_tr W P) W) n, rests c point q
        & match v with
          | Convergent => p == 0%N
          | _ =>
              (0 < p)%N && (own c || zero (residual c point q) && zero (times_tr (last_columns c N) (A_of c)))
          end]
  | Not_convergent, Unstable shift q P D v =>
      [&& at_least_0 shift, falls n (combined (whole q) G (Int (-1)) (diagonal (mul shift (whole (over c))) n)) P D,
          shaped 1 n [:: v] & above_0 (opp (entry (times_tr (times_tr [:: v] P) [:: v]) 0 0))]
  | Not_convergent, Factor v f X s => bad_factor c v f X s
  | Not_convergent, No_fixed_point y =>
      [&& shaped 1 n [:: y], zero (times_tr [:: y] (turned n G)) & nonzero (times_tr [:: y] [:: g_of c])]
  | Not_convergent, Spurious_fixed_point v point q =>
      [&& shaped 1 n [:: v], nonzero [:: v], zero (times_tr [:: v] G), ~~ own c, rests c point q
        & nonzero (residual c point q)]
  | _, _ => false
  end.

Lemma shaped_scaled_columns n l D : shaped n n l -> size D = n -> shaped n n (scaled_columns l D).
Proof.
move=> l_nn D_n; rewrite /shaped size_map (shaped_size l_nn) eqxx /=.
apply/(all_nthP [::]) => i; rewrite size_map (shaped_size l_nn) => i_n.
by rewrite (nth_map [::]) ?(shaped_size l_nn) // size_map size_zip (shaped_row l_nn) // D_n minnn.
Qed.

Lemma entry_scaled_columns n l D i j : shaped n n l -> size D = n -> (i < n)%N -> (j < n)%N ->
  entry (scaled_columns l D) i j = mul (entry l i j) (nth nought D j).
Proof.
move=> l_nn D_n i_n j_n; rewrite /entry /scaled_columns (nth_map [::]) ?(shaped_size l_nn) //.
rewrite (nth_map (nought, nought)) ?size_zip ?(shaped_row l_nn) ?D_n ?minnn //.
by rewrite nth_zip ?(shaped_row l_nn) ?D_n.
Qed.

Lemma sum_of_sizes (R : rcfType) u :
  \sum_(j < size u) `|sr R (nth nought u j)| <= sr R (foldr (fun x s => add (size_of x) s) nought u).
Proof.
elim: u => [|x u IH] /=; first by rewrite big_ord0.
by rewrite srD big_ord_recl ler_add // size_ofP.
Qed.

Lemma dominatedP (R : rcfType) n l : shaped n n l -> dominated l n ->
  forall i, \sum_j `|mx R n n l i j| < 2%:R * mx R n n l i i.
Proof.
move=> l_nn /allP dom i; have := dom i; rewrite mem_iota ltn_ord => /(_ isT)/(above_0P R).
rewrite srD sr_times_int srN subr_gt0 mxE; apply: le_lt_trans; apply: le_trans (sum_of_sizes R _).
rewrite (shaped_row l_nn) // le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => j _; rewrite mxE.
Qed.

Lemma congruence_definite (R : rcfType) n (W S : 'M[R]_n) :
  positive_definite (W *m S *m W^T) -> positive_definite S.
Proof.
move=> pos; have : W *m S *m W^T \in unitmx by exact: positive_definite_unit.
rewrite !unitmx_mul => /andP[_ W_unit] z z_neq0.
have := pos (invmx W^T *m z); rewrite !mulmxA trmx_mul trmx_inv trmxK => /(_ (unit_neq0 _ z_neq0)).
rewrite unitmx_inv => /(_ W_unit); rewrite unitmx_tr in W_unit.
by rewrite -!mulmxA (mulKVmx _) ?unitmx_tr // !mulmxA mulmxKV.
Qed.

Lemma fallsP (R : rcfType) n H P D : shaped n n H -> falls n H P D ->
  [/\ shaped n n P, (mx R n n P)^T = mx R n n P
    & positive_definite (- ((mx R n n H)^T *m mx R n n P + mx R n n P *m mx R n n H))].
Proof.
move=> H_nn /and5P[P_nn P_turned /eqP D_n /(all_nthP nought) D_pos dom].
set T := times_tr _ _ in dom *; have T_nn : shaped n n T.
  by apply: shaped_times_tr P_nn (shaped_turned _ (shaped_size H_nn)).
have T_turned := shaped_turned n (shaped_size T_nn).
set S := combined _ _ _ _ in dom *; have S_nn : shaped n n S by exact: shaped_combined.
have P_sym : (mx R n n P)^T = mx R n n P.
  by rewrite -mx_turned ?(shaped_size P_nn) // (mx_same R (shaped_turned n (shaped_size P_nn)) P_nn P_turned).
have TE : mx R n n T = mx R n n P *m mx R n n H.
  by rewrite (mx_times_tr R P_nn (shaped_turned _ (shaped_size H_nn))) mx_turned ?trmxK ?(shaped_size H_nn).
have SE : mx R n n S = - ((mx R n n H)^T *m mx R n n P + mx R n n P *m mx R n n H).
  rewrite (mx_combined R _ _ T_nn T_turned) mx_turned ?(shaped_size T_nn) // TE trmx_mul P_sym.
  by rewrite /= -[Zneg 1]/(Z.opp (Zpos 1)) zrN zr1 !scaleN1r opprD addrC.
split=> //; rewrite -SE; have S_sym : (mx R n n S)^T = mx R n n S.
  by rewrite SE trmxN trmxD !trmx_mul P_sym trmxK addrC.
apply: (@congruence_definite _ _ (diag_mx (mx R 1 n [:: D]))); apply: dominance_definite.
  by rewrite !trmx_mul trmxK S_sym tr_diag_mx mulmxA.
have D_gt0 (i : 'I_n) : 0 < sr R (nth nought D i) by apply/above_0P/D_pos; rewrite D_n.
move=> i; rewrite tr_diag_mx.
have entry j : (diag_mx (mx R 1 n [:: D]) *m mx R n n S *m diag_mx (mx R 1 n [:: D])) i j =
    sr R (nth nought D i) * mx R n n (scaled_columns S D) i j.
  by rewrite mul_diag_mx mul_mx_diag !mxE (entry_scaled_columns S_nn D_n) // srM mulrA.
rewrite entry; under eq_bigr do rewrite entry normrM gtr0_norm //.
by rewrite -mulr_sumr mulrCA ltr_pmul2l //; apply: (dominatedP R _ dom); exact: shaped_scaled_columns.
Qed.

Lemma positive_by_congruence (R : rcfType) n P W : shaped n n P -> (mx R n n P)^T = mx R n n P ->
  shaped n n W -> dominated (times_tr (times_tr W P) W) n -> positive_definite (mx R n n P).
Proof.
move=> P_nn P_sym W_nn dom; have WP_nn := shaped_times_tr W_nn P_nn.
have WPWE : mx R n n (times_tr (times_tr W P) W) = mx R n n W *m mx R n n P *m (mx R n n W)^T.
  by rewrite (mx_times_tr R WP_nn W_nn) (mx_times_tr R W_nn P_nn) P_sym.
apply: (@congruence_definite _ _ (mx R n n W)); rewrite -WPWE; apply: dominance_definite.
  by rewrite WPWE !trmx_mul trmxK P_sym mulmxA.
exact: dominatedP (shaped_times_tr WP_nn W_nn) dom.
Qed.

Lemma mx_last_columns (R : rcfType) p n k l : (k <= n)%N -> shaped p n l ->
  mx R p k [seq drop (n - k) u | u <- l] = mx R p n l *m (last_entries R k n)^T.
Proof.
move=> k_n l_pn; apply/matrixP => i j; rewrite !mxE /entry (nth_map [::]) ?(shaped_size l_pn) // nth_drop.
have j_n : (n - k + j < n)%N by rewrite -{2}(subnK k_n) ltn_add2l.
rewrite (bigD1 (Ordinal j_n)) //= !mxE eqxx mulr1 big1 ?addr0 // => t tj; rewrite !mxE.
by case: eqP => [tE|_]; [case/eqP: tj; apply: val_inj | rewrite mulr0].
Qed.

Lemma shaped_last_columns p n k l : (k <= n)%N -> shaped p n l -> shaped p k [seq drop (n - k) u | u <- l].
Proof.
move=> k_n l_pn; rewrite /shaped size_map (shaped_size l_pn) eqxx /=; apply/(all_nthP [::]) => i.
rewrite size_map (shaped_size l_pn) => i_p.
by rewrite (nth_map [::]) ?(shaped_size l_pn) // size_drop (shaped_row l_pn) // subKn.
Qed.

Lemma restsP (R : rcfType) c u q : well_formed c -> rests c u q ->
  claim_G R c *m ((zr R (Zpos q))^-1 *: column R (n_of c) u) + claim_g R c = 0.
Proof.
case/and5P => _ G_nn g_n _ _ /andP[u_n]; have uG := shaped_times_tr u_n G_nn; have q_neq0 := zr_pos_neq0 R q.
move=> /(mx_zero R (shaped_combined (Int 1) (whole q) uG g_n)).
rewrite (mx_combined R _ _ uG g_n) (mx_times_tr R u_n G_nn) /= zr1 scale1r.
move=> /(congr1 trmx); rewrite trmxD trmx_mul trmxZ trmxK trmx0 -/(column R _ u) -/(column R _ (g_of c)).
rewrite /claim_G /claim_g -scalemxAr -!scalemxAl => Gu.
rewrite scalerA mulrC -scalerA -scalerDr; apply/eqP; rewrite scaler_eq0 invr_eq0 (negPf (zr_pos_neq0 R _)) /=.
by rewrite -(inj_eq (scalerI q_neq0)) scalerDr scalerA mulfV // scale1r Gu scaler0.
Qed.

Lemma residualE (R : rcfType) c u q : well_formed c -> shaped 1 (n_of c) [:: u] ->
  shaped 1 (k_of c) (residual c u q) /\
  (mx R 1 (k_of c) (residual c u q))^T = zr R (Zpos q) *: (mx R (k_of c) (k_of c) (A_of c) *m
    (last_entries R (k_of c) (n_of c) *m ((zr R (Zpos q))^-1 *: column R (n_of c) u)) - column R (k_of c) (b_of c)).
Proof.
case/and5P => /andP[_ k_n] _ _ A_kk b_k u_n; have q_neq0 := zr_pos_neq0 R q.
have w_k := shaped_last_columns k_n u_n; have Aw := shaped_times_tr w_k A_kk.
split; first exact: shaped_combined.
rewrite (mx_combined R _ _ Aw b_k) (mx_times_tr R w_k A_kk) (mx_last_columns R k_n u_n) /= zr1 scale1r.
rewrite -[Zneg q]/(Z.opp (Zpos q)) zrN trmxD trmxZ trmx_mul trmxK trmx_mul trmxK.
rewrite -/(column R _ u) -/(column R _ (b_of c)) scaleNr scalerBr.
by rewrite -!scalemxAr scalerA mulfV // scale1r.
Qed.

Lemma column_neq0 (R : rcfType) n u : shaped 1 n [:: u] -> nonzero [:: u] -> column R n u != 0.
Proof. by move=> u_n /(mx_nonzero R u_n); rewrite /column trmx_eq0. Qed.

Lemma claim_G_column (R : rcfType) c v : well_formed c -> shaped 1 (n_of c) [:: v] ->
  zero (times_tr [:: v] (G_of c)) -> claim_G R c *m column R (n_of c) v = 0.
Proof.
case/and5P => _ G_nn _ _ _ v_n; have vG := shaped_times_tr v_n G_nn => /(mx_zero R vG).
rewrite (mx_times_tr R v_n G_nn) => /(congr1 trmx); rewrite trmx_mul trmxK trmx0 -/(column R _ v) => Gv.
by rewrite /claim_G -scalemxAl Gv scaler0.
Qed.

Lemma falling_scaled (R : rcfType) n (a : R) (X P : 'M[R]_n) :
  - ((a *: X)^T *m P + P *m (a *: X)) = a *: - (X^T *m P + P *m X).
Proof. by rewrite trmxZ -scalemxAl -scalemxAr -scalerDr scalerN. Qed.

Lemma accepts_stable (R : rcfType) c v N M s point q P D W :
  v <> Not_convergent -> accepts c v (Stable N M s point q P D W) -> means R c v.
Proof.
move=> v_stable; rewrite /accepts => /andP[wf].
have : [&& shaped (size N) (n_of c) N, shaped (size N) (n_of c) M, zero (times_tr N (G_of c)),
    zero (times_tr M (turned (n_of c) (G_of c))), same (times_tr M N) (diagonal (whole s) (size N)),
    falls (n_of c) (combined (whole s) (G_of c) (Int (Zneg (over c)))
      (times_tr (turned (n_of c) N) (turned (n_of c) M))) P D,
    shaped (n_of c) (n_of c) W, dominated (times_tr (times_tr W P) W) (n_of c), rests c point q
  & match v with
    | Convergent => size N == 0%N
    | _ => (0 < size N)%N &&
        (own c || zero (residual c point q) && zero (times_tr (last_columns c N) (A_of c)))
    end] -> means R c v; last by case: v v_stable.
set n := n_of c; set p := size N => /and5P[N_pn M_pn NG0 MG0 /and5P[MNs H_falls W_nn W_dom]].
move=> /andP[at_rest set_ok]; have [/andP[_ k_n] G_nn g_n A_kk b_k] := and5P wf.
have Gt_nn := shaped_turned n (shaped_size G_nn).
have [Nt_np Mt_np] := (shaped_turned n (shaped_size N_pn), shaped_turned n (shaped_size M_pn)).
have NM_nn := shaped_times_tr Nt_np Mt_np; have H_nn := shaped_combined (whole s) (Int (Zneg (over c))) G_nn NM_nn.
have [P_nn P_sym Q_pos] := fallsP R H_nn H_falls; have P_pos := positive_by_congruence P_nn P_sym W_nn W_dom.
have [s_gt0 d_gt0] := (zr_pos R s, zr_pos R (over c)); have [s_neq0 d_neq0] := (lt0r_neq0 s_gt0, lt0r_neq0 d_gt0).
pose Nm := (mx R p n N)^T; pose Mm := (zr R (Zpos s))^-1 *: mx R p n M; pose G := claim_G R c.
have GN : G *m Nm = 0.
  have := mx_zero R (shaped_times_tr N_pn G_nn) NG0; rewrite (mx_times_tr R N_pn G_nn) => /(congr1 trmx).
  by rewrite trmx_mul trmxK trmx0 => GN; rewrite /G /claim_G -scalemxAl GN scaler0.
have MG : Mm *m G = 0.
  have := mx_zero R (shaped_times_tr M_pn Gt_nn) MG0; rewrite (mx_times_tr R M_pn Gt_nn).
  rewrite mx_turned ?(shaped_size G_nn) // trmxK => MG.
  by rewrite /G /claim_G /Mm -scalemxAr -scalemxAl MG !scaler0.
have MN : Mm *m Nm = 1%:M.
  rewrite /Mm /Nm -scalemxAl -(mx_times_tr R M_pn N_pn).
  rewrite (mx_same R (shaped_times_tr M_pn N_pn) (shaped_diagonal p (whole s)) MNs) mx_diagonal scale_scalar_mx mulVf //.
have HE : mx R n n (combined (whole s) (G_of c) (Int (Zneg (over c))) (times_tr (turned n N) (turned n M))) =
    (zr R (Zpos s) * zr R (Zpos (over c))) *: (G - Nm *m Mm).
  rewrite (mx_combined R _ _ G_nn NM_nn) (mx_times_tr R Nt_np Mt_np) !mx_turned ?(shaped_size M_pn) // trmxK /=.
  rewrite -[Zneg (over c)]/(Z.opp (Zpos (over c))) zrN.
  rewrite scalerBr /G /claim_G /Mm -scalemxAr !scalerA mulfK // [zr R (Zpos s) * _]mulrC mulfK //.
  by rewrite scaleNr.
have sd_gt0 : 0 < zr R (Zpos s) * zr R (Zpos (over c)) by rewrite mulr_gt0.
move: Q_pos; rewrite HE falling_scaled => /(positive_definiteZ _ sd_gt0) Q_pos.
case: v v_stable set_ok => // [_ /eqP p0|_ /andP[p_gt0 all_solve]].
  have NM0 : Nm *m Mm = 0.
    by apply/matrixP => i j; rewrite !mxE big1 // => t _; have := ltn_ord t; rewrite [X in (_ < X)%N -> _]p0.
  by rewrite NM0 subr0 in Q_pos; exact: lyapunov P_pos Q_pos.
split; last first.
  pose e : 'cV[R]_p := delta_mx (Ordinal p_gt0) 0.
  have e_neq0 : e != 0 by apply/eqP => /matrixP/(_ (Ordinal p_gt0) 0)/eqP; rewrite !mxE !eqxx oner_eq0.
  apply: (@zero_eigenvalue _ _ _ (Nm *m e)); last by rewrite mulmxA GN mul0mx.
  by apply: contraNneq e_neq0 => Ne0; rewrite -[e]mul1mx -MN -mulmxA Ne0 mulmx0.
apply: (stable_beside_kernel GN MG MN (restsP R wf at_rest) _ P_pos Q_pos) => y.
have [point_n _] := andP at_rest.
case/orP: all_solve => [|/andP[solved_point N_solves]]; [by left | right].
have [res_k resE] := residualE R q wf point_n; have := mx_zero R res_k solved_point.
move=> /(congr1 trmx); rewrite trmx0 resE => /eqP; rewrite scaler_eq0 (negPf (zr_pos_neq0 R q)) subr_eq0 => /eqP solvedE.
rewrite !mulmxDr solvedE.
have L_pk := shaped_last_columns k_n N_pn.
have := mx_zero R (shaped_times_tr L_pk A_kk) N_solves; rewrite (mx_times_tr R L_pk A_kk) (mx_last_columns R k_n N_pn).
move=> /(congr1 trmx); rewrite !trmx_mul !trmxK trmx0 -/Nm => AN.
by rewrite !mulmxA in AN *; rewrite AN mul0mx addr0.
Qed.

Lemma orbitP (R : rcfType) n G v m : shaped n n G -> shaped 1 n [:: v] ->
  shaped m n (orbit G v m) /\ mx R m n (orbit G v m) = krylov (mx R n n G) (column R n v) m.
Proof.
move=> G_nn v_n; suff [shape rowsE] : shaped m n (orbit G v m) /\
    forall j, (j < m)%N -> column R n (nth [::] (orbit G v m) j) = iter j (mulmx (mx R n n G)) (column R n v).
  split=> //; apply/matrixP => j i; rewrite [RHS]mxE mxE -(rowsE j (ltn_ord j)) !mxE.
  by [].
elim: m v v_n => [|m IH] v v_n; first by split.
have Gv_shape := shaped_times_tr v_n G_nn; set u := nth [::] (times_tr [:: v] G) 0.
have uE : times_tr [:: v] G = [:: u] by rewrite /u; case: (times_tr _ _) Gv_shape => [|a [|]].
have u_n : shaped 1 n [:: u] by rewrite -uE.
have column_u : column R n u = mx R n n G *m column R n v.
  by rewrite /column -uE (mx_times_tr R v_n G_nn) trmx_mul trmxK.
have [shape rowsE] := IH u u_n; split.
  by move: v_n shape; rewrite /shaped /= andbT -/u => -> /andP[/eqP-> ->]; rewrite eqxx.
by case=> [|j] //= j_m; rewrite -/u rowsE // column_u -iterSr.
Qed.

Lemma zr_power (R : rcfType) d k : zr R (Zpos (power d k)) = zr R (Zpos d) ^+ k.
Proof. by rewrite /power; elim: k => [|k IH] /=; rewrite ?zr1 ?expr0 // Pos2Z.inj_mul zrM exprS IH. Qed.

Lemma iter_scaled (R : rcfType) n (a : R) (G : 'M[R]_n) (v : 'cV[R]_n) j :
  iter j (mulmx (a *: G)) v = a ^+ j *: iter j (mulmx G) v.
Proof.
elim: j => [|j IH]; first by rewrite scale1r.
by rewrite !iterS IH -scalemxAl -scalemxAr scalerA exprS.
Qed.

Lemma bad_factorP (R : rcfType) c v f X s : well_formed c -> bad_factor c v f X s ->
  ~ hurwitz (claim_G R c) /\ ~ converges_to_a_set (claim_G R c) (claim_g R c) (@claim_solves R c).
Proof.
move=> /and5P[_ G_nn _ _ _] /and5P[/andP[f_size _] v_n X_mn lead_pos /and3P[fO OX harm]].
set n := n_of c in v_n G_nn fO X_mn *; set m := (size f).-1 in X_mn fO OX harm *.
have f_m : size f = m.+1 by rewrite prednK // ltnW.
have [d_neq0 s_neq0] := (zr_pos_neq0 R (over c), zr_pos_neq0 R s).
pose p : {poly R} := Poly (map (sr R) f).
have pE : p = map (sr R) f :> seq R.
  by apply: (@PolyK _ 0); rewrite -(sr_nought R) last_map; exact/lt0r_neq0/above_0P.
have coef_p j : p`_j = sr R (nth nought f j).
  rewrite pE; have [j_f|f_j] := ltnP j (size f); first by rewrite (nth_map nought).
  by rewrite !nth_default ?size_map.
have size_p : size p = m.+1 by rewrite pE size_map.
have lead_p : 0 < lead_coef p.
  by rewrite /lead_coef size_p coef_p -[m]/(m.+1.-1) -f_m nth_last; exact: above_0P.
have y_scaled j : iter j (mulmx (claim_G R c)) (column R n v) =
    (zr R (Zpos (over c)))^-1 ^+ j *: iter j (mulmx (mx R n n (G_of c))) (column R n v) by exact: iter_scaled.
have fv : combination (claim_G R c) (column R n v) (size p) (fun j => p`_j) = 0.
  have [O_mn OE] := orbitP R m.+1 G_nn v_n.
  pose coefs := [seq mul (nth nought f j) (whole (power (over c) (m - j))) | j <- iota 0 m.+1].
  have coefs_m : shaped 1 m.+1 [:: coefs] by rewrite /shaped /= size_map size_iota eqxx.
  have Ot := shaped_turned n (shaped_size O_mn).
  have := mx_zero R (shaped_times_tr coefs_m Ot) fO; rewrite (mx_times_tr R coefs_m Ot).
  rewrite (mx_turned R (m := m.+1)) ?(shaped_size O_mn) // trmxK OE => sum0.
  rewrite size_p; apply: (scalerI (expf_neq0 m d_neq0)); rewrite scaler0 combination_krylov -linearZ /= scalemxAl.
  apply: trmx_inj; rewrite trmx0 trmxK -[RHS]sum0; apply/rowP => i; rewrite !mxE; apply: eq_bigr => j _.
  rewrite !mxE coef_p y_scaled /entry /= (nth_map 0%N) ?size_iota // nth_iota // add0n srM /= zr_power !mxE.
  have j_m : (j <= m)%N by rewrite -ltnS.
  rewrite -{1}(subnK j_m) exprD exprVn; have := expf_neq0 j d_neq0.
  move: (zr R (Zpos (over c)) ^+ j) (zr R (Zpos (over c)) ^+ (m - j)) (sr R (nth nought f j)) (fun_of_matrix _ i 0) => b a F y b_neq0.
  by field.
have KX : krylov (claim_G R c) (column R n v) m *m ((zr R (Zpos s))^-1 *: (mx R m n X)^T) = 1%:M.
  have [O_mn OE] := orbitP R m G_nn v_n.
  have take_O : take m (orbit (G_of c) v m.+1) = orbit (G_of c) v m.
    by elim: (m) (v) => //= k IH u; congr cons; exact: IH.
  have D_mm : shaped m m
      [seq [seq if i == j then whole (Pos.mul s (power (over c) i)) else nought | j <- iota 0 m] | i <- iota 0 m].
    rewrite /shaped size_map size_iota eqxx /= all_map (eq_all (a2 := predT)) ?all_predT // => u /=.
    by rewrite size_map size_iota eqxx.
  move: OX; rewrite take_O => /(mx_same R (shaped_times_tr O_mn X_mn) D_mm) OX.
  have OXE := mx_times_tr R O_mn X_mn; rewrite OX OE in OXE.
  apply/matrixP => i j; rewrite -scalemxAr mxE.
  have -> : (krylov (claim_G R c) (column R n v) m *m (mx R m n X)^T) i j =
      (zr R (Zpos (over c)))^-1 ^+ i * (krylov (mx R n n (G_of c)) (column R n v) m *m (mx R m n X)^T) i j.
    rewrite !mxE mulr_sumr; apply: eq_bigr => k _; rewrite !mxE y_scaled !mxE.
    by rewrite mulrA.
  rewrite -OXE !mxE /entry (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota // !add0n -val_eqE /=.
  case: eqP => _; last by rewrite sr_nought !mulr0.
  rewrite /= Pos2Z.inj_mul zrM zr_power exprVn; move: (zr R (Zpos s)) s_neq0 (zr R (Zpos (over c)) ^+ i) (expf_neq0 i d_neq0) => a a_neq0 b b_neq0.
  by rewrite mulrCA (mulrA a^-1) mulVf // mul1r mulVf.
have m_gt0 : (0 < m)%N by rewrite -ltnS -f_m.
case: ifP harm => [/(is_0P R) f0 /(is_0P R) f1|_ /andP[/(is_not_0P R) f0 /(at_least_0P R)]]; last first.
- rewrite srN oppr_ge0 => next_le0; have p_size : (1 < size p)%N by rewrite size_p.
  have next_p : p`_(size p).-2 <= 0 by rewrite size_p coef_p.
  have [l p_l l_ge0] := root_not_left p_size lead_p next_p.
  have KX' : krylov (claim_G R c) (column R n v) (size p).-1 *m
      ((zr R (Zpos s))^-1 *: (mx R (size p).-1 n X)^T) = 1%:M by rewrite size_p.
  apply: (unstable_does_not_converge _ _ (root_is_eigenvalue p_size KX' fv p_l)) => //.
  apply: contraTneq p_l => ->; rewrite /root horner_coef0 coef_map /= coef_p.
  by rewrite eq_complex /= eqxx andbT.
- pose w := combination (claim_G R c) (column R n v) m.-1 (fun j => p`_j.+2).
  have Gw : claim_G R c *m w = combination (claim_G R c) (column R n v) m (fun j => p`_j.+1).
    rewrite mul_combination /combination -(prednK m_gt0) big_ord_recl coef_p f1 scale0r add0r.
    by [].
  apply: (@defective_zero _ _ _ _ _ w); rewrite Gw.
    have m1 : (m.-1 < m)%N by rewrite prednK.
    apply: (@combination_neq0 _ _ _ _ _ (fun j => p`_j.+1) _ (Ordinal m1) KX); rewrite /= prednK //.
    by move: lead_p; rewrite /lead_coef size_p => /lt0r_neq0.
  move: fv; rewrite mul_combination /combination size_p big_ord_recl coef_p f0 scale0r add0r.
  by [].
Qed.

Theorem certificates_are_sound (R : rcfType) (c : claim) (v : verdict) (proof : certificate) :
  accepts c v proof -> means R c v.
Proof.
case: proof => [N M s point q P D W|shift q P D x|x f X s|y|x point q].
- case: v; [exact: accepts_stable | exact: accepts_stable | by rewrite /accepts andbF].
- case: v; rewrite /accepts ?andbF //= => /andP[wf /and4P[shift_ge0 H_falls x_n x_lt0]].
  have [_ G_nn _ _ _] := and5P wf; set n := n_of c in H_falls x_n G_nn *.
  have I_nn := shaped_diagonal n (mul shift (whole (over c))).
  have H_nn := shaped_combined (whole q) (Int (-1)) G_nn I_nn.
  have [P_nn P_sym Q_pos] := fallsP R H_nn H_falls.
  have [q_gt0 d_gt0] := (zr_pos R q, zr_pos R (over c)).
  have HE : mx R n n (combined (whole q) (G_of c) (Int (-1)) (diagonal (mul shift (whole (over c))) n)) =
      (zr R (Zpos q) * zr R (Zpos (over c))) *: (claim_G R c - (sr R shift / zr R (Zpos q))%:M).
    rewrite (mx_combined R _ _ G_nn I_nn) mx_diagonal /= -[Zneg 1]/(Z.opp (Zpos 1)) zrN zr1 scaleN1r scalerBr.
    rewrite /claim_G scalerA mulfK ?lt0r_neq0 // scale_scalar_mx srM /=; congr (_ - _%:M).
    by field; exact: lt0r_neq0.
  have qd_gt0 : 0 < zr R (Zpos q) * zr R (Zpos (over c)) by rewrite mulr_gt0.
  move: Q_pos; rewrite HE falling_scaled => /(positive_definiteZ _ qd_gt0) Q_pos.
  have x_form : ((column R n x)^T *m mx R n n P *m column R n x) 0 0 < 0.
    have xP := shaped_times_tr x_n P_nn; move: x_lt0 => /(above_0P R); rewrite srN oppr_gt0.
    have -> : sr R (entry (times_tr (times_tr [:: x] P) [:: x]) 0 0) =
        mx R 1 1 (times_tr (times_tr [:: x] P) [:: x]) 0 0 by rewrite mxE.
    by rewrite (mx_times_tr R xP x_n) (mx_times_tr R x_n P_nn) P_sym /column trmxK.
  have [l l_eigen l_gt] := unstable_direction P_sym Q_pos x_form.
  have l_gt0 : 0 < complex.Re l.
    apply: le_lt_trans l_gt; apply: divr_ge0; last exact: ltW.
    exact: at_least_0P.
  apply: (unstable_does_not_converge _ _ l_eigen); last exact: ltW.
  by apply: contraTneq l_gt0 => ->; rewrite ltxx.
- case: v => /andP[wf] //.
  exact: (bad_factorP R wf).
- case: v; rewrite /accepts ?andbF //= => /andP[wf /and3P[y_n yG yg]].
  have [_ G_nn g_n _ _] := and5P wf; set n := n_of c in y_n G_nn g_n yG *.
  have Gt_nn := shaped_turned n (shaped_size G_nn).
  apply: (@no_fixed_point _ _ _ _ _ (mx R 1 n [:: y])).
    have := mx_zero R (shaped_times_tr y_n Gt_nn) yG; rewrite (mx_times_tr R y_n Gt_nn).
    by rewrite mx_turned ?(shaped_size G_nn) // trmxK /claim_G -scalemxAr => ->; rewrite scaler0.
  have := mx_nonzero R (shaped_times_tr y_n g_n) yg; rewrite (mx_times_tr R y_n g_n) -/(column R n _).
  by rewrite /claim_g -scalemxAr scaler_eq0 invr_eq0 negb_or zr_pos_neq0.
- case: v; rewrite /accepts ?andbF //= => /andP[wf /and5P[x_n x_neq0 Gx not_own /andP[at_rest unsolved]]].
  have [point_n _] := andP at_rest; have [res_k resE] := residualE R q wf point_n.
  apply: (spurious_fixed_point (column_neq0 R x_n x_neq0) (claim_G_column R wf x_n Gx) (restsP R wf at_rest)).
  case=> [own_c|Aw]; first by rewrite own_c in not_own.
  have := mx_nonzero R res_k unsolved; rewrite -trmx_eq0 resE Aw subrr scaler0.
  by rewrite eqxx.
Qed.

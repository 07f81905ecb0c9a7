From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra complex ssrZ zify ring.
From tdrc Require Import definitions hurwitz positive_definite lyapunov integer_matrices verdicts krylov.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The update varrho' = G varrho + g, where w is the last k of n entries, and the equation A w = b: in integers, over
   the positive denominators `over` (of G and g) and `over_A` (of A and b). With `own`, fixed points need not solve
   it. *)
Record claim : Type := Claim {
  n_of : nat; k_of : nat; over : Z; G_of : rows; g_of : seq Z; over_A : Z; A_of : rows; b_of : seq Z; own : bool }.

Inductive verdict : Type := Convergent | Convergent_to_a_set | Not_convergent.

Definition column (R : ringType) n (u : seq Z) : 'cV[R]_n := (mx R 1 n [:: u])^T.
Definition last_entries (R : ringType) k n : 'M[R]_(k, n) := \matrix_(i, j) ((j : nat) == (n - k + i)%N)%:R.
Definition claim_G (R : fieldType) (c : claim) : 'M[R]_(n_of c) :=
  (zr R (over c))^-1 *: mx R (n_of c) (n_of c) (G_of c).
Definition claim_g (R : fieldType) (c : claim) : 'cV[R]_(n_of c) :=
  (zr R (over c))^-1 *: column R (n_of c) (g_of c).
Definition claim_solves (R : fieldType) (c : claim) (v : 'cV[R]_(n_of c)) : Prop :=
  own c \/ mx R (k_of c) (k_of c) (A_of c) *m (last_entries R (k_of c) (n_of c) *m v) = column R (k_of c) (b_of c).

Definition means (R : rcfType) (c : claim) (v : verdict) : Prop :=
  match v with
  | Convergent => hurwitz (claim_G R c)
  | Convergent_to_a_set =>
      converges_to_a_set (claim_G R c) (claim_g R c) (@claim_solves R c) /\ ~ hurwitz (claim_G R c)
  | Not_convergent =>
      ~ hurwitz (claim_G R c) /\ ~ converges_to_a_set (claim_G R c) (claim_g R c) (@claim_solves R c)
  end.

(* What proves a verdict, in integers: see verify/check_certificate.py. `scale` and `q` are positive denominators. *)
Inductive certificate : Type :=
  | Stable (N M : rows) (scale : Z) (point : seq Z) (q : Z) (P : rows) (D : seq Z) (W : rows)
  | Unstable (shift q : Z) (P : rows) (D : seq Z) (v : seq Z)
  | Factor (v f : seq Z) (leading : Z) (X : rows) (scale : Z)
  | No_fixed_point (y : seq Z)
  | Spurious_fixed_point (v point : seq Z) (q : Z).

Definition above_0 (x : Z) : bool := Z.ltb 0 x.
Definition well_formed (c : claim) : bool :=
  [&& (0 < k_of c <= n_of c)%N, above_0 (over c), above_0 (over_A c), shaped (n_of c) (n_of c) (G_of c),
      shaped 1 (n_of c) [:: g_of c], shaped (k_of c) (k_of c) (A_of c) & shaped 1 (k_of c) [:: b_of c]].

(* x^T P x falls along x' = H x: Q D, for Q = - (P H + (P H)^T), is dominated by its diagonal. *)
Definition scaled_columns (l : rows) (D : seq Z) : rows := [seq [seq Z.mul xd.1 xd.2 | xd <- zip u D] | u <- l].
Definition falls (n : nat) (H P : rows) (D : seq Z) : bool :=
  let T := times_tr P (turned n H) in
  [&& shaped n n P, turned n P == P, size D == n, all above_0 D
    & dominated (scaled_columns (combined (-1) T (-1) (turned n T)) D) n].
Definition rests (c : claim) (point : seq Z) (q : Z) : bool :=
  [&& above_0 q, shaped 1 (n_of c) [:: point] & zero (combined 1 (times_tr [:: point] (G_of c)) q [:: g_of c])].
Definition last_columns (c : claim) (l : rows) : rows := [seq drop (n_of c - k_of c) u | u <- l].
Definition solved (c : claim) (point : seq Z) (q : Z) : bool :=
  zero (combined 1 (times_tr (last_columns c [:: point]) (A_of c)) (- q) [:: b_of c]).

(* v, G v, ..., and the powers of d: f(G / d) v = 0 where the sum of f_j d^(m - j) G^j v is 0. *)
Fixpoint orbit (G : rows) (v : seq Z) (m : nat) : rows :=
  if m is m'.+1 then v :: orbit G (nth [::] (times_tr [:: v] G) 0) m' else [::].
Definition power (d : Z) (k : nat) : Z := iter k (Z.mul d) (Zpos 1).
(* f is the least polynomial with f(G) v = 0, as v, G v, ... are independent; it is divisible by t^2, or the real parts
   of its roots, none of which is 0, do not add up to less than 0. *)
Definition bad_factor (c : claim) (v f : seq Z) (leading : Z) (X : rows) (s : Z) : bool :=
  let n := n_of c in let m := (size f).-1 in let d := over c in let O := orbit (G_of c) v m.+1 in
  [&& (1 < size f <= n.+1)%N, shaped 1 n [:: v], shaped m n X, above_0 s, above_0 leading, last Z0 f == leading,
      zero (times_tr [:: [seq Z.mul (nth Z0 f j) (power d (m - j)) | j <- iota 0 m.+1]] (turned n O)),
      times_tr (take m O) X == [seq [seq if i == j then Z.mul s (power d i) else Z0 | j <- iota 0 m] | i <- iota 0 m]
    & if Z.eqb (nth Z0 f 0) 0 then Z.eqb (nth Z0 f 1) 0 else Z.leb (nth Z0 f m.-1) 0].

Definition accepts (c : claim) (v : verdict) (proof : certificate) : bool :=
  let n := n_of c in let G := G_of c in
  well_formed c &&
  match v, proof with
  | (Convergent | Convergent_to_a_set) as v, Stable N M s point q P D W =>
      let p := size N in
      [&& shaped p n N, shaped p n M, zero (times_tr N G), zero (times_tr M (turned n G)),
          above_0 s, times_tr M N == diagonal s p,
          falls n (combined s G (- over c) (times_tr (turned n N) (turned n M))) P D,
          shaped n n W, dominated (times_tr (times_tr W P) W) n, rests c point q
        & match v with
          | Convergent => p == 0%N
          | _ => (0 < p)%N && (own c || solved c point q && zero (times_tr (last_columns c N) (A_of c)))
          end]
  | Not_convergent, Unstable shift q P D v =>
      [&& above_0 q, Z.leb 0 shift, falls n (combined q G (-1) (diagonal (Z.mul shift (over c)) n)) P D,
          shaped 1 n [:: v] & Z.ltb (entry (times_tr (times_tr [:: v] P) [:: v]) 0 0) 0]
  | Not_convergent, Factor v f leading X s => bad_factor c v f leading X s
  | Not_convergent, No_fixed_point y =>
      [&& shaped 1 n [:: y], zero (times_tr [:: y] (turned n G)) & ~~ zero (times_tr [:: y] [:: g_of c])]
  | Not_convergent, Spurious_fixed_point v point q =>
      [&& shaped 1 n [:: v], ~~ zero [:: v], zero (times_tr [:: v] G), ~~ own c, rests c point q
        & ~~ solved c point q]
  | _, _ => false
  end.

Lemma above_0E (R : realDomainType) x : above_0 x = (0 < zr R x).
Proof. by rewrite /above_0 (zr_lt R). Qed.

Lemma shaped_scaled_columns n l D : shaped n n l -> size D = n -> shaped n n (scaled_columns l D).
Proof.
move=> l_nn D_n; rewrite /shaped size_map (shaped_size l_nn) eqxx /=.
apply/(all_nthP [::]) => i; rewrite size_map (shaped_size l_nn) => i_n.
by rewrite (nth_map [::]) ?(shaped_size l_nn) // size_map size_zip (shaped_row l_nn) // D_n minnn.
Qed.

Lemma entry_scaled_columns n l D i j : shaped n n l -> size D = n -> (i < n)%N -> (j < n)%N ->
  entry (scaled_columns l D) i j = Z.mul (entry l i j) (nth Z0 D j).
Proof.
move=> l_nn D_n i_n j_n; rewrite /entry /scaled_columns (nth_map [::]) ?(shaped_size l_nn) //.
rewrite (nth_map (Z0, Z0)) ?size_zip ?(shaped_row l_nn) ?D_n ?minnn //.
by rewrite nth_zip ?(shaped_row l_nn) ?D_n.
Qed.

Lemma zr_abs_sum (R : realDomainType) u :
  zr R (foldr (fun x s => Z.add (Z.abs x) s) Z0 u) = \sum_(j < size u) `|zr R (nth Z0 u j)|.
Proof.
elim: u => [|x u IH] /=; first by rewrite big_ord0 zr0.
by rewrite zrD zr_abs IH big_ord_recl.
Qed.

Lemma dominatedP (R : realDomainType) n l : shaped n n l -> dominated l n ->
  forall i, \sum_j `|mx R n n l i j| < 2%:R * mx R n n l i i.
Proof.
move=> l_nn /allP dom i; have := dom i; rewrite mem_iota ltn_ord => /(_ isT).
rewrite (zr_lt R) zr_abs_sum (shaped_row l_nn) // zrM mxE => /(le_lt_trans _); apply.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => j _; rewrite mxE.
Qed.

Lemma congruence_definite (R : realFieldType) n (W S : 'M[R]_n) :
  positive_definite (W *m S *m W^T) -> positive_definite S.
Proof.
move=> pos; have : W *m S *m W^T \in unitmx by exact: positive_definite_unit.
rewrite !unitmx_mul => /andP[_ W_unit] z z_neq0.
have := pos (invmx W^T *m z); rewrite !mulmxA trmx_mul trmx_inv trmxK => /(_ (unit_neq0 _ z_neq0)).
rewrite unitmx_inv => /(_ W_unit); rewrite unitmx_tr in W_unit.
by rewrite -!mulmxA (mulKVmx _) ?unitmx_tr // !mulmxA mulmxKV.
Qed.

Lemma fallsP (R : realFieldType) n H P D : shaped n n H -> falls n H P D ->
  [/\ shaped n n P, (mx R n n P)^T = mx R n n P
    & positive_definite (- ((mx R n n H)^T *m mx R n n P + mx R n n P *m mx R n n H))].
Proof.
move=> H_nn /and5P[P_nn /eqP P_turned /eqP D_n /(all_nthP Z0) D_pos dom].
set T := times_tr _ _ in dom *; have T_nn : shaped n n T.
  by apply: shaped_times_tr P_nn (shaped_turned _ (shaped_size H_nn)).
have T_turned := shaped_turned n (shaped_size T_nn).
set S := combined _ _ _ _ in dom *; have S_nn : shaped n n S by exact: shaped_combined.
have P_sym : (mx R n n P)^T = mx R n n P by rewrite -mx_turned ?P_turned ?(shaped_size P_nn).
have TE : mx R n n T = mx R n n P *m mx R n n H.
  by rewrite (mx_times_tr R P_nn (shaped_turned _ (shaped_size H_nn))) mx_turned ?trmxK ?(shaped_size H_nn).
have SE : mx R n n S = - ((mx R n n H)^T *m mx R n n P + mx R n n P *m mx R n n H).
  rewrite (mx_combined R _ _ T_nn T_turned) mx_turned ?(shaped_size T_nn) // TE trmx_mul P_sym.
  by rewrite (_ : zr R (-1) = -1) // !scaleN1r opprD addrC.
split=> //; rewrite -SE; have S_sym : (mx R n n S)^T = mx R n n S.
  by rewrite SE trmxN trmxD !trmx_mul P_sym trmxK addrC.
apply: (@congruence_definite _ _ (diag_mx (mx R 1 n [:: D]))); apply: dominance_definite.
  by rewrite !trmx_mul trmxK S_sym tr_diag_mx mulmxA.
have D_gt0 (i : 'I_n) : 0 < zr R (nth Z0 D i) by rewrite -above_0E; apply: D_pos; rewrite D_n.
move=> i; rewrite tr_diag_mx.
have entry j : (diag_mx (mx R 1 n [:: D]) *m mx R n n S *m diag_mx (mx R 1 n [:: D])) i j =
    zr R (nth Z0 D i) * mx R n n (scaled_columns S D) i j.
  by rewrite mul_diag_mx mul_mx_diag !mxE (entry_scaled_columns S_nn D_n) // zrM mulrA.
rewrite entry; under eq_bigr do rewrite entry normrM gtr0_norm //.
by rewrite -mulr_sumr mulrCA ltr_pmul2l //; apply: (dominatedP R _ dom); exact: shaped_scaled_columns.
Qed.

Lemma positive_by_congruence (R : realFieldType) n P W : shaped n n P -> (mx R n n P)^T = mx R n n P ->
  shaped n n W -> dominated (times_tr (times_tr W P) W) n -> positive_definite (mx R n n P).
Proof.
move=> P_nn P_sym W_nn dom; have WP_nn := shaped_times_tr W_nn P_nn.
have WPWE : mx R n n (times_tr (times_tr W P) W) = mx R n n W *m mx R n n P *m (mx R n n W)^T.
  by rewrite (mx_times_tr R WP_nn W_nn) (mx_times_tr R W_nn P_nn) P_sym.
apply: (@congruence_definite _ _ (mx R n n W)); rewrite -WPWE; apply: dominance_definite.
  by rewrite WPWE !trmx_mul trmxK P_sym mulmxA.
exact: dominatedP (shaped_times_tr WP_nn W_nn) dom.
Qed.

Lemma mx_last_columns (R : ringType) p n k l : (k <= n)%N -> shaped p n l ->
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

Lemma zr_gt0_neq0 (R : realDomainType) x : above_0 x -> zr R x != 0.
Proof. by rewrite (above_0E R) => /lt0r_neq0. Qed.

Lemma restsP (R : realFieldType) c u q : well_formed c -> rests c u q ->
  claim_G R c *m ((zr R q)^-1 *: column R (n_of c) u) + claim_g R c = 0.
Proof.
case/and5P => _ d_pos _ G_nn /and3P[g_n _ _] /and3P[q_pos u_n].
have uG := shaped_times_tr u_n G_nn; have q_neq0 := zr_gt0_neq0 R q_pos.
move=> /(mx_zero R (shaped_combined 1 q uG g_n)); rewrite (mx_combined R _ _ uG g_n) (mx_times_tr R u_n G_nn).
rewrite zr1 scale1r => /(congr1 trmx); rewrite trmxD trmx_mul trmxZ trmxK trmx0 -/(column R _ u).
rewrite -/(column R _ (g_of c)).
rewrite /claim_G /claim_g -scalemxAr -!scalemxAl => Gu.
rewrite scalerA mulrC -scalerA -scalerDr; apply/eqP; rewrite scaler_eq0 invr_eq0 (negPf (zr_gt0_neq0 R d_pos)) /=.
by rewrite -(inj_eq (scalerI q_neq0)) scalerDr scalerA mulfV // scale1r Gu scaler0.
Qed.

Lemma solvedE (R : realFieldType) c u q : well_formed c -> above_0 q -> shaped 1 (n_of c) [:: u] ->
  solved c u q = (mx R (k_of c) (k_of c) (A_of c) *m
    (last_entries R (k_of c) (n_of c) *m ((zr R q)^-1 *: column R (n_of c) u)) == column R (k_of c) (b_of c)).
Proof.
case/and5P => /andP[_ k_n] _ _ _ /and3P[_ A_kk b_k] q_pos u_n; have q_neq0 := zr_gt0_neq0 R q_pos.
have w_k := shaped_last_columns k_n u_n; have Aw := shaped_times_tr w_k A_kk.
set lhs := _ *m _.
have lhsE : (mx R 1 (k_of c) (combined 1 (times_tr (last_columns c [:: u]) (A_of c)) (- q) [:: b_of c]))^T =
    zr R q *: (lhs - column R (k_of c) (b_of c)).
  rewrite (mx_combined R _ _ Aw b_k) (mx_times_tr R w_k A_kk) (mx_last_columns R k_n u_n) zr1 scale1r zrN.
  rewrite trmxD trmxZ trmx_mul trmxK trmx_mul trmxK -/(column R _ u) -/(column R _ (b_of c)) scaleNr scalerBr.
  by rewrite /lhs -!scalemxAr scalerA mulfV // scale1r.
rewrite -subr_eq0 -(inj_eq (scalerI q_neq0)) scaler0 -lhsE trmx_eq0 /solved.
have shape := shaped_combined 1 (- q) Aw b_k; apply/idP/eqP => [/(mx_zero R shape)//|mx0].
by apply: contraT => /(mx_nonzero R shape); rewrite mx0 eqxx.
Qed.

Lemma column_neq0 (R : realDomainType) n u : shaped 1 n [:: u] -> ~~ zero [:: u] -> column R n u != 0.
Proof. by move=> u_n /(mx_nonzero R u_n); rewrite /column trmx_eq0. Qed.

Lemma claim_G_column (R : realFieldType) c v : well_formed c -> shaped 1 (n_of c) [:: v] ->
  zero (times_tr [:: v] (G_of c)) -> claim_G R c *m column R (n_of c) v = 0.
Proof.
case/and5P => _ d_pos _ G_nn _ v_n; have vG := shaped_times_tr v_n G_nn => /(mx_zero R vG).
rewrite (mx_times_tr R v_n G_nn) => /(congr1 trmx); rewrite trmx_mul trmxK trmx0 -/(column R _ v) => Gv.
by rewrite /claim_G -scalemxAl Gv scaler0.
Qed.

Lemma falling_scaled (R : comRingType) n (a : R) (X P : 'M[R]_n) :
  - ((a *: X)^T *m P + P *m (a *: X)) = a *: - (X^T *m P + P *m X).
Proof. by rewrite trmxZ -scalemxAl -scalemxAr -scalerDr scalerN. Qed.

Lemma accepts_stable (R : rcfType) c v N M s point q P D W :
  v <> Not_convergent -> accepts c v (Stable N M s point q P D W) -> means R c v.
Proof.
move=> v_stable; rewrite /accepts => /andP[wf].
have : [&& shaped (size N) (n_of c) N, shaped (size N) (n_of c) M, zero (times_tr N (G_of c)),
    zero (times_tr M (turned (n_of c) (G_of c))), above_0 s, times_tr M N == diagonal s (size N),
    falls (n_of c) (combined s (G_of c) (- over c) (times_tr (turned (n_of c) N) (turned (n_of c) M))) P D,
    shaped (n_of c) (n_of c) W, dominated (times_tr (times_tr W P) W) (n_of c), rests c point q
  & match v with
    | Convergent => size N == 0%N
    | _ => (0 < size N)%N && (own c || solved c point q && zero (times_tr (last_columns c N) (A_of c)))
    end] -> means R c v; last by case: v v_stable.
set n := n_of c; set p := size N => /and5P[N_pn M_pn NG0 MG0 /and5P[s_pos /eqP MNs H_falls W_nn]].
move=> /and3P[W_dom at_rest set_ok]; have [/andP[_ k_n] d_pos e_pos G_nn _] := and5P wf.
have Gt_nn := shaped_turned n (shaped_size G_nn).
have [Nt_np Mt_np] := (shaped_turned n (shaped_size N_pn), shaped_turned n (shaped_size M_pn)).
have NM_nn := shaped_times_tr Nt_np Mt_np; have H_nn := shaped_combined s (- over c) G_nn NM_nn.
have [P_nn P_sym Q_pos] := fallsP R H_nn H_falls; have P_pos := positive_by_congruence P_nn P_sym W_nn W_dom.
have [s_gt0 d_gt0] : 0 < zr R s /\ 0 < zr R (over c) by rewrite -!above_0E.
have [s_neq0 d_neq0] := (lt0r_neq0 s_gt0, lt0r_neq0 d_gt0).
pose Nm := (mx R p n N)^T; pose Mm := (zr R s)^-1 *: mx R p n M; pose G := claim_G R c.
have GN : G *m Nm = 0.
  have := mx_zero R (shaped_times_tr N_pn G_nn) NG0; rewrite (mx_times_tr R N_pn G_nn) => /(congr1 trmx).
  by rewrite trmx_mul trmxK trmx0 => GN; rewrite /G /claim_G -scalemxAl GN scaler0.
have MG : Mm *m G = 0.
  have := mx_zero R (shaped_times_tr M_pn Gt_nn) MG0; rewrite (mx_times_tr R M_pn Gt_nn).
  rewrite mx_turned ?(shaped_size G_nn) // trmxK => MG.
  by rewrite /G /claim_G /Mm -scalemxAr -scalemxAl MG !scaler0.
have MN : Mm *m Nm = 1%:M.
  rewrite /Mm /Nm -scalemxAl -(mx_times_tr R M_pn N_pn) MNs mx_diagonal scale_scalar_mx mulVf //.
have HE : mx R n n (combined s (G_of c) (- over c) (times_tr (turned n N) (turned n M))) =
    (zr R s * zr R (over c)) *: (G - Nm *m Mm).
  rewrite (mx_combined R _ _ G_nn NM_nn) (mx_times_tr R Nt_np Mt_np) !mx_turned ?(shaped_size M_pn) // trmxK zrN.
  rewrite scalerBr /G /claim_G /Mm -scalemxAr !scalerA mulfK // [zr R s * _]mulrC mulfK //.
  by rewrite scaleNr.
have sd_gt0 : 0 < zr R s * zr R (over c) by rewrite mulr_gt0.
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
have [q_pos point_n _] := and3P at_rest.
case/orP: all_solve => [|/andP[solved_point N_solves]]; [by left | right].
have [_ _ _ _ /and3P[_ A_kk _]] := and5P wf.
rewrite !mulmxDr; have := solved_point; rewrite (solvedE R wf q_pos point_n) => /eqP ->.
have L_pk := shaped_last_columns k_n N_pn.
have := mx_zero R (shaped_times_tr L_pk A_kk) N_solves; rewrite (mx_times_tr R L_pk A_kk) (mx_last_columns R k_n N_pn).
move=> /(congr1 trmx); rewrite !trmx_mul !trmxK trmx0 -/Nm => AN.
by rewrite !mulmxA in AN *; rewrite AN mul0mx addr0.
Qed.

Lemma orbitP (R : comRingType) n G v m : shaped n n G -> shaped 1 n [:: v] ->
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

Lemma zr_power (R : ringType) d k : zr R (power d k) = zr R d ^+ k.
Proof. by rewrite /power; elim: k => [|k IH] /=; rewrite ?zr1 ?expr0 // zrM exprS IH. Qed.

Lemma iter_scaled (R : comRingType) n (a : R) (G : 'M[R]_n) (v : 'cV[R]_n) j :
  iter j (mulmx (a *: G)) v = a ^+ j *: iter j (mulmx G) v.
Proof.
elim: j => [|j IH]; first by rewrite scale1r.
by rewrite !iterS IH -scalemxAl -scalemxAr scalerA exprS.
Qed.

Lemma bad_factorP (R : rcfType) c v f leading X s : well_formed c -> bad_factor c v f leading X s ->
  ~ hurwitz (claim_G R c) /\ ~ converges_to_a_set (claim_G R c) (claim_g R c) (@claim_solves R c).
Proof.
move=> /and5P[_ d_pos _ G_nn _] /and5P[/andP[f_size _] v_n X_mn s_pos /and5P[lead_pos /eqP lead fO OX harm]].
set n := n_of c in v_n G_nn fO X_mn *; set m := (size f).-1 in X_mn fO OX harm *.
have f_m : size f = m.+1 by rewrite prednK // ltnW.
have [d_neq0 s_neq0] := (zr_gt0_neq0 R d_pos, zr_gt0_neq0 R s_pos).
pose p : {poly R} := Poly (map (zr R) f).
have pE : p = map (zr R) f :> seq R.
  by apply: (@PolyK _ 0); rewrite -(zr0 R) last_map lead; exact: zr_gt0_neq0.
have coef_p j : p`_j = zr R (nth Z0 f j).
  rewrite pE; have [j_f|f_j] := ltnP j (size f); first by rewrite (nth_map Z0).
  by rewrite !nth_default ?size_map.
have size_p : size p = m.+1 by rewrite pE size_map.
have lead_p : 0 < lead_coef p.
  by rewrite /lead_coef size_p coef_p -f_m nth_last lead -above_0E.
have y_scaled j : iter j (mulmx (claim_G R c)) (column R n v) =
    (zr R (over c))^-1 ^+ j *: iter j (mulmx (mx R n n (G_of c))) (column R n v) by exact: iter_scaled.
have fv : combination (claim_G R c) (column R n v) (size p) (fun j => p`_j) = 0.
  have [O_mn OE] := orbitP R m.+1 G_nn v_n.
  pose coefs := [seq Z.mul (nth Z0 f j) (power (over c) (m - j)) | j <- iota 0 m.+1].
  have coefs_m : shaped 1 m.+1 [:: coefs] by rewrite /shaped /= size_map size_iota eqxx.
  have Ot := shaped_turned n (shaped_size O_mn).
  have := mx_zero R (shaped_times_tr coefs_m Ot) fO; rewrite (mx_times_tr R coefs_m Ot).
  rewrite (mx_turned R (m := m.+1)) ?(shaped_size O_mn) // trmxK OE => sum0.
  rewrite size_p; apply: (scalerI (expf_neq0 m d_neq0)); rewrite scaler0 combination_krylov -linearZ /= scalemxAl.
  apply: trmx_inj; rewrite trmx0 trmxK -[RHS]sum0; apply/rowP => i; rewrite !mxE; apply: eq_bigr => j _.
  rewrite !mxE coef_p y_scaled /entry /= (nth_map 0%N) ?size_iota // nth_iota // add0n zrM zr_power !mxE.
  have j_m : (j <= m)%N by rewrite -ltnS.
  rewrite -{1}(subnK j_m) exprD exprVn; have := expf_neq0 j d_neq0.
  move: (zr R (over c) ^+ j) (zr R (over c) ^+ (m - j)) (zr R (nth Z0 f j)) (fun_of_matrix _ i 0) => b a F y b_neq0.
  by field.
have KX : krylov (claim_G R c) (column R n v) m *m ((zr R s)^-1 *: (mx R m n X)^T) = 1%:M.
  have [O_mn OE] := orbitP R m G_nn v_n.
  have take_O : take m (orbit (G_of c) v m.+1) = orbit (G_of c) v m.
    by elim: (m) (v) => //= k IH u; congr cons; exact: IH.
  move: OX; rewrite take_O => /eqP OX; have OXE := mx_times_tr R O_mn X_mn; rewrite OX OE in OXE.
  apply/matrixP => i j; rewrite -scalemxAr mxE.
  have -> : (krylov (claim_G R c) (column R n v) m *m (mx R m n X)^T) i j =
      (zr R (over c))^-1 ^+ i * (krylov (mx R n n (G_of c)) (column R n v) m *m (mx R m n X)^T) i j.
    rewrite !mxE mulr_sumr; apply: eq_bigr => k _; rewrite !mxE y_scaled !mxE.
    by rewrite mulrA.
  rewrite -OXE !mxE /entry (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota // !add0n -val_eqE /=.
  case: eqP => _; last by rewrite zr0 !mulr0.
  rewrite zrM zr_power exprVn; move: (zr R s) s_neq0 (zr R (over c) ^+ i) (expf_neq0 i d_neq0) => a a_neq0 b b_neq0.
  by rewrite mulrCA (mulrA a^-1) mulVf // mul1r mulVf.
have m_gt0 : (0 < m)%N by rewrite -ltnS -f_m.
case: ifP harm => [/Z.eqb_eq f0 /Z.eqb_eq f1|f0 next_le0].
- pose w := combination (claim_G R c) (column R n v) m.-1 (fun j => p`_j.+2).
  have Gw : claim_G R c *m w = combination (claim_G R c) (column R n v) m (fun j => p`_j.+1).
    rewrite mul_combination /combination -(prednK m_gt0) big_ord_recl coef_p f1 zr0 scale0r add0r.
    by [].
  apply: (@defective_zero _ _ _ _ _ w); rewrite Gw.
    have m1 : (m.-1 < m)%N by rewrite prednK.
    apply: (@combination_neq0 _ _ _ _ _ (fun j => p`_j.+1) _ (Ordinal m1) KX); rewrite /= prednK //.
    by move: lead_p; rewrite /lead_coef size_p => /lt0r_neq0.
  move: fv; rewrite mul_combination /combination size_p big_ord_recl coef_p f0 zr0 scale0r add0r.
  by [].
- have p_size : (1 < size p)%N by rewrite size_p.
  have next_p : p`_(size p).-2 <= 0 by rewrite size_p coef_p -(zr0 R) -zr_le.
  have [l p_l l_ge0] := root_not_left p_size lead_p next_p.
  have KX' : krylov (claim_G R c) (column R n v) (size p).-1 *m
      ((zr R s)^-1 *: (mx R (size p).-1 n X)^T) = 1%:M by rewrite size_p.
  apply: (unstable_does_not_converge _ _ (root_is_eigenvalue p_size KX' fv p_l)) => //.
  apply: contraTneq p_l => ->; rewrite /root horner_coef0 coef_map /= coef_p.
  by rewrite eq_complex /= eqxx andbT -zr_eq0 f0.
Qed.

Theorem certificates_are_sound (R : rcfType) (c : claim) (v : verdict) (proof : certificate) :
  accepts c v proof -> means R c v.
Proof.
case: proof => [N M s point q P D W|shift q P D x|x f leading X s|y|x point q].
- case: v; [exact: accepts_stable | exact: accepts_stable | by rewrite /accepts andbF].
- case: v; rewrite /accepts ?andbF //= => /andP[wf /and5P[q_pos shift_ge0 H_falls x_n x_lt0]].
  have [_ d_pos e_pos G_nn _] := and5P wf; set n := n_of c in H_falls x_n G_nn *.
  have I_nn := shaped_diagonal n (Z.mul shift (over c)); have H_nn := shaped_combined q (-1) G_nn I_nn.
  have [P_nn P_sym Q_pos] := fallsP R H_nn H_falls.
  have [q_gt0 d_gt0] : 0 < zr R q /\ 0 < zr R (over c) by rewrite -!above_0E.
  have HE : mx R n n (combined q (G_of c) (-1) (diagonal (Z.mul shift (over c)) n)) =
      (zr R q * zr R (over c)) *: (claim_G R c - (zr R shift / zr R q)%:M).
    rewrite (mx_combined R _ _ G_nn I_nn) mx_diagonal (_ : zr R (-1) = -1) // scaleN1r scalerBr /claim_G scalerA.
    rewrite mulfK ?lt0r_neq0 // scale_scalar_mx zrM; congr (_ - _%:M).
    by field; exact: lt0r_neq0.
  have qd_gt0 : 0 < zr R q * zr R (over c) by rewrite mulr_gt0.
  move: Q_pos; rewrite HE falling_scaled => /(positive_definiteZ _ qd_gt0) Q_pos.
  have x_form : ((column R n x)^T *m mx R n n P *m column R n x) 0 0 < 0.
    have xP := shaped_times_tr x_n P_nn; move: x_lt0; rewrite (zr_lt R) zr0.
    have -> : zr R (entry (times_tr (times_tr [:: x] P) [:: x]) 0 0) =
        mx R 1 1 (times_tr (times_tr [:: x] P) [:: x]) 0 0 by rewrite mxE.
    by rewrite (mx_times_tr R xP x_n) (mx_times_tr R x_n P_nn) P_sym /column trmxK.
  have [l l_eigen l_gt] := unstable_direction P_sym Q_pos x_form.
  have l_gt0 : 0 < complex.Re l.
    apply: le_lt_trans l_gt; apply: divr_ge0; last exact: ltW.
    by rewrite (zr_le R) zr0 in shift_ge0.
  apply: (unstable_does_not_converge _ _ l_eigen); last exact: ltW.
  by apply: contraTneq l_gt0 => ->; rewrite ltxx.
- case: v => /andP[wf] //.
  exact: (bad_factorP R wf).
- case: v; rewrite /accepts ?andbF //= => /andP[wf /and3P[y_n yG yg]].
  have [_ d_pos e_pos G_nn /and3P[g_n _ _]] := and5P wf; set n := n_of c in y_n G_nn g_n yG *.
  have Gt_nn := shaped_turned n (shaped_size G_nn).
  apply: (@no_fixed_point _ _ _ _ _ (mx R 1 n [:: y])).
    have := mx_zero R (shaped_times_tr y_n Gt_nn) yG; rewrite (mx_times_tr R y_n Gt_nn).
    by rewrite mx_turned ?(shaped_size G_nn) // trmxK /claim_G -scalemxAr => ->; rewrite scaler0.
  have := mx_nonzero R (shaped_times_tr y_n g_n) yg; rewrite (mx_times_tr R y_n g_n) -/(column R n _).
  by rewrite /claim_g -scalemxAr scaler_eq0 invr_eq0 negb_or zr_gt0_neq0.
- case: v; rewrite /accepts ?andbF //= => /andP[wf /and5P[x_n x_neq0 Gx not_own /andP[at_rest unsolved]]].
  have [q_pos point_n _] := and3P at_rest.
  apply: (spurious_fixed_point (column_neq0 R x_n x_neq0) (claim_G_column R wf x_n Gx) (restsP R wf at_rest)).
  case=> [own_c|Aw]; first by rewrite own_c in not_own.
  by rewrite (solvedE R wf q_pos point_n) Aw eqxx in unsolved.
Qed.

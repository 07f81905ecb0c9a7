From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import definitions positive_definite surds surd_matrices fractions verdicts certificates learners.
From tdrc Require Import judged_tables independent_samples.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A learner's update with a step size on one step of the table, and the probability of a step. *)
Definition direction (R : rcfType) (l : learner) (t : table) m (s : step) (v : 'cV[R]_m) : 'cV[R]_m :=
  \col_(i < m) coordinate_at l t s (entries v) (nth nothing (coordinates (width t) (directions l)) i).
Definition step_number (t : table) (k : 'I_(size (steps t))) : step := tnth (in_tuple (steps t)) k.
Definition update_on (R : rcfType) (l : learner) (t : table) (alpha : R) m (k : 'I_(size (steps t)))
    (v : 'cV[R]_m) : 'cV[R]_m := v + alpha *: direction l t (step_number k) v.
Definition probability_of (R : rcfType) (t : table) (k : 'I_(size (steps t))) : R :=
  fr R (mass t (step_number k)).

(* Every update moves weights along the columns of B. Over n independent steps of the table, the mean square of what
   runs on the same steps differ by, from starts that differ by B y, is at most a multiple of rho^n, and the second
   moments from every start are bounded for ever. *)
Definition moments_bounded (R : rcfType) (l : learner) (t : table) (alpha rho : R) m r (B : 'M[R]_(m, r)) :
    Prop :=
  let p := @probability_of R t in let update := @update_on R l t alpha m in
  [/\ becomes l = [::], (forall k, 0 <= p k) /\ \sum_k p k = 1, 0 < rho < 1
    & [/\ forall k v, exists y, update k v = v + B *m y,
          exists c, forall n v y, average p n
            (fun ks => square_norm (after_updates update ks (v + B *m y) - after_updates update ks v)) <=
            c * rho ^+ n * square_norm y
        & forall v, exists c, forall n,
            average p n (fun ks => square_norm (after_updates update ks v)) <= c]].

(* What shows it: B, L with B L G = c G and B L g = c g for the update G v + g of every step, a form P above the
   identity, and what diagonalises P - 1 and the fall of P nearly. Updates are taken to a common denominator. *)
Record contraction : Type := Contraction {
  over_updates : positive; moving_in : rows; moving_by : rows; over_moving : positive;
  form : rows; factor_of_form : rows; factor_of_fall : rows }.

(* d x / e, where it has integers. *)
Fixpoint quotient (d e : positive) (x : surd) : surd :=
  match x with Int z => Int (Z.div (Z.mul z (Zpos d)) (Zpos e)) | Root a b p => Root (quotient d e a) (quotient d e b) p end.
Definition over_all (t : table) : positive := Pos.mul (weights_over t) (probability_over t).
Definition definite (n : nat) (S W : rows) : bool :=
  [&& shaped n n S, same (turned n S) S, shaped n n W & dominated (times_tr (times_tr W S) W) n].
Definition stretch (alpha : frac) (c : contraction) : positive :=
  Pos.mul alpha.2 (Pos.mul (over_moving c) (over_updates c)).

(* The weight of a step, and `stretch` times what its update does to differences of weights, in coordinates. *)
Definition sample (l : learner) (t : table) (alpha : frac) (m n : nat) (c : contraction) (s : step) :
    option (surd * rows) :=
  if affine_coordinates l t (directions l) s is Some found then
    let d := over_updates c in
    let G := [seq [seq quotient d a.1.2 (nth nought a.2 j) | j <- iota 0 m] | a <- found] in
    let g := [seq quotient d a.1.2 a.1.1 | a <- found] in
    let LG := times_tr (moving_by c) (turned m G) in let q := Int (Zneg (over_moving c)) in
    if [&& size found == m,
          all (fun i => is_zero (minus (nth (number frac0) found i) ((nth nought g i, d), nth [::] G i))) (iota 0 m),
          at_least_0 (mass t s).1,
          zero (combined (Int 1) (times_tr (moving_in c) (turned m LG)) q G)
        & zero (combined (Int 1) (times_tr (times_tr [:: g] (moving_by c)) (moving_in c)) q [:: g])]
    then Some ((mass t s).1, combined alpha.1 (times_tr LG (turned n (moving_in c))) (Int 1)
        (diagonal (whole (stretch alpha c)) n))
    else None
  else None.

(* The sum of the weights w, and that of w N^T P N. *)
Definition mean_form (l : learner) (t : table) (alpha : frac) (m n : nat) (c : contraction) (ss : seq step) :
    option (surd * rows) :=
  foldr (fun s known => if known is Some wT then
      if sample l t alpha m n c s is Some wN then
        let N := turned n wN.2 in
        Some (add wN.1 wT.1, combined (Int 1) wT.2 wN.1 (times_tr (times_tr N (form c)) N))
      else None
    else None) (Some (nought, diagonal nought n)) ss.

Definition contracts (l : learner) (t : table) (alpha rho : frac) (m n : nat) (c : contraction) : bool :=
  [&& size (becomes l) == 0%N, size (coordinates (width t) (directions l)) == m,
      shaped m n (moving_in c), shaped n m (moving_by c), shaped n n (form c)
    & [&& above_0 rho.1, above_0 (add (whole rho.2) (opp rho.1)),
          definite n (combined (Int 1) (form c) (Int (-1)) (diagonal (Int 1) n)) (factor_of_form c)
        & if mean_form l t alpha m n c (steps t) is Some wT then
            is_0 (add wT.1 (Int (Zneg (over_all t)))) &&
            definite n (combined
                (mul (whole (Pos.mul (Pos.mul (stretch alpha c) (stretch alpha c)) (over_all t))) rho.1) (form c)
                (Int (Zneg rho.2)) wT.2) (factor_of_fall c)
          else false]].

Lemma affine_atE (R : rcfType) (varrho : nat -> R) n d row g : size row = n ->
  affine_at varrho ((g, d), row) =
    (zr R (Zpos d))^-1 * (\sum_(j < n) sr R (nth nought row j) * varrho j) + (zr R (Zpos d))^-1 * sr R g.
Proof. by move=> row_n; rewrite /affine_at /= (linear_atE _ row_n) /fr addrC ![_^-1 * _]mulrC. Qed.

Lemma definiteP (R : rcfType) n S W : definite n S W ->
  (mx R n n S)^T = mx R n n S /\ positive_definite (mx R n n S).
Proof.
case/and4P => S_nn S_turned W_nn dom; suff S_sym : (mx R n n S)^T = mx R n n S.
  by split=> //; exact: positive_by_congruence dom.
by rewrite -mx_turned ?(shaped_size S_nn) // (mx_same R (shaped_turned n (shaped_size S_nn)) S_nn S_turned).
Qed.

Lemma mx_row (R : rcfType) m (g : seq surd) : mx R 1 m [:: g] = (column R m g)^T.
Proof. by rewrite /column trmxK. Qed.

Lemma scaled_identity (R : rcfType) m n (X Y : 'M[R]_(m, n)) q :
  sr R (Int (Zpos xH)) *: X + sr R (Int (Zneg q)) *: Y = 0 -> X = zr R (Zpos q) *: Y.
Proof.
rewrite /= zr1 scale1r -[Zneg q]/(Z.opp (Zpos q)) zrN scaleNr => /eqP.
by rewrite subr_eq0 => /eqP.
Qed.

Section Samples.

Variables (R : rcfType) (l : learner) (t : table) (alpha : frac) (m n : nat) (c : contraction).
Hypothesis size_m : size (coordinates (width t) (directions l)) = m.
Hypothesis B_mn : shaped m n (moving_in c).
Hypothesis L_nm : shaped n m (moving_by c).

Let B : 'M[R]_(m, n) := mx R m n (moving_in c).
Let L : 'M[R]_(n, m) := (zr R (Zpos (over_moving c)))^-1 *: mx R n m (moving_by c).

Lemma sampleP s w N : sample l t alpha m n c s = Some (w, N) ->
  [/\ 0 <= sr R w, fr R (mass t s) = sr R w / zr R (Zpos (over_all t)), shaped n n N,
      forall v : 'cV[R]_m, direction l t s v = B *m (L *m direction l t s v)
    & forall (v : 'cV[R]_m) y, v + B *m y + fr R alpha *: direction l t s (v + B *m y) =
        v + fr R alpha *: direction l t s v + B *m ((zr R (Zpos (stretch alpha c)))^-1 *: mx R n n N *m y)].
Proof.
rewrite /sample; case foundE: (affine_coordinates _ _ _ _) => [found|] //.
set d := over_updates c; set G := [seq [seq _ | j <- iota 0 m] | a <- found]; set g := [seq quotient d a.1.2 a.1.1 | a <- found].
case: ifP => // /and5P[/eqP found_m /allP is_same w_ge0 BLG0 BLg0] [<- <-].
have G_mm : shaped m m G.
  rewrite /shaped size_map found_m eqxx /= all_map (eq_all (a2 := xpredT)) ?all_predT // => a /=.
  by rewrite size_map size_iota eqxx.
have g_m : shaped 1 m [:: g] by rewrite /shaped /= size_map found_m eqxx.
set LG := times_tr (moving_by c) (turned m G) in BLG0 *.
have G'_mm : shaped m m (turned m G) by apply: shaped_turned (shaped_size G_mm).
have LG_nm : shaped n m LG by exact: shaped_times_tr L_nm G'_mm.
have LGE : mx R n m LG = mx R n m (moving_by c) *m mx R m m G.
  by rewrite (mx_times_tr R L_nm G'_mm) mx_turned ?trmxK ?(shaped_size G_mm).
have q_neq0 : zr R (Zpos (over_moving c)) != 0 by exact: zr_pos_neq0.
have d_neq0 : zr R (Zpos d) != 0 by exact: zr_pos_neq0.
have BLG : B *m (L *m mx R m m G) = mx R m m G.
  have LG'_mn : shaped m n (turned m LG) by apply: shaped_turned (shaped_size LG_nm).
  have BLG_mm := shaped_times_tr B_mn LG'_mn.
  have := mx_zero R (shaped_combined (Int 1) (Int (Zneg (over_moving c))) BLG_mm G_mm) BLG0.
  rewrite (mx_combined R _ _ BLG_mm G_mm) => /scaled_identity.
  rewrite (mx_times_tr R B_mn LG'_mn) mx_turned ?trmxK ?(shaped_size LG_nm) // LGE => BLG.
  by rewrite /L -scalemxAl -scalemxAr BLG scalerA mulVf // scale1r.
have BLg : B *m (L *m column R m g) = column R m g.
  have gL_n := shaped_times_tr g_m L_nm; have gLB_m := shaped_times_tr gL_n B_mn.
  have := mx_zero R (shaped_combined (Int 1) (Int (Zneg (over_moving c))) gLB_m g_m) BLg0.
  rewrite (mx_combined R _ _ gLB_m g_m) => /scaled_identity.
  rewrite (mx_times_tr R gL_n B_mn) (mx_times_tr R g_m L_nm) mx_row => /(congr1 trmx).
  rewrite trmxZ !trmx_mul !trmxK => BLg.
  by rewrite /L -scalemxAl -scalemxAr BLg scalerA mulVf // scale1r.
have dE v : direction l t s v = (zr R (Zpos d))^-1 *: (mx R m m G *m v) + (zr R (Zpos d))^-1 *: column R m g.
  apply/colP => i; rewrite [LHS]mxE; have := congr1 (nth 0 ^~ i) (affine_coordinatesP (entries v) foundE).
  rewrite (nth_map nothing) ?size_m // (nth_map (number frac0)) ?found_m // => ->.
  have := is_same i; rewrite mem_iota ltn_ord => /(_ isT)/(minusP (entries v)) ->.
  rewrite (affine_atE _ _ _ (shaped_row G_mm (ltn_ord i))) !mxE; congr (_ * _ + _); apply: eq_bigr => j _; rewrite !mxE /entries valK.
  by [].
split.
- exact: at_least_0P.
- by [].
- apply: shaped_combined; last exact: shaped_diagonal.
  by apply: shaped_times_tr LG_nm _; apply: shaped_turned (shaped_size B_mn).
- by move=> v; rewrite dE !mulmxDr -!scalemxAr BLg !mulmxA -[B *m L *m _]mulmxA BLG.
move=> v y; rewrite !dE mulmxDr.
have B'_nm : shaped n m (turned n (moving_in c)) by apply: shaped_turned (shaped_size B_mn).
have -> : mx R n n (combined alpha.1 (times_tr LG (turned n (moving_in c))) (Int 1)
      (diagonal (whole (stretch alpha c)) n)) =
    sr R alpha.1 *: (mx R n m LG *m B) + zr R (Zpos (stretch alpha c)) *: 1%:M.
  rewrite (mx_combined R _ _ (shaped_times_tr LG_nm B'_nm) (shaped_diagonal _ _)).
  rewrite (mx_times_tr R LG_nm B'_nm) mx_turned ?trmxK ?(shaped_size B_mn) // mx_diagonal /= zr1 scale1r.
  by rewrite scalemx1.
have s_neq0 : zr R (Zpos (stretch alpha c)) != 0 by exact: zr_pos_neq0.
have LGq : mx R n m LG = zr R (Zpos (over_moving c)) *: (L *m mx R m m G).
  by rewrite LGE /L -scalemxAl scalerA mulfV // scale1r.
set a := fr R alpha; set z := zr R (Zpos (stretch alpha c)) in s_neq0 *.
have -> : B *m (z^-1 *: (sr R alpha.1 *: (mx R n m LG *m B) + z *: 1%:M) *m y) =
    (a / zr R (Zpos d)) *: (mx R m m G *m (B *m y)) + B *m y.
  rewrite scalerDr [_ *: (z *: _)]scalerA mulVf // scale1r mulmxDl mul1mx mulmxDr; congr (_ + _).
  move: (L) BLG LGq => L0 BLG ->.
  rewrite -!scalemxAl -!scalemxAr !scalerA !mulmxA -[B *m L0 *m _]mulmxA BLG; congr (_ *: _).
  by rewrite /a /z /stretch /fr -/d !Pos2Z.inj_mul !zrM; field; rewrite !zr_pos_neq0.
move: (mx R m m G *m (B *m y)) (mx R m m G *m v) (column R m g) (B *m y) (zr R (Zpos d))^-1 => X Y k By e.
by_entries.
Qed.

(* The parts of a sample that there is. *)
Let share s : R := sr R (odflt (nought, [::]) (sample l t alpha m n c s)).1.
Let steps_by s : 'M[R]_n := mx R n n (odflt (nought, [::]) (sample l t alpha m n c s)).2.
Let P : 'M[R]_n := mx R n n (form c).
Hypothesis P_nn : shaped n n (form c).
Hypothesis P_sym : P^T = P.

Lemma mean_formP ss w T : mean_form l t alpha m n c ss = Some (w, T) ->
  [/\ all (fun s => sample l t alpha m n c s) ss, sr R w = \sum_(s <- ss) share s, shaped n n T
    & mx R n n T = \sum_(s <- ss) share s *: ((steps_by s)^T *m P *m steps_by s)].
Proof.
elim: ss w T => [|s ss IH] w T /=.
  case=> <- <-; rewrite !big_nil; split=> //; first exact: shaped_diagonal.
  by rewrite mx_diagonal -scalemx1 sr_nought scale0r.
case: (mean_form _ _ _ _ _ _ ss) IH => [[w' T']|] // /(_ _ _ erefl)[every wE T'_nn TE].
case sE: (sample _ _ _ _ _ _ s) => [[u N]|] //= [<- <-]; have [_ _ N_nn _ _] := sampleP sE.
have N'_nn := shaped_turned n (shaped_size N_nn); have NP_nn := shaped_times_tr N'_nn P_nn.
have NPN_nn := shaped_times_tr NP_nn N'_nn; rewrite !big_cons srD wE (mx_combined R _ _ T'_nn NPN_nn) TE.
split; [by rewrite every | by rewrite /share sE | exact: shaped_combined |].
rewrite (mx_times_tr R NP_nn N'_nn) (mx_times_tr R N'_nn P_nn) mx_turned ?(shaped_size N_nn) // trmxK.
by rewrite -/P P_sym /share /steps_by sE /= zr1 scale1r addrC.
Qed.

End Samples.

Theorem second_moments (R : rcfType) l t alpha rho m n c :
  contracts l t alpha rho m n c ->
  moments_bounded l t (fr R alpha) (fr R rho) (mx R m n (moving_in c)).
Proof.
case/and5P => /eqP/size0nil no_memory /eqP size_m B_mn L_nm /andP[P_nn /and4P[rho_gt0 rho_lt1 P_definite]].
case meanE: (mean_form _ _ _ _ _ _ _) => [[w T]|] //.
rewrite [(w, T).1]/= [(w, T).2]/= => /andP[/(is_0P R) wE fall_definite].
have [P1_sym P1_pos] := @definiteP R _ _ _ P_definite; have [_ fall_pos] := @definiteP R _ _ _ fall_definite.
have P1E : mx R n n (combined (Int 1) (form c) (Int (-1)) (diagonal (Int 1) n)) = mx R n n (form c) - 1%:M.
  rewrite (mx_combined R _ _ P_nn (shaped_diagonal n (Int 1))) mx_diagonal /= -[Zneg 1]/(Z.opp (Zpos 1)) zrN zr1.
  by rewrite scale1r scaleN1r.
rewrite P1E in P1_sym P1_pos; have P_sym : (mx R n n (form c))^T = mx R n n (form c).
  by move: P1_sym; rewrite linearB /= trmx1 => /addIr.
have [every wS T_nn TE] := mean_formP size_m B_mn L_nm P_nn P_sym meanE; rewrite big_tnth in TE.
have {}every (k : 'I_(size (steps t))) : exists w N, sample l t alpha m n c (step_number k) = Some (w, N).
  have := @all_tnthP _ _ _ (in_tuple (steps t)) every k; rewrite -/(step_number k); case: (sample _ _ _ _ _ _ _) => [[u N]|] // _.
  by exists u, N.
have {}wS : zr R (Zpos (over_all t)) = \sum_(s <- steps t) sr R (odflt (nought, [::]) (sample l t alpha m n c s)).1.
  rewrite -wS; move/eqP: wE; rewrite srD /= -[Zneg _]/(Z.opp (Zpos _)) zrN subr_eq0 => /eqP ->.
  by [].
set p := @probability_of R t; set E := zr R (Zpos (over_all t)).
pose M (k : 'I_(size (steps t))) : 'M[R]_n := (zr R (Zpos (stretch alpha c)))^-1 *:
  mx R n n (odflt (nought, [::]) (sample l t alpha m n c (step_number k))).2.
pose moved (k : 'I_(size (steps t))) (v : 'cV[R]_m) := fr R alpha *: (((zr R (Zpos (over_moving c)))^-1 *: mx R n m (moving_by c)) *m
  direction l t (step_number k) v).
have p_ge0 k : 0 <= p k.
  have [u [N sE]] := every k; have [u_ge0 massE _ _ _] := sampleP R size_m B_mn L_nm sE.
  by rewrite /p /probability_of massE divr_ge0 // ltW // zr_pos.
have pE k : p k = sr R (odflt (nought, [::]) (sample l t alpha m n c (step_number k))).1 / E.
  have [u [N sE]] := every k; have [_ massE _ _ _] := sampleP R size_m B_mn L_nm sE.
  by rewrite sE /p /probability_of massE.
have E_neq0 : E != 0 by exact: zr_pos_neq0.
have s_neq0 : zr R (Zpos (stretch alpha c)) != 0 by exact: zr_pos_neq0.
have p_sum : \sum_k p k = 1.
  under eq_bigr do rewrite pE; rewrite -mulr_suml; move: wS; rewrite big_tnth => <-.
  by rewrite mulfV.
have update_moves k v : update_on l (fr R alpha) k v = v + mx R m n (moving_in c) *m moved k v.
  have [u [N sE]] := every k; have [_ _ _ along _] := sampleP R size_m B_mn L_nm sE.
  by rewrite /update_on {1}along /moved -scalemxAr.
have update_differs k (v : 'cV[R]_m) y : update_on l (fr R alpha) k (v + mx R m n (moving_in c) *m y) =
    update_on l (fr R alpha) k v + mx R m n (moving_in c) *m (M k *m y).
  have [u [N sE]] := every k; have [_ _ _ _ differs] := sampleP R size_m B_mn L_nm sE.
  by rewrite /update_on differs /M sE.
have rho_01 : 0 < fr R rho < 1.
  rewrite /fr divr_gt0 ?zr_pos ?(above_0P R rho_gt0) //= ltr_pdivr_mulr ?zr_pos // mul1r.
  by have := above_0P R rho_lt1; rewrite srD srN subr_gt0.
have P_falls : positive_definite (fr R rho *: mx R n n (form c) -
    \sum_k p k *: ((M k)^T *m mx R n n (form c) *m M k)).
  have -> : fr R rho *: mx R n n (form c) - \sum_k p k *: ((M k)^T *m mx R n n (form c) *m M k) =
      (zr R (Zpos rho.2) * (zr R (Zpos (stretch alpha c)) ^+ 2 * E))^-1 *: mx R n n (combined
        (mul (whole (Pos.mul (Pos.mul (stretch alpha c) (stretch alpha c)) (over_all t))) rho.1) (form c)
        (Int (Zneg rho.2)) T).
    rewrite /M; move: (stretch alpha c) s_neq0 => z z_neq0.
    rewrite (mx_combined R _ _ P_nn T_nn) TE srM /= 2!Pos2Z.inj_mul 2!zrM -/E -[Zneg _]/(Z.opp (Zpos _)) zrN.
    rewrite scalerDr scaleNr scalerN !scalerA; congr (_ *: _ - _).
      by rewrite /fr; field; rewrite z_neq0 E_neq0 zr_pos_neq0.
    rewrite scaler_sumr; apply: eq_bigr => k _; rewrite pE trmxZ -scalemxAr -!scalemxAl !scalerA.
    congr (_ *: _); rewrite -/(step_number k); field.
    by rewrite z_neq0 E_neq0 zr_pos_neq0.
  apply/positive_definiteZ; last exact: fall_pos.
  by rewrite invr_gt0 mulr_gt0 ?zr_pos // mulr_gt0 ?zr_pos // exprn_even_gt0 //= s_neq0.
split; [exact: no_memory | by [] | exact: rho_01 |].
have together := runs_come_together p_ge0 p_sum update_differs P1_pos P_falls rho_01.
have bounded := moments_stay_bounded p_ge0 p_sum update_moves update_differs P_sym P1_pos P_falls rho_01.
split; [|exact: together|exact: bounded] => k v.
by exists (moved k v); exact: update_moves.
Qed.

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import surds surd_matrices fractions learners.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Numbers, and vectors, each times its own power of c. *)
Definition multiplied (R : rcfType) (c : R) (powers : seq int) (num : seq R) : seq R :=
  mkseq (fun i => c ^ nth 0 powers i * nth 0 num i) (size num).
Definition multiplied_vectors (R : rcfType) (c : R) (powers : seq int) (vec : seq (seq R)) : seq (seq R) :=
  mkseq (fun i => [seq c ^ nth 0 powers i * x | x <- nth [::] vec i]) (size vec).

(* Where the weights of a learner with k features move to, all in one stack, in one step of size alpha. *)
Definition update_direction (R : rcfType) (l : learner) (k : nat) (num : seq R) (vec : seq (seq R)) (weights : seq R) :
    seq R :=
  [seq coordinate l k num vec (nth 0 weights) je | je <- coordinates k (directions l)].

(* All weights after a list of steps, from 0 on, with a constant step size and constant parameters. *)
Definition weights_after (R : rcfType) (l : learner) (k : nat) (alpha : R) (parameters : seq R)
    (steps : seq (seq R * seq (seq R))) : seq R :=
  foldl (fun weights s =>
      [seq x.1 + alpha * x.2 | x <- zip weights (update_direction l k (parameters ++ s.1) s.2 weights)])
    (nseq (size (coordinates k (directions l))) 0) steps.

(* The power of c by which an expression is multiplied; any where it is 0. *)
Inductive power : Type := Any | Power (z : int) | Unknown.
Definition both (p q : power) : power :=
  match p, q with
  | Any, _ => q | _, Any => p | Power y, Power z => if y == z then p else Unknown | _, _ => Unknown
  end.

Fixpoint power_of (num vec : seq int) (sum : seq power) (weights : int) (e : expression) : power :=
  let p := power_of num vec sum weights in
  match e with
  | Constant x => if null x.1 then Any else Power 0
  | Number i => Power (nth 0 num i)
  | Sum_of i => nth Any sum i
  | Data i => Power (nth 0 vec i)
  | Weight _ | Weight_number _ => Power weights
  | Plus a b => both (p a) (p b)
  | Times a b =>
      match p a, p b with Power y, Power z => Power (y + z) | Unknown, _ | _, Unknown => Unknown | _, _ => Any end
  | Opposite a => p a
  | Over a b =>
      match p a, p b with Power y, Power z => Power (y - z) | Unknown, _ | _, Unknown => Unknown | _, _ => Any end
  | If r a b c d => if both (p a) (p b) is Unknown then Unknown else both (p c) (p d)
  end.

Definition one_more_power (num vec : seq int) (weights : int) (sum : seq power) (se : expression * expression) :=
  rcons sum (both (power_of num vec sum weights se.1) (power_of num vec sum weights se.2)).
Definition sums_powers (l : learner) (num vec : seq int) (weights : int) : seq power :=
  foldl (one_more_power num vec weights) [::] (sums l).

(* Multiplying numbers, vectors and weights by powers of c multiplies all directions by one and the same. *)
Definition scales (l : learner) (num vec : seq int) (weights step : int) : bool :=
  all (fun b => match power_of num vec (sums_powers l num vec weights) weights b.2 with
                | Any => true | Power z => z == step | Unknown => false end) (directions l).

Section Scaling.
Variables (R : rcfType) (c : R) (c_gt0 : 0 < c).

Definition multiplies (p : power) (x y : R) : Prop :=
  match p with Any => x = 0 /\ y = 0 | Power z => y = c ^ z * x | Unknown => True end.

Lemma cX_neq0 z : c ^ z != 0. Proof. by rewrite expfz_neq0 // gt_eqF. Qed.

Lemma multiplies_both p q x x' y y' : multiplies p x x' -> multiplies q y y' ->
  match both p q with
  | Any => [/\ x = 0, x' = 0, y = 0 & y' = 0] | Power z => x' = c ^ z * x /\ y' = c ^ z * y | Unknown => True end.
Proof.
case: p q => [|u|] [|v|] //= => [[-> ->] [-> ->]|[-> ->] ->|-> [-> ->]|-> ->] //; rewrite ?mulr0 //.
by case: eqP => // ->.
Qed.

Lemma nth_multiplied powers num i : nth 0 (multiplied c powers num) i = c ^ nth 0 powers i * nth 0 num i.
Proof.
have [i_num|num_i] := ltnP i (size num); first by rewrite nth_mkseq.
by rewrite (nth_default _ num_i) mulr0 nth_default // size_mkseq.
Qed.

Lemma nth_multiplied_vectors powers vec i j :
  nth 0 (nth [::] (multiplied_vectors c powers vec) i) j = c ^ nth 0 powers i * nth 0 (nth [::] vec i) j.
Proof.
have [i_vec|vec_i] := ltnP i (size vec); last first.
  by rewrite (nth_default _ vec_i) nth_nil mulr0 (@nth_default _ [::]) ?size_mkseq // nth_nil.
rewrite nth_mkseq //; have [j_row|row_j] := ltnP j (size (nth [::] vec i)); first by rewrite (nth_map 0).
by rewrite (nth_default _ row_j) mulr0 nth_default // size_map.
Qed.

Lemma value_multiplied pnum pvec psum z num vec sum sum' varrho varrho' j e :
  (forall i, multiplies (nth Any psum i) (nth 0 sum i) (nth 0 sum' i)) -> (forall i, varrho' i = c ^ z * varrho i) ->
  multiplies (power_of pnum pvec psum z e) (value num sum vec varrho j e)
    (value (multiplied c pnum num) sum' (multiplied_vectors c pvec vec) varrho' j e).
Proof.
move=> sumE weightsE.
elim: e => /= [x|i|i|i|i|i|e1 IH1 e2 IH2|e1 IH1 e2 IH2|e1 IH1|e1 IH1 e2 IH2|r e1 IH1 e2 IH2 e3 IH3 e4 IH4].
- by case x0: (null _) => /=; [rewrite /fr (null_0 R x0) mul0r | rewrite expr0z mul1r].
- exact: nth_multiplied.
- exact: sumE.
- exact: nth_multiplied_vectors.
- exact: weightsE.
- exact: weightsE.
- have := multiplies_both IH1 IH2; case: (both _ _) => [[-> -> -> ->]|u [-> ->]|] //=; first by rewrite addr0.
  by rewrite mulrDr.
- move: IH1 IH2; case: (power_of _ _ _ _ e1) => [[-> ->]|u ->|_]; case: (power_of _ _ _ _ e2) => [[-> ->]|v ->|_] //=;
    rewrite ?(mul0r, mulr0) //.
  by rewrite expfzDr ?gt_eqF // mulrACA.
- by move: IH1; case: (power_of _ _ _ _ e1) => [[-> ->]|u ->|] //=; rewrite ?oppr0 ?mulrN.
- move: IH1 IH2; case: (power_of _ _ _ _ e1) => [[-> ->]|u ->|_]; case: (power_of _ _ _ _ e2) => [[-> ->]|v ->|_] //=;
    rewrite ?(mul0r, mulr0, invr0) //.
  by rewrite expfzDr ?gt_eqF // invfM invr_expz mulrACA.
- have := multiplies_both IH3 IH4; have := multiplies_both IH1 IH2.
  have alike u x y : related r (c ^ u * x) (c ^ u * y) = related r x y.
    by case: r {IH1 IH2}; rewrite /= ?ltr_pmul2l ?ler_pmul2l ?exprz_gt0 // (inj_eq (mulfI (cX_neq0 u))).
  case: (both _ _) => [[-> -> -> ->]|u [-> ->]|] //; case: (both _ _) => [[-> -> -> ->]|v [-> ->]|] //=;
    rewrite ?alike //; by case: ifP.
Qed.

Lemma sums_multiplied l k pnum pvec z num vec varrho varrho' : (forall i, varrho' i = c ^ z * varrho i) ->
  forall i, multiplies (nth Any (sums_powers l pnum pvec z) i) (nth 0 (sums_of l k num vec varrho) i)
    (nth 0 (sums_of l k (multiplied c pnum num) (multiplied_vectors c pvec vec) varrho') i).
Proof.
move=> weightsE; rewrite /sums_powers /sums_of.
suff more ses sum sum' psum : size sum = size psum -> size sum' = size psum ->
    (forall i, multiplies (nth Any psum i) (nth 0 sum i) (nth 0 sum' i)) -> forall i, multiplies
      (nth Any (foldl (one_more_power pnum pvec z) psum ses) i) (nth 0 (foldl (one_more k num vec varrho) sum ses) i)
      (nth 0 (foldl (one_more k (multiplied c pnum num) (multiplied_vectors c pvec vec) varrho') sum' ses) i).
  by apply: more => // i; rewrite !nth_nil.
elim: ses sum sum' psum => [|se ses IH] sum sum' psum sizeE sizeE' sumE //=.
apply: IH; rewrite ?size_rcons ?sizeE ?sizeE' // => i; rewrite /one_more_power /one_more !nth_rcons sizeE sizeE'.
case: ltngtP => // _.
have termE j e := value_multiplied pnum pvec num vec j e sumE weightsE.
have alike j := multiplies_both (termE 0%N se.1) (termE j se.2).
case: (both _ _) alike => [alike|u alike|] //=.
  have [-> -> _ _] := alike 0%N; rewrite !big1 ?addr0 // => j _; by have [] := alike j.
rewrite mulrDr mulr_sumr; have [-> _] := alike 0%N; congr (_ + _).
by apply: eq_bigr => j _; have [] := alike j.
Qed.

Lemma direction_multiplied l k pnum pvec z step num vec weights : scales l pnum pvec z step ->
  update_direction l k (multiplied c pnum num) (multiplied_vectors c pvec vec) [seq c ^ z * x | x <- weights] =
  [seq c ^ step * x | x <- update_direction l k num vec weights].
Proof.
have weightsE i : nth 0 [seq c ^ z * x | x <- weights] i = c ^ z * nth 0 weights i.
  have [i_weights|weights_i] := ltnP i (size weights); first by rewrite (nth_map 0).
  by rewrite (nth_default _ weights_i) mulr0 nth_default // size_map.
rewrite /scales /update_direction /coordinate; have sumE := sums_multiplied l k pnum pvec num vec weightsE.
elim: (directions l) => //= b bs IH /andP[b_step /IH]; rewrite /coordinates /= !map_cat => ->; congr (_ ++ _).
rewrite -!map_comp; apply: eq_map => j /=; move: b_step (value_multiplied pnum pvec num vec j b.2 sumE weightsE).
by case: (power_of _ _ _ _ b.2) => [_ [-> ->]|u /eqP -> ->|] //; rewrite mulr0.
Qed.

End Scaling.

Lemma multiplied_cat (R : rcfType) (c : R) (p q : seq int) (u v : seq R) :
  size u = size p -> multiplied c (p ++ q) (u ++ v) = multiplied c p u ++ multiplied c q v.
Proof.
move=> sizeE; apply: (@eq_from_nth _ 0) => [|i]; rewrite ?size_cat !size_mkseq ?size_cat // => i_uv.
rewrite nth_mkseq ?size_cat // !nth_cat size_mkseq sizeE.
by case: ltnP => i_p; rewrite nth_mkseq ?sizeE // ltn_subLR // -sizeE.
Qed.

Lemma multiplied_by_1 (R : rcfType) (c : R) m (u : seq R) : multiplied c (nseq m 0) u = u.
Proof.
apply: (@eq_from_nth _ 0) => [|i]; rewrite size_mkseq // => i_u; rewrite nth_mkseq // nth_nseq if_same.
by rewrite expr0z mul1r.
Qed.

Lemma multiplied_vectors_by_1 (R : rcfType) (c : R) (vec : seq (seq R)) : multiplied_vectors c [::] vec = vec.
Proof.
apply: (@eq_from_nth _ [::]) => [|i]; rewrite size_mkseq // => i_vec; rewrite nth_mkseq // nth_nil expr0z.
by rewrite -[RHS]map_id; apply: eq_map => x; rewrite mul1r.
Qed.

Lemma all_In (T : Type) (P : pred T) s x : all P s -> List.In x s -> P x.
Proof. by elim: s => //= y s IH /andP[Py /IH s_P] [<- //|/s_P]. Qed.

(* One step of learners whose powers are as calculated; the step size is multiplied too. *)
Theorem steps_scale (R : rcfType) (c a : R) (k : nat) (family : seq (nat -> learner)) (numbers vectors : seq int)
    (weights alpha step : int) (num : seq R) (vec : seq (seq R)) (w : seq R) (l : nat -> learner) :
  all (fun l => scales (l k) numbers vectors weights (step - alpha)) family -> 0 < c -> List.In l family ->
  [seq c ^ alpha * a * x | x <- update_direction (l k) k (multiplied c numbers num) (multiplied_vectors c vectors vec)
    [seq c ^ weights * x | x <- w]] =
  [seq c ^ step * (a * x) | x <- update_direction (l k) k num vec w].
Proof.
move=> family_scales c_gt0 /(all_In family_scales) l_scales.
rewrite (direction_multiplied c_gt0 _ _ _ _ l_scales) -map_comp; apply: eq_map => x /=.
by rewrite mulrACA -expfzDr ?gt_eqF // addrC subrK.
Qed.

(* All weights from 0 on, by induction over the steps. *)
Theorem weights_scale (R : rcfType) (c a : R) (k : nat) (l : learner) (parameters numbers vectors : seq int)
    (weights alpha : int) (p : seq R) (steps : seq (seq R * seq (seq R))) :
  scales l (parameters ++ numbers) vectors weights (weights - alpha) -> 0 < c -> size p = size parameters ->
  weights_after l k (c ^ alpha * a) (multiplied c parameters p)
    [seq (multiplied c numbers s.1, multiplied_vectors c vectors s.2) | s <- steps] =
  [seq c ^ weights * x | x <- weights_after l k a p steps].
Proof.
move=> l_scales c_gt0 p_size; rewrite /weights_after.
have {1}->: nseq (size (coordinates k (directions l))) 0 =
    [seq c ^ weights * x | x <- nseq (size (coordinates k (directions l))) (0 : R)] by rewrite map_nseq mulr0.
elim: steps (nseq _ _) => //= s steps IH w; rewrite -IH; congr (foldl _ _ _).
rewrite -multiplied_cat // (direction_multiplied c_gt0 _ _ _ _ l_scales) -[in RHS]map_comp.
elim: w (update_direction _ _ _ _ _) => [|x w IHw] [|y u] //=; rewrite IHw mulrDr; congr (_ + _ :: _).
by rewrite mulrACA -expfzDr ?gt_eqF // addrC subrK.
Qed.

(* Rewards times c: one learner's setting is better than another's exactly where it was before. `error` is any function
   of the weights after all samples that is multiplied by c where they are, as distances from true values are. *)
Theorem comparisons_do_not_change (R : rcfType) (c a a' factor : R) (k m : nat) (family : seq (nat -> learner))
    (numbers : seq int) (p p' : seq R) (samples : seq (seq (seq R * seq (seq R))))
    (error scaled_error : seq (seq R) -> R) (l l' : nat -> learner) :
  all (fun l => scales (l k) (nseq m 0 ++ numbers) [::] 1 1) family -> 0 < c -> List.In l family -> List.In l' family ->
  size p = m -> size p' = m -> (forall w, scaled_error [seq [seq c * x | x <- u] | u <- w] = c * error w) ->
  let scaled := [seq [seq (multiplied c numbers s.1, s.2) | s <- steps] | steps <- samples] in
  (scaled_error [seq weights_after (l k) k a p steps | steps <- scaled] <=
    factor * scaled_error [seq weights_after (l' k) k a' p' steps | steps <- scaled]) =
  (error [seq weights_after (l k) k a p steps | steps <- samples] <=
    factor * error [seq weights_after (l' k) k a' p' steps | steps <- samples]).
Proof.
move=> family_scales c_gt0 /(all_In family_scales) l_scales /(all_In family_scales) l'_scales p_m p'_m errorE scaled.
have after l0 a0 p0 : scales l0 (nseq m 0 ++ numbers) [::] 1 1 -> size p0 = m ->
    [seq weights_after l0 k a0 p0 steps | steps <- scaled] =
    [seq [seq c * x | x <- u] | u <- [seq weights_after l0 k a0 p0 steps | steps <- samples]].
  move=> scales_0 p0_m; rewrite /scaled -!map_comp; apply: eq_map => steps /=.
  have := @weights_scale R c a0 k l0 (nseq m 0) numbers [::] 1 0 p0 steps; rewrite subr0 size_nseq.
  move=> /(_ scales_0 c_gt0 p0_m); rewrite expr0z mul1r expr1z multiplied_by_1 => <-; congr (weights_after _ _ _ _ _).
  by apply: eq_map => s; rewrite multiplied_vectors_by_1.
by rewrite !after // !errorE mulrCA ler_pmul2l.
Qed.

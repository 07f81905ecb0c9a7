From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import surds surd_matrices fractions verdicts certificates learners.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition nothing : nat * expression := (0%N, Constant frac0).

(* The conditional mean of memory in each mode is what the steps that lead there make of it; episodes start from 0. *)
Definition mean_memory (t : table) (m : nat) : seq frac :=
  over_one (memory_over t) (flatten (nth [::] (mean_vectors t) m) ++ nth [::] (mean_numbers t) m).
Definition remembers (R : rcfType) (l : learner) (t : table) : Prop :=
  forall m i, (m < size (weights_of t))%N -> (i < size (coordinates (width t) (becomes l)))%N ->
  \sum_(s <- [seq s <- steps t | target s == Some m])
    fr R (mass t s) * coordinate_at l t s (fun=> 0) (nth nothing (coordinates (width t) (becomes l)) i) =
  fr R (weight t m) * fr R (nth frac0 (mean_memory t m) i).

(* The means by modes: what the steps of one mode add up to is multiplied by its weight once, as weights are long. *)
Definition share (t : table) (s : step) : frac := (probability s, probability_over t).
Definition scaled_all (c : frac) (l : seq affine) : seq affine := map (scaled c) l.
Definition plus_each (l r : seq affine) : seq affine := [seq plus_affine ab.1 ab.2 | ab <- zip l r].
Definition by_mode : Type := nat * seq affine * seq affine.
Definition weighed (t : table) (b : by_mode) : seq affine := plus_each (scaled_all (weight t b.1.1) b.1.2) b.2.
Definition one_more_step (l : learner) (t : table) (blocks : seq (bool * expression)) (s : step)
    (known : option by_mode) : option by_mode :=
  if known is Some b then
    if affine_coordinates l t blocks s is Some here then
      let mine := scaled_all (share t s) here in
      if b.1.1 == mode s then Some (b.1.1, plus_each mine b.1.2, b.2) else Some (mode s, mine, weighed t b)
    else None
  else None.
Definition mean_coordinates (l : learner) (t : table) (blocks : seq (bool * expression)) (ss : seq step) :
    option (seq affine) :=
  let zeros := nseq (size (coordinates (width t) blocks)) (number frac0) in
  if foldr (one_more_step l t blocks) (Some (0%N, zeros, zeros)) ss is Some b then Some (weighed t b) else None.

Definition minus (a b : affine) : affine := plus_affine a (opposite b).
Definition is_zero (a : affine) : bool := is_0 a.1.1 && constant a.
Definition derives (l : learner) (t : table) (n : nat) (d : positive) (G : rows) (g : seq surd) : bool :=
  [&& shaped n n G, shaped 1 n [:: g], size (coordinates (width t) (directions l)) == n
    & if mean_coordinates l t (directions l) (steps t) is Some found then
        all (fun i => is_zero (minus (nth (number frac0) found i) ((nth nought g i, d), nth [::] G i))) (iota 0 n)
      else false].

Definition keeps (l : learner) (t : table) : bool :=
  all (fun m =>
    if mean_coordinates l t (becomes l) [seq s <- steps t | target s == Some m] is Some found then
      all (fun i => is_zero (minus (nth (number frac0) found i)
          (scaled (weight t m) (number (nth frac0 (mean_memory t m) i)))))
        (iota 0 (size (coordinates (width t) (becomes l))))
    else false) (iota 0 (size (weights_of t))).

Lemma is_zeroP (R : rcfType) (varrho : nat -> R) a : is_zero a -> affine_at varrho a = 0.
Proof. by case/andP => /(is_0P R) a0 /(affine_constant varrho)->; rewrite /fr a0 mul0r. Qed.

Lemma minusP (R : rcfType) (varrho : nat -> R) a b :
  is_zero (minus a b) -> affine_at varrho a = affine_at varrho b.
Proof. by move=> /(is_zeroP varrho)/eqP; rewrite affine_plus affine_opposite subr_eq0 => /eqP. Qed.

Lemma nth_scaled_all (R : rcfType) (varrho : nat -> R) c l i : (i < size l)%N ->
  affine_at varrho (nth (number frac0) (scaled_all c l) i) = fr R c * affine_at varrho (nth (number frac0) l i).
Proof. by move=> i_l; rewrite /scaled_all (nth_map (number frac0)) // affine_scaled. Qed.

Lemma nth_plus_each (R : rcfType) (varrho : nat -> R) l r i : size l = size r -> (i < size l)%N ->
  affine_at varrho (nth (number frac0) (plus_each l r) i) =
  affine_at varrho (nth (number frac0) l i) + affine_at varrho (nth (number frac0) r i).
Proof.
move=> l_r i_l; rewrite /plus_each (nth_map (number frac0, number frac0)) ?size_zip -?l_r ?minnn //.
by rewrite nth_zip // affine_plus.
Qed.

Lemma size_plus_each l r : size l = size r -> size (plus_each l r) = size l.
Proof. by move=> l_r; rewrite size_map size_zip -l_r minnn. Qed.

Lemma fr_mass (R : rcfType) t s : fr R (mass t s) = fr R (weight t (mode s)) * fr R (share t s).
Proof. by rewrite /fr /= srM Pos2Z.inj_mul zrM mulf_div. Qed.

Lemma mean_coordinatesP (R : rcfType) (varrho : nat -> R) l t blocks ss found :
  mean_coordinates l t blocks ss = Some found ->
  size found = size (coordinates (width t) blocks) /\
  forall i, (i < size found)%N ->
    \sum_(s <- ss) fr R (mass t s) * coordinate_at l t s varrho (nth nothing (coordinates (width t) blocks) i) =
    affine_at varrho (nth (number frac0) found i).
Proof.
rewrite /mean_coordinates; set coords := coordinates _ _; set n := size coords.
case foldE: (foldr _ _ _) => [b|] // [<-] {found}.
suff [size_1 size_2 sumE] : [/\ size b.1.2 = n, size b.2 = n & forall i, (i < n)%N ->
    \sum_(s <- ss) fr R (mass t s) * coordinate_at l t s varrho (nth nothing coords i) =
    fr R (weight t b.1.1) * affine_at varrho (nth (number frac0) b.1.2 i) +
      affine_at varrho (nth (number frac0) b.2 i)].
  have same_size : size (scaled_all (weight t b.1.1) b.1.2) = size b.2 by rewrite size_map size_1 size_2.
  rewrite /weighed size_plus_each ?size_map ?size_1 //; split; first by []; move=> i i_n.
  by rewrite sumE // nth_plus_each ?size_map ?size_1 // nth_scaled_all ?size_1.
elim: ss b foldE => [|s ss IH] b /=.
  case=> <-; rewrite !size_nseq; split=> // i i_n.
  by rewrite big_nil nth_nseq i_n affine_number fr0 mulr0 addr0.
rewrite {1}/one_more_step; case: (foldr _ _ ss) IH => [known|] // /(_ _ erefl)[size_1 size_2 sumE].
case here: (affine_coordinates _ _ _ s) => [c|] //; have := affine_coordinatesP varrho here; rewrite -/coords => cE.
have size_c : size c = n by rewrite -(size_map (affine_at varrho)) -cE size_map.
have termE i : (i < n)%N -> fr R (mass t s) * coordinate_at l t s varrho (nth nothing coords i) =
    fr R (weight t (mode s)) * affine_at varrho (nth (number frac0) (scaled_all (share t s) c) i).
  move=> i_n; rewrite nth_scaled_all ?size_c // fr_mass -mulrA; congr (_ * (_ * _)).
  by rewrite -(nth_map nothing 0 (coordinate_at l t s varrho)) // cE (nth_map (number frac0)) ?size_c.
have mine_1 : size (scaled_all (share t s) c) = size known.1.2 by rewrite size_map size_c.
have known_2 : size (scaled_all (weight t known.1.1) known.1.2) = size known.2 by rewrite size_map size_1.
case: eqP => [same_mode|_] [<-] /=.
  rewrite size_plus_each ?size_map ?size_c //; split=> // i i_n.
  rewrite big_cons sumE // termE // (nth_plus_each varrho mine_1) ?size_map ?size_c // same_mode.
  by rewrite [in RHS]mulrDr addrA.
rewrite size_map size_c /weighed size_plus_each ?size_map ?size_1 //; split=> // i i_n.
rewrite big_cons sumE // termE // (nth_plus_each varrho known_2) ?size_map ?size_1 //.
by rewrite (nth_scaled_all varrho (weight t known.1.1)) ?size_1.
Qed.

Lemma linear_atE (R : rcfType) (varrho : nat -> R) n x : size x = n ->
  linear_at varrho 0 x = \sum_(j < n) sr R (nth nought x j) * varrho j.
Proof.
have shift i : size x = n -> linear_at varrho i x = \sum_(j < n) sr R (nth nought x j) * varrho (i + j)%N.
  elim: x i n => [|a x IH] i [|n] //= => [_|[x_n]]; first by rewrite big_ord0.
  by rewrite big_ord_recl /= addn0 (IH i.+1 n) //; congr (_ + _); apply: eq_bigr => j _; rewrite addSnnS.
by move=> x_n; rewrite shift.
Qed.

Lemma derivesP (R : rcfType) l t n d G g (varrho : 'cV[R]_n) : derives l t n d G g ->
  mean_update l t varrho = (zr R (Zpos d))^-1 *: mx R n n G *m varrho + (zr R (Zpos d))^-1 *: column R n g.
Proof.
case/and4P => G_nn g_n /eqP size_n; case meanE: (mean_coordinates _ _ _ _) => [found|] // /allP is_same.
have [size_found foundE] := mean_coordinatesP (entries varrho) meanE; rewrite size_n in size_found.
apply/colP => i; rewrite mxE -/nothing foundE ?size_found //.
have := is_same i; rewrite mem_iota ltn_ord => /(_ isT)/(minusP (entries varrho))->.
rewrite /affine_at /= (linear_atE _ (n := n)) ?(shaped_row G_nn) // addrC [RHS]mxE; congr (_ + _).
  rewrite -scalemxAl !mxE mulrC; congr (_ * _); apply: eq_bigr => j _.
  by rewrite !mxE /entries valK.
by rewrite !mxE /fr /= mulrC.
Qed.

Lemma keepsP (R : rcfType) l t : keeps l t -> remembers R l t.
Proof.
move=> /allP all_modes m i m_n i_n; have := all_modes m; rewrite mem_iota m_n => /(_ isT).
case meanE: (mean_coordinates _ _ _ _) => [found|] // /allP/(_ i); rewrite mem_iota i_n => /(_ isT)/(@minusP R (fun=> 0)).
have [size_found foundE] := @mean_coordinatesP R (fun=> 0) _ _ _ _ _ meanE.
by rewrite foundE ?size_found // affine_scaled affine_number => ->.
Qed.

(* The claim's G and g are the learner's on the table, its A and b those of the learner whose fixed points count. *)
Definition proves (l : learner) (t : table) (l' : learner) (t' : table) (c : claim) (v : verdict)
    (proof : certificate) : bool :=
  [&& keeps l t, keeps l' t', derives l t (n_of c) (over c) (G_of c) (g_of c),
      derives l' t' (k_of c) (over_A c) (map (map opp) (A_of c)) (b_of c) & accepts c v proof].

Theorem verdict_by_table (R : rcfType) l t l' t' c v proof :
  proves l t l' t' c v proof ->
  [/\ remembers R l t, remembers R l' t',
      forall varrho : 'cV[R]_(n_of c), mean_update l t varrho = claim_G R c *m varrho + claim_g R c,
      forall w : 'cV[R]_(k_of c), mean_update l' t' w =
        (sr R (whole (over_A c)))^-1 *: (column R (k_of c) (b_of c) - mx R (k_of c) (k_of c) (A_of c) *m w)
    & means R c v].
Proof.
case/and5P => l_keeps l'_keeps G_ok A_ok accepted; split; try exact: keepsP.
- by move=> varrho; rewrite (derivesP _ G_ok).
- move=> w; rewrite (derivesP _ A_ok) [sr R _]/= addrC scalerBr -scalemxAl -scalerN -mulNmx; congr (_ + _ *: (_ *m _)).
  have /and5P[_ _ _ A_kk _] : well_formed c by case/andP: accepted.
  apply/matrixP => i j; rewrite !mxE /entry (nth_map [::]) ?(shaped_size A_kk) //.
  by rewrite (nth_map nought) ?(shaped_row A_kk) // srN.
- exact: certificates_are_sound accepted.
Qed.

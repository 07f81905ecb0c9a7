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

Definition mean_coordinates (l : learner) (t : table) (blocks : seq (bool * expression)) (ss : seq step) :
    option (seq affine) :=
  foldr (fun s found => if found is Some rest then
      if affine_coordinates l t blocks s is Some here
        then Some [seq plus_affine (scaled (mass t s) ab.1) ab.2 | ab <- zip here rest] else None
    else None) (Some (nseq (size (coordinates (width t) blocks)) (number frac0))) ss.

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

Lemma mean_coordinatesP (R : rcfType) (varrho : nat -> R) l t blocks ss found :
  mean_coordinates l t blocks ss = Some found ->
  size found = size (coordinates (width t) blocks) /\
  forall i, (i < size found)%N ->
    \sum_(s <- ss) fr R (mass t s) * coordinate_at l t s varrho (nth nothing (coordinates (width t) blocks) i) =
    affine_at varrho (nth (number frac0) found i).
Proof.
elim: ss found => [|s ss IH] found /=.
  case=> <-; rewrite size_nseq; split=> // i i_n.
  by rewrite big_nil nth_nseq i_n affine_number fr0.
case: (mean_coordinates _ _ _ ss) IH => [rest|] // /(_ _ erefl)[size_rest IH].
case here: (affine_coordinates _ _ _ s) => [c|] // [<-].
have := affine_coordinatesP varrho here; set coords := coordinates _ _ in size_rest IH * => cE.
have size_c : size c = size coords by rewrite -(size_map (affine_at varrho)) -cE size_map.
rewrite size_map size_zip size_c size_rest minnn; split=> // i i_n.
rewrite big_cons IH ?size_rest // (nth_map (number frac0, number frac0)); last first.
  by rewrite size_zip size_c size_rest minnn.
rewrite nth_zip ?size_c ?size_rest //= affine_plus affine_scaled; congr (_ * _ + _).
by rewrite -(nth_map nothing 0 (coordinate_at l t s varrho)) // cE (nth_map (number frac0)) ?size_c.
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
        (zr R (Zpos (over_A c)))^-1 *: (column R (k_of c) (b_of c) - mx R (k_of c) (k_of c) (A_of c) *m w)
    & means R c v].
Proof.
case/and5P => l_keeps l'_keeps G_ok A_ok accepted; split; try exact: keepsP.
- by move=> varrho; rewrite (derivesP _ G_ok).
- move=> w; rewrite (derivesP _ A_ok) addrC scalerBr -scalemxAl -scalerN -mulNmx; congr (_ + _ *: (_ *m _)).
  have /and5P[_ _ _ A_kk _] : well_formed c by case/andP: accepted.
  apply/matrixP => i j; rewrite !mxE /entry (nth_map [::]) ?(shaped_size A_kk) //.
  by rewrite (nth_map nought) ?(shaped_row A_kk) // srN.
- exact: certificates_are_sound accepted.
Qed.

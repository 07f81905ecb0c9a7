From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import surds surd_matrices fractions.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What a learner calculates in a step, component by component of its vectors: a constant; a number of the step; a sum
   over the components that was calculated before; a component of a vector of the step; of a vector of weights (which
   are in one stack: `first` is the place of its first), a weight that is a number; arithmetic; a choice. *)
Inductive relation : Type := Less | At_most | Equal.
Inductive expression : Type :=
  | Constant (x : frac) | Number (i : nat) | Sum_of (i : nat) | Data (i : nat)
  | Weight (first : nat) | Weight_number (i : nat)
  | Plus (a b : expression) | Times (a b : expression) | Opposite (a : expression) | Over (a b : expression)
  | If (r : relation) (a b c d : expression).

(* A sum is a start and what is summed over the components. An update is, for a vector of weights (true) or a weight
   that is a number (false), its direction; for memory, what it becomes. *)
Record learner : Type := Learner {
  sums : seq (expression * expression); directions : seq (bool * expression); becomes : seq (bool * expression) }.

(* Steps from a mode to an arrival (and to a mode, where the episode goes on): the step's probability given the mode.
   `weights_of` has the probability of each mode, `before` the vectors that are known there and `after` at arrivals;
   memory has its conditional mean in each mode, vectors apart from numbers. All are numerators over the denominators in
   front: `numbers_over` and `vectors_over` have one for each of a step's numbers and vectors. *)
Record step : Type := Step { mode : nat; arrival : nat; target : option nat; probability : surd; numbers : seq surd }.
Record table : Type := Table {
  width : nat; weights_over : positive; probability_over : positive; numbers_over : seq positive;
  vectors_over : seq positive; memory_over : positive; weights_of : seq surd; before : rows; after : seq rows;
  steps : seq step; mean_vectors : seq rows; mean_numbers : rows }.

Definition related (R : rcfType) (r : relation) (x y : R) : bool :=
  match r with Less => x < y | At_most => x <= y | Equal => x == y end.

Fixpoint value (R : rcfType) (num sum : seq R) (vec : seq (seq R)) (varrho : nat -> R) (j : nat)
    (e : expression) : R :=
  let v := value num sum vec varrho j in
  match e with
  | Constant x => fr R x
  | Number i => nth 0 num i
  | Sum_of i => nth 0 sum i
  | Data i => nth 0 (nth [::] vec i) j
  | Weight first => varrho (first + j)%N
  | Weight_number i => varrho i
  | Plus a b => v a + v b
  | Times a b => v a * v b
  | Opposite a => - v a
  | Over a b => v a / v b
  | If r a b c d => if related r (v a) (v b) then v c else v d
  end.

Definition over_one (d : positive) (numerators : seq surd) : seq frac := [seq (x, d) | x <- numerators].
Definition numbers_at (t : table) (s : step) : seq frac :=
  zip (numbers s) (numbers_over t) ++ over_one (memory_over t) (nth [::] (mean_numbers t) (mode s)).
Definition data_at (t : table) (s : step) : seq (seq frac) :=
  [seq over_one vd.2 vd.1 | vd <- zip (nth [::] (before t) (mode s) :: nth [::] (after t) (arrival s)) (vectors_over t)]
  ++ map (over_one (memory_over t)) (nth [::] (mean_vectors t) (mode s)).
Definition weight (t : table) (m : nat) : frac := (nth nought (weights_of t) m, weights_over t).
Definition mass (t : table) (s : step) : frac :=
  (mul (weight t (mode s)).1 (probability s), Pos.mul (weights_over t) (probability_over t)).
Definition coordinates (k : nat) (blocks : seq (bool * expression)) : seq (nat * expression) :=
  flatten [seq [seq (j, b.2) | j <- iota 0 (if b.1 then k else 1%N)] | b <- blocks].

Definition one_more (R : rcfType) (k : nat) (num : seq R) (vec : seq (seq R)) (varrho : nat -> R) (sum : seq R)
    (se : expression * expression) : seq R :=
  rcons sum (value num sum vec varrho 0 se.1 + \sum_(j < k) value num sum vec varrho j se.2).
Definition sums_of (R : rcfType) (l : learner) (k : nat) (num : seq R) (vec : seq (seq R)) (varrho : nat -> R) :
    seq R :=
  foldl (one_more k num vec varrho) [::] (sums l).
Definition coordinate (R : rcfType) (l : learner) (k : nat) (num : seq R) (vec : seq (seq R)) (varrho : nat -> R)
    (je : nat * expression) : R :=
  value num (sums_of l k num vec varrho) vec varrho je.1 je.2.
Definition coordinate_at (R : rcfType) (l : learner) (t : table) (s : step) : (nat -> R) -> nat * expression -> R :=
  coordinate l (width t) (map (fr R) (numbers_at t s)) (map (map (fr R)) (data_at t s)).

(* A vector as a function of places in it, 0 outside. *)
Definition entries (R : ringType) n (v : 'cV[R]_n) (i : nat) : R := if insub i is Some j then v j 0 else 0.

Definition mean_update (R : rcfType) (l : learner) (t : table) n (varrho : 'cV[R]_n) : 'cV[R]_n :=
  \col_(i < n) \sum_(s <- steps t)
    fr R (mass t s) *
      coordinate_at l t s (entries varrho) (nth (0%N, Constant frac0) (coordinates (width t) (directions l)) i).

Definition decided (r : relation) (c : option comparison) : option bool :=
  if c is Some s then Some (match r, s with Less, Lt | At_most, (Lt | Eq) | Equal, Eq => true | _, _ => false end)
  else None.

Fixpoint affine_value (num : seq frac) (sum : seq affine) (vec : seq (seq frac)) (j : nat)
    (e : expression) : option affine :=
  let v := affine_value num sum vec j in
  match e with
  | Constant x => Some (number x)
  | Number i => Some (number (nth frac0 num i))
  | Sum_of i => Some (nth (number frac0) sum i)
  | Data i => Some (number (nth frac0 (nth [::] vec i) j))
  | Weight first => Some (variable (first + j))
  | Weight_number i => Some (variable i)
  | Plus a b => if v a is Some x then if v b is Some y then Some (plus_affine x y) else None else None
  | Times a b =>
      if v a is Some x then if v b is Some y then
        if constant x then Some (scaled x.1 y) else if constant y then Some (scaled y.1 x) else None
      else None else None
  | Opposite a => if v a is Some x then Some (opposite x) else None
  | Over a b =>
      if v a is Some x then if v b is Some y then
        if constant y then if inverse y.1 is Some z then Some (scaled z x) else None else None
      else None else None
  | If r a b c d =>
      if v a is Some x then if v b is Some y then
        if constant x && constant y
          then if decided r (compared x.1 y.1) is Some b then if b then v c else v d else None
        else None
      else None else None
  end.

Lemma decidedP (R : rcfType) r x y b : decided r (compared x y) = Some b -> related r (fr R x) (fr R y) = b.
Proof.
rewrite /decided; case c: (compared x y) => [s|] // [<-]; have := comparedP R c.
case: s {c} => /= [/eqP|xy_lt|xy_gt].
- by rewrite subr_eq0 => /eqP ->; case: r; rewrite /= ?ltxx ?lexx ?eqxx.
- by rewrite subr_lt0 in xy_lt; case: r; rewrite /= ?xy_lt ?(ltW xy_lt) ?(lt_eqF xy_lt).
- by rewrite subr_gt0 in xy_gt; case: r; rewrite /= 1?ltNge ?(ltW xy_gt) 1?leNgt ?xy_gt ?(gt_eqF xy_gt).
Qed.

Lemma nth_fr (R : rcfType) l i : nth 0 (map (fr R) l) i = fr R (nth frac0 l i).
Proof.
have [i_l|l_i] := ltnP i (size l); first by rewrite (nth_map frac0).
by rewrite !nth_default ?size_map // fr0.
Qed.

Lemma affine_valueP (R : rcfType) (varrho : nat -> R) num sum vec j e a :
  affine_value num sum vec j e = Some a ->
  value (map (fr R) num) (map (affine_at varrho) sum) (map (map (fr R)) vec) varrho j e = affine_at varrho a.
Proof.
elim: e a => /= [x|i|i|i|i|i|e1 IH1 e2 IH2|e1 IH1 e2 IH2|e1 IH1|e1 IH1 e2 IH2|r e1 IH1 e2 IH2 e3 IH3 e4 IH4] a.
- by case=> <-; rewrite affine_number.
- by case=> <-; rewrite affine_number nth_fr.
- case=> <-; have [i_sum|sum_i] := ltnP i (size sum); first by rewrite (nth_map (number frac0)).
  by rewrite !nth_default ?size_map // affine_number fr0.
- case=> <-; rewrite affine_number; have [i_vec|vec_i] := ltnP i (size vec).
    by rewrite (nth_map [::]) // nth_fr.
  by rewrite (nth_default [::]) ?size_map // [nth [::] vec i]nth_default // !nth_nil fr0.
- by case=> <-; rewrite affine_variable.
- by case=> <-; rewrite affine_variable.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)->.
  case: (affine_value _ _ _ _ e2) IH2 => // y /(_ _ erefl)->.
  by case=> <-; rewrite affine_plus.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)->.
  case: (affine_value _ _ _ _ e2) IH2 => // y /(_ _ erefl)->.
  case: ifP => [x_const [<-]|_]; first by rewrite affine_scaled (affine_constant _ x_const).
  by case: ifP => // y_const [<-]; rewrite affine_scaled (affine_constant _ y_const) mulrC.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)-> [<-]; exact/esym/affine_opposite.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)->.
  case: (affine_value _ _ _ _ e2) IH2 => // y /(_ _ erefl)->.
  case: ifP => // y_const; case yz: (inverse _) => [z|] // [<-].
  by rewrite affine_scaled (affine_constant _ y_const) (fr_inverse R yz) mulrC.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)->.
  case: (affine_value _ _ _ _ e2) IH2 => // y /(_ _ erefl)->.
  case: ifP => // /andP[x_const y_const]; rewrite (affine_constant _ x_const) (affine_constant _ y_const).
  by case c: (decided _ _) => [b|] //; rewrite (decidedP R c); case: b {c}; [exact: IH3 | exact: IH4].
Qed.

(* Sums of those that are affine. *)
Definition total (l : seq (option affine)) : option affine :=
  foldr (fun a sum => if a is Some x then if sum is Some y then Some (plus_affine x y) else None else None)
    (Some (number frac0)) l.

Arguments total : simpl never.
Definition one_more_sum (l : learner) (t : table) (s : step) (known : option (seq affine))
    (se : expression * expression) :
    option (seq affine) :=
  let num := numbers_at t s in let vec := data_at t s in
  if known is Some sum then
    if total (affine_value num sum vec 0 se.1 :: [seq affine_value num sum vec j se.2 | j <- iota 0 (width t)])
      is Some a then Some (rcons sum a) else None
  else None.
Definition affine_sums (l : learner) (t : table) (s : step) : option (seq affine) :=
  foldl (one_more_sum l t s) (Some [::]) (sums l).

Definition affine_coordinates (l : learner) (t : table) (blocks : seq (bool * expression)) (s : step) :
    option (seq affine) :=
  if affine_sums l t s is Some sum then
    foldr (fun je found => if found is Some rest then
        if affine_value (numbers_at t s) sum (data_at t s) je.1 je.2 is Some a then Some (a :: rest) else None
      else None) (Some [::]) (coordinates (width t) blocks)
  else None.

Lemma totalP (R : rcfType) (varrho : nat -> R) (I : Type) (f : I -> option affine) (g : I -> R) r a :
  (forall i x, f i = Some x -> g i = affine_at varrho x) -> total (map f r) = Some a ->
  \sum_(i <- r) g i = affine_at varrho a.
Proof.
move=> fg; rewrite /total; elim: r a => [|i r IH] a /=; first by case=> <-; rewrite big_nil affine_number fr0.
case fi: (f i) => [x|] //; case: (foldr _ _ _) IH => [y|] // /(_ _ erefl) IH [<-].
by rewrite big_cons IH affine_plus (fg _ _ fi).
Qed.

Lemma no_more_sums l t s ses : foldl (one_more_sum l t s) None ses = None.
Proof. by elim: ses. Qed.

Lemma affine_sumsP (R : rcfType) (varrho : nat -> R) l t s sum :
  affine_sums l t s = Some sum ->
  sums_of l (width t) (map (fr R) (numbers_at t s)) (map (map (fr R)) (data_at t s)) varrho =
  map (affine_at varrho) sum.
Proof.
rewrite /affine_sums /sums_of.
set num := numbers_at t s; set vec := data_at t s.
have : ([::] : seq R) = map (affine_at varrho) ([::] : seq affine) by [].
move: ([::] : seq R) ([::] : seq affine); elim: (sums l) => [|se ses IH] got known gotE /=; first by case=> <-.
case tot: (total _) => [a|]; last by rewrite no_more_sums.
move=> /IH; apply; rewrite gotE map_rcons; congr rcons.
pose f j := value (map (fr R) num) (map (affine_at varrho) known) (map (map (fr R)) vec) varrho j se.2.
have -> : \sum_(j < width t) f j = \sum_(j <- iota 0 (width t)) f j.
  by rewrite -(big_mkord xpredT f) /index_iota subn0.
move: tot; rewrite /total /= -/(total _).
case start: (affine_value _ _ _ 0 se.1) => [x|] //; case rest: (total _) => [y|] // [<-].
rewrite affine_plus (affine_valueP _ start); congr (_ + _).
by apply: (totalP _ rest) => j z; exact: affine_valueP.
Qed.

Lemma affine_coordinatesP (R : rcfType) (varrho : nat -> R) l t blocks s found :
  affine_coordinates l t blocks s = Some found ->
  map (coordinate_at l t s varrho) (coordinates (width t) blocks) = map (affine_at varrho) found.
Proof.
rewrite /affine_coordinates; case sumE: (affine_sums l t s) => [sum|] //.
elim: (coordinates _ _) found => [|je jes IH] found /=; first by case=> <-.
case: (foldr _ _ _) IH => [rest|] // /(_ _ erefl) IH; case a: (affine_value _ _ _ _ _) => [x|] // [<-] /=.
by rewrite IH /coordinate_at /coordinate (affine_sumsP varrho sumE) (affine_valueP varrho a).
Qed.

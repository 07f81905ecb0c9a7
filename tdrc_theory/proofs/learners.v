From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import integer_matrices fractions.
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
   that is a number (false), its direction; for memory, what it becomes. `parameters` come first among the numbers. *)
Record learner : Type := Learner {
  parameters : seq frac; sums : seq (expression * expression);
  directions : seq (bool * expression); becomes : seq (bool * expression) }.

(* Steps from a mode to an arrival (and to a mode, where the episode goes on): the step's probability given the mode.
   `weights_of` has the probability of each mode, `before` the vectors that are known there and `after` at arrivals;
   memory has its conditional mean in each mode, vectors apart from numbers. *)
Record step : Type := Step { mode : nat; arrival : nat; target : option nat; probability : frac; numbers : seq frac }.
Record table : Type := Table {
  width : nat; weights_of : seq frac; before : seq (seq frac); after : seq (seq (seq frac)); steps : seq step;
  mean_vectors : seq (seq (seq frac)); mean_numbers : seq (seq frac) }.

Definition related (R : realFieldType) (r : relation) (x y : R) : bool :=
  match r with Less => x < y | At_most => x <= y | Equal => x == y end.

Fixpoint value (R : realFieldType) (num sum : seq R) (vec : seq (seq R)) (varrho : nat -> R) (j : nat)
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

Definition numbers_at (l : learner) (t : table) (s : step) : seq frac :=
  parameters l ++ numbers s ++ nth [::] (mean_numbers t) (mode s).
Definition data_at (t : table) (s : step) : seq (seq frac) :=
  nth [::] (before t) (mode s) :: nth [::] (after t) (arrival s) ++ nth [::] (mean_vectors t) (mode s).
Definition mass (t : table) (s : step) : frac := times (nth frac0 (weights_of t) (mode s)) (probability s).
Definition coordinates (k : nat) (blocks : seq (bool * expression)) : seq (nat * expression) :=
  flatten [seq [seq (j, b.2) | j <- iota 0 (if b.1 then k else 1%N)] | b <- blocks].

Definition sums_at (R : realFieldType) (l : learner) (t : table) (s : step) (varrho : nat -> R) : seq R :=
  let num := map (fr R) (numbers_at l t s) in let vec := map (map (fr R)) (data_at t s) in
  foldl (fun sum se => rcons sum (value num sum vec varrho 0 se.1 + \sum_(j < width t) value num sum vec varrho j se.2))
    [::] (sums l).
Definition coordinate_at (R : realFieldType) (l : learner) (t : table) (s : step) (varrho : nat -> R)
    (je : nat * expression) : R :=
  value (map (fr R) (numbers_at l t s)) (sums_at l t s varrho) (map (map (fr R)) (data_at t s)) varrho je.1 je.2.

(* A vector as a function of places in it, 0 outside. *)
Definition entries (R : ringType) n (v : 'cV[R]_n) (i : nat) : R := if insub i is Some j then v j 0 else 0.

Definition mean_update (R : realFieldType) (l : learner) (t : table) n (varrho : 'cV[R]_n) : 'cV[R]_n :=
  \col_(i < n) \sum_(s <- steps t)
    fr R (mass t s) *
      coordinate_at l t s (entries varrho) (nth (0%N, Constant frac0) (coordinates (width t) (directions l)) i).

(* Affine functions of varrho: a constant and the coefficients. *)
Definition affine : Type := frac * seq frac.
Fixpoint plus_all (x y : seq frac) : seq frac :=
  match x, y with a :: x', b :: y' => plus a b :: plus_all x' y' | [::], _ => y | _, [::] => x end.
Definition plus_affine (a b : affine) : affine := (plus a.1 b.1, plus_all a.2 b.2).
Definition scaled (c : frac) (a : affine) : affine := (times c a.1, map (times c) a.2).
Definition constant (a : affine) : bool := all (fun x : frac => Z.eqb x.1 0) a.2.
Definition variable (i : nat) : affine := (frac0, rcons (nseq i frac0) (Zpos 1, 1%positive)).
Definition number (x : frac) : affine := (x, [::]).
Definition related_fr (r : relation) (x y : frac) : bool :=
  match r with Less => less x y | At_most => ~~ less y x | Equal => equal x y end.

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
  | Opposite a => if v a is Some x then Some (scaled (Zneg 1, 1%positive) x) else None
  | Over a b =>
      if v a is Some x then if v b is Some y then
        if constant y && ~~ Z.eqb y.1.1 0 then Some (scaled (inverse y.1) x) else None
      else None else None
  | If r a b c d =>
      if v a is Some x then if v b is Some y then
        if constant x && constant y then if related_fr r x.1 y.1 then v c else v d else None
      else None else None
  end.

(* What an affine function is at varrho. *)
Fixpoint linear_at (R : fieldType) (varrho : nat -> R) (i : nat) (l : seq frac) : R :=
  if l is x :: l' then fr R x * varrho i + linear_at varrho i.+1 l' else 0.
Definition affine_at (R : fieldType) (varrho : nat -> R) (a : affine) : R := fr R a.1 + linear_at varrho 0 a.2.

Lemma linear_plus_all (R : realFieldType) (varrho : nat -> R) x y i :
  linear_at varrho i (plus_all x y) = linear_at varrho i x + linear_at varrho i y.
Proof.
elim: x y i => [|a x IH] [|b y] i /=; rewrite ?add0r ?addr0 //.
by rewrite IH fr_plus mulrDl addrACA.
Qed.

Lemma affine_plus (R : realFieldType) (varrho : nat -> R) a b :
  affine_at varrho (plus_affine a b) = affine_at varrho a + affine_at varrho b.
Proof. by rewrite /affine_at /= fr_plus linear_plus_all addrACA. Qed.

Lemma affine_scaled (R : realFieldType) (varrho : nat -> R) c a :
  affine_at varrho (scaled c a) = fr R c * affine_at varrho a.
Proof.
rewrite /affine_at /= fr_times mulrDr; congr (_ + _); elim: (a.2) 0%N => [|x l IH] i /=; first by rewrite mulr0.
by rewrite IH fr_times mulrDr mulrA.
Qed.

Lemma affine_constant (R : realFieldType) (varrho : nat -> R) a : constant a -> affine_at varrho a = fr R a.1.
Proof.
rewrite /affine_at /constant => zeros; rewrite (_ : linear_at _ _ _ = 0) ?addr0 //.
elim: (a.2) 0%N zeros => //= x l IH i /andP[x0 /IH->].
by rewrite (fr_zero R) // mul0r addr0.
Qed.

Lemma fr0 (R : realFieldType) : fr R frac0 = 0. Proof. exact: fr_zero. Qed.
Lemma fr1 (R : realFieldType) : fr R (Zpos 1, 1%positive) = 1. Proof. by rewrite /fr /= divr1. Qed.

Lemma affine_number (R : realFieldType) (varrho : nat -> R) x : affine_at varrho (number x) = fr R x.
Proof. exact: affine_constant. Qed.

Lemma affine_variable (R : realFieldType) (varrho : nat -> R) i : affine_at varrho (variable i) = varrho i.
Proof.
rewrite /affine_at /= fr0 add0r -[in RHS](add0n i); elim: i 0%N => [|i IH] j /=.
  by rewrite fr1 mul1r !addn0 addr0.
by rewrite fr0 mul0r add0r IH addSnnS.
Qed.

Lemma related_frE (R : realFieldType) r x y : related_fr r x y = related r (fr R x) (fr R y).
Proof. by case: r => /=; rewrite ?(fr_less R) ?(fr_equal R) // -leNgt. Qed.

Lemma nth_fr (R : realFieldType) l i : nth 0 (map (fr R) l) i = fr R (nth frac0 l i).
Proof.
have [i_l|l_i] := ltnP i (size l); first by rewrite (nth_map frac0).
by rewrite !nth_default ?size_map // fr0.
Qed.

Lemma affine_valueP (R : realFieldType) (varrho : nat -> R) num sum vec j e a :
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
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)-> [<-]; rewrite affine_scaled.
  by rewrite -[(Zneg 1, 1%positive)]/(opposite (Zpos 1, 1%positive)) fr_opposite fr1 mulN1r.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)->.
  case: (affine_value _ _ _ _ e2) IH2 => // y /(_ _ erefl)->.
  by case: ifP => // /andP[y_const _] [<-]; rewrite affine_scaled (affine_constant _ y_const) fr_inverse mulrC.
- case: (affine_value _ _ _ _ e1) IH1 => // x /(_ _ erefl)->.
  case: (affine_value _ _ _ _ e2) IH2 => // y /(_ _ erefl)->.
  case: ifP => // /andP[x_const y_const]; rewrite (affine_constant _ x_const) (affine_constant _ y_const).
  by rewrite -related_frE; case: ifP => _; [exact: IH3 | exact: IH4].
Qed.

(* Sums of those that are affine. *)
Definition total (l : seq (option affine)) : option affine :=
  foldr (fun a sum => if a is Some x then if sum is Some y then Some (plus_affine x y) else None else None)
    (Some (number frac0)) l.

Arguments total : simpl never.
Definition one_more_sum (l : learner) (t : table) (s : step) (known : option (seq affine))
    (se : expression * expression) :
    option (seq affine) :=
  let num := numbers_at l t s in let vec := data_at t s in
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
        if affine_value (numbers_at l t s) sum (data_at t s) je.1 je.2 is Some a then Some (a :: rest) else None
      else None) (Some [::]) (coordinates (width t) blocks)
  else None.

Lemma totalP (R : realFieldType) (varrho : nat -> R) (I : Type) (f : I -> option affine) (g : I -> R) r a :
  (forall i x, f i = Some x -> g i = affine_at varrho x) -> total (map f r) = Some a ->
  \sum_(i <- r) g i = affine_at varrho a.
Proof.
move=> fg; rewrite /total; elim: r a => [|i r IH] a /=; first by case=> <-; rewrite big_nil affine_number fr0.
case fi: (f i) => [x|] //; case: (foldr _ _ _) IH => [y|] // /(_ _ erefl) IH [<-].
by rewrite big_cons IH affine_plus (fg _ _ fi).
Qed.

Lemma no_more_sums l t s ses : foldl (one_more_sum l t s) None ses = None.
Proof. by elim: ses. Qed.

Lemma affine_sumsP (R : realFieldType) (varrho : nat -> R) l t s sum :
  affine_sums l t s = Some sum -> sums_at l t s varrho = map (affine_at varrho) sum.
Proof.
rewrite /affine_sums /sums_at.
set num := numbers_at l t s; set vec := data_at t s.
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

Lemma affine_coordinatesP (R : realFieldType) (varrho : nat -> R) l t blocks s found :
  affine_coordinates l t blocks s = Some found ->
  map (coordinate_at l t s varrho) (coordinates (width t) blocks) = map (affine_at varrho) found.
Proof.
rewrite /affine_coordinates; case sumE: (affine_sums l t s) => [sum|] //.
elim: (coordinates _ _) found => [|je jes IH] found /=; first by case=> <-.
case: (foldr _ _ _) IH => [rest|] // /(_ _ erefl) IH; case a: (affine_value _ _ _ _ _) => [x|] // [<-] /=.
by rewrite IH /coordinate_at (affine_sumsP varrho sumE) (affine_valueP varrho a).
Qed.

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import surds.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Fractions, and affine functions of varrho: a constant and the coefficients, over one denominator. Denominators follow
   from how a function is calculated, so that those that are added have the same almost always, and none is reduced. *)
Definition frac : Type := surd * positive.
Definition frac0 : frac := (nought, 1%positive).
Definition affine : Type := frac * seq surd.
Definition fr (R : rcfType) (x : frac) : R := sr R x.1 / zr R (Zpos x.2).
Fixpoint linear_at (R : rcfType) (varrho : nat -> R) (i : nat) (l : seq surd) : R :=
  if l is x :: l' then sr R x * varrho i + linear_at varrho i.+1 l' else 0.
Definition affine_at (R : rcfType) (varrho : nat -> R) (a : affine) : R :=
  fr R a.1 + linear_at varrho 0 a.2 / zr R (Zpos a.1.2).

Fixpoint plus_all (x y : seq surd) : seq surd :=
  match x, y with a :: x', b :: y' => add a b :: plus_all x' y' | [::], _ => y | _, [::] => x end.
Definition plus_over (a b : affine) : affine := ((add a.1.1 b.1.1, a.1.2), plus_all a.2 b.2).
Definition expanded (k : positive) (a : affine) : affine :=
  ((times_int (Zpos k) a.1.1, Pos.mul k a.1.2), map (times_int (Zpos k)) a.2).
Definition plus_affine (a b : affine) : affine :=
  if Pos.eqb a.1.2 b.1.2 then plus_over a b else
  let cofactors := (Pos.ggcd a.1.2 b.1.2).2 in
  let a' := expanded cofactors.2 a in let b' := expanded cofactors.1 b in
  if Pos.eqb a'.1.2 b'.1.2 then plus_over a' b' else plus_over (expanded b.1.2 a) (expanded a.1.2 b).
Definition scaled (c : frac) (a : affine) : affine :=
  if null c.1 then ((nought, Pos.mul c.2 a.1.2), [::])
  else ((mul c.1 a.1.1, Pos.mul c.2 a.1.2), map (mul c.1) a.2).
Definition opposite (a : affine) : affine := ((opp a.1.1, a.1.2), map opp a.2).
Definition constant (a : affine) : bool := all is_0 a.2.
Definition variable (i : nat) : affine := (frac0, rcons (nseq i nought) (Int (Zpos 1))).
Definition number (x : frac) : affine := (x, [::]).
Definition inverse (x : frac) : option frac :=
  match x.1 with Int (Zpos p) => Some (Int (Zpos x.2), p) | Int (Zneg p) => Some (Int (Zneg x.2), p) | _ => None end.
Definition compared (x y : frac) : option comparison :=
  sign (add (times_int (Zpos y.2) x.1) (times_int (Zneg x.2) y.1)).

Lemma fr0 (R : rcfType) : fr R frac0 = 0. Proof. by rewrite /fr /= zr0 mul0r. Qed.

Lemma linear_plus_all (R : rcfType) (varrho : nat -> R) x y i :
  linear_at varrho i (plus_all x y) = linear_at varrho i x + linear_at varrho i y.
Proof.
elim: x y i => [|a x IH] [|b y] i /=; rewrite ?add0r ?addr0 //.
by rewrite IH srD mulrDl addrACA.
Qed.

Lemma linear_map (R : rcfType) (varrho : nat -> R) (f : surd -> surd) (c : R) x i :
  (forall y, sr R (f y) = c * sr R y) -> linear_at varrho i (map f x) = c * linear_at varrho i x.
Proof.
move=> fE; elim: x i => [|a x IH] i /=; first by rewrite mulr0.
by rewrite IH fE mulrDr mulrA.
Qed.

Lemma affine_plus_over (R : rcfType) (varrho : nat -> R) a b : a.1.2 = b.1.2 ->
  affine_at varrho (plus_over a b) = affine_at varrho a + affine_at varrho b.
Proof. by rewrite /affine_at /fr /= srD linear_plus_all => ->; rewrite !mulrDl addrACA. Qed.

Lemma affine_expanded (R : rcfType) (varrho : nat -> R) k a : affine_at varrho (expanded k a) = affine_at varrho a.
Proof.
rewrite /affine_at /fr /= Pos2Z.inj_mul zrM sr_times_int (linear_map _ _ _ (sr_times_int R (Zpos k))).
by rewrite -!mulf_div divff ?mul1r // zr_pos_neq0.
Qed.

Lemma affine_plus (R : rcfType) (varrho : nat -> R) a b :
  affine_at varrho (plus_affine a b) = affine_at varrho a + affine_at varrho b.
Proof.
rewrite /plus_affine; case: Pos.eqb_spec => [same|_]; first exact: affine_plus_over.
case: Pos.eqb_spec => [same|_]; rewrite affine_plus_over ?affine_expanded //.
exact: Pos.mul_comm.
Qed.

Lemma affine_scaled (R : rcfType) (varrho : nat -> R) c a :
  affine_at varrho (scaled c a) = fr R c * affine_at varrho a.
Proof.
rewrite /scaled; case: ifP => [/(null_0 R) c0|_]; first by rewrite /affine_at /fr /= c0 zr0 !mul0r addr0.
rewrite /affine_at /fr /= srM Pos2Z.inj_mul zrM (linear_map _ _ _ (srM R c.1)).
by rewrite mulrDr !mulf_div.
Qed.

Lemma affine_opposite (R : rcfType) (varrho : nat -> R) a : affine_at varrho (opposite a) = - affine_at varrho a.
Proof.
rewrite /affine_at /fr /= srN (linear_map _ _ _ (c := -1)); last by move=> y; rewrite srN mulN1r.
by rewrite mulN1r !mulNr opprD.
Qed.

Lemma affine_constant (R : rcfType) (varrho : nat -> R) a : constant a -> affine_at varrho a = fr R a.1.
Proof.
rewrite /affine_at /constant => zeros; rewrite (_ : linear_at _ _ _ = 0) ?mul0r ?addr0 //.
by elim: (a.2) 0%N zeros => //= x l IH i /andP[/(is_0P R)-> /IH->]; rewrite mul0r addr0.
Qed.

Lemma affine_number (R : rcfType) (varrho : nat -> R) x : affine_at varrho (number x) = fr R x.
Proof. exact: affine_constant. Qed.

Lemma affine_variable (R : rcfType) (varrho : nat -> R) i : affine_at varrho (variable i) = varrho i.
Proof.
rewrite /affine_at /= fr0 add0r -[in RHS](add0n i) zr1 divr1; elim: i 0%N => [|i IH] j /=.
  by rewrite zr1 mul1r !addn0 addr0.
by rewrite zr0 mul0r add0r IH addSnnS.
Qed.

Lemma fr_inverse (R : rcfType) x y : inverse x = Some y -> fr R y = (fr R x)^-1.
Proof.
case: x => [[[|p|p]|//] d] //= [<-]; rewrite /fr /= invf_div //.
by rewrite -[Zneg d]/(Z.opp (Zpos d)) -[Zneg p]/(Z.opp (Zpos p)) !zrN invrN mulNr mulrN.
Qed.

Lemma comparedP (R : rcfType) x y s : compared x y = Some s -> of_sign (fr R x - fr R y) s.
Proof.
move=> /(sign_withinP R); rewrite srD !sr_times_int -[Zneg x.2]/(Z.opp (Zpos x.2)) zrN mulNr.
have [x_gt0 y_gt0] := (zr_pos R x.2, zr_pos R y.2).
have -> : zr R (Zpos y.2) * sr R x.1 - zr R (Zpos x.2) * sr R y.1 =
    (fr R x - fr R y) * (zr R (Zpos x.2) * zr R (Zpos y.2)).
  by rewrite /fr; field; rewrite !zr_pos_neq0.
by apply: of_sign_factor; rewrite mulr_gt0.
Qed.

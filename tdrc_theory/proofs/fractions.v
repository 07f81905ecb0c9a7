From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
From tdrc Require Import integer_matrices.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Fractions with which Coq computes. *)
Definition frac : Type := Z * positive.
Definition fr (R : fieldType) (x : frac) : R := zr R x.1 / zr R (Zpos x.2).
Definition frac0 : frac := (Z0, 1%positive).
Definition reduced (x : frac) : frac := let nd := (Z.ggcd x.1 (Zpos x.2)).2 in (nd.1, Z.to_pos nd.2).
Definition plus (x y : frac) : frac :=
  if Z.eqb x.1 0 then y else if Z.eqb y.1 0 then x else
  if Pos.eqb x.2 y.2 then (Z.add x.1 y.1, x.2)
  else reduced (Z.add (Z.mul x.1 (Zpos y.2)) (Z.mul y.1 (Zpos x.2)), Pos.mul x.2 y.2).
Definition times (x y : frac) : frac :=
  if Z.eqb x.1 0 then x else if Z.eqb y.1 0 then y else reduced (Z.mul x.1 y.1, Pos.mul x.2 y.2).
Definition opposite (x : frac) : frac := (Z.opp x.1, x.2).
Definition inverse (x : frac) : frac :=
  match x.1 with Z0 => x | Zpos p => (Zpos x.2, p) | Zneg p => (Zneg x.2, p) end.
Definition less (x y : frac) : bool := Z.ltb (Z.mul x.1 (Zpos y.2)) (Z.mul y.1 (Zpos x.2)).
Definition equal (x y : frac) : bool := Z.eqb (Z.mul x.1 (Zpos y.2)) (Z.mul y.1 (Zpos x.2)).

Lemma zr_pos (R : realDomainType) p : 0 < zr R (Zpos p).
Proof. by rewrite -(zr0 R) -zr_lt. Qed.

Lemma zr_pos_neq0 (R : realDomainType) p : zr R (Zpos p) != 0.
Proof. exact: lt0r_neq0 (zr_pos R p). Qed.

Lemma fr_zero (R : realFieldType) x : Z.eqb x.1 0 -> fr R x = 0.
Proof. by rewrite (zr_eq0 R) /fr => /eqP ->; rewrite mul0r. Qed.

Lemma fr_reduced (R : realFieldType) x : fr R (reduced x) = fr R x.
Proof.
case: x => n d; rewrite /reduced /fr /=; have := Z.ggcd_correct_divisors n (Zpos d).
have := Z.ggcd_gcd n (Zpos d); case: (Z.ggcd _ _) => g [n' d'] /= g_gcd [nE dE].
have g_ge0 : Z.le 0 g by rewrite g_gcd; exact: Z.gcd_nonneg.
have d'_gt0 : Z.lt 0 d' by nia.
have g_neq0 : zr R g != 0 by rewrite -zr_eq0; apply/negP; nia.
rewrite Z2Pos.id // nE dE !zrM -mulf_div mulfV // mul1r.
by [].
Qed.

Lemma fr_plus (R : realFieldType) x y : fr R (plus x y) = fr R x + fr R y.
Proof.
rewrite /plus; case: ifP => [/(fr_zero R)->|_]; first by rewrite add0r.
case: ifP => [/(fr_zero R)->|_]; first by rewrite addr0.
case: Pos.eqb_spec => [xy|_]; first by rewrite /fr /= xy zrD mulrDl.
rewrite fr_reduced /fr /= Pos2Z.inj_mul zrD !zrM addf_div ?zr_pos_neq0 //.
Qed.

Lemma fr_times (R : realFieldType) x y : fr R (times x y) = fr R x * fr R y.
Proof.
rewrite /times; case: ifP => [/(fr_zero R)->|_]; first by rewrite mul0r.
case: ifP => [/(fr_zero R)->|_]; first by rewrite mulr0.
by rewrite fr_reduced /fr /= Pos2Z.inj_mul !zrM mulf_div.
Qed.

Lemma fr_opposite (R : realFieldType) x : fr R (opposite x) = - fr R x.
Proof. by rewrite /fr /= zrN mulNr. Qed.

Lemma fr_inverse (R : realFieldType) x : fr R (inverse x) = (fr R x)^-1.
Proof.
case: x => [[|p|p] d]; rewrite /inverse /fr /=; first by rewrite zr0 mul0r invr0.
  by rewrite invf_div.
by rewrite -[Zneg d]/(Z.opp (Zpos d)) -[Zneg p]/(Z.opp (Zpos p)) !zrN !mulNr invrN invf_div.
Qed.

Lemma fr_less (R : realFieldType) x y : less x y = (fr R x < fr R y).
Proof. by rewrite /less (zr_lt R) !zrM /fr ltr_pdivr_mulr ?zr_pos // mulrAC ltr_pdivl_mulr ?zr_pos. Qed.

Lemma fr_equal (R : realFieldType) x y : equal x y = (fr R x == fr R y).
Proof.
rewrite /equal /fr eqr_div ?zr_pos_neq0 // -!zrM -subr_eq0 -zrN -zrD -zr_eq0.
by lia.
Qed.

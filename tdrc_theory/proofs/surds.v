From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra ssrZ zify ring.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition zr (R : ringType) (z : Z) : R := (int_of_Z z)%:~R.

Lemma zr0 (R : ringType) : zr R Z0 = 0. Proof. by []. Qed.
Lemma zr1 (R : ringType) : zr R (Zpos xH) = 1. Proof. by []. Qed.
Lemma zrD (R : ringType) x y : zr R (Z.add x y) = zr R x + zr R y.
Proof. by rewrite /zr -[Z.add x y]/(x + y) !rmorphD. Qed.
Lemma zrM (R : ringType) x y : zr R (Z.mul x y) = zr R x * zr R y.
Proof. by rewrite /zr -[Z.mul x y]/(x * y) !rmorphM. Qed.
Lemma zrN (R : ringType) x : zr R (Z.opp x) = - zr R x.
Proof. by rewrite /zr -[Z.opp x]/(- x) !rmorphN. Qed.
Lemma zr_lt (R : realDomainType) x y : Z.ltb x y = (zr R x < zr R y).
Proof. by rewrite /zr ltr_int; lia. Qed.
Lemma zr_le (R : realDomainType) x y : Z.leb x y = (zr R x <= zr R y).
Proof. by rewrite /zr ler_int; lia. Qed.
Lemma zr_eq0 (R : realDomainType) x : Z.eqb x 0 = (zr R x == 0).
Proof. by rewrite /zr intr_eq0; lia. Qed.
Lemma zr_pos (R : realDomainType) p : 0 < zr R (Zpos p).
Proof. by rewrite -(zr0 R) -zr_lt. Qed.
Lemma zr_pos_neq0 (R : realDomainType) p : zr R (Zpos p) != 0.
Proof. exact: lt0r_neq0 (zr_pos R p). Qed.

(* Integers, and a + b sqrt(p): the numbers with which Coq computes. *)
Inductive surd : Type := Int (z : Z) | Root (a b : surd) (p : positive).
Definition nought : surd := Int Z0.
Fixpoint sr (R : rcfType) (x : surd) : R :=
  match x with Int z => zr R z | Root a b p => sr R a + sr R b * Num.sqrt (zr R (Zpos p)) end.

(* Where two roots differ, the larger is outside, so that equal ones meet. *)
Fixpoint add (x : surd) : surd -> surd :=
  match x with
  | Int z => fix inner (y : surd) : surd :=
      match y with Int t => Int (Z.add z t) | Root c d q => Root (inner c) d q end
  | Root a b p => fix inner (y : surd) : surd :=
      match y with
      | Int _ => Root (add a y) b p
      | Root c d q =>
          match Pos.compare p q with
          | Eq => Root (add a c) (add b d) p
          | Gt => Root (add a y) b p
          | Lt => Root (inner c) d q
          end
      end
  end.
Fixpoint times_int (z : Z) (x : surd) : surd :=
  match x with Int t => Int (Z.mul z t) | Root a b p => Root (times_int z a) (times_int z b) p end.
Fixpoint mul (x : surd) : surd -> surd :=
  match x with
  | Int z => times_int z
  | Root a b p => fix inner (y : surd) : surd :=
      match y with
      | Int _ => Root (mul a y) (mul b y) p
      | Root c d q =>
          match Pos.compare p q with
          | Eq => Root (add (mul a c) (times_int (Zpos p) (mul b d))) (add (mul a d) (mul b c)) p
          | Gt => Root (mul a y) (mul b y) p
          | Lt => Root (inner c) (inner d) q
          end
      end
  end.
Fixpoint opp (x : surd) : surd :=
  match x with Int z => Int (Z.opp z) | Root a b p => Root (opp a) (opp b) p end.
(* Quick, where all parts are 0. *)
Fixpoint null (x : surd) : bool :=
  match x with Int Z0 => true | Int _ => false | Root a b _ => null a && null b end.

(* a and b sqrt(p) of opposite signs: that of a^2 - p b^2 tells which is larger. *)
Fixpoint roots (x : surd) : nat := match x with Int _ => 0%N | Root a b _ => (roots a + roots b).+1 end.
Fixpoint sign_within (n : nat) (x : surd) : option comparison :=
  match x with
  | Int z => Some (Z.compare z 0)
  | Root a b p =>
      if n isn't m.+1 then None else
      match sign_within m a, sign_within m b with
      | Some s, Some t =>
          match s, t with
          | Eq, _ => Some t
          | _, Eq | Lt, Lt | Gt, Gt => Some s
          | _, _ =>
              if sign_within m (add (mul a a) (times_int (Zneg p) (mul b b))) is Some u
                then Some (if s is Gt then u else CompOpp u) else None
          end
      | _, _ => None
      end
  end.
Definition sign (x : surd) : option comparison := sign_within (roots x) x.
Definition above_0 (x : surd) : bool := if sign x is Some Gt then true else false.
Definition at_least_0 (x : surd) : bool := if sign x is Some (Gt | Eq) then true else false.
Definition is_0 (x : surd) : bool := if sign x is Some Eq then true else false.
Definition is_not_0 (x : surd) : bool := if sign x is Some (Gt | Lt) then true else false.
(* At least the absolute value, and this where the sign is known. *)
Definition size_of (x : surd) : surd :=
  match sign x with Some Lt => opp x | Some _ => x | None => add (mul x x) (Int (Zpos xH)) end.

Lemma sr_nought (R : rcfType) : sr R nought = 0. Proof. by []. Qed.

Lemma srD (R : rcfType) x y : sr R (add x y) = sr R x + sr R y.
Proof.
elim: x y => [z|a IHa b IHb p]; elim=> [t|c IHc d IHd q] /=; rewrite ?zrD //.
- by rewrite IHc addrA.
- by rewrite IHa addrAC.
- case: Pos.compare_spec => [<-|_|_] /=; last by rewrite IHa addrAC.
    by rewrite IHa IHb mulrDl addrACA.
  by rewrite IHc /= addrA.
Qed.

Lemma sr_times_int (R : rcfType) z x : sr R (times_int z x) = zr R z * sr R x.
Proof. by elim: x => [t|a IHa b IHb p] /=; rewrite ?zrM // IHa IHb mulrDr mulrA. Qed.

Lemma srM (R : rcfType) x y : sr R (mul x y) = sr R x * sr R y.
Proof.
elim: x y => [z|a IHa b IHb p] y; first exact: sr_times_int.
elim: y => [t|c IHc d IHd q] /=; first by rewrite IHa IHb /= mulrDl mulrAC.
case: Pos.compare_spec => [<-|_|_] /=; last by rewrite IHa IHb /= mulrDl mulrAC.
  rewrite !srD sr_times_int !IHa !IHb.
  have := sqr_sqrtr (ltW (zr_pos R p)); rewrite expr2.
  by move: (Num.sqrt (zr R _)) => s <-; ring.
by rewrite IHc IHd /=; ring.
Qed.

Lemma srN (R : rcfType) x : sr R (opp x) = - sr R x.
Proof. by elim: x => [z|a IHa b IHb p] /=; rewrite ?zrN // IHa IHb mulNr opprD. Qed.

Lemma null_0 (R : rcfType) x : null x -> sr R x = 0.
Proof. by elim: x => [[]|a IHa b IHb p] //= /andP[/IHa-> /IHb->]; rewrite mul0r addr0. Qed.

Definition of_sign (R : rcfType) (x : R) (s : comparison) : Prop :=
  match s with Lt => x < 0 | Eq => x = 0 | Gt => 0 < x end.

Lemma of_sign_opp (R : rcfType) (x : R) s : of_sign (- x) s -> of_sign x (CompOpp s).
Proof. by case: s => /=; rewrite ?oppr_lt0 ?oppr_gt0 // => /eqP; rewrite oppr_eq0 => /eqP. Qed.

Lemma of_sign_factor (R : rcfType) (x y : R) s : 0 < y -> of_sign (x * y) s -> of_sign x s.
Proof.
move=> y_gt0; case: s => /=; rewrite ?pmulr_llt0 ?pmulr_lgt0 // => /eqP.
by rewrite mulf_eq0 (gt_eqF y_gt0) orbF => /eqP.
Qed.

(* For b and r = sqrt(p) positive, a - b r has the sign of a^2 - p b^2. *)
Lemma of_sign_norm (R : rcfType) (a b r : R) s : 0 < r -> 0 < a -> b < 0 ->
  of_sign (a * a - r ^+ 2 * (b * b)) s -> of_sign (a + b * r) s.
Proof.
move=> r_gt0 a_gt0 b_lt0; have -> : a * a - r ^+ 2 * (b * b) = (a + b * r) * (a - b * r) by ring.
by apply: of_sign_factor; rewrite -mulNr ltr_paddr // ltW // mulr_gt0 // oppr_gt0.
Qed.

Lemma sign_withinP (R : rcfType) n x s : sign_within n x = Some s -> of_sign (sr R x) s.
Proof.
elim: n x s => [|n IH] [z|a b p] s //=.
1,2: by case=> <-; case: Z.compare_spec => [->|/Z.ltb_lt|/Z.ltb_lt] //=; rewrite (zr_lt R) zr0.
have r_gt0 : 0 < Num.sqrt (zr R (Zpos p)) by rewrite sqrtr_gt0 zr_pos.
have norm u : sign_within n (add (mul a a) (times_int (Zneg p) (mul b b))) = Some u ->
    of_sign (sr R a * sr R a - Num.sqrt (zr R (Zpos p)) ^+ 2 * (sr R b * sr R b)) u.
  move=> /IH; rewrite srD sr_times_int !srM -[Zneg p]/(Z.opp (Zpos p)) zrN mulNr.
  by rewrite sqr_sqrtr // ltW // zr_pos.
case sa: (sign_within n a) => [[]|] //; have /= a_s := IH _ _ sa;
  case sb: (sign_within n b) => [t|] //; have := IH _ _ sb.
- by move=> b_s [<-]; rewrite a_s add0r; case: t b_s {sb} => /= b_s;
    rewrite ?pmulr_llt0 ?pmulr_lgt0 // b_s mul0r.
- case: t {sb} => /= b_s.
  + by case=> <-; rewrite b_s mul0r addr0.
  + by case=> <- /=; rewrite ltr_naddr // ltW // pmulr_llt0.
  + case sn: (sign_within n _) => [u|] // [<-]; apply: of_sign_opp; rewrite opprD -mulNr.
    apply: of_sign_norm; rewrite ?oppr_gt0 ?oppr_lt0 // !mulrNN.
    exact: norm.
- case: t {sb} => /= b_s.
  + by case=> <-; rewrite b_s mul0r addr0.
  + case sn: (sign_within n _) => [u|] // [<-]; apply: of_sign_norm => //.
    exact: norm.
  + by case=> <- /=; rewrite addr_gt0 // pmulr_lgt0.
Qed.

Lemma above_0P (R : rcfType) x : above_0 x -> 0 < sr R x.
Proof. by rewrite /above_0; case s: (sign x) => [[]|] // _; exact: (sign_withinP R s). Qed.

Lemma at_least_0P (R : rcfType) x : at_least_0 x -> 0 <= sr R x.
Proof.
rewrite /at_least_0; case s: (sign x) => [[]|] // _; have /= := sign_withinP R s; first by move=> ->.
exact: ltW.
Qed.

Lemma is_0P (R : rcfType) x : is_0 x -> sr R x = 0.
Proof. by rewrite /is_0; case s: (sign x) => [[]|] // _; exact: (sign_withinP R s). Qed.

Lemma is_not_0P (R : rcfType) x : is_not_0 x -> sr R x != 0.
Proof.
rewrite /is_not_0; case s: (sign x) => [[]|] // _; have /= := sign_withinP R s.
  exact: ltr0_neq0.
exact: lt0r_neq0.
Qed.

Lemma size_ofP (R : rcfType) x : `|sr R x| <= sr R (size_of x).
Proof.
rewrite /size_of; case s: (sign x) => [[]|]; last first.
  rewrite srD srM /= -expr2 -real_normK ?num_real //; move: `|_| (normr_ge0 (sr R x)) => y y_ge0.
  have := sqr_ge0 (y - 2%:R^-1); rewrite sqrrB -subr_ge0 => sq; rewrite -subr_ge0.
  apply: le_trans sq _; rewrite subr0 -subr_ge0.
  have -> : y ^+ 2 + zr R 1 - y - (y ^+ 2 - y * 2%:R^-1 *+ 2 + 2%:R^-1 ^+ 2) = 1 - 2%:R^-1 ^+ 2.
    by rewrite zr1 -mulr_natr -mulrA mulVf ?pnatr_eq0 // mulr1; ring.
  by rewrite subr_ge0 expr_le1 // ?invr_ge0 ?ler0n // invf_le1 ?ler1n // ltr0n.
all: have /= := sign_withinP R s => x_s.
- by rewrite gtr0_norm.
- by rewrite srN ltr0_norm.
- by rewrite x_s normr0.
Qed.

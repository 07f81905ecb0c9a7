From mathcomp Require Import all_ssreflect all_algebra complex ring.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* q is the product of a root l and of -p - l, the other one. *)
Lemma product_of_roots (R : rcfType) (a b c d u v : R) :
  (Complex u v) ^+ 2 + Complex a b * Complex u v + Complex c d = 0 ->
  c = u * (- a - u) - v * (- b - v) /\ d = u * (- b - v) + (- a - u) * v.
Proof.
move/eqP; rewrite addrC addr_eq0 => /eqP[-> ->].
by split=> /=; ring.
Qed.

Lemma root_exists (R : rcfType) (p q : R[i]) : exists l : R[i], l ^+ 2 + p * l + q = 0.
Proof.
exists ((sqrtc (p ^+ 2 - 4%:R * q) - p) / 2%:R).
have : 2%:R != 0 :> R[i] by rewrite pnatr_eq0.
have := sqr_sqrtc (p ^+ 2 - 4%:R * q); move: (sqrtc _) => s s2 two_neq0.
by field: s2.
Qed.

Theorem stable_roots (R : realFieldType) (u u' v v' : R) :
  (u < 0 /\ u' < 0) <-> (0 < - (u + u') /\ 0 < u * u' * ((u + u') ^+ 2 + (v - v') ^+ 2)).
Proof.
have S_ge0 : 0 <= (u + u') ^+ 2 + (v - v') ^+ 2 by rewrite addr_ge0 ?sqr_ge0.
rewrite oppr_gt0; split=> [[u_lt0 u'_lt0]|[sum_lt0]].
  have sum_lt0 : u + u' < 0 by rewrite -[0]addr0 ltr_add.
  by rewrite sum_lt0 pmulr_rgt0 ?nmulr_rgt0 // ltr_spaddl ?sqr_ge0 // exprn_even_gt0 //= ltr0_neq0.
rewrite pmulr_lgt0; last first.
  by rewrite ltr_spaddl ?sqr_ge0 // exprn_even_gt0 //= ltr0_neq0.
have [u_lt0|u_gt0|->] := ltgtP u 0; last by rewrite mul0r ltxx.
  by rewrite nmulr_rgt0.
rewrite pmulr_rgt0 // => u'_gt0; move: sum_lt0.
by rewrite ltNge addr_ge0 // ltW.
Qed.

Theorem roots_in_left_half_plane (R : rcfType) (p q : R[i]) :
  (forall l : R[i], l ^+ 2 + p * l + q = 0 -> complex.Re l < 0) <->
  0 < complex.Re p /\
  0 < complex.Re p ^+ 2 * complex.Re q + complex.Re p * complex.Im p * complex.Im q - complex.Im q ^+ 2.
Proof.
case: p q => [a b] [c d] /=; split.
- move=> left; have [[u v] root] := root_exists (Complex a b) (Complex c d).
  have [ce de] := product_of_roots root.
  have /= u_lt0 := left _ root.
  have /= u'_lt0 : complex.Re (Complex (- a - u) (- b - v)) < 0.
    apply: left; apply/eqP; rewrite ce de eq_complex /=; apply/andP; split; apply/eqP; ring.
  have [] := (stable_roots u (- a - u) v (- b - v)).1 (conj u_lt0 u'_lt0).
  rewrite [u + _]addrC subrK opprK => a_gt0 K_gt0; split=> //.
  by move: K_gt0; rewrite ce de; congr (_ < _); ring.
- move=> [a_gt0 K_gt0] [u v] root; have [ce de] := product_of_roots root.
  apply: proj1 ((stable_roots u (- a - u) v (- b - v)).2 _).
  split; first by rewrite [u + _]addrC subrK opprK.
  by move: K_gt0; rewrite ce de; congr (_ < _); ring.
Qed.

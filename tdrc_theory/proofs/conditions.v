From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import quadratic.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

Theorem C1_and_C3_decide (R : rcfType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta ->
  let lambda_z := lambda_r +i* lambda_c in
  let Omega := eta * beta + eta * b_c + lambda_r in
  (forall lambda : R[i],
    lambda ^+ 2 + ((eta * beta + eta * b_c)%:C + lambda_z) * lambda + eta%:C * (beta%:C * lambda_z + b_a%:C) = 0 ->
    complex.Re lambda < 0)
  <->
  0 < Omega /\
  0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r).
Proof.
move=> eta_gt0 lambda_z Omega; apply: iff_trans (roots_in_left_half_plane _ _) _ => /=.
rewrite [X in _ /\ 0 < X <-> _](_ : _ = eta * (Omega ^+ 2 * (beta * lambda_r + b_a) +
  beta * lambda_c ^+ 2 * (eta * b_c + lambda_r))); last by rewrite /Omega; ring.
by rewrite pmulr_rgt0.
Qed.

Theorem C2_redundant (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  0 < Omega ->
  0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r) ->
  0 < Omega ^+ 2 + lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a).
Proof.
move=> eta_gt0 Omega Omega_gt0; set C3 := _ + _ => C3_gt0.
have Omega2_gt0 : 0 < Omega ^+ 2 by rewrite exprn_gt0.
rewrite -(pmulr_rgt0 _ Omega2_gt0).
have -> : Omega ^+ 2 * (Omega ^+ 2 + lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a)) =
    (Omega ^+ 2) ^+ 2 + (Omega * lambda_c - 2%:R * eta * beta * lambda_c) ^+ 2 + 4%:R * eta * C3.
  by rewrite /C3 /Omega; ring.
by rewrite addr_gt0 ?mulr_gt0 ?ltr0n // ltr_spaddl ?sqr_ge0 ?exprn_gt0.
Qed.

(* What the two bounds of Theorem 3.1 (ii) give; lambda_r > 0 is a case of both. *)
Theorem bounds_give_conditions (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta -> 0 <= beta -> 0 < beta * lambda_r + b_a -> 0 < eta * b_c + lambda_r ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  [/\ 0 < Omega,
      0 < Omega ^+ 2 + lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a)
    & 0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r)].
Proof.
move=> eta_gt0 beta_ge0 beta_ok eta_ok Omega.
have C1 : 0 < Omega by rewrite /Omega -addrA ltr_spaddr // mulr_ge0 // ltW.
have C3 : 0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r).
  rewrite ltr_spaddl ?mulr_gt0 ?exprn_gt0 //.
  by apply: mulr_ge0; [rewrite mulr_ge0 ?sqr_ge0 | exact: ltW].
by split=> //; exact: C2_redundant C3.
Qed.

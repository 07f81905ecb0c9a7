From mathcomp Require Import all_ssreflect all_algebra complex ring.
From tdrc Require Import quadratic conditions.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope complex_scope.
Local Open Scope ring_scope.

(* Box 2. *)
Theorem solution_of_quadratic (R : rcfType) (eta beta b_c b_a lambda_r lambda_c : R) (lambda : R[i]) :
  let Omega := eta * beta + eta * b_c + lambda_r in
  let Xi := lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a) in
  let p := Omega +i* lambda_c in let q := (eta * (beta * lambda_r + b_a)) +i* (eta * beta * lambda_c) in
  (2%:R * lambda + p) ^+ 2 - 4%:R * (lambda ^+ 2 + p * lambda + q) =
  (Omega ^+ 2 - Xi) +i* (2%:R * Omega * lambda_c - 4%:R * eta * beta * lambda_c).
Proof.
move=> Omega Xi p q.
have -> : (2%:R * lambda + p) ^+ 2 - 4%:R * (lambda ^+ 2 + p * lambda + q) = p ^+ 2 - (q + q + q + q) by ring.
apply/eqP; rewrite eq_complex /p /q /Xi /=.
by apply/andP; split; apply/eqP; ring.
Qed.

Theorem real_part_of_a_root (R : comRingType) (u v : R) :
  (2%:R * u ^+ 2 - (u ^+ 2 - v ^+ 2)) ^+ 2 = (u ^+ 2 - v ^+ 2) ^+ 2 + (2%:R * u * v) ^+ 2.
Proof. by ring. Qed.

(* Upsilon, where r is the square root in it and u is the rest: half of r + u, at least 0. *)
Theorem radicand_is_nonnegative (R : realFieldType) (r u v : R) :
  0 <= r -> r ^+ 2 = u ^+ 2 + v ^+ 2 -> 0 <= r + u.
Proof.
move=> r_ge0 rE; rewrite -[u]opprK subr_ge0; have [u_le0|u_gt0] := lerP (- u) 0; first exact: le_trans u_le0 r_ge0.
by rewrite -ler_sqr ?nnegrE ?(ltW u_gt0) // sqrrN rE ler_addl sqr_ge0.
Qed.

(* Box 3. *)
Theorem C3_in_roots (R : comRingType) (u u' v v' : R) :
  (u + u') ^+ 2 * (u * u' - v * v') + (u + u') * (v + v') * (u * v' + u' * v) - (u * v' + u' * v) ^+ 2 =
  u * u' * ((u + u') ^+ 2 + (v - v') ^+ 2).
Proof. by ring. Qed.

Theorem C3_in_coefficients (R : comRingType) (eta beta b_c b_a lambda_r lambda_c : R) :
  let Omega := eta * beta + eta * b_c + lambda_r in
  Omega ^+ 2 * eta * (beta * lambda_r + b_a) + Omega * lambda_c * eta * beta * lambda_c - (eta * beta * lambda_c) ^+ 2 =
  eta * (Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r)).
Proof. by move=> Omega; rewrite /Omega; ring. Qed.

Theorem C3_squared (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  let Xi := lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a) in
  ((Omega ^+ 2 - Xi) ^+ 2 + (2%:R * Omega * lambda_c - 4%:R * eta * beta * lambda_c) ^+ 2 < (Omega ^+ 2 + Xi) ^+ 2) =
  (0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r)).
Proof.
move=> eta_gt0 Omega Xi; rewrite -subr_gt0.
rewrite [X in (0 < X) = _](_ : _ = 16%:R * eta * (Omega ^+ 2 * (beta * lambda_r + b_a) +
  beta * lambda_c ^+ 2 * (eta * b_c + lambda_r))).
  by rewrite pmulr_rgt0 // mulr_gt0 ?ltr0n.
by rewrite /Xi /Omega; ring.
Qed.

Theorem squaring (R : realFieldType) (u r : R) : 0 < u -> 0 <= r -> (r < u) = (r ^+ 2 < u ^+ 2).
Proof. by move=> u_gt0 r_ge0; rewrite ltr_sqr // nnegrE ltW. Qed.

Theorem C3_gives_C2 (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta -> 0 <= beta ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r) ->
  0 < Omega ^+ 2 + (lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a)).
Proof.
move=> eta_gt0 beta_ge0 Omega; set C3 := _ + _ => C3_gt0.
have [Omega0|Omega_neq0] := eqVneq Omega 0.
  have C3E : C3 = - (eta * beta ^+ 2 * lambda_c ^+ 2).
    have -> : C3 = Omega * (Omega * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2) - eta * beta ^+ 2 * lambda_c ^+ 2.
      by rewrite /C3 /Omega; ring.
    by rewrite Omega0 mul0r sub0r.
  have : 0 <= eta * beta ^+ 2 * lambda_c ^+ 2
    by apply: mulr_ge0 (sqr_ge0 _); apply: mulr_ge0 (ltW eta_gt0) (sqr_ge0 _).
  by move: C3_gt0; rewrite C3E oppr_gt0 => x_lt0 x_ge0; have := le_lt_trans x_ge0 x_lt0; rewrite ltxx.
rewrite -(pmulr_rgt0 _ (_ : 0 < Omega ^+ 2)) ?exprn_even_gt0 //.
have -> : Omega ^+ 2 * (Omega ^+ 2 + (lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a))) =
    Omega ^+ 4 + lambda_c ^+ 2 * (Omega - 2%:R * eta * beta) ^+ 2 + 4%:R * eta * C3.
  by rewrite /C3 /Omega; ring.
rewrite ltr_spaddr ?mulr_gt0 ?ltr0n // addr_ge0 ?exprn_even_ge0 //.
by rewrite mulr_ge0 ?sqr_ge0.
Qed.

Theorem case_1_conditions (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta -> 0 <= beta -> 0 < lambda_r -> 0 < b_a -> 0 < b_c ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  [/\ 0 < Omega,
      0 < Omega ^+ 2 + lambda_c ^+ 2 + 4%:R * eta * (beta * lambda_r + b_a)
    & 0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r)].
Proof.
move=> eta_gt0 beta_ge0 l_gt0 b_a_gt0 b_c_gt0; apply: bounds_give_conditions => //.
  by rewrite ltr_spaddr // mulr_ge0 // ltW.
by rewrite addr_gt0 // mulr_gt0.
Qed.

(* s = - b_a / lambda_r, eq. 16. *)
Theorem bound_on_beta_at_z (R : realFieldType) (beta b_a lambda_r s : R) :
  lambda_r < 0 -> s * - lambda_r = b_a -> (0 < beta * lambda_r + b_a) = (beta < s).
Proof.
by move=> l_lt0 <-; rewrite mulrN -mulNr -mulrDl nmulr_lgt0 // subr_lt0.
Qed.

Theorem bound_on_eta_relaxed (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta -> 0 < beta -> 0 < beta * lambda_r + b_a -> 0 <= eta * b_c + lambda_r ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  0 < Omega /\ 0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r).
Proof.
move=> eta_gt0 beta_gt0 beta_ok eta_ok Omega.
have Omega_gt0 : 0 < Omega by rewrite /Omega -addrA ltr_spaddl // mulr_gt0.
split=> //; apply: ltr_spaddl; first by rewrite mulr_gt0 ?exprn_gt0.
by apply: mulr_ge0 eta_ok; apply: mulr_ge0 (ltW beta_gt0) (sqr_ge0 _).
Qed.

Theorem same_sign_roots (R : realFieldType) (u u' v v' : R) :
  0 < u * u' - v * v' -> u * v' + u' * v = 0 -> u + u' < 0 -> u < 0 /\ u' < 0.
Proof.
move=> product_gt0 im0 sum_lt0; apply: (stable_roots u u' v v').2; split; first by rewrite oppr_gt0.
by rewrite -C3_in_roots im0 mulr0 addr0 expr0n subr0 mulr_gt0 // exprn_even_gt0 //= lt_eqF.
Qed.

(* A singular C: the third condition at b_c = 0. *)
Theorem third_condition_vanishes (R : comRingType) (eta beta lambda_r lambda_c b_a : R) :
  lambda_r = 0 -> lambda_c = 0 -> b_a = 0 ->
  (eta * beta + lambda_r) ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * lambda_r = 0.
Proof. by move=> -> -> ->; ring. Qed.

Theorem b_c_0_is_the_worst_case (R : realFieldType) (eta beta b_c b_a lambda_r lambda_c : R) :
  0 < eta -> 0 <= beta -> 0 <= b_c -> 0 <= b_a -> 0 < eta * beta + lambda_r ->
  0 < (eta * beta + lambda_r) ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * lambda_r ->
  let Omega := eta * beta + eta * b_c + lambda_r in
  0 < Omega /\ 0 < Omega ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * (eta * b_c + lambda_r).
Proof.
move=> eta_gt0 beta_ge0 b_c_ge0 b_a_ge0 first third Omega.
have ebc_ge0 : 0 <= eta * b_c by rewrite mulr_ge0 // ltW.
have Omega_ge : eta * beta + lambda_r <= Omega by rewrite /Omega -addrA ler_add2l ler_addr.
have Omega_gt0 : 0 < Omega := lt_le_trans first Omega_ge.
have k_ge0 : 0 <= beta * lambda_r + b_a.
  have [l_ge0|l_lt0] := lerP 0 lambda_r; first by rewrite addr_ge0 ?mulr_ge0.
  rewrite leNgt; apply: contraTN third => k_lt0; rewrite -leNgt -[0]addr0 ler_add //.
    exact: mulr_ge0_le0 (sqr_ge0 _) (ltW k_lt0).
  by apply: mulr_ge0_le0 (ltW l_lt0); apply: mulr_ge0 (sqr_ge0 _).
split=> //; apply: lt_le_trans third _; apply: ler_add.
  by rewrite ler_wpmul2r // ler_sqr ?nnegrE ?(ltW first) ?(ltW Omega_gt0).
by apply: ler_wpmul2l; [exact: mulr_ge0 (sqr_ge0 _) | rewrite ler_addr].
Qed.

(* s is the square root of - beta lambda_c^2 lambda_r / (beta lambda_r + b_a). *)
Theorem bound_on_eta_solved (R : realFieldType) (eta beta b_a lambda_r lambda_c s : R) :
  0 <= s -> 0 < beta * lambda_r + b_a -> s ^+ 2 * (beta * lambda_r + b_a) = - (beta * lambda_c ^+ 2 * lambda_r) ->
  0 < eta * beta + lambda_r ->
  (0 < (eta * beta + lambda_r) ^+ 2 * (beta * lambda_r + b_a) + beta * lambda_c ^+ 2 * lambda_r) =
  (s - lambda_r < eta * beta).
Proof.
move=> s_ge0 k_gt0 root first; rewrite -[X in _ + X]opprK -root -mulrBl pmulr_lgt0 // subr_gt0.
by rewrite ltr_sqr ?nnegrE ?(ltW first) // ltr_subl_addr.
Qed.

Theorem bound_on_eta_gives_C1 (R : realFieldType) (eta beta lambda_r s : R) :
  0 <= s -> s - lambda_r < eta * beta -> 0 < eta * beta + lambda_r.
Proof. by move=> s_ge0; rewrite ltr_subl_addr; apply: le_lt_trans. Qed.

From mathcomp Require Import all_ssreflect all_algebra ring.

From tdrc Require Import definitions substochastic emphatic_td.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Sutton, Mahmood and White 2016, section 7: the sum over k < t of c k times the product of g j over k < j < t. *)
Definition earlier (R : comRingType) (c g : nat -> R) (t : nat) : R :=
  \sum_(k < t) c k * \prod_(k.+1 <= j < t) g j.

Lemma earlier_succ (R : comRingType) (c g : nat -> R) t : earlier c g t.+1 = c t + g t * earlier c g t.
Proof.
rewrite /earlier big_ord_recr /= big_geq // mulr1 addrC; congr (_ + _).
rewrite mulr_sumr; apply: eq_bigr => k _; rewrite big_nat_recr ?ltn_ord //=.
by rewrite mulrA mulrC.
Qed.

(* Eqs. 19 and 20. *)
Theorem emphasis_by_sums (R : comRingType) (rho gamma lambda i M : nat -> R) :
  let past := earlier (fun k => rho k * M k) (fun j => gamma j * lambda j * rho j) in
  let F t := i t + gamma t * past t in
  (forall t, M t = i t + gamma t * (1 - lambda t) * past t) ->
  (forall t, M t = lambda t * i t + (1 - lambda t) * F t) /\
  (forall t, F t.+1 = rho t * gamma t.+1 * F t + i t.+1).
Proof.
move=> past F M_is; split=> t; first by rewrite M_is /F; ring.
by rewrite /F /past earlier_succ -/past M_is; ring.
Qed.

(* Section 9: on-policy, gamma = 1, lambda = 0 and interest 1: the emphasis grows linearly within an episode. *)
Theorem emphasis_in_an_episode (R : comRingType) (rho gamma lambda i M : nat -> R) t :
  (forall t, M t = i t + gamma t * (1 - lambda t) *
                   earlier (fun k => rho k * M k) (fun j => gamma j * lambda j * rho j) t) ->
  (forall t, rho t = 1) -> (forall t, gamma t = 1) -> (forall t, lambda t = 0) -> (forall t, i t = 1) ->
  M t.+1 = M t + 1.
Proof.
move=> M_is rho1 gamma1 lambda0 i1; have [M_by_F F_next] := emphasis_by_sums M_is.
by rewrite !M_by_F F_next rho1 gamma1 !lambda0 !i1; ring.
Qed.

(* Below eq. 29: the projected Bellman error is X (X^T M X)^-1 (b - A w). *)
Theorem projected_bellman_error (F : fieldType) n d (P : 'M[F]_n) (gamma lambda : 'rV[F]_n) (i r : 'cV[F]_n)
    (X : 'M[F]_(n, d)) (w : 'cV[F]_d) :
  let D := diag_mx (emphasis P gamma lambda i)^T in
  let N := invmx (1%:M - P_gamma_lambda P gamma lambda) in
  X *m invmx (X^T *m D *m X) *m X^T *m D *m (N *m r + P_lambda P gamma lambda *m (X *m w) - X *m w) =
  X *m invmx (X^T *m D *m X) *m (X^T *m D *m N *m r - X^T *m key_matrix P gamma lambda i *m X *m w).
Proof.
move=> D N; rewrite /key_matrix /weighted -/D; move: (P_lambda _ _ _) => T.
have -> : N *m r + T *m (X *m w) - X *m w = N *m r - (1%:M - T) *m (X *m w).
  by rewrite mulmxBl mul1mx opprB addrA.
by move: (1%:M - T) => S; rewrite !mulmxBr !mulmxA.
Qed.

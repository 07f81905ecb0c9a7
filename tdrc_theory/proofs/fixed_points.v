From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma unit_of_no_eigenvalue (F : fieldType) d (beta : F) (A : 'M[F]_d) :
  ~~ eigenvalue A (- beta) -> A + beta%:M \in unitmx.
Proof.
rewrite -row_free_unit -kermx_eq0 /eigenvalue /eigenspace.
by rewrite raddfN opprK negbK.
Qed.

(* The printed theorem, whose two parts are true. *)
Theorem td_fixed_point_is_tdrc_fixed_point (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w : 'cV[F]_d) :
  A *m w = b -> (A + beta%:M)^T *m invmx (C + beta%:M) *m (b - A *m w) = 0.
Proof. by move=> ->; rewrite subrr mulmx0. Qed.

Theorem fixed_points_agree (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w : 'cV[F]_d) :
  C + beta%:M \in unitmx -> ~~ eigenvalue A (- beta) ->
  ((A + beta%:M)^T *m invmx (C + beta%:M) *m (b - A *m w) = 0 <-> A *m w = b).
Proof.
move=> C_unit /unit_of_no_eigenvalue A_unit; split; last exact: td_fixed_point_is_tdrc_fixed_point.
rewrite -mulmxA => /(congr1 (mulmx (invmx (A + beta%:M)^T))).
rewrite mulKmx ?unitmx_tr // mulmx0 => /(congr1 (mulmx (C + beta%:M))).
by rewrite mulKVmx // mulmx0 => /eqP; rewrite subr_eq0 => /eqP ->.
Qed.

(* The same for the pair (h, w) that the update moves; C + beta I need not be invertible. *)
Theorem stationary_iff_td_fixed_point (F : fieldType) d (eta beta : F) (A C : 'M[F]_d) (b h w : 'cV[F]_d) :
  eta != 0 -> ~~ eigenvalue A (- beta) ->
  (tdrc_G eta beta A C *m col_mx h w + tdrc_g eta b = 0 <-> h = 0 /\ A *m w = b).
Proof.
move=> eta_neq0 /unit_of_no_eigenvalue A_unit.
rewrite /tdrc_G /tdrc_g mul_block_col add_col_mx -[0 in X in X <-> _]vsubmxK !linear0; split; last first.
  by case=> -> <-; rewrite !mulmx0 !add0r !mulNmx -scalemxAl !addNr.
case/eq_col_mx; rewrite !mulNmx -!scalemxAl -!scalerN -!scalerDr.
move=> /eqP; rewrite scaler_eq0 (negPf eta_neq0) /= => /eqP h_row w_row.
(* The difference of the rows is (A + beta I)^T h. *)
have h0 : (A + beta%:M)^T *m h = 0.
  rewrite -[RHS](subrr 0) -{1}w_row -h_row linearD /= tr_scalar_mx !mulmxDl mulNmx.
  rewrite !mul_scalar_mx.
  by move: (A^T *m h) (C *m h) (A *m w) => u v z; by_entries.
have {}h0 : h = 0 by rewrite -(mulKmx (_ : (A + beta%:M)^T \in unitmx) h) ?unitmx_tr // h0 mulmx0.
by move: w_row; rewrite h0 mulmx0 add0r addrC => /eqP; rewrite subr_eq0 => /eqP.
Qed.

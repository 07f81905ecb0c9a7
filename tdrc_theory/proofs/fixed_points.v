From mathcomp Require Import all_ssreflect all_algebra ring.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import GRing.Theory.
Local Open Scope ring_scope.

(* The printed theorem, whose two parts are true. *)
Theorem fixed_point_forward (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w : 'cV[F]_d) :
  A *m w = b -> (A + beta%:M)^T *m invmx (C + beta%:M) *m (b - A *m w) = 0.
Proof. by move=> ->; rewrite subrr mulmx0. Qed.

Theorem fixed_points (F : fieldType) d (beta : F) (A C : 'M[F]_d) (b w : 'cV[F]_d) :
  C + beta%:M \in unitmx -> A + beta%:M \in unitmx ->
  (A *m w = b <-> (A + beta%:M)^T *m invmx (C + beta%:M) *m (b - A *m w) = 0).
Proof.
move=> C_unit A_unit; split; first exact: fixed_point_forward.
rewrite -mulmxA => /(congr1 (mulmx (invmx (A + beta%:M)^T))).
rewrite mulKmx ?unitmx_tr // mulmx0 => /(congr1 (mulmx (C + beta%:M))).
by rewrite mulKVmx // mulmx0 => /eqP; rewrite subr_eq0 => /eqP ->.
Qed.

Theorem nonsingular_iff_no_eigenvalue (F : fieldType) d (beta : F) (A : 'M[F]_d) :
  A + beta%:M \in unitmx <-> ~~ eigenvalue A (- beta).
Proof. by rewrite -row_free_unit -kermx_eq0 /eigenvalue /eigenspace raddfN opprK negbK. Qed.

(* The same for the pair (h, w) that the update moves; C + beta I need not be invertible. *)
Theorem linear_system (F : fieldType) d (eta beta : F) (A C : 'M[F]_d) (b h w : 'cV[F]_d) :
  eta != 0 -> A + beta%:M \in unitmx ->
  (tdrc_G eta beta A C *m col_mx h w + tdrc_g eta b = 0 <-> h = 0 /\ A *m w = b).
Proof.
move=> eta_neq0 A_unit; rewrite /tdrc_G /tdrc_g mul_block_col add_col_mx; split; last first.
  by case=> -> <-; rewrite !mulmx0 !add0r !mulNmx -scalemxAl !addNr col_mx0.
move=> /eqP; rewrite col_mx_eq0 !mulNmx -!scalemxAl -!scalerN -!scalerDr scaler_eq0 (negPf eta_neq0) /=.
case/andP=> /eqP h_row /eqP w_row.
(* The difference of the rows is (A + beta I)^T h. *)
have h0 : (A + beta%:M)^T *m h = 0.
  rewrite -[RHS](subrr 0) -{1}w_row -h_row linearD /= tr_scalar_mx !mulmxDl mulNmx.
  rewrite !mul_scalar_mx.
  by move: (A^T *m h) (C *m h) (A *m w) => u v z; by_entries.
have {}h0 : h = 0 by rewrite -(mulKmx (_ : (A + beta%:M)^T \in unitmx) h) ?unitmx_tr // h0 mulmx0.
by move: w_row; rewrite h0 mulmx0 add0r addrC => /eqP; rewrite subr_eq0 => /eqP.
Qed.

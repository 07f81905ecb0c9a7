From mathcomp Require Import all_ssreflect all_algebra.
From tdrc Require Import definitions.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma positive_definite_1 (R : realFieldType) d : positive_definite (1%:M : 'M[R]_d).
Proof.
move=> z z_neq0; rewrite mulmx1 mxE lt_def; have square_ge0 i : true -> 0 <= z^T 0 i * z i 0.
  by rewrite mxE -expr2 sqr_ge0.
rewrite sumr_ge0 // andbT psumr_eq0 //; apply: contra z_neq0 => /allP z0.
apply/eqP/colP => i; have := z0 i (mem_index_enum i).
by rewrite !mxE -expr2 expf_eq0 /= => /eqP.
Qed.

Lemma positive_definite_unit (R : realFieldType) d (P : 'M[R]_d) : positive_definite P -> P \in unitmx.
Proof.
move=> P_pos; rewrite unitmxE unitfE; apply/det0P => -[v v_neq0 vP].
by have := P_pos v^T; rewrite trmx_eq0 trmxK vP mul0mx mxE ltxx => /(_ v_neq0).
Qed.

Lemma unit_neq0 (F : fieldType) d (M : 'M[F]_d) (z : 'cV[F]_d) : M \in unitmx -> z != 0 -> M *m z != 0.
Proof. by move=> M_unit; apply: contraNneq => Mz0; rewrite -(mulKmx M_unit z) Mz0 mulmx0. Qed.

Lemma positive_definite_AAt (R : realFieldType) d (A : 'M[R]_d) : A \in unitmx -> positive_definite (A *m A^T).
Proof.
rewrite -unitmx_tr => A_unit z /(unit_neq0 A_unit)/positive_definite_1.
by rewrite mulmx1 trmx_mul trmxK !mulmxA.
Qed.

(* b_a > 0 at every z needs A, and not only A + beta I, to be nonsingular. *)
Theorem b_a_positive_iff (R : realFieldType) d (A : 'M[R]_d) :
  A \in unitmx <-> positive_definite (A *m A^T).
Proof.
split; first exact: positive_definite_AAt.
by move/positive_definite_unit; rewrite unitmx_mul => /andP[].
Qed.

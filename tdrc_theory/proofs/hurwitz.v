From mathcomp Require Import all_ssreflect all_algebra complex.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Every complex eigenvalue has negative real part. *)
Definition hurwitz (R : rcfType) n (M : 'M[R]_n) : Prop :=
  forall l : R[i], eigenvalue (map_mx (real_complex R) M) l -> complex.Re l < 0.

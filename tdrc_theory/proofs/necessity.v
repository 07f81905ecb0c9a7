From mathcomp Require Import all_ssreflect all_algebra complex polyrcf.
From tdrc Require Import definitions determinant_of_G hurwitz.
Set Implicit Arguments.
Unset Strict Implicit.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* By the intermediate value theorem a characteristic polynomial that is not positive at 0 has a root in [0, +oo). *)
Lemma hurwitz_det_gt0 (R : rcfType) n (M : 'M[R]_n) : hurwitz M -> 0 < \det (- M).
Proof.
move=> stable; rewrite ltNge; apply/negP => det_le0; pose P := char_poly M.
have P0 : P.[0] <= 0 by rewrite horner_coef0 char_poly_det -detZ scaleN1r.
have lead : lead_coef P = 1 := monicP (char_poly_monic M).
have [|b P_ge1] := poly_pinfty_gt_lc (p := P); first by rewrite lead ltr01.
have max_ge0 : 0 <= Num.max 0 b by rewrite le_maxr lexx.
have Pmax : 0 <= P.[Num.max 0 b].
  by apply: le_trans (P_ge1 _ _); rewrite ?lead ?ler01 // le_maxr lexx orbT.
have [r /andP[r_ge0 _] root_r] := poly_ivt max_ge0 (introT andP (conj P0 Pmax)).
have : complex.Re (real_complex R r) < 0.
  by apply: stable; rewrite eigenvalue_root_char -map_char_poly fmorph_root.
by rewrite /= ltNge r_ge0.
Qed.

Theorem necessity (R : rcfType) d (eta beta : R) (A C : 'M[R]_d) :
  0 < eta -> hurwitz (tdrc_G eta beta A C) -> 0 < \det A * \det (A + beta%:M).
Proof.
move=> eta_gt0 /hurwitz_det_gt0.
rewrite -scaleN1r detZ exprD -exprMn mulrNN mulr1 expr1n mul1r det_G.
by rewrite -mulrA pmulr_rgt0 ?exprn_gt0 // -det_tr linearD /= trmxK tr_scalar_mx mulrC.
Qed.

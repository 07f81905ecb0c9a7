"""The last layer of trained networks, as the linear problem that it is on their features, held against the theory.

With everything but the last layer's weights W frozen, q(s, a) = W_a . x(s) + bias is linear in phi(s, a), which is x(s)
in the place of action a. Replay and greedy actions fixed, QRC's and QC's update of W and h is TDRC's on these features
(QC: TDC's), but that h_a moves along the mean over its own action's transitions. Adam is not part of the theory.
"""

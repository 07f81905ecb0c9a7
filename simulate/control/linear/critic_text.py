"""The text of acting and of one update, for an agent that learns action values and for an actor-critic."""

from __future__ import annotations

from textwrap import indent
from typing import NamedTuple


class Parts(NamedTuple):
    """What differs between the two.

    Attributes:
        act: chooses action a in the state with features `active`.
        update: learns from x, a, the reward and x_next; leaves delta, delta_hat, `largest`, the size of the largest
            value, and the sums of squares `added`, of what the direction adds to delta x, and `whole`, of all of it.
    """

    act: str
    update: str


_LEARN = """
dw, dh = {direction}
added += (dw - delta * x_i) ** 2
whole += dw**2
g = dw
{step_w}
g = dh
{step_h}
"""
"""Component k learns from x_i, x_next_i and h_i."""

ACTION_VALUES = Parts(
    act="""
a = one_of_the_best(w, active, uniforms[n, 1])
if uniforms[n, 0] < epsilon:
    a = int(uniforms[n, 1] * {actions})
""",
    update="""
largest = size(w, active)
a_next, value_next = best(w, active_next)
delta = {reward} - value(w, active, a * {features})
if not ended:
    delta += gamma * value_next
delta_hat = value(h, active, a * {features})
# The features of an action are those of the state in the action's own block. Where both actions are the same x and
# x_next meet in it; otherwise the other block has x_next alone, and its h has no target and is left as it is.
shared = x_next if a_next == a else nothing
for i in range({features}):
    k = a * {features} + i
    x_i, x_next_i, h_i = x[i], shared[i], h[k]"""
    + indent(_LEARN, "    ")
    + """\
if a_next != a:
    for i in range({features}):
        k = a_next * {features} + i
        x_i, x_next_i, h_i = 0.0, x_next[i], h[k]
        dw, _ = {direction}
        added += dw**2
        whole += dw**2
        g = dw
        {step_w}
""",
)
"""Q-learning and its relatives: x_next is that of the greedy action."""

STATE_VALUES = Parts(
    act="""
softmax(theta, active, policy)
a = drawn(policy, uniforms[n, 1])
""",
    update="""
largest = abs(value(w, active, 0))
delta = {reward} - value(w, active, 0)
if not ended:
    delta += gamma * value(w, active_next, 0)
delta_hat = value(h, active, 0)
for k in range({features}):
    x_i, x_next_i, h_i = x[k], x_next[k], h[k]"""
    + indent(_LEARN, "    ")
    + """\
for b in range({actions}):
    slope = delta * ((b == a) - policy[b])
    for i in range({features}):
        k = b * {features} + i
        g = slope * x[i]
        {step_theta}
""",
)
"""One-step actor-critic: the gradient of ln pi(a) in the features of action b is (1[b = a] - pi(b)) x."""

"""The text of one update, for one sample, for a mini-batch, and for a mini-batch that supplies delta_hat itself."""

from __future__ import annotations

from textwrap import indent

from simulate.kernels.layout import PLACES
from tdrc_theory.learner.algorithm import SIGNATURE

_ERRORS = """
for l in range(width):
    {delta} = rewards[{sample}]
    {delta_hat} = 0.0
for i in range(k):
    x = features[s[{sample}], i]
    of_w = gamma * features[s_next[{sample}], i] - x
    for l in range(width):
        {delta} += of_w * {w}
        {estimate}
if any_doubt(lane, lost):
    note_divergence(room, t - 1, lost)
rho = rhos[{sample}]
"""

DIRECTION = f"dw, dh = direction({', '.join(PLACES.get(name, name) for name in SIGNATURE)})"

SINGLE = (
    _ERRORS
    + """
for i in range(k):
    x = features[s[{sample}], i]
    x_next = features[s_next[{sample}], i]
    for l in range(width):
        {direction}
        {step_w}
        {step_h}
"""
)
"""One sample an update: directions are used as soon as they are known."""

BATCH = (
    """
for i in range(k):
    for l in range(width):
        {sum_w} = 0.0
        {sum_h} = 0.0
for sample in range((t - 1) * batch, t * batch):
"""
    + indent(_ERRORS, "    ")
    + """
    for i in range(k):
        x = features[s[sample], i]
        x_next = features[s_next[sample], i]
        for l in range(width):
            {direction}
            {sum_w} += dw
            {sum_h} += dh
for i in range(k):
    for l in range(width):
        dw, dh = {sum_w} / batch, {sum_h} / batch
        {step_w}
        {step_h}
"""
)
"""A mini-batch an update: directions are summed first, since all of them use the same weights."""

SMOOTHED = (
    """
for i in range(k):
    for l in range(width):
        {sum_w} = 0.0
for sample in range((t - 1) * batch, t * batch):
"""
    + indent(_ERRORS, "    ")
    + """
    for l in range(width):
        deltas[sample % batch, l] = {delta}
for sample in range((t - 1) * batch, t * batch):
    rho = rhos[sample]
    for l in range(width):
        {delta} = deltas[sample % batch, l]
        {delta_hat} = 0.0
    for other in range((t - 1) * batch, t * batch):
        if {counts}:
            weight = similarity[s[other], s[sample]] * rhos[other] / {pairs}
            for l in range(width):
                {delta_hat} += weight * deltas[other % batch, l]
    for i in range(k):
        x = features[s[sample], i]
        x_next = features[s_next[sample], i]
        for l in range(width):
            {direction}
            {sum_w} += dw
for i in range(k):
    for l in range(width):
        dw = {sum_w} / batch
        {step_w}
"""
)
"""A mini-batch an update whose delta_hat is a mean over the batch, so that all TD errors come first."""

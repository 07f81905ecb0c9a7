"""The equations of every built-in learner, written out again from its source, in vectors, for many steps at once."""

from types import SimpleNamespace

import numpy as np
import pytest


def dot(a, b):
    return (a * b).sum(axis=1, keepdims=True)


class Sample(SimpleNamespace):
    """Steps: vectors (n, k) and numbers (n, 1), by name, with memory, weights and parameters.

    x, y are x_t and x_t+1, bar the expected x_t+1 under the target, R the reward, rho and before rho_t and rho_t-1,
    pi that of the action, g and g1 gamma_t and gamma_t+1, i interest.
    """

    def with_(self, **others):
        return Sample(**(vars(self) | others))

    @property
    def delta(self):
        return self.R + self.g1 * dot(self.w, self.y) - dot(self.w, self.x)

    @property
    def expected_delta(self):
        return self.R + self.g1 * dot(self.w, self.bar) - dot(self.w, self.x)

    @property
    def hx(self):
        return dot(self.h, self.x)

    @property
    def away(self):
        return self.x - self.g1 * self.y


def tdc(s):
    return {"w": s.rho * (s.delta * s.x - s.g1 * s.hx * s.y), "h": s.eta * (s.rho * s.delta - s.hx) * s.x}


def tdrc(s):
    return tdc(s) | {"h": s.eta * ((s.rho * s.delta - s.hx) * s.x - s.beta * s.h)}


def tdcpp(s):
    return tdrc(s) | {"w": tdc(s)["w"] - s.beta * s.h}


def gtd2(s):
    return {"w": s.rho * s.hx * s.away, "h": s.eta * (s.rho * s.delta - s.hx) * s.x}


def gtd(s):
    return {"w": s.rho * s.hx * s.away, "h": s.eta * (s.rho * s.delta * s.x - s.h)}


def r_gtd(s):
    return gtd2(s) | {"w": s.rho * s.hx * s.away - s.beta * s.w}


def htd(s):
    dw = s.rho * s.delta * s.x + (s.rho - 1) * s.hx * s.away
    return {"w": dw, "h": s.eta * (s.rho * s.delta * s.x - s.hx * s.away)}


def tdc_momentum(s):
    return {"w": s.v + 0 * s.x, "h": tdc(s)["h"], "v": s.mu * (tdc(s)["w"] - s.v)}


def td_target(s):
    towards = s.R + s.g1 * dot(s.target, s.y) - dot(s.w, s.x)
    return {"w": s.rho * towards * s.x, "target": s.eta * (s.w - s.target) + 0 * s.x}


def differential_td(s):
    delta = s.R - s.rbar + dot(s.w, s.y) - dot(s.w, s.x)
    return {"w": s.rho * delta * s.x, "rbar": s.eta * s.rho * delta}


def trace(s):
    return {"e": s.rho * (s.g * s.lam * s.e + s.x)}


def both_traces(s):
    return trace(s) | {"b": s.g * s.lam * s.b + s.x}


def follow_on(s):
    F = s.before * s.g * s.F + s.i
    M = s.lam * s.i + (1 - s.lam) * F
    return {"e": s.rho * (s.g * s.lam * s.e + M * s.x), "F": F}


def along_trace(s):
    return {"w": s.delta * s.e}


def tdrc_lambda(s):
    dw = s.delta * s.e - s.g1 * (1 - s.lam) * dot(s.h, s.e) * s.y
    return {"w": dw, "h": s.eta * (s.delta * s.e - s.hx * s.x - s.beta * s.h)}


def gtd2_lambda(s):
    return {"w": dot(s.h, s.e) * s.away, "h": s.eta * (s.delta * s.e - s.hx * s.x)}


def htd_lambda(s):
    dw = s.delta * s.e - (dot(s.h, s.b) - dot(s.h, s.e)) * s.away
    return {"w": dw, "h": s.eta * (s.delta * s.e - dot(s.h, s.b) * s.away)}


def cut_by_policy(s):
    return {"e": s.g * s.lam * s.pi * s.e + s.x}


def cut_by_ratio(s):
    return {"e": s.g * s.lam * np.minimum(s.rho, 1) * s.e + s.x}


def along_cut_trace(s):
    return {"w": s.expected_delta * s.e}


EQUATIONS = {
    "td": (None, lambda s: {"w": s.rho * s.delta * s.x}),
    "tdc": (None, tdc),
    "gtd2": (None, gtd2),
    "htd": (None, htd),
    "vtrace": (None, lambda s: {"w": np.minimum(s.rho, 1) * s.delta * s.x}),
    "tdrc": (None, tdrc),
    "tdc++": (None, tdcpp),
    "gtd": (None, gtd),
    "td-lambda": (trace, along_trace),
    "gtd2-lambda": (trace, gtd2_lambda),
    "tdc-lambda": (trace, tdrc_lambda),
    "tdrc-lambda": (trace, tdrc_lambda),
    "htd-lambda": (both_traces, htd_lambda),
    "emphatic-td": (follow_on, along_trace),
    "residual-gradient": (None, lambda s: {"w": s.rho * s.delta * (s.x - s.g1_2 * s.rho_2 * s.y_2)}),
    "naive-residual-gradient": (None, lambda s: {"w": s.rho * s.delta * s.away}),
    "td-ridge": (None, lambda s: {"w": s.rho * s.delta * s.x - s.beta * s.w}),
    "td-target": (None, td_target),
    "tdc-momentum": (None, tdc_momentum),
    "r-gtd": (None, r_gtd),
    "differential-td": (None, differential_td),
    "expected-sarsa": (None, lambda s: {"w": s.expected_delta * s.x}),
    "tree-backup": (cut_by_policy, along_cut_trace),
    "retrace": (cut_by_ratio, along_cut_trace),
}

MISTAKES = {
    "the ratio of this step in F": ("emphatic-td", (lambda s: follow_on(s.with_(before=s.rho)), along_trace)),
    "the ratio twice": ("td-lambda", (trace, lambda s: {"w": s.rho * s.delta * s.e})),
    "one sample for two": ("residual-gradient", (None, lambda s: {"w": s.rho * s.delta * s.away})),
}


@pytest.fixture
def equations():
    """By name: memory after the step, of that before it (None where there is none); directions, of that after it."""
    return EQUATIONS


@pytest.fixture(params=MISTAKES)
def mistaken(request):
    """A learner's name, and its equations with a mistake that people make."""
    return MISTAKES[request.param]


@pytest.fixture
def sample():
    """What the equations take."""
    return Sample

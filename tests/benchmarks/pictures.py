"""How fast QRC learns MinAtar's Breakout, and what the paper's experiment would take: `make bench`."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch
from row import row
from torch import nn
from torch.nn import functional

from simulate.control.environments import environments
from simulate.control.settings import settings
from simulate.control.training import Training

GAME = "minatar:breakout"
WARM_UP = 200
PAPER_UPDATES = 30 * (5_000_000 - 5000)


class Alone:
    """QRC for one seed as it is mostly written: modules, optimisers from torch, and a list of transitions."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.game = environments(GAME, [np.random.SeedSequence(seed)])
        channels, actions = self.game.observation_shape[0], self.game.actions
        convolved = nn.Sequential(nn.Conv2d(channels, 16, 3), nn.ReLU(), nn.Flatten())
        self.body = nn.Sequential(convolved, nn.Linear(1024, 128), nn.ReLU())
        self.values, self.h = nn.Linear(128, actions), nn.Linear(128, actions, bias=False)
        nn.init.zeros_(self.h.weight)
        weights = [*self.body.parameters(), *self.values.parameters()]
        self.optimizer = torch.optim.RMSprop(weights, 2**-6, alpha=0.95, eps=0.01, centered=True)
        self.optimizer_h = torch.optim.RMSprop(self.h.parameters(), 2**-6, alpha=0.95, eps=0.01, centered=True)
        self.random = np.random.default_rng(seed)
        self.kept: list[tuple[np.ndarray, int, float, np.ndarray, float]] = []

    def step(self) -> None:
        """Act, store, sample, update."""
        seen = self.game.observe()
        with torch.no_grad():
            action = int(self.values(self.body(torch.from_numpy(seen))).argmax())
        if self.random.random() < 0.1:
            action = int(self.random.integers(self.game.actions))
        taken = self.game.step(np.array([action]))
        self.kept.append((seen[0], action, 0.01 * taken.rewards[0], taken.observations[0], 1.0 - taken.terminated[0]))
        self.game.reset(taken.terminated)
        if len(self.kept) >= WARM_UP:
            self.update([self.kept[i] for i in self.random.integers(len(self.kept), size=32)])

    def update(self, batch: list[tuple[np.ndarray, int, float, np.ndarray, float]]) -> None:
        """Take one step with both optimisers."""
        seen, action, reward, then, goes_on = (torch.as_tensor(np.stack(column)) for column in zip(*batch, strict=True))
        features = self.body(seen.float())
        value = self.values(features).gather(1, action[:, None])[:, 0]
        best = self.values(self.body(then.float())).max(1).values
        delta = reward.float() + 0.99 * goes_on.float() * best.detach() - value.detach()
        delta_hat = self.h(features.detach()).gather(1, action[:, None])[:, 0]
        loss = (-delta * value + 0.99 * goes_on.float() * delta_hat.detach() * best).mean()
        loss_h = functional.mse_loss(delta_hat, delta) / 2 + self.h.weight.square().sum() / 2
        for optimizer, objective in ((self.optimizer, loss), (self.optimizer_h, loss_h)):
            optimizer.zero_grad()
            objective.backward()
            optimizer.step()


def milliseconds(step: Callable[[], None], steps: int) -> float:
    """Return what a step takes, in time that a core was busy with it."""
    began = time.process_time()
    for _ in range(steps):
        step()
    return 1000 * (time.process_time() - began) / steps


def main() -> None:
    """Time them in turn, on one core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    alone = Alone(0)
    for _ in range(WARM_UP + 20):
        alone.step()
    for seeds in (1, 8, 30):
        chosen = settings(GAME, "qrc", warm_up=WARM_UP, buffer=1000)
        together = Training(chosen, range(seeds), 0, "cpu")
        for _ in range(WARM_UP + 5):
            together.step()
        pairs = [
            (milliseconds(together.step, max(2, 40 // seeds)) / seeds, milliseconds(alone.step, 40))
            for _ in range(rounds)
        ]
        ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(b / a for a, b in pairs)
        what = f"QRC on {GAME}, whole step, {seeds} seeds together"
        row(what, ours, "ms a seed", against="one seed after another", baseline=theirs, ratio=ratio)
    days = PAPER_UPDATES * ours / 1000 / 86400
    row("the paper's experiment, 5 million steps x 30 runs of one algorithm and step size", days, "days of one core")


if __name__ == "__main__":
    main()

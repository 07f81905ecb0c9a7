"""How fast many runs of QRC learn together, against one run written as most people write it: `make bench`."""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import deque
from collections.abc import Callable

import gymnasium
import torch
from row import row
from torch import nn

from simulate.control.agent import Batch
from simulate.control.settings import settings
from simulate.control.training import Training
from tdrc_theory.cli.counted import counted

ALPHA, BETA, GAMMA, EPSILON, BATCH, BUFFER = 1 / 1024, 1.0, 0.99, 0.1, 32, 4000


class Network(nn.Module):
    """Two hidden layers of 32, a head of action values, and a head of delta_hat."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.values = nn.Linear(32, 3)
        self.errors = nn.Linear(32, 3, bias=False)
        for layer in (self.body[0], self.body[2], self.values):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.normal_(layer.bias, std=0.1)
        nn.init.zeros_(self.errors.weight)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return action values and delta_hat, of which no gradient flows into the body."""
        x = self.body(observations)
        return self.values(x), self.errors(x.detach())


class OneRun:
    """QRC on Mountain Car with modules, losses, optimisers and a list of transitions: one run, one step at a time."""

    def __init__(self) -> None:
        self.environment = gymnasium.make("MountainCar-v0", max_episode_steps=1000)
        self.network = Network()
        learnt = [*self.network.body.parameters(), *self.network.values.parameters()]
        self.optimizer = torch.optim.Adam(learnt, lr=ALPHA)
        self.optimizer_h = torch.optim.Adam(self.network.errors.parameters(), lr=ALPHA, betas=(0.99, 0.999))
        self.transitions: deque[tuple] = deque(maxlen=BUFFER)
        self.observation, _ = self.environment.reset(seed=0)

    def step(self) -> None:
        """Act, store, sample, update."""
        if random.random() < EPSILON:
            action = random.randrange(3)
        else:
            with torch.no_grad():
                action = int(self.network(torch.as_tensor(self.observation))[0].argmax())
        observation, reward, terminated, truncated, _ = self.environment.step(action)
        self.transitions.append((self.observation, action, reward, observation, terminated))
        self.observation = self.environment.reset()[0] if terminated or truncated else observation
        if len(self.transitions) >= BATCH:
            self.update(random.sample(self.transitions, BATCH))

    def update(self, batch: list[tuple]) -> None:
        """Take one update of the network and of h."""
        at, actions, rewards, after, terminated = zip(*batch, strict=True)
        chosen = torch.tensor(actions).unsqueeze(1)
        discount = GAMMA * (1 - torch.tensor(terminated, dtype=torch.float32))
        values, errors = self.network(torch.stack([torch.as_tensor(one) for one in at]))
        next_values, _ = self.network(torch.stack([torch.as_tensor(one) for one in after]))
        value, delta_hat = values.gather(1, chosen).squeeze(1), errors.gather(1, chosen).squeeze(1)
        best = next_values.max(dim=1).values
        delta = torch.tensor(rewards, dtype=torch.float32) + discount * best.detach() - value
        loss = 0.5 * delta.square().mean() + (discount * delta_hat.detach() * best).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        taken = torch.zeros(BATCH, 3).scatter_(1, chosen, 1.0)
        count = taken.sum(dim=0)
        each = (taken * (delta.detach() - delta_hat).square().unsqueeze(1)).sum(dim=0) / count.clamp(min=1)
        decay = (count > 0) * self.network.errors.weight.square().sum(dim=1)
        self.optimizer_h.zero_grad()
        (0.5 * each.sum() + 0.5 * BETA * decay.sum()).backward()
        self.optimizer_h.step()


def agree(updates: int = 5) -> None:
    """Return if both learn the same from the same weights and batches, so that they differ in speed alone.

    Each batch has every action: of others the naive optimiser keeps h moving, by what it remembers.
    """
    training, naive = Training(settings("mountain-car", "qrc", steps=1), range(1), 0, "cpu"), OneRun()
    layers = (naive.network.body[0], naive.network.body[2], naive.network.values)
    weights = training.agents.weights
    with torch.no_grad():
        for layer, weight, bias in zip(layers, weights[::2], weights[1::2], strict=True):
            layer.weight.copy_(weight[0].T)
            layer.bias.copy_(bias[0, 0])
    draw = torch.Generator().manual_seed(0)
    for _ in range(updates):
        at, after = torch.randn(2, 1, BATCH, 2, generator=draw)
        actions, terminated = torch.arange(BATCH) % 3, torch.rand(BATCH, generator=draw) < 0.1
        rewards = torch.full((1, BATCH), -1.0)
        training.agents.learn(Batch(at, actions.unsqueeze(0), rewards, after, 1 - terminated.float().unsqueeze(0)))
        naive.update(
            list(zip(at[0], actions.tolist(), rewards[0].tolist(), after[0], terminated.tolist(), strict=True))
        )
    torch.testing.assert_close(naive.network.errors.weight.detach(), training.agents.h[0], rtol=1e-3, atol=1e-6)
    for layer, weight in zip(layers, weights[::2], strict=True):
        torch.testing.assert_close(layer.weight.detach(), weight[0].T, rtol=1e-3, atol=1e-6)


def together(runs: int, device: str = "cpu") -> Training:
    """Return so many runs of the product, past the steps in which nothing is learnt yet."""
    training = Training(settings("mountain-car", "qrc", steps=10**6), range(runs), 0, device)
    for _ in range(training.settings.warm_up):
        training.step()
    return training


def seconds(step: Callable[[], None], steps: int, clock: Callable[[], float]) -> float:
    """Return what a step takes by a clock."""
    begin = clock()
    for _ in range(steps):
        step()
    return (clock() - begin) / steps


def compare(rounds: int, steps: int, device: str, runs: tuple[int, ...], clock: Callable[[], float]) -> None:
    """Time so many runs together, and the naive one, in turn."""
    naive = OneRun()
    seconds(naive.step, 2 * BATCH, clock)
    ours = {count: together(count, device) for count in runs}
    times: dict[int, list[float]] = {count: [] for count in runs}
    alone = []
    for _ in range(rounds):
        alone.append(seconds(naive.step, steps, clock))
        for count, training in ours.items():
            times[count].append(seconds(training.step, steps, clock) / count)
    for count in runs:
        ratio = statistics.median(slow / fast for slow, fast in zip(alone, times[count], strict=True))
        ours_each = statistics.median(times[count])
        wanted = "at least 40 times, and 66.7 us at most" if (count, device) == (100, "cpu") else ""
        row(
            f"QRC on Mountain Car, act, store, sample and update, {counted(count, 'run')} on one {device} core"
            if device == "cpu"
            else f"QRC on Mountain Car, act, store, sample and update, {counted(count, 'run')} on a GPU",
            ours_each * 1e6,
            "us a run's update",
            against="one run of modules and optim.Adam",
            baseline=statistics.median(alone) * 1e6,
            ratio=ratio,
            wanted=wanted,
        )
        print(f"  {1 / ours_each:,.0f} updates a second, against {1 / statistics.median(alone):,.0f}")


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="times that everything is timed (default: 9)")
    parser.add_argument("--steps", type=int, default=150, help="steps of a round (default: 150)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    agree()
    compare(options.rounds, options.steps, "cpu", (1, 30, 100), time.thread_time)
    if torch.cuda.is_available():
        compare(options.rounds, options.steps, "cuda", (100, 1000), time.perf_counter)
    else:
        print("no GPU here")


if __name__ == "__main__":
    main()

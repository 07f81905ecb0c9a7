"""What `tdrc conditions` prints where its time limit comes before its verdict."""

from __future__ import annotations

import json
from argparse import Namespace

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.options import chosen_parameters
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter_texts, setting_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.conditions.setting import Setting
from verify.outcome import Outcome


def undecided_at_limit(problem: Problem | MatrixProblem, algorithm: Algorithm, options: Namespace) -> str:
    """Return the whole output of the command, text or JSON, with an undecided verdict and nothing that needs G.

    The verdict has no kind of evidence, since nothing was decided: `proof` is null in the JSON.

    Raises:
        BadOption: a parameter is out of its range, or the algorithm has no such one.
    """
    setting = Setting.of(problem, algorithm, others=chosen_parameters(options))
    status = Outcome.UNDECIDED.value
    reason = f"not decided within {options.limit_seconds:g} s (--limit-seconds)"
    sentence = f"It is undecided whether the expected update of {algorithm.name} on {problem.name} converges: {reason}."
    if not options.json:
        who = setting_text(algorithm.name, setting.parameters)
        return f"{printable(sentence)}\n\n{printable(f'{status}: {who} on {problem}')}\n  {reason}"
    answer = {
        "answer": printable(sentence),
        "problem": problem.to_json(),
        "algorithm": {"name": algorithm.name, **parameter_texts(setting.parameters), "source": algorithm.source},
        "ranks": dict.fromkeys(("A", "C", "G")),
        "matrices": dict.fromkeys(("A", "b", "C")),
        "bounds": {},
        "checks": [],
        "verdict": {"status": status, "proof": None, "spectral_abscissa": None, "reason": reason, "evidence": {}},
    }
    return json.dumps(answer, allow_nan=False, indent=1)

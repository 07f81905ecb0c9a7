"""Random problems of many kinds, and what is true of them: how often hypotheses hold, and how tight bounds are."""

import verify.random.survey  # noqa: F401 - how a survey is shown
from verify.random.generators import KINDS, Kind, Size, find_kind, item_seed
from verify.random.survey import Plan, Survey, survey

__all__ = ["KINDS", "Kind", "Plan", "Size", "Survey", "find_kind", "item_seed", "survey"]

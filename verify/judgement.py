"""What a judge returns, under the name that the provers use; simulate's judge returns the same."""

from tdrc_theory.judgement import Judgement, Step

__all__ = ["Judgement", "Step"]

"""Limits of the step size: certificates of which step sizes keep moments bounded, one by one and on whole intervals."""

"""Regions of beta and eta: exact intervals, and the map of both."""

import verify.region.map  # noqa: F401 - how a region is shown
from verify.region.intervals import End, Interval
from verify.region.region import Region, region

__all__ = ["End", "Interval", "Region", "region"]

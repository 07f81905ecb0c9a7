"""Linear control on Mountain Car: tile-coded features, compiled learners, many runs over the cores."""

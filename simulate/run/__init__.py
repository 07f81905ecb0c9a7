"""Learning curves of one configuration: many independent runs, and what is known of their mean."""

import simulate.run.output  # noqa: F401 - how a learning curve is shown

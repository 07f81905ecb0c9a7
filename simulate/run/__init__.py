"""Learning curves of one configuration: many independent runs, and what is known of their mean."""

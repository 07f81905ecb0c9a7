"""From what names a problem to a problem file."""

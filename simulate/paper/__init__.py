"""What papers conclude from experiments: a sweep and what must be seen in it, judged on runs that are made here."""

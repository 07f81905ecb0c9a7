"""What happens when an algorithm is run on a problem."""

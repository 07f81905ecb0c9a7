"""What is true and what happens, side by side, for a person."""

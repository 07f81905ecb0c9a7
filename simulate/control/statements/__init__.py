"""What the paper says of control, an experiment a file. Adding a statement is a line in its experiment's tuple."""

"""One self-contained HTML file about problems, about the paper, or about both."""

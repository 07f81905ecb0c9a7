"""What commands share: options, errors in one line, progress, files, processes, and the operating system under them."""

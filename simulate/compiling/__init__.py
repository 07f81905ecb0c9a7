"""From plain functions to compiled modules that are kept between processes."""

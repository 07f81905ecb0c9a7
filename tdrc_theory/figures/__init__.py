"""Figures in one style: panels as data, drawn by matplotlib."""

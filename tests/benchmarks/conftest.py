from __future__ import annotations

from pathlib import Path

# Scripts, each run as a process of its own; only what tests them is collected.
collect_ignore = [file.name for file in Path(__file__).parent.glob("*.py") if not file.name.startswith("test_")]

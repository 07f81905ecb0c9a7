"""`python docs/console_blocks.py [PAGE...]`: run what pages show, and write what is printed into them.

Pages are the READMEs and those of the site. A block of the kind `console` has commands after `$`, each with what it
prints, to the letter; a line of three dots stands for the rest. Blocks with a name are files, of which each command
finds all in its folder. What it draws under the name of a picture in docs/pictures takes the place of that.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("tdrc_theory", "verify", "simulate", "reports")
PICTURES = ROOT / "docs" / "pictures"
PROGRAMS = {"python": sys.executable, "tdrc": str(Path(sys.executable).with_name("tdrc"))}
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def pages() -> list[Path]:
    """Return the READMEs of the project and its packages, and the pages of the site."""
    readmes = (readme for package in PACKAGES for readme in sorted((ROOT / package).rglob("README.md")))
    return [ROOT / "README.md", *readmes, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> list[tuple[str, str, str]]:
    """Return the kind, the name of the file or "", and the content of each fenced block."""
    return _BLOCK.findall(text)


def files() -> dict[str, str]:
    """Return the files that blocks of all pages hold, by name."""
    return {name: text for page in pages() for _, name, text in blocks(page.read_text(encoding="utf-8")) if name}


def commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with what is shown of its output."""
    return _COMMAND.findall(block)


def write_files(folder: Path) -> None:
    """Write the files of all pages into a folder."""
    for name, text in files().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def printed(
    command: str, shown: str, folder: Path, programs: Mapping[str, str] = PROGRAMS, seconds: float = 120
) -> str:
    """Return what a command prints in a folder, as far as it is shown.

    Raises:
        KeyError: it is of no program that a page may show.
        subprocess.TimeoutExpired: it takes more than `seconds`.
    """
    program, *arguments = shlex.split(command)
    call = [programs[program], *arguments]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False, timeout=seconds)
    return as_shown(done.stdout + done.stderr, shown)


def as_shown(output: str, shown: str) -> str:
    """Return what a command printed, as far as it is shown."""
    lines = output.splitlines()
    kept = shown.splitlines()
    if kept[-1:] == ["..."]:
        lines = [*lines[: len(kept) - 1], "..."]
    return "".join(f"{line}\n" for line in lines)


def drawn(command: str) -> list[str]:
    """Return the names of the pictures of docs/pictures that a command draws."""
    return [name for name in shlex.split(command) if (PICTURES / name).is_file()]


def refreshed(page: Path) -> str:
    """Return a page with what its commands print now, and bring its pictures up to date."""

    def block(found: re.Match[str]) -> str:
        kind, _, text = found.groups()
        if kind != "console":
            return found[0]
        with tempfile.TemporaryDirectory() as place:
            write_files(Path(place))
            shown = []
            for command, before in commands(text):
                shown.append(f"$ {command}\n{printed(command, before, Path(place))}")
                for name in drawn(command):
                    shutil.copyfile(Path(place) / name, PICTURES / name)
        return f"```console\n{''.join(shown)}```"

    return _BLOCK.sub(block, page.read_text(encoding="utf-8"))


def main() -> None:
    """Run, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE", type=Path, help="a Markdown file (default: all)")
    for page in parser.parse_args().pages or pages():
        page.write_text(refreshed(page), encoding="utf-8")


if __name__ == "__main__":
    main()

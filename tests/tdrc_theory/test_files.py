"""A file is written whole or not at all, and that it cannot be written is known before it is."""

import pytest

from tdrc_theory.errors import BadOption
from tdrc_theory.files import check_writable, write_whole


def test_what_can_be_written_is_left_as_it_is(tmp_path):
    old = tmp_path / "old"
    old.write_text("kept")
    check_writable(old, None, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert old.read_text() == "kept"


@pytest.mark.parametrize("path", ["missing/file", ".", "a\0b", "old/file"])
def test_what_cannot_be_written_is_told_before_as_it_would_be_after(tmp_path, path):
    (tmp_path / "old").write_text("kept")
    told = []
    for attempt in (check_writable, lambda path: write_whole(path, "text")):
        with pytest.raises(BadOption, match="cannot be written") as caught:
            attempt(f"{tmp_path}/{path}")
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert [path.name for path in tmp_path.iterdir()] == ["old"]

"""A file is written whole or not at all, and that it cannot be written is known before it is."""

import errno
import os
import stat

import pytest

from tdrc_theory.cli.files import check_writable, write_new, write_whole
from tdrc_theory.errors import BadOption


def test_what_can_be_written_is_left_as_it_is(tmp_path):
    old = tmp_path / "old"
    old.write_text("kept")
    check_writable(old, None, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert old.read_text() == "kept"


@pytest.mark.parametrize("path", ["missing/file", ".", "a\0b", "old/file"])
def test_what_cannot_be_written_is_told_before_as_it_would_be_after(tmp_path, path):
    (tmp_path / "old").write_text("kept")
    texts = []
    for attempt in (check_writable, lambda path: write_whole(path, "text")):
        with pytest.raises(BadOption, match="cannot be written") as caught:
            attempt(f"{tmp_path}/{path}")
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(mode)
    write_whole(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", mode)


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_takes_the_place_of_none(tmp_path, monkeypatch, links):
    def no_links(*_):
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(os, "link", no_links)
    assert write_new(tmp_path / "file", "first") is True
    assert write_new(tmp_path / "file", "second") is False
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "first")]


def test_two_outputs_are_never_the_same_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for paths, besides in (
        (("file", "file"), ()),
        (("file", "link"), ()),
        (("file", "./file"), ()),
        (("file",), ("link",)),
    ):
        (tmp_path / "file").write_text("kept")
        with pytest.raises(BadOption, match="the same command needs it for something else"):
            check_writable(
                *(f"{tmp_path}/{path}" for path in paths), besides=[f"{tmp_path}/{path}" for path in besides]
            )
        assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]
    check_writable(tmp_path / "file", tmp_path / "other", None, besides=(None, "two-state", tmp_path / "third"))

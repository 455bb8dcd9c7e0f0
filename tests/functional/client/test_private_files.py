"""Files with secrets: who may read them, and what a reader finds while one is replaced."""

import errno
import os
import stat
from pathlib import Path
from typing import TextIO

import pytest

from timegate.client.access.private_files import write_private
from timegate.client.access.profile import chosen_file, chosen_profile
from timegate.client.access.profile_files import use_profile, write_profile
from timegate.client.errors import CredentialsError


@pytest.mark.parametrize("replace", [True, False])
def test_a_private_file_is_its_owners_alone(tmp_path: Path, *, replace: bool) -> None:
    """From its first moment on, and so is the folder that is made for it."""
    path = tmp_path / "made" / "file"
    before = os.umask(0)
    try:
        write_private(path, "secret", replace=replace)
    finally:
        os.umask(before)

    assert path.read_text() == "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_a_file_is_replaced_at_once(tmp_path: Path) -> None:
    """A reader who has opened the old one reads it to its end, and a public one becomes private."""
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o644)
    with path.open() as reader:
        write_private(path, "new", replace=True)

        assert reader.read() == "old"
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


def test_the_profile_in_use_is_chosen_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another command meanwhile, or after a disk was full, took the default: another stage."""
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    for name in ("first", "second"):
        write_profile(environ, name, {"api_url": "https://api.example.com", "api_key": "tgk_a"})
    use_profile(environ, "first")
    with chosen_file(environ).open() as reader:
        use_profile(environ, "second")

        assert reader.read() == "first\n"
    assert chosen_profile(environ) == "second"

    def full(_: Path, __: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CredentialsError, match="cannot be changed: No space left"):
        use_profile(environ, "first")
    assert chosen_profile(environ) == "second"


def test_a_file_that_is_there_is_replaced_if_that_is_said(tmp_path: Path) -> None:
    """Else it stays as it is."""
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(FileExistsError):
        write_private(path, "new", replace=False)

    assert path.read_text() == "old"


@pytest.mark.parametrize("replace", [True, False])
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, *, replace: bool) -> None:
    """A home that is read-only, or a file in place of a folder."""
    (tmp_path / "file").write_text("")
    for parent in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(CredentialsError, match=f"{parent} cannot be changed: ") as told:
            write_private(parent / "key", "secret", replace=replace)

        assert told.value.code == "not_kept"


@pytest.mark.parametrize("replace", [True, False])
def test_a_text_that_is_not_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, replace: bool
) -> None:
    """A full disk: the old text stays, and no half of a secret."""
    path = tmp_path / "file"
    if replace:
        path.write_text("old")

    def full(handle: int, *_: object, **__: object) -> TextIO:
        os.close(handle)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(CredentialsError, match=f"{path} cannot be changed: No space left"):
        write_private(path, "secret", replace=replace)

    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"] * replace

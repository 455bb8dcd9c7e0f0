"""Folders of declarations: links, places that cannot be read, and files named twice."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_files import JOB
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _served(served: World) -> World:
    return served


def declare(path: Path, name: str) -> Path:
    """Write a file with one job."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**JOB, "name": name}))
    return path


def names(outcome: Outcome) -> list[str]:
    """Return the names of a plan's steps."""
    assert outcome.err == ""
    return [each["name"] for each in outcome.json["steps"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of its own: the command line keeps profiles in the test's."""
    return tmp_path / "declared"


def test_a_folder_behind_a_link_is_read(timegate: Timegate, folder: Path) -> None:
    """--prune would end what is declared there."""
    declare(folder / "shared" / "nightly.yaml", "nightly")
    declare(folder / "own" / "report.yaml", "report")
    (folder / "own" / "more").symlink_to(folder / "shared")

    assert names(timegate("diff", "-f", str(folder / "own"), "--json")) == ["nightly", "report"]


def test_a_circle_of_links_ends(timegate: Timegate, folder: Path) -> None:
    """Each folder is read once."""
    declare(folder / "a" / "b" / "report.yaml", "report")
    (folder / "a" / "b" / "up").symlink_to(folder / "a")
    (folder / "a" / "self").symlink_to(folder / "a" / "b")

    assert names(timegate("diff", "-f", str(folder / "a"), "--json")) == ["report"]


def test_a_mounted_config_map_is_read(timegate: Timegate, folder: Path) -> None:
    """Kubernetes mounts each file as a link to a folder of that version, which is there as well."""
    declare(folder / "..2026_11_21" / "report.yaml", "report")
    (folder / "..data").symlink_to("..2026_11_21")
    (folder / "report.yaml").symlink_to("..data/report.yaml")

    assert names(timegate("diff", "-f", str(folder), "--json")) == ["report"]


def test_a_file_may_be_named_beside_its_folder(timegate: Timegate, folder: Path) -> None:
    """It is one file; the same declaration in two files is refused."""
    file = declare(folder / "report.yaml", "report")
    both = ("-f", str(folder), "-f", str(file), "-f", f"{folder}/./report.yaml")
    once = timegate("diff", *both, "--json")
    declare(folder / "copy.yaml", "report")
    twice = timegate("diff", *both)

    assert names(once) == ["report"]
    assert (twice.code, "is in" in twice.err) == (2, True)


@pytest.mark.parametrize("command", [("diff",), ("apply", "--yes")])
def test_a_folder_that_cannot_be_read_is_refused(
    timegate: Timegate, folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Its jobs would end with --prune, as if their files were gone."""
    declare(folder / "report.yaml", "report")
    locked = declare(folder / "team" / "nightly.yaml", "nightly").parent
    assert timegate("apply", "-f", str(folder), "--yes").code == 0
    scandir = os.scandir

    def guarded(path: Any = ".") -> Any:  # noqa: ANN401 - as the system's
        if Path(path) == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    refused = timegate(*command, "-f", str(folder), "--prune")

    assert (refused.code, refused.out) == (2, "")
    assert f"{locked} [unreadable_folder]: The folder cannot be read: Permission denied" in (
        refused.err
    )

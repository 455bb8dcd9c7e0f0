"""Files of declarations: JSON keeps its own meaning, YAML has merges, and folders have links."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

JOB: dict[str, Any] = {
    "kind": "Job",
    "name": "report",
    "spec": {
        "schedule": {"kind": "manual"},
        "action": {"type": "webhook", "url": "https://example.com/report"},
    },
}


@pytest.fixture(autouse=True)
def _served(served: World) -> World:
    return served


def applied(timegate: Timegate, path: Path, text: str) -> object:
    """Apply a text with one job, and return its payload."""
    path.write_text(text, encoding="utf-8")
    outcome = timegate("apply", "-f", str(path), "--yes")
    assert outcome.code == 0, outcome.err
    again = timegate("diff", "-f", str(path))
    assert again.code == 0, again.out
    payload: object = timegate("jobs", "list", "--json").json["items"][0]["payload"]
    return payload


@pytest.mark.parametrize(
    ("written", "payload"),
    [("1e5", 100_000), ("-1.5E-2", -0.015), (r'"\ud83d\ude00"', "😀"), ('"="', "=")],
    ids=["exponent", "fraction", "surrogates", "sign"],
)
@pytest.mark.parametrize("indent", [None, 2, "\t"], ids=["one-line", "spaces", "tabs"])
def test_json_is_read_as_json(
    timegate: Timegate, tmp_path: Path, written: str, payload: object, indent: int | str | None
) -> None:
    """YAML takes such numbers for text and such characters for two halves, and refuses tabs."""
    document = {**JOB, "spec": {**JOB["spec"], "payload": "HERE"}}
    text = json.dumps(document, indent=indent).replace('"HERE"', written)

    assert applied(timegate, tmp_path / "job.json", text) == payload


def test_a_merge_may_be_merged_again(timegate: Timegate, tmp_path: Path) -> None:
    """A key beside a merge overrides the merged one, however deep its mapping is."""
    text = """
kind: Job
name: report
spec:
  schedule: {kind: manual}
  action: {type: webhook, url: https://example.com/report}
  payload:
    all: &all {region: eu, size: 1}
    deep:
      one: &one
        <<: *all
        size: 2
    two:
      <<: *one
"""
    assert applied(timegate, tmp_path / "job.yaml", text) == {
        "all": {"region": "eu", "size": 1},
        "deep": {"one": {"region": "eu", "size": 2}},
        "two": {"region": "eu", "size": 2},
    }


def test_an_equals_sign_is_text(timegate: Timegate, tmp_path: Path) -> None:
    """YAML 1.1 has a type of its own for it."""
    text = json.dumps(JOB)[:-2] + ', "payload": [=, 5]}}'

    assert applied(timegate, tmp_path / "job.yaml", text) == ["=", 5]


def test_numbers_that_versions_of_yaml_read_differently_are_texts(
    timegate: Timegate, tmp_path: Path
) -> None:
    """Postcodes, grouped digits, octal and binary numbers, and times stay as they are written."""
    texts = ["01067", "0o17", "-017", "1_000", "0.1_0", "0b11", "08", "12:30", "00"]
    numbers = ["0", "-7", "0x1F", "0.5", ".5", "10.0", "1.0e+3"]
    text = json.dumps(JOB)[:-2] + f', "payload": [{", ".join(texts + numbers)}]}}}}'

    assert applied(timegate, tmp_path / "job.yaml", text) == [
        *texts,
        *[0, -7, 31, 0.5, 0.5, 10.0, 1000.0],
    ]


LAUGHS = "a0: &a0 [ha]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20)
)
MERGES = "a0: &a0 {ha: 1}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 20)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LAUGHS, "Its aliases repeat more than 10000000 characters."),
        (MERGES, "A document has kind, name and spec, and nothing else."),
        ("kind: Job\nspec: &a {b: *a}", "an anchor holds itself"),
        (r'{"kind": "\ud83d"}', "surrogates not allowed"),
        ('{"kind": "Job", "kind": "Dag"}', "kind: It is written again in the same object."),
    ],
    ids=["laughs", "merges", "cycle", "half-a-character", "twice"],
)
def test_a_file_that_cannot_be_read_is_refused(
    timegate: Timegate, tmp_path: Path, text: str, said: str
) -> None:
    """At once: a few lines of aliases can mean more values than any memory has."""
    path = tmp_path / "jobs.yaml"
    path.write_text(text)
    refused = timegate("apply", "-f", str(path), "--yes")

    assert refused.code == 2
    assert said in refused.err


def test_a_mark_at_the_beginning_of_standard_input_is_no_text(timegate: Timegate) -> None:
    """Some programs write a mark of the byte order in front, as in files."""
    outcome = timegate("apply", "-f", "-", "--yes", stdin="\ufeff" + json.dumps(JOB))

    assert outcome.code == 0, outcome.err


def test_a_folder_has_files_with_any_suffix_of_theirs(timegate: Timegate, tmp_path: Path) -> None:
    """In capitals too: --prune would end what a file that is passed over declares."""
    folder = tmp_path / "declared"
    (folder / "old.yaml").mkdir(parents=True)
    for name in ("a.YAML", "b.Yml", "old.yaml/c.JSON", "d.txt"):
        (folder / name).write_text(json.dumps({**JOB, "name": name}))
    found = timegate("diff", "-f", str(folder), "--json")

    assert [each["name"] for each in found.json["steps"]] == ["a.YAML", "b.Yml", "old.yaml/c.JSON"]


@pytest.mark.parametrize("command", ["diff", "apply"])
def test_an_empty_path_is_no_folder(
    timegate: Timegate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """A script's empty variable names no file; the folder that it runs in is none of these."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.yaml").write_text(json.dumps(JOB))
    refused = timegate(command, "-f", "", "--prune")

    assert (refused.code, refused.out) == (2, "")
    assert "Name a file or a folder with -f." in refused.err


def test_a_wrong_document_is_counted_in_its_file(timegate: Timegate, tmp_path: Path) -> None:
    """From 1, and not as a line."""
    path = tmp_path / "jobs.yaml"
    path.write_text(f"{json.dumps(JOB)}\n---\nkind: Cron\n")
    refused = timegate("diff", "-f", str(path))

    assert "jobs.yaml, document 2 [unknown_kind]" in refused.err


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


@pytest.mark.parametrize("command", ["apply", "diff"])
def test_files_without_documents_are_told_of(
    timegate: Timegate, tmp_path: Path, command: str
) -> None:
    """A folder may be another one than was meant; a program's answer stays what it is."""
    empty = tmp_path / "empty"
    empty.mkdir()
    outcome = timegate(command, "-f", str(empty), "--json")

    assert (outcome.code, outcome.err) == (0, f"There are no documents in {empty}.\n")
    assert outcome.json == {"steps": []}

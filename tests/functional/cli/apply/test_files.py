"""Files of declarations: JSON keeps its own meaning, and YAML has merges and aliases."""

import json
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

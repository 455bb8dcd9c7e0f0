"""``timegate apply`` of jobs with keys: files pass a key from one job to another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World
from timegate.client import NotReachable
from timegate.declaring.stage import Stage

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
Apply = Callable[..., Outcome]

KEYED = """
kind: Job
name: {name}
spec: {{key: {key}, timeout_seconds: {seconds}, schedule: {{kind: manual}},
  action: {{type: webhook, url: "https://example.com"}}}}
---
"""


@pytest.fixture
def apply(timegate: Timegate, tmp_path: Path, served: World) -> Apply:
    """Apply jobs by their names and keys, and end the others of the set."""

    def applied(options: tuple[str, ...] = ("--prune",), **keys: str) -> Outcome:
        path = tmp_path / "jobs.yaml"
        texts = [KEYED.format(name=name, key=key, seconds=30) for name, key in keys.items()]
        path.write_text("".join(texts))
        return timegate("apply", "-f", str(path), "--yes", *options)

    return applied


def keys(timegate: Timegate) -> dict[str, str]:
    """Return the keys of the jobs that are there, by their names."""
    listed = timegate("jobs", "list", "--status", "active", "--json").json["items"]
    return {each["name"]: each["key"] for each in listed}


def test_a_renamed_job_gives_its_key_to_its_successor(timegate: Timegate, apply: Apply) -> None:
    """It could not be made while the other had the key, which ended only after it was made."""
    apply(nightly="night", other="o")
    renamed = apply(load="night", other="o")

    assert (renamed.code, keys(timegate)) == (0, {"load": "night", "other": "o"})


@pytest.mark.parametrize(
    "then",
    [
        {"a": "two", "b": "one", "c": "three"},
        {"a": "two", "b": "three", "c": "one"},
        {"a": "three", "b": "one", "c": "two"},
        {"b": "one", "d": "two", "aa": "three"},
        {"a": "new", "b": "one", "c": "two"},
    ],
    ids=["swapped", "in a circle", "in the other one", "renamed", "in a row"],
)
def test_jobs_of_files_exchange_their_keys(
    timegate: Timegate, apply: Apply, then: dict[str, str]
) -> None:
    """In whatever order the steps are done; applied again, nothing is to be done."""
    apply(a="one", b="two", c="three")
    passed, again = apply(**then), apply(**then)

    assert (passed.code, keys(timegate)) == (0, then), passed.out
    assert again.out.endswith("0 to create, 0 to change, 0 to prune, 3 unchanged.\n")


def test_a_successor_that_was_not_made_is_made_the_next_time(
    timegate: Timegate, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The renamed job is there until then, without the key."""
    apply(nightly="night", other="o")
    create = Stage.create

    def lost(stage: Stage, document: Any, spec: Any) -> Any:  # noqa: ANN401 - as the method
        stage.keys.take(stage.client, spec["key"], None)
        raise NotReachable("https://api.example.com", "gone")

    monkeypatch.setattr(Stage, "create", lost)
    partly, left = apply(load="night", other="o"), keys(timegate)
    monkeypatch.setattr(Stage, "create", create)
    wholly = apply(load="night", other="o")

    assert (partly.code, left) == (1, {"nightly": None, "other": "o"})
    assert (wholly.code, keys(timegate)) == (0, {"load": "night", "other": "o"})


def test_a_key_of_a_job_that_stays_is_refused_before_anything_is_changed(
    timegate: Timegate, apply: Apply
) -> None:
    """Without --prune the renamed job stays, and has the key."""
    apply(nightly="night", other="o")
    refused = apply((), load="night", new="n")

    assert (refused.code, "[invalid_documents]" in refused.err) == (1, True)
    assert "has the key night" in refused.err
    assert keys(timegate) == {"nightly": "night", "other": "o"}


def test_two_documents_with_one_key_are_refused(timegate: Timegate, apply: Apply) -> None:
    """Each would take it from the other, again and again."""
    refused = apply(a="one", b="one")

    assert (refused.code, keys(timegate)) == (2, {})
    assert "[there_twice]: Job/b and Job/a, in " in refused.err


def test_a_job_keeps_its_key_and_passes_it_on(
    timegate: Timegate, tmp_path: Path, served: World
) -> None:
    """A key is taken where a job of no file has it; files may move theirs from job to job."""
    path = tmp_path / "jobs.yaml"

    def applied(*jobs: tuple[str, str, int]) -> Outcome:
        texts = [KEYED.format(name=name, key=key, seconds=seconds) for name, key, seconds in jobs]
        path.write_text("".join(texts))
        return timegate("apply", "-f", str(path), "--yes")

    made = applied(("a", "one", 30))
    changed = applied(("a", "one", 31))
    passed = applied(("a", "two", 31), ("b", "one", 30))
    other = tmp_path / "others.yaml"
    other.write_text(KEYED.format(name="c", key="two", seconds=30))
    taken = timegate("diff", "-f", str(other), "--set", "others")

    assert [made.code, changed.code, passed.code] == [0, 0, 0]
    assert taken.code != 0
    assert "has the key two" in taken.out + taken.err

"""``timegate apply``: sets that would end as a whole, and documents that are refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.apply.test_files import JOB
from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
Apply = Callable[..., Outcome]


@pytest.fixture
def apply(timegate: Timegate, tmp_path: Path, served: World) -> Apply:
    """Apply jobs of these names, given on standard input, and end the others of the set."""

    def applied(*names: str, options: tuple[str, ...] = ("--yes",)) -> Outcome:
        text = json.dumps([{**JOB, "name": each} for each in names])
        return timegate("apply", "-f", "-", "--prune", *options, stdin=text if names else "")

    return applied


def active(timegate: Timegate) -> set[str]:
    """Name the jobs that are there."""
    listed = timegate("jobs", "list", "--status", "active", "--json").json["items"]
    return {each["name"] for each in listed}


@pytest.mark.parametrize("others", [(), ("load",), ("load", "clean")])
def test_files_that_keep_nothing_of_a_set_end_nothing(
    timegate: Timegate, apply: Apply, others: tuple[str, ...]
) -> None:
    """An empty output, and the files of another repository, whose set has the same name."""
    apply("nightly", "report")
    shown = apply(*others, options=("--dry-run",))
    refused = apply(*others)

    assert (shown.code, "- Job/report would be pruned" in shown.out) == (5, True)
    last = "Everything of the set default would end: that takes --replace."
    assert shown.out.splitlines()[-1] == last
    assert (refused.code, "[set_of_others]" in refused.err) == (1, True)
    assert "Everything of the set default would end." in refused.err
    assert active(timegate) == {"nightly", "report"}


@pytest.mark.parametrize("others", [(), ("load",)])
def test_a_set_is_replaced_as_a_whole_where_that_is_said(
    timegate: Timegate, apply: Apply, others: tuple[str, ...]
) -> None:
    """With --replace; and a set that keeps something of its own needs none."""
    apply("nightly", "report")
    kept = apply("report", "new")
    replaced = apply(*others, options=("--yes", "--replace"))

    assert (kept.code, replaced.code) == (0, 0)
    assert active(timegate) == {*others}


@pytest.mark.parametrize("command", [("diff",), ("apply", "--yes")])
def test_problems_of_documents_are_data_for_a_program(
    timegate: Timegate, served: World, command: tuple[str, ...]
) -> None:
    """Each is a field of the error, by its document; nothing that is no JSON is beside it."""
    wrong = {**JOB, "spec": {**JOB["spec"], "timeout_seconds": 0}}
    text = json.dumps([wrong, {**wrong, "name": "other"}])
    refused = timegate(*command, "-f", "-", "--json", stdin=text)
    error = json.loads(refused.err)["error"]

    assert (refused.code, error["code"]) == (1, "invalid_documents")
    assert [each["field"] for each in error["errors"]] == [
        "Job/other timeout_seconds",
        "Job/report timeout_seconds",
    ]


@pytest.mark.parametrize("command", ["diff", "apply"])
@pytest.mark.parametrize(
    ("text", "code", "said"),
    [(None, 2, "cannot be read"), ("kind: [", 2, "error [invalid_request]")],
)
def test_files_are_refused_before_a_profile_is_missed(
    elsewhere: Callable[..., Terminal],
    tmp_path: Path,
    command: str,
    text: str | None,
    code: int,
    said: str,
) -> None:
    """A person mends the files first, and needs no stage for that."""
    path = tmp_path / "jobs.yaml"
    if text is not None:
        path.write_text(text)
    outcome = elsewhere(XDG_CONFIG_HOME=str(tmp_path)).run(command, "-f", str(path))

    assert (outcome.code, said in outcome.err) == (code, True), outcome.err
    assert "no_profile" not in outcome.err

"""``timegate runs list --archived`` and ``runs get --archived``."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_RUN_ID, row, run

Timegate = Callable[..., Outcome]


def test_archived_runs_are_listed_by_days(api: FakeApi, timegate: Timegate) -> None:
    """A job's runs in one state are listed; instants become days, and the archive's
    end is named.
    """
    api.will(ok({"items": [row()], "next_cursor": None, "archived_until": "2026-11-15"}))
    words = (
        "--state",
        "succeeded",
        "--from",
        "2026-10-01T00:00:00Z",
        "--to",
        "2026-10-31T23:59:59Z",
    )
    outcome = timegate("runs", "list", JOB_ID, "--archived", *words)
    asked, _, parameters = api.asked[0].partition("?")

    assert outcome.code == 0, outcome.err
    assert asked == "GET /v1/archive/runs"
    assert sorted(parameters.split("&")) == sorted(
        [f"job_id={JOB_ID}", "state=succeeded", "from=2026-10-01", "to=2026-10-31"]
    )
    assert SHORT_RUN_ID in outcome.out
    assert "Archived: all that ended before 2026-11-15." in outcome.out


def test_an_empty_archive_says_so(api: FakeApi, timegate: Timegate) -> None:
    """Before its first round."""
    api.will(ok({"items": [], "next_cursor": None, "archived_until": None}))

    assert "Nothing is archived yet." in timegate("runs", "list", "--archived").out


@pytest.mark.parametrize(
    "options",
    [("--failed",), ("--late", "60s"), ("--state", "failed", "--state", "cancelled")],
    ids=["failed", "late", "two-states"],
)
def test_what_the_archive_cannot_tell_apart_is_refused(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """A filter that is left out would list other runs than were asked for."""
    outcome = timegate("runs", "list", "--archived", *options)

    assert outcome.code != 0
    assert api.asked == []
    assert "by job, by one state and by days" in " ".join(outcome.err.split())


def test_a_run_is_read_from_the_archive(api: FakeApi, timegate: Timegate) -> None:
    """The output is that of any other run."""
    api.will(ok(run()))
    outcome = timegate("runs", "get", RUN_ID, "--archived")

    assert api.asked == [f"GET /v1/archive/runs/{RUN_ID}"]
    assert "succeeded" in outcome.out

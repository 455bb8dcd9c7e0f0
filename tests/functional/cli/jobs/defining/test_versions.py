"""Versions of a job that ``timegate jobs update`` changes."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, job

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("options", "if_match"),
    [pytest.param((), None, id="any"), pytest.param(("--if-version", "3"), '"3"', id="one")],
)
def test_an_update_sends_the_fields_to_replace(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], if_match: str | None
) -> None:
    """With ``--if-version``, only to that version of the job."""
    api.will(ok(job()))
    timegate("jobs", "update", JOB_ID, "--file", "-", *options, stdin='{"priority": "low"}')

    assert api.asked == [f"PATCH /v1/jobs/{JOB_ID}"]
    assert api.body == {"priority": "low"}
    assert api.calls[0].headers.get("If-Match") == if_match


@pytest.mark.parametrize(
    ("options", "if_match"),
    [pytest.param((), '"1"', id="read"), pytest.param(("--if-version", "3"), '"3"', id="said")],
)
def test_members_that_stay_are_those_of_one_version(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], if_match: str
) -> None:
    """A change between both calls is refused: what stays would undo it."""
    api.will(ok(job(version=1)))
    timegate("jobs", "update", JOB_ID, "--max-attempts", "5", *options)

    assert api.asked == [f"GET /v1/jobs/{JOB_ID}", f"PATCH /v1/jobs/{JOB_ID}"]
    assert api.calls[1].headers["If-Match"] == if_match

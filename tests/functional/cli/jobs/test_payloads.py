"""Payloads on the command line."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, job

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    "command",
    [
        f"jobs trigger {JOB_ID} --payload null",
        f"jobs trigger {JOB_ID} --merge null",
        "jobs create --name a --now --webhook https://example.com/hook --payload null",
        "dead-letters redrive --all --payload null",
    ],
)
def test_null_is_no_payload(api: FakeApi, timegate: Timegate, command: str) -> None:
    """It cannot count as left out: a run would get what the job says."""
    refused = timegate(*command.split())

    assert (refused.code, api.calls) == (2, [])
    assert "--no-payload" in refused.err


@pytest.mark.parametrize(
    ("options", "sent", "shown"),
    [
        (("--payload-marks",), {}, "filled, with days of its schedule"),
        (
            ("--payload-marks-zone", "Europe/Rome"),
            {"timezone": "Europe/Rome"},
            "filled, with days of Europe/Rome",
        ),
        ((), None, None),
    ],
)
def test_a_job_asks_for_marks(
    api: FakeApi,
    timegate: Timegate,
    options: tuple[str, ...],
    sent: dict[str, Any] | None,
    shown: str | None,
) -> None:
    """A zone is a wish for them; without either they are text."""
    marks = None if sent is None else {"timezone": None, **sent}
    api.will(ok(job(payload_marks=marks), 201))
    new = ("--name", "a", "--now", "--webhook", "https://example.com/hook")
    outcome = timegate("jobs", "create", *new, "--payload", '"{{date}}"', *options)

    assert api.body.get("payload_marks") == sent
    assert ("marks      " in outcome.out) is (shown is not None)
    assert (shown or "") in outcome.out

"""Moments to come, of runs that have not begun: the next time of day, and a duration from now."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import typer

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, placeholder
from tests.functional.cli.samples import JOB_ID
from timegate.cli.terminal.moments import coming_instant
from timegate.domain.values.instants import rfc3339

Timegate = Callable[..., Outcome]

#: Berlin's clocks show 10:30, and are put forward in the night after.
NOW = datetime(2026, 3, 28, 9, 30, tzinfo=UTC)


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10:29", "2026-03-29T08:29:00.000Z"),
        ("10:30", "2026-03-28T09:30:00.000Z"),
        ("22:00", "2026-03-28T21:00:00.000Z"),
        ("2h", "2026-03-28T11:30:00.000Z"),
        ("now", "2026-03-28T09:30:00.000Z"),
        ("today 22:00", "2026-03-28T21:00:00.000Z"),
        ("2026-03-30", "2026-03-29T22:00:00.000Z"),
        ("2026-03-30T00:00:00Z", "2026-03-30T00:00:00.000Z"),
    ],
)
def test_a_moment_to_come_is_the_next_one(text: str, expected: str) -> None:
    """A time of day is that of the next clock, whatever clocks do in the night."""
    assert rfc3339(coming_instant(text, NOW)) == expected


@pytest.mark.parametrize("text", ["", "24:00", "tomorrow"])
def test_other_words_are_refused(text: str) -> None:
    """Moments that have passed are refused alike."""
    with pytest.raises(typer.BadParameter, match="is no moment"):
        coming_instant(text, NOW)


@pytest.mark.parametrize("verb", [("cancel",), ("reschedule", "--delay", "1h")], ids=str)
@pytest.mark.parametrize(
    ("said", "meant"), [("22:00", "2026-11-21T22:00"), ("2h", "2026-11-21T09:00")]
)
def test_runs_that_have_not_begun_are_meant_until_a_moment_to_come(
    api: FakeApi, timegate: Timegate, verb: tuple[str, ...], said: str, meant: str
) -> None:
    """Most of them are to come: the last 22:00 would leave them out."""
    api.will(placeholder({}))
    timegate("runs", *verb, "--pending", "--job", JOB_ID, "--until", said, "--yes")

    assert json.loads(api.calls[-1].content)["filter"]["to"] == f"{meant}:00.000Z"

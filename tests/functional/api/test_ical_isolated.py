"""Files that were written to do harm: what reading them costs is bounded, and seen by nobody."""

import random
import sys
from datetime import UTC, date, datetime
from typing import Any

import pytest

from api.ical.isolated import MAX_BYTES, Found, Wanted, read_ical
from tests.support.ical_files import event, file
from timegate.domain.errors import InvalidInput

WANTED = Wanted(
    first=datetime(2026, 11, 1, tzinfo=UTC),
    last=datetime(2027, 11, 1, tzinfo=UTC),
    timezone=None,
)
BARREN = "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"


def refusal(text: str, *, timeout_seconds: float = 8.0) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        read_ical(text, WANTED, timeout_seconds=timeout_seconds)
    return refused.value


def test_a_file_is_read_in_another_process() -> None:
    """And the packages that read it are not loaded into this one by the API."""
    christmas = event("DTSTART;VALUE=DATE:20261225")
    timed = event("DTSTART:20261201T100000Z", "DURATION:PT1H", uid="e-2")

    assert read_ical(file(christmas, timed), WANTED) == Found(
        timezone="UTC",
        days=((date(2026, 12, 25), date(2026, 12, 25)),),
        periods=((datetime(2026, 12, 1, 10, tzinfo=UTC), datetime(2026, 12, 1, 11, tzinfo=UTC)),),
        events=2,
        occurrences=2,
    )


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(BARREN, id="30 February"),
        pytest.param("RRULE:FREQ=SECONDLY;INTERVAL=0", id="a step of nothing"),
        pytest.param("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", id="every second of no day"),
    ],
)
def test_a_rule_that_nobody_can_follow_is_given_up(rule: str) -> None:
    """The event is named; the process is gone."""
    text = file(event("DTSTART:20261201T100000Z", "DURATION:PT1H", rule, uid="bomb"))
    refused = refusal(text, timeout_seconds=1.5)

    assert (refused.field, refused.code) == ("ical", "too_complex")
    assert "(event bomb)" in refused.detail


def test_a_refusal_comes_back_with_its_code() -> None:
    """As the process that read the file gave it."""
    refused = refusal(file(event("SUMMARY:x")))

    assert (refused.field, refused.code) == ("ical", "invalid_ical")
    assert refused.detail == "Event e-1: it has no DTSTART."


@pytest.mark.parametrize(
    ("size", "code"), [(MAX_BYTES, "invalid_ical"), (MAX_BYTES + 1, "too_long")]
)
def test_a_file_has_a_largest_size(size: int, code: str) -> None:
    """One byte more is not even looked at."""
    assert refusal("x" * size).code == code


def test_junk_is_no_file() -> None:
    """Whatever bytes it has."""
    junk = random.Random(7).randbytes(20_000).decode("latin-1")

    assert refusal(junk).code == "invalid_ical"
    assert refusal("BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\n" * 5_000).code == "invalid_ical"


def test_the_process_is_given_no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that is tricked has nothing to tell."""
    seen: dict[str, Any] = {}

    def run(command: list[str], **options: object) -> None:
        seen.update(options, command=command)
        raise InterruptedError

    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setattr("subprocess.run", run)
    with pytest.raises(InterruptedError):
        read_ical(file(), WANTED)

    assert seen["command"][:3] == [sys.executable, "-m", "api.ical"]
    assert list(seen["env"]) == ["PYTHONPATH"]

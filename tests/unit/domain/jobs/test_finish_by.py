"""Deadlines as jobs name them: spans, and times of the day on clocks that jump."""

from datetime import datetime

import pytest

from timegate.domain.jobs.finish_by import FinishBy, check_finish_by, finish_instant
from timegate.domain.values.errors import InvalidInput


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_span_counts_from_the_instant() -> None:
    """In real time, whatever the clock does."""
    before_the_gap = instant("2027-03-28T00:30:00+00:00")

    by = finish_instant(FinishBy(within_seconds=3600), "Europe/Berlin", after=before_the_gap)

    assert instant("2027-03-28T01:30:00+00:00") == by


@pytest.mark.parametrize(
    ("after", "by"),
    [
        pytest.param("2026-11-21T22:00:00+01:00", "2026-11-22T06:00:00+01:00", id="next-morning"),
        pytest.param(
            "2026-11-22T05:59:59.999+01:00", "2026-11-22T06:00:00+01:00", id="just-before"
        ),
        pytest.param("2026-11-22T06:00:00+01:00", "2026-11-23T06:00:00+01:00", id="at-the-time"),
        pytest.param("2026-11-22T06:00:00.001+01:00", "2026-11-23T06:00:00+01:00", id="just-after"),
        pytest.param("2026-12-31T23:00:00+01:00", "2027-01-01T06:00:00+01:00", id="new-year"),
        pytest.param("2027-03-27T22:00:00+01:00", "2027-03-28T06:00:00+02:00", id="over-a-gap"),
        pytest.param("2027-10-30T22:00:00+02:00", "2027-10-31T06:00:00+01:00", id="over-a-fold"),
    ],
)
def test_a_time_of_day_is_the_first_after_the_instant(after: str, by: str) -> None:
    """At the time itself the next day's is meant: a deadline is never the instant."""
    found = finish_instant(FinishBy(time="06:00"), "Europe/Berlin", after=instant(after))

    assert instant(by) == found


@pytest.mark.parametrize(
    ("time", "after", "by"),
    [
        pytest.param(
            "02:30", "2027-03-28T01:00:00+01:00", "2027-03-28T03:00:00+02:00", id="within"
        ),
        pytest.param("02:00", "2027-03-28T01:00:00+01:00", "2027-03-28T03:00:00+02:00", id="first"),
        pytest.param(
            "02:59:59", "2027-03-28T01:00:00+01:00", "2027-03-28T03:00:00+02:00", id="last"
        ),
        pytest.param("03:00", "2027-03-28T01:00:00+01:00", "2027-03-28T03:00:00+02:00", id="end"),
        pytest.param(
            "02:30", "2027-03-28T03:00:00+02:00", "2027-03-29T02:30:00+02:00", id="at-the-jump"
        ),
        pytest.param(
            "01:59:59", "2027-03-28T01:00:00+01:00", "2027-03-28T01:59:59+01:00", id="before"
        ),
    ],
)
def test_a_time_in_a_gap_is_the_end_of_the_gap(time: str, after: str, by: str) -> None:
    """The clock comes to it when it jumps."""
    found = finish_instant(FinishBy(time=time), "Europe/Berlin", after=instant(after))

    assert instant(by) == found


@pytest.mark.parametrize(
    ("after", "by"),
    [
        pytest.param("2027-10-31T01:00:00+02:00", "2027-10-31T02:30:00+02:00", id="first-time"),
        pytest.param("2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00", id="second-time"),
        pytest.param("2027-10-31T02:15:00+01:00", "2027-10-31T02:30:00+01:00", id="between"),
        pytest.param("2027-10-31T02:30:00+01:00", "2027-11-01T02:30:00+01:00", id="after-both"),
    ],
)
def test_a_time_that_is_shown_twice_counts_each_time(after: str, by: str) -> None:
    """The first one that comes after the instant."""
    found = finish_instant(FinishBy(time="02:30"), "Europe/Berlin", after=instant(after))

    assert instant(by) == found


def test_a_deadline_may_have_a_zone_of_its_own() -> None:
    """Else its schedule's."""
    after = instant("2026-11-21T22:00:00+00:00")
    in_tokyo = FinishBy(time="09:00", timezone="Asia/Tokyo")

    assert finish_instant(in_tokyo, "UTC", after=after) == instant("2026-11-22T09:00:00+09:00")
    assert finish_instant(FinishBy(time="09:00"), "UTC", after=after) == instant(
        "2026-11-22T09:00:00+00:00"
    )


@pytest.mark.parametrize(
    ("finish_by", "field", "code"),
    [
        pytest.param(FinishBy(), "finish_by", "required", id="nothing"),
        pytest.param(
            FinishBy(time="06:00", within_seconds=60),
            "finish_by.within_seconds",
            "contradictory",
            id="both",
        ),
        pytest.param(
            FinishBy(within_seconds=60, timezone="UTC"),
            "finish_by.timezone",
            "without_effect",
            id="zone-of-a-span",
        ),
        pytest.param(
            FinishBy(time="06:00", timezone="Europe/Berlni"),
            "finish_by.timezone",
            "unknown_timezone",
            id="no-zone",
        ),
    ],
)
def test_a_deadline_names_one_instant(finish_by: FinishBy, field: str, code: str) -> None:
    """A deadline of no instant, or of two, is refused by its field."""
    with pytest.raises(InvalidInput) as refused:
        check_finish_by(finish_by)

    assert (field, code) == (refused.value.field, refused.value.code)


@pytest.mark.parametrize(
    "finish_by",
    [None, FinishBy(within_seconds=1), FinishBy(time="23:59:59", timezone="Asia/Kathmandu")],
)
def test_a_deadline_may_be_left_out(finish_by: FinishBy | None) -> None:
    """Or be one of the two."""
    check_finish_by(finish_by)

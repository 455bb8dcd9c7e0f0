"""Days that are counted from the end, moved to a workday, or of certain years."""

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires, utc
from timegate.domain.recurrence.fires import preview
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.errors import InvalidInput

#: February, May and August 2026 begin on a Sunday, a Friday and a Saturday.
YEAR = ("2025-12-31 12:00", "2026-12-31 12:00")


def days(expression: str) -> list[str]:
    """The days of 2026, without the year."""
    return [fire[5:10] for fire in fires(cron(expression), *YEAR)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param("0 0 1W 8 *", ["08-03"], id="Saturday the 1st stays in its month"),
        pytest.param("0 0 1W 2 *", ["02-02"], id="Sunday the 1st"),
        pytest.param("0 0 15W 8 *", ["08-14"], id="a Saturday"),
        pytest.param("0 0 16W 8 *", ["08-17"], id="a Sunday"),
        pytest.param("0 0 17W 8 *", ["08-17"], id="a Monday"),
        pytest.param("0 0 31W 5 *", ["05-29"], id="Sunday at the end stays in its month"),
        pytest.param("0 0 31W 10 *", ["10-30"], id="Saturday at the end"),
        pytest.param("0 0 31W 6 *", None, id="a month without the day"),
        pytest.param("0 0 LW 1-6 *", ["01-30", "02-27", "03-31", "04-30", "05-29", "06-30"]),
        pytest.param("0 0 L-3 1-3 *", ["01-28", "02-25", "03-28"]),
        pytest.param("0 0 L-28 1-4 *", ["01-03", "03-03", "04-02"], id="not in a short February"),
        pytest.param("0 0 L,L-1 2 *", ["02-27", "02-28"]),
        pytest.param("0 0 1,15W,LW 8 *", ["08-01", "08-14", "08-31"]),
        pytest.param("0 0 LW 8 mon", ["08-03", "08-10", "08-17", "08-24", "08-31"], id="either"),
        pytest.param("0 0 * 8 L", ["08-01", "08-08", "08-15", "08-22", "08-29"], id="Saturdays"),
    ],
)
def test_special_days(expression: str, expected: list[str] | None) -> None:
    """Worked out by hand from a calendar of 2026."""
    if expected is None:
        with pytest.raises(InvalidInput, match="No date matches"):
            validate_schedule(cron(expression), now=utc("2026-01-01 00:00"))
    else:
        assert days(expression) == expected


def test_years_end_a_schedule() -> None:
    """After the last one named there is no fire, however far one looks."""
    schedule = cron("0 0 12 1 1 ? 2027,2030-2031")
    now = utc("2026-11-21 07:00")
    found = preview(schedule, created_at=now, after=now, count=9)

    assert [fire.year for fire in found] == [2027, 2030, 2031]


@pytest.mark.parametrize(
    ("expression", "code"),
    [("0 0 0 1 1 * 2025", "never_fires"), ("0 0 0 29 2 * 2027", "never_fires")],
)
def test_years_without_such_a_day_are_refused(expression: str, code: str) -> None:
    """A year that has passed, and a leap day of a year that has none."""
    with pytest.raises(InvalidInput) as refused:
        validate_schedule(cron(expression), now=utc("2026-11-21 07:00"))

    assert refused.value.code == code


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0 9 15W * *", "At 09:00 on the workday nearest to day 15"),
        ("0 9 LW * *", "At 09:00 on the last workday of the month"),
        ("0 9 L-3 * *", "At 09:00 on the 3rd day before the last of the month"),
        (
            "0 9 1,L-1,LW * *",
            (
                "At 09:00 on day 1, the 1st day before the last of the month and "
                "the last workday of the month"
            ),
        ),
        ("0 0 9 1 5 ? 2027", "At 09:00 on day 1 in May of 2027"),
        ("0 0 9 * * ? 2027-2029", "At 09:00 every day in 2027 to 2029"),
    ],
)
def test_special_days_in_words(expression: str, expected: str) -> None:
    """The words are those that people use."""
    assert f"{expected}, UTC" == describe(cron(expression))

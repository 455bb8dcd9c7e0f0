"""Cron as it is read: five fields, six with seconds first, seven with years last."""

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires, utc
from timegate.domain.recurrence.cron.text import ALIASES, MAX_CRON_CHARACTERS
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.errors import InvalidInput

#: A Saturday.
NOW = utc("2026-11-21 07:00")


def refused(expression: str) -> str | None:
    """The words with which an expression is refused."""
    try:
        validate_schedule(cron(expression), now=NOW)
    except InvalidInput as error:
        return error.detail if error.code == "invalid_cron" else None
    return None


@pytest.mark.parametrize(
    ("least", "most", "below", "beyond"),
    [
        pytest.param("0 * * * * *", "59 * * * * *", None, "60 * * * * *", id="seconds"),
        pytest.param("0 * * * *", "59 * * * *", None, "60 * * * *", id="minutes"),
        pytest.param("0 0 * * *", "0 23 * * *", None, "0 24 * * *", id="hours"),
        pytest.param("0 0 1 * *", "0 0 31 * *", "0 0 0 * *", "0 0 32 * *", id="days"),
        pytest.param("0 0 1W * *", "0 0 31W * *", "0 0 0W * *", "0 0 32W * *", id="workdays"),
        pytest.param("0 0 L-1 * *", "0 0 L-30 * *", "0 0 L-0 * *", "0 0 L-31 * *", id="from end"),
        pytest.param(
            *("0 0 0 * * * 2026", "0 0 0 * * * 2099", None, "0 0 0 * * * 2100"), id="years"
        ),
        pytest.param("0 0 1 1 *", "0 0 1 12 *", "0 0 1 0 *", "0 0 1 13 *", id="months"),
        pytest.param("0 0 * * 0", "0 0 * * 7", None, "0 0 * * 8", id="weekdays"),
        pytest.param("0 0 * * 1#1", "0 0 * * 1#5", "0 0 * * 1#0", "0 0 * * 1#6", id="weeks"),
    ],
)
def test_each_field_has_its_range(least: str, most: str, below: str | None, beyond: str) -> None:
    """Both ends are in it, and what lies beyond them is refused."""
    assert refused(least) is None
    assert refused(most) is None
    assert below is None or refused(below)
    assert refused(beyond)


@pytest.mark.parametrize(
    "expression",
    [
        *("", " ", "*", "* * * *", "* * * * * * * *", "@reboot", "@every 5m", "@"),
        *("a * * * *", "1- * * * *", "-1 * * * *", "1-2-3 * * * *", "1,,2 * * * *", ", * * * *"),
        *("*/0 * * * *", "*/ * * * *", "/5 * * * *", "*/-1 * * * *", "*/1.5 * * * *"),
        *("*5 * * * *", "** * * * *", "? * * * *", "* ? * * *", "* * * ? *", "1.5 * * * *"),
        *("22-2/2 * * * *", "0 0 0w * *", "0 0 32w * *", "0 0 w * *", "l * * * *", "0 0 * * lw"),
        *("0 0 l-0 * *", "0 0 l-31 * *", "0 0 l3 * *", "0 0 l-3w * *", "0 0 1-15w * *"),
        *("0 0 0 * * * 1969", "0 0 0 * * * 2100", "0 0 0 * * * l", "0 0 * * * 2027"),
        *("0 0 * * mon#", "0 0 * * #2", "0 0 * * mon-fri#2", "0 0 * * mon-friL", "0 0 * monL *"),
        *("0 0 * foo *", "0 0 * * foo", "0 0 mon * *", "0 0 * mon *", "0 0 * * jan"),
        *("\u0665 * * * *", "\uff15 * * * *", "h * * * *", "r(0-59) * * * *", "0x5 * * * *"),
        *("1_0 * * * *", "100000000000 * * * *", "*/10000 * * * *"),
        pytest.param("0," * 128 + "0 * * * *", id="too long"),
    ],
)
def test_what_is_no_cron_is_refused_in_words(expression: str) -> None:
    """Never an exception of the parser's own."""
    assert refused(expression)


def test_an_expression_may_be_255_characters_long() -> None:
    """And not one more."""
    longest = "0" + ",0" * 123 + " * * * *"
    padded = longest + " " * (MAX_CRON_CHARACTERS - len(longest))

    assert len(padded) == MAX_CRON_CHARACTERS
    assert refused(padded) is None
    assert refused(padded + " ")


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("5 4 * * *", "0 5 4 * * *"),
        ("  5   4 * * *\t", "5 4 * * *"),
        ("05 004 * * *", "5 4 * * *"),
        ("0 0 ? * ?", "0 0 * * *"),
        ("0 0 * JAN-mar Mon", "0 0 * 1-3 1"),
        ("0 0 * * 0", "0 0 * * 7"),
        ("0 0 * * sun", "0 0 * * 7"),
        ("0 0 * * 5-7", "0 0 * * fri,sat,sun"),
        ("0 0 * * sat-sun", "0 0 * * 6,0"),
        ("0 0 * * sun-tue", "0 0 * * 0,1,2"),
        ("0 0 * * fri-mon", "0 0 * * 5,6,0,1"),
        ("0 0 * * 0-7", "0 0 * * *"),
        ("0 22-2 * * *", "0 22,23,0,1,2 * * *"),
        ("0 0 1 nov-feb *", "0 0 1 11,12,1,2 *"),
        ("1-1 * * * *", "1 * * * *"),
        ("5-5/2 * * * *", "5 * * * *"),
        ("5/20 * * * *", "5,25,45 * * * *"),
        ("10-40/15 * * * *", "10,25,40 * * * *"),
        ("*/25 * * * *", "0,25,50 * * * *"),
        ("*/90 * * * *", "0 * * * *"),
        ("0 0 */10 * *", "0 0 1,11,21,31 * *"),
        ("0 0 * * 1/2", "0 0 * * mon,wed,fri"),
        ("0 0 * * mon-sun/2", "0 0 * * 1,3,5,0"),
        ("0 0 * * L", "0 0 * * sat"),
        ("0 0 WL * *", "0 0 LW * *"),
        ("0 0 0 * * * *", "0 0 * * *"),
        ("0 0 0 * * * 2026,2027", "0 0 * * *"),
        ("0 0 * * 5L", "0 0 * * friL"),
        ("0 0 * * L5", "0 0 * * friL"),
        ("0 0 * * 7L", "0 0 * * sunL"),
        ("0 0 * * 0#1", "0 0 * * sun#1"),
        ("*,5 * * * *", "* * * * *"),
    ],
    ids=str,
)
def test_two_ways_to_write_the_same(written: str, same: str) -> None:
    """Compared by the instants they name over three months."""
    window = ("2026-11-01 00:00", "2027-02-01 00:00")

    assert fires(cron(written), *window) == fires(cron(same), *window) != []


@pytest.mark.parametrize("alias", sorted(ALIASES), ids=str)
def test_an_alias_is_its_expression(alias: str) -> None:
    """An alias in any case is its expression."""
    window = ("2026-11-21 07:00", "2028-01-02 00:00")

    assert fires(cron(alias.upper()), *window) == fires(cron(ALIASES[alias]), *window) != []


def test_six_fields_begin_with_seconds() -> None:
    """Quartz and Spring put seconds first too; croniter would take them last."""
    found = fires(cron("15 30 8 * * *"), "2026-11-21 00:00", "2026-11-22 00:00")

    assert found == ["2026-11-21 08:30:15"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param("0 0 24 * sun", ["22", "24"], id="either is enough"),
        pytest.param("0 0 */24 * sun", [], id="a leading star asks for both"),
        pytest.param("0 0 */2 * sun", [], id="odd Sundays"),
        pytest.param("0 0 23-25 * *", ["23", "24", "25"], id="any weekday"),
        pytest.param("0 0 ? * sun,tue", ["22", "24"], id="any day"),
        pytest.param("0 0 1-31 * sun", ["22", "23", "24", "25"], id="a whole range is no star"),
        pytest.param("0 0 25 * sun#4", ["22", "25"], id="a day or the fourth Sunday"),
        pytest.param("0 0 * * sun#4,tue", ["22", "24"], id="the fourth Sunday and Tuesdays"),
    ],
)
def test_days_and_weekdays_together(expression: str, expected: list[str]) -> None:
    """From Sunday, 22 to Wednesday, 25 November 2026; the rule of Vixie and Debian cron."""
    found = fires(cron(expression), "2026-11-21 07:00", "2026-11-25 23:00")

    assert [f"2026-11-{day} 00:00" for day in expected] == found


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("61 * * * *", "'61' is outside 0 to 59 (minutes)"),
        ("* * * * * * * *", "It has 8 fields instead of 5"),
        ("@reboot", "there are @yearly"),
        ("@reboot", "@hourly, and @every with a span: @every 5m."),
        ("*/0 * * * *", "a step of 0"),
        ("22-2/2 * * * *", "wraps around"),
    ],
    ids=str,
)
def test_a_refusal_names_the_part_that_is_wrong(expression: str, named: str) -> None:
    """So that its author can mend it."""
    assert named in (refused(expression) or "")

"""Cron in the dialects of other programs."""

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires, rate, utc
from timegate.domain.recurrence.schedule import CronDialect
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.errors import InvalidInput

NOW = utc("2026-11-21 07:00")
WINDOW = ("2026-11-01 00:00", "2027-03-01 00:00")
QUARTZ, EVENTBRIDGE, VIXIE = CronDialect.QUARTZ, CronDialect.EVENTBRIDGE, CronDialect.VIXIE


def refused(expression: str, dialect: CronDialect) -> str:
    """The words with which an expression is refused."""
    with pytest.raises(InvalidInput) as refusal:
        validate_schedule(cron(expression, dialect=dialect), now=NOW)
    assert (refusal.value.field, refusal.value.code) == ("schedule.cron", "invalid_cron")
    return refusal.value.detail


@pytest.mark.parametrize(
    ("dialect", "expression", "same"),
    [
        (QUARTZ, "0 0 9 ? * 1", "0 9 * * sun"),
        (QUARTZ, "0 0 9 ? * 2", "0 9 * * mon"),
        (QUARTZ, "0 0 9 ? * 7", "0 9 * * sat"),
        (QUARTZ, "0 0 9 ? * 2-6", "0 9 * * mon-fri"),
        (QUARTZ, "0 0 9 ? * 1-7", "0 9 * * *"),
        (QUARTZ, "0 0 9 ? * 6-1", "0 9 * * fri,sat,sun"),
        (QUARTZ, "0 0 9 ? * 7-1", "0 9 * * sat,sun"),
        (QUARTZ, "0 0 9 ? * FRI-mon", "0 9 * * fri,sat,sun,mon"),
        (QUARTZ, "0 0 9 ? * 2/2", "0 9 * * mon,wed,fri"),
        (QUARTZ, "0 0 9 ? * */2", "0 9 * * sun,tue,thu,sat"),
        (QUARTZ, "0 0 9 ? * 2-6/2", "0 9 * * mon,wed,fri"),
        (QUARTZ, "0 0 9 ? * 6#3", "0 9 * * fri#3"),
        (QUARTZ, "0 0 9 ? * sun#1,7#2", "0 9 * * sun#1,sat#2"),
        (QUARTZ, "0 0 9 ? * 6L", "0 9 * * friL"),
        (QUARTZ, "0 0 9 ? * 1L", "0 9 * * sunL"),
        (QUARTZ, "0 0 9 ? * L", "0 9 * * sat"),
        (QUARTZ, "0 0 9 L-3 * ?", "0 9 L-3 * *"),
        (QUARTZ, "0 0 9 1,15W,LW * ?", "0 9 1,15W,LW * *"),
        (QUARTZ, "15 /20 9 1/10 nov-feb ?", "15 */20 9 1,11,21,31 11,12,1,2 *"),
        (QUARTZ, "0 0 9 * * ? 2027", "0 0 9 * * * 2027"),
        (QUARTZ, "0 0 9 ? * *", "0 9 * * *"),
        (EVENTBRIDGE, "0 9 ? * 2 *", "0 9 * * mon"),
        (EVENTBRIDGE, "cron(0 9 ? * 2 *)", "0 9 * * mon"),
        (EVENTBRIDGE, "CRON(0 9 ? * MON-FRI 2027)", "0 0 9 * * mon-fri 2027"),
        (EVENTBRIDGE, "0/15 9 L * ? *", "*/15 9 L * *"),
        (EVENTBRIDGE, "0 9 3W * ? 2026-2199", "0 9 3W * *"),
        (EVENTBRIDGE, "0 9 ? * 6#3 *", "0 9 * * fri#3"),
        (VIXIE, "0 9 * * 2", "0 9 * * tue"),
        (VIXIE, "0 9 13 * 5-7", "0 9 13 * fri,sat,sun"),
        (VIXIE, "*/20 9-17/4 */2 * mon", "0,20,40 9,13,17 */2 * mon"),
        (VIXIE, "@daily", "0 0 * * *"),
    ],
    ids=str,
)
def test_a_dialect_means_what_its_program_means(
    dialect: CronDialect, expression: str, same: str
) -> None:
    """Compared with the default dialect, by names of days, over four months."""
    found = fires(cron(expression, dialect=dialect), *WINDOW)

    assert found == fires(cron(same), *WINDOW) != []


@pytest.mark.parametrize(
    ("dialect", "expression", "named"),
    [
        (QUARTZ, "0 9 ? * 2", "It has 5 fields instead of 6 with seconds first"),
        (QUARTZ, "0 0 9 ? * 2 2027 1", "It has 8 fields"),
        (QUARTZ, "0 0 9 ? * 0", "'0' is outside 1 to 7 (day-of-week; Sunday is 1)"),
        (QUARTZ, "0 0 9 ? * 8", "'8' is outside 1 to 7 (day-of-week; Sunday is 1)"),
        (QUARTZ, "0 0 9 ? * 0#1", "outside 1 to 7"),
        (QUARTZ, "0 0 9 * * *", "Quartz wants ? in exactly one of day-of-month and day-of-week"),
        (QUARTZ, "0 0 9 1 * 2", "? in exactly one"),
        (QUARTZ, "0 0 9 ? * ?", "? in exactly one"),
        (QUARTZ, "0 0 ? * * ?", "'?' is no hours value"),
        (QUARTZ, "0 0 9 1 * ? 2100", "'2100' is outside 1970 to 2099 (year)"),
        (QUARTZ, "@daily", "Quartz has no aliases such as @daily"),
        (QUARTZ, "cron(0 9 ? * 2 *)", "set dialect to eventbridge"),
        (CronDialect.TIMEGATE, "cron(0 9 ? * 2 *)", "set dialect to eventbridge"),
        (CronDialect.TIMEGATE, "/5 * * * *", "'/5' is no minutes value."),
        (EVENTBRIDGE, "0 9 ? * 2", "It has 5 fields instead of 6 with minutes first"),
        (EVENTBRIDGE, "0 0 9 ? * 2 *", "It has 7 fields"),
        (EVENTBRIDGE, "0 9 ? * 0 *", "Sunday is 1"),
        (EVENTBRIDGE, "0 9 * * * *", "EventBridge wants ? in exactly one"),
        (EVENTBRIDGE, "0 9 ? * 2 2200", "'2200' is outside 1970 to 2199 (year)"),
        (EVENTBRIDGE, "@hourly", "EventBridge has no aliases"),
        (VIXIE, "0 0 9 * * 2", "It has 6 fields instead of 5 (Vixie cron)"),
        (VIXIE, "0 9 ? * 2", "'?' is no day-of-month value of Vixie cron"),
        (VIXIE, "0 9 L * *", "'l' is no day-of-month value of Vixie cron"),
        (VIXIE, "0 9 15W * *", "'15w' is no day-of-month value of Vixie cron"),
        (VIXIE, "0 9 * * 5#2", "'5#2' is no day-of-week value of Vixie cron"),
        (VIXIE, "0 9 * * 5L", "'5l' is no day-of-week value of Vixie cron"),
        (VIXIE, "5/15 9 * * *", "a step but no range"),
        (VIXIE, "0 22-2 * * *", "wraps around, which Vixie cron does not read"),
        (VIXIE, "0 9 * * fri-mon", "wraps around, which Vixie cron does not read"),
        (VIXIE, "@reboot", "is no alias"),
    ],
    ids=str,
)
def test_a_refusal_names_the_rule_of_the_dialect(
    dialect: CronDialect, expression: str, named: str
) -> None:
    """So that its author knows whose rule it is."""
    assert named in refused(expression, dialect)


@pytest.mark.parametrize(
    ("dialect", "expression", "words"),
    [
        (QUARTZ, "0 0 9 ? * 2", "At 09:00 on Monday, UTC"),
        (CronDialect.TIMEGATE, "0 0 9 ? * 2", "At 09:00 on Tuesday, UTC"),
        (QUARTZ, "0 0 9 ? * 6#3", "At 09:00 on the 3rd Friday, UTC"),
        (EVENTBRIDGE, "cron(0 9 ? * 2-6 *)", "At 09:00 on Monday to Friday, UTC"),
        (VIXIE, "0 9 1 * 2", "At 09:00 on day 1 or on Tuesday, UTC"),
    ],
    ids=str,
)
def test_words_name_the_days_of_the_dialect(
    dialect: CronDialect, expression: str, words: str
) -> None:
    """The same text has other words in another dialect."""
    assert describe(cron(expression, dialect=dialect)) == words


def test_another_kind_has_no_dialect() -> None:
    """A rate is no text."""
    with pytest.raises(InvalidInput) as refusal:
        validate_schedule(rate(60, dialect=QUARTZ), now=NOW)

    assert (refusal.value.field, refusal.value.code) == ("schedule.dialect", "not_for_this_kind")

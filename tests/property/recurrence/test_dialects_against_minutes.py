"""The dialects of Quartz and EventBridge against the slow oracle, and Vixie cron's against ours."""

from datetime import timedelta

from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.oracles.wall_oracle import WINDOWS, Policies, Window, fires_of
from tests.property.recurrence.strategies.cron_strategies import Cron, minutely_crons
from tests.property.recurrence.strategies.dialect_strategies import written
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import CronDialect, Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput

MICROSECOND = timedelta(microseconds=1)


@settings(max_examples=some(500))
@drawn(case=written, window=st.sampled_from(WINDOWS))
def test_a_dialect_fires_exactly_when_the_wall_says_so(
    case: tuple[Cron, CronDialect, str], window: Window
) -> None:
    """To the second, on days with and without clock changes."""
    cron, dialect, text = case
    schedule = Schedule(kind=ScheduleKind.CRON, cron=text, dialect=dialect, timezone=window.zone)
    after, until = window.begin - MICROSECOND, window.end - MICROSECOND
    found = fires_between(schedule, created_at=window.begin, after=after, until=until)

    assert list(found) == fires_of(cron, window, Policies())


@drawn(cron=minutely_crons)
def test_vixie_means_the_same_by_default(cron: Cron) -> None:
    """A text that Vixie cron reads is the same pattern in the default dialect."""
    try:
        pattern = parse_cron(cron.text, CronDialect.VIXIE)
    except InvalidInput:
        return

    assert pattern == parse_cron(cron.text)

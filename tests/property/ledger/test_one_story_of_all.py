"""Words, preview, ledger and explanation agree for unions, recurrence rules and rolls, too."""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.calendars.business_day_oracle import runs_of
from tests.property.calendars.test_business_days import BANKS, bank
from tests.property.ledger.test_one_story import MOST, agree, is_accepted, previewed
from tests.property.recurrence.oracles import rrule_oracle
from tests.property.recurrence.oracles.rrule_oracle import Rule
from tests.property.recurrence.oracles.rule_reader import (
    bound_in,
    members_of,
    read_rule,
    roll_in,
    span_of,
)
from tests.property.recurrence.oracles.wall_oracle import Policies, Window, fires_of
from tests.property.recurrence.oracles.words_reader import read_words
from tests.property.recurrence.strategies.cron_strategies import crons, night_crons
from tests.property.recurrence.test_cron_against_minutes import policies
from tests.support.api import api_services
from tests.support.factories import JOB_ID, TENANT
from tests.support.world import World
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.calendars.calendar import DayRange
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.words import describe
from timegate.domain.runs.run import Attempt
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.previews.preview_schedule import Preview, SchedulePreview, preview_schedule

ZONES = ["UTC", "Europe/Berlin", "America/New_York"]
DAYS = 3
SECOND = timedelta(seconds=1)
#: Longer than the longest holiday of those calendars in these spans.
ROLLS_WITHIN = timedelta(days=13)
#: The days of a change of a clock, and others.
BEGINS = ["2026-03-28", "2026-03-07", "2026-10-24", "2026-10-31", "2026-06-01"]


def agree_on(schedule: Schedule, begin: datetime, fires: list[datetime], horizon: datetime) -> None:
    """Hold all against what the words tell; up to ``horizon`` nothing else is previewed."""
    assert fires == previewed(schedule, begin, horizon)
    if fires:
        agree(schedule, begin, fires)


@st.composite
def members(draw: st.DrawFn) -> Schedule:
    """A cron or a rate, with policies of its own."""
    if draw(st.integers(0, 2)) == 0:
        every = draw(st.sampled_from([61, 5400, 90_000, 86_400]))
        return Schedule(kind=ScheduleKind.RATE, every_seconds=every)
    cron, given_policies = draw(night_crons | crons), draw(policies)
    zone = draw(st.sampled_from(ZONES))
    return Schedule(kind=ScheduleKind.CRON, cron=cron.text, timezone=zone, **asdict(given_policies))


@settings(max_examples=some(60))
@given(
    given_members=st.lists(members(), min_size=2, max_size=3),
    day=st.sampled_from(BEGINS),
    hours=st.none() | st.integers(1, 40),
    ends=st.none() | st.integers(41, 70),
)
def test_words_preview_ledger_and_explanation_of_a_union_agree(
    given_members: list[Schedule], day: str, hours: int | None, ends: int | None
) -> None:
    """Each member's words, read back by themselves, and the bounds of all."""
    begin = datetime.fromisoformat(day).replace(tzinfo=UTC)
    schedule = Schedule(
        kind=ScheduleKind.UNION,
        any_of=tuple(given_members),
        starts_at=begin + timedelta(hours=hours) if hours is not None else None,
        ends_at=begin + timedelta(hours=ends) if ends is not None else None,
    )
    assume(is_accepted(schedule, begin))
    schedule = as_written(schedule)
    told, of_all = members_of(describe(schedule))
    first = bound_in(of_all, "from")
    horizon = begin + timedelta(days=DAYS) - SECOND
    until = bound_in(of_all, "until") or horizon
    named: set[datetime] = set()
    for words in told:
        span = span_of(words)
        if span is None:
            spoken = read_words(words)
            named |= {*fires_of(spoken.cron, Window(spoken.zone, begin, DAYS), spoken.policies)}
            continue
        at = first or begin + span
        while at <= until:
            named.add(at)
            at += span
    fires = sorted(at for at in named if begin < at <= until and at >= (first or begin))[:MOST]

    agree_on(schedule, begin, fires, horizon)


@st.composite
def plain_rules(draw: st.DrawFn, day: str) -> Rule:
    """Draw a rule of days, weeks or months by times of the day; the week begins on Monday."""
    freq = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY"]))
    nth = st.sampled_from([0, 0, 1, 2, -1, -2]) if freq == "MONTHLY" else st.just(0)
    days = st.lists(st.tuples(nth, st.integers(0, 6)), unique=True, max_size=3)
    monthdays = st.lists(st.sampled_from([1, 2, 8, 28, 30, -1, -3]), unique=True, max_size=2)
    start = datetime.fromisoformat(day) + timedelta(hours=draw(st.integers(0, 23)))
    return Rule(
        start=start,
        freq=freq,
        interval=draw(st.sampled_from([1, 1, 2, 3])),
        count=draw(st.none() | st.integers(1, 9)),
        months=tuple(draw(st.sampled_from([(), (), (3, 4, 6, 11)]))),
        monthdays=tuple(draw(monthdays)) if freq != "WEEKLY" else (),
        weekdays=tuple(draw(days)),
        hours=tuple(draw(st.lists(st.sampled_from([1, 2, 3, 9]), unique=True, max_size=2))),
        minutes=tuple(draw(st.lists(st.sampled_from([0, 15, 30]), unique=True, max_size=2))),
    )


@settings(max_examples=some(60))
@given(
    data=st.data(),
    day=st.sampled_from(BEGINS),
    zone=st.sampled_from(ZONES),
    given_policies=policies,
)
def test_words_preview_ledger_and_explanation_of_a_rule_agree(
    data: st.DataObject, day: str, zone: str, given_policies: Policies
) -> None:
    """Times, days, months and the period, and how often in all, under its policies."""
    rule = data.draw(plain_rules(day))
    starts_at = rrule_oracle.instants_of(ZoneInfo(zone), rule.start)[:1]
    assume(starts_at)
    begin = starts_at[0] - timedelta(hours=1)
    schedule = Schedule(
        kind=ScheduleKind.RRULE,
        rrule=rule.text,
        starts_at=starts_at[0],
        timezone=zone,
        gap=given_policies.gap,
        fold=given_policies.fold,
    )
    assume(is_accepted(schedule, begin))
    schedule = as_written(schedule)
    spoken = read_rule(describe(schedule))
    horizon = begin + timedelta(days=20)
    fires = rrule_oracle.fires_of(spoken.rule, spoken.zone, spoken.policies, horizon)[:MOST]

    assert spoken.zone == zone
    agree_on(schedule, begin, fires, horizon)


@dataclass(frozen=True)
class Rolling:
    """A job whose instants roll over a calendar, in a world that has both."""

    world: World
    schedule: Schedule
    rule: CalendarRule
    begin: datetime

    def preview(self, count: int) -> Preview:
        """Return the preview before there is a job."""
        wanted = SchedulePreview(
            tenant=TENANT,
            schedule=self.schedule,
            start=self.begin,
            count=count,
            calendars=(self.rule,),
        )
        return preview_schedule(wanted, api_services(self.world))

    def live(self, until: datetime) -> None:
        """One tick of the planner once all has passed."""
        world, begin = self.world, self.begin
        world.tick()
        fields = {"created_at": begin, "anchored_at": begin, "updated_at": begin}
        job = world.add_job(
            schedule=self.schedule,
            calendars=(self.rule,),
            next_run_at=begin,
            catch_up=CatchUp(window_seconds=40 * 86_400),
            **fields,
        )
        opening = replace(job.timing, next_run_at=opening_fire(job.timing, now=begin))
        world.tables.jobs[TENANT, JOB_ID] = replace(job, timing=opening)
        world.clock.set(until)
        world.tick()

    def told(self, at: datetime) -> datetime | None:
        """Return the explained run instant of an instant; ``None``: it does not run."""
        services = api_services(self.world)
        account = explain_instant(TENANT, JOB_ID, at, services, now=self.world.now).account
        if account.verdict is Verdict.GAP:
            return None
        assert isinstance(account.record, Attempt)
        return account.record.due_at


@settings(max_examples=some(10))
@given(
    of=st.sampled_from([each.values for each in BANKS]),
    pattern=st.sampled_from(["0 9 * * 6", "0 17 1,26 * *", "0 8,20 27 * *", "0 9 * * *"]),
    roll=st.sampled_from(Roll),
    day=st.sampled_from(["2025-04-24", "2025-12-23", "2025-05-29", "2025-01-02"]),
)
def test_words_preview_ledger_and_explanation_of_a_roll_agree(
    of: tuple[str, tuple[DayRange, ...], frozenset[int]], pattern: str, roll: Roll, day: str
) -> None:
    """The moment of each instant, or that it does not run."""
    zone, days, weekend = of
    begin = datetime.fromisoformat(day).replace(tzinfo=UTC)
    until = begin + timedelta(days=6)
    calendar = bank(zone, days, weekend)
    rule = CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=roll)
    schedule = Schedule(kind=ScheduleKind.CRON, cron=pattern, timezone=zone)
    rolling = Rolling(World(now=begin), schedule, rule, begin)
    rolling.world.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    preview = rolling.preview(40)
    words, spoken_roll, name = roll_in(preview.description)
    spoken = read_words(words)
    window = Window(spoken.zone, begin - ROLLS_WITHIN, 6 + 2 * ROLLS_WITHIN.days)
    every = fires_of(spoken.cron, window, spoken.policies)
    moments = runs_of(calendar, every, spoken_roll)
    # One that rolls to before the schedule was given does not run.
    expected = {
        at: moment if (moment := moments.get(at)) and moment > begin else None
        for at in every
        if begin < at <= until
    }
    assume(expected)
    rolling.live(until + ROLLS_WITHIN)
    instants = [each for each in preview.prospects if each.at <= until]

    assert name == "bank"
    assert expected == {each.at: each.judged.at for each in instants}
    assert expected == {at: rolling.told(at) for at in expected}

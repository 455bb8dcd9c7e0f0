"""Stories of a job under a calendar and freezes, while processes die and messages are lost."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypothesis import strategies as st

from tests.property.planning.planning_story import STORE_CALLS, Died, dying
from tests.property.restrictions.restriction_strategies import STAYING
from tests.support.factories import JOB_ID, NOW, TENANT, calendar_factory, freeze_factory
from tests.support.world import World, delivery
from timegate.domain.calendars.calendar import Calendar, CalendarName, Period
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import Freeze, ThawPolicy
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.gate import claim_at
from timegate.domain.values.errors import CalendarNotFound
from timegate.usecases.services.execution_services import Delivery

MINUTE = timedelta(minutes=1)
CLOSED = CalendarName("closed")
#: A message that no worker acknowledged is shown again after this.
REDELIVERED_AFTER = timedelta(seconds=80)
MORTAL = [
    *STORE_CALLS,
    *(("runs", name) for name in ("load_all", "claim_all", "finish_all", "replace", "overdue")),
    *(("restrictions", name) for name in ("in_force", "calendars", "put_calendar")),
    *(("restrictions", name) for name in ("put_freeze", "lift_freeze", "delete_calendar")),
]
crashes = st.sampled_from([None, None, None]) | st.tuples(st.integers(1, 5), st.booleans())
minutes = st.integers(1, 40).map(lambda number: number * MINUTE)


@dataclass
class RestrictedStory:
    """A world, what was in force when, and messages under way."""

    world: World
    period: timedelta
    #: Restrictions in force from then on, in the stores' words.
    known: list[tuple[datetime, Restrictions]] = field(default_factory=list)
    inbox: list[tuple[datetime, Delivery]] = field(default_factory=list)
    #: The last tick that came to its end.
    planned_at: datetime = NOW
    #: Observer at the end of each fifth minute.
    watch: Callable[["RestrictedStory"], None] = lambda _: None

    @property
    def now(self) -> datetime:
        """The instant at which it stands."""
        return self.world.clock.now()

    @property
    def timing(self) -> Timing:
        """The job as it stands."""
        return self.world.tables.jobs[TENANT, JOB_ID].timing

    def attempt(self, act: Callable[[], object], crash: tuple[int, bool] | None) -> bool:
        """Let a process do something; ``False`` when it dies of it."""
        done = False
        with suppress(Died), dying(self.world, crash, MORTAL):
            act()
            done = True
        self.note()
        return done

    def note(self) -> None:
        """Remember what is in force, if that is new."""
        tables = self.world.tables
        in_force = tables.in_force.get(TENANT)
        found = Restrictions(
            freezes=in_force.freezes if in_force else (),
            calendars={
                name: tables.calendars[TENANT, CalendarName(name)]
                for name in (in_force.calendars if in_force else {})
            },
        )
        if not self.known or self.known[-1][1] != found:
            self.known.append((self.now, found))

    def known_at(self, at: datetime) -> list[Restrictions]:
        """Return the restrictions in force then; a millisecond in which they changed has both."""
        before = [known for since, known in self.known if since < at][-1:]
        return before + [known for since, known in self.known if since == at]

    def carry(self, lost: Callable[[], bool]) -> None:
        """From the stream to the queue, where some messages are lost."""
        self.world.stream()
        sent, self.world.publisher.sent = self.world.publisher.sent, []
        for number, message in enumerate(sent):
            if lost():
                continue
            arrives = self.now + timedelta(seconds=message.delay_seconds)
            at = max(arrives, claim_at(message.message.due_at))
            self.inbox.append((at, delivery(message, number)))

    def live(
        self,
        length: timedelta,
        *,
        crash: Callable[[], tuple[int, bool] | None] = lambda: None,
        lost: Callable[[], bool] = lambda: False,
        planned: bool = True,
    ) -> None:
        """Minute by minute: planner, sweeper, and every message when it arrives."""
        until = self.now + length
        while self.now < until:
            minute = self.now
            if planned and self.attempt(self.world.tick, crash()):
                self.planned_at = minute
            self.attempt(self.world.sweep, crash())
            self.carry(lost)
            self._deliver(minute + MINUTE, crash, lost)
            self.world.clock.set(minute + MINUTE)
            if self.now.minute % 5 == 0:
                self.watch(self)

    def _deliver(
        self,
        until: datetime,
        crash: Callable[[], tuple[int, bool] | None],
        lost: Callable[[], bool],
    ) -> None:
        while due := sorted((m for m in self.inbox if m[0] < until), key=lambda each: each[0]):
            at, received = due[0]
            self.inbox.remove(due[0])
            self.world.clock.set(max(self.now, at))
            back: set[str] = set()

            def execute(received: Delivery = received, back: set[str] = back) -> None:
                back |= self.world.execute([received])

            if not self.attempt(execute, crash()) or back:
                self.inbox.append((self.now + REDELIVERED_AFTER, received))
            self.carry(lost)


def closed(*spans: tuple[datetime, datetime]) -> Calendar:
    """A calendar of these spans."""
    periods = tuple(Period(start=start, end=end) for start, end in spans)
    return calendar_factory(name=CLOSED, timezone="UTC", weekdays=frozenset(), periods=periods)


@st.composite
def restricted_stories(
    draw: st.DrawFn, *, watch: Callable[[RestrictedStory], None] = lambda _: None
) -> RestrictedStory:
    """A job, and what is done to it, to its calendar and to its tenant; ``watch`` looks on."""
    world = World()
    period = draw(st.sampled_from([60, 60, 150, 420, 900]))
    rule = CalendarRule(calendar=CLOSED, action=draw(st.sampled_from(STAYING)))
    story = RestrictedStory(world, timedelta(seconds=period), watch=watch)
    world.tick()
    world.sweep()
    world.add_job(
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=period),
        anchored_at=NOW,
        created_at=NOW,
        updated_at=NOW,
        next_run_at=NOW + story.period,
        catch_up=CatchUp(policy=draw(st.sampled_from(CatchUpPolicy))),
        calendars=(rule,),
    )
    story.note()
    for _ in range(draw(st.integers(2, 7))):
        happen(draw, story)
        story.live(
            draw(st.integers(1, 15)) * MINUTE,
            crash=lambda: draw(crashes),
            lost=lambda: draw(st.integers(0, 9)) == 9,
            planned=draw(st.integers(0, 5)) > 0,
        )
    return story


def happen(draw: st.DrawFn, story: RestrictedStory) -> None:
    """An operator freezes, lifts, or edits the calendar, on a second of its own."""
    story.world.clock.advance(draw(st.integers(0, 59)))
    now, crash, store = story.now, draw(crashes), story.world.restrictions
    match draw(st.sampled_from(["freeze", "freeze", "lift", "put", "put", "delete"])):
        case "freeze":
            freeze = draw(freezes(now))
            story.attempt(lambda: store.put_freeze(TENANT, freeze, now=now), crash)
        case "lift":
            unended = store.unended_freezes(TENANT, now=now)
            if unended:
                lifted = draw(st.sampled_from(unended)).freeze_id
                story.attempt(lambda: store.lift_freeze(TENANT, lifted, now=now), crash)
        case "put":
            starts = now + draw(minutes) - 10 * MINUTE
            calendar = closed((starts, starts + draw(minutes)))
            story.attempt(
                lambda: store.put_calendar(TENANT, calendar, expected_version=None), crash
            )
        case "delete":
            with suppress(CalendarNotFound):
                story.attempt(
                    lambda: store.delete_calendar(TENANT, CLOSED, expected_version=None, now=now),
                    crash,
                )


@st.composite
def freezes(draw: st.DrawFn, now: datetime) -> Freeze:
    """Sudden, or announced."""
    starts = now + draw(st.sampled_from([timedelta(0), timedelta(0), 5 * MINUTE, 20 * MINUTE]))
    return freeze_factory(
        starts_at=starts,
        ends_at=starts + draw(minutes),
        thaw=draw(st.sampled_from(ThawPolicy)),
        created_at=now,
    )

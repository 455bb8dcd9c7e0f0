"""Words, preview, ledger and explanation of a schedule name the same instants."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.oracles.wall_oracle import WINDOWS, Policies, Window, fires_of
from tests.property.recurrence.oracles.words_reader import read_words
from tests.property.recurrence.strategies.cron_strategies import Cron, crons, night_crons
from tests.property.recurrence.test_cron_against_minutes import begin_of, policies
from tests.support.api import api_services
from tests.support.factories import JOB_ID, TENANT
from tests.support.world import World
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.ledger.ledger_reading import LedgerRange
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.ledger.read_ledger import read_ledger
from timegate.usecases.previews.preview_schedule import SchedulePreview, preview_schedule

#: So many instants of each schedule are compared.
MOST = 25


@dataclass(frozen=True)
class Told:
    """A job of a schedule, looked at when ``until`` has passed."""

    world: World
    begin: datetime
    until: datetime

    def ledger(self) -> list[datetime]:
        """The instants on record; each is a run."""
        wanted = LedgerRange(start=self.begin, end=self.until)
        services = api_services(self.world)
        page = read_ledger(TENANT, JOB_ID, wanted, services, limit=500, cursor=None)
        assert all(isinstance(record, Attempt) for record in page.rows), page.rows
        return [record.id.run.scheduled_at for record in page.rows if isinstance(record, Attempt)]

    def verdict(self, at: datetime) -> Verdict:
        """The explanation's verdict on an instant."""
        services = api_services(self.world)
        return explain_instant(
            TENANT, JOB_ID, at, services, now=self.world.clock.now()
        ).account.verdict


def previewed(schedule: Schedule, begin: datetime, until: datetime) -> list[datetime]:
    """The first instants of a preview, up to and with ``until``."""
    wanted = SchedulePreview(tenant=TENANT, schedule=schedule, start=begin, count=MOST)
    found = preview_schedule(wanted, api_services(World())).prospects
    return [each.at for each in found if each.at <= until]


def lived_through(schedule: Schedule, begin: datetime, until: datetime) -> Told:
    """A job created at ``begin``, and one tick of the planner after ``until``."""
    world = World(now=begin)
    world.tick()
    job = world.add_job(
        schedule=schedule,
        created_at=begin,
        updated_at=begin,
        anchored_at=begin,
        next_run_at=begin,
        catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=1000, window_seconds=MOST * 700_000),
    )
    opening = replace(job.timing, next_run_at=opening_fire(job.timing, now=begin))
    world.tables.jobs[TENANT, JOB_ID] = replace(job, timing=opening)
    world.clock.advance((until - begin).total_seconds() + 1)
    world.tick()
    return Told(world, begin, until)


def is_accepted(schedule: Schedule, now: datetime) -> bool:
    """Tell whether a job may have it: policies without an effect are refused."""
    try:
        validate_schedule(schedule, now=now)
    except InvalidInput:
        return False
    return True


def agree(schedule: Schedule, begin: datetime, expected: Sequence[datetime]) -> None:
    """Hold preview, ledger and explanation against the instants that the words tell."""
    until = expected[-1]
    told = lived_through(schedule, begin, until)

    assert expected == previewed(schedule, begin, until)
    assert expected == told.ledger()
    assert {told.verdict(at) for at in expected} == {Verdict.RUN}
    between = [a + (b - a) / 2 for a, b in pairwise(expected) if b - a > 2 * MILLISECOND]
    assert {told.verdict(at) for at in between} <= {Verdict.NOT_NAMED}


@settings(max_examples=some(200))
@given(
    cron=crons | night_crons,
    window=st.sampled_from([each for each in WINDOWS if each.begin.year >= 2015]),
    given_policies=policies,
    part=st.one_of(st.just("whole"), st.just("from the change"), st.integers(0, 2000)),
)
def test_words_preview_ledger_and_explanation_of_a_cron_agree(
    cron: Cron, window: Window, given_policies: Policies, part: str | int
) -> None:
    """The words alone, read back, name what is previewed, planned and explained."""
    schedule = Schedule(
        kind=ScheduleKind.CRON, cron=cron.text, timezone=window.zone, **asdict(given_policies)
    )
    begin = begin_of(window, part)
    assume(is_accepted(schedule, begin))
    spoken = read_words(describe(schedule))
    assert spoken.zone == window.zone
    fires = [at for at in fires_of(spoken.cron, window, spoken.policies) if at > begin][:MOST]
    assume(fires)

    agree(schedule, begin, fires)


@settings(max_examples=some(60))
@given(
    every=st.sampled_from([1, 59, 60, 90, 3600, 5400, 86_400, 90_000, 604_800]),
    window=st.sampled_from(WINDOWS[:4]),
)
def test_words_preview_ledger_and_explanation_of_a_rate_agree(every: int, window: Window) -> None:
    """A span in words, counted from the creation of the job."""
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every)
    number, unit = describe(schedule).removeprefix("Every ").rpartition(" ")[::2]
    span = timedelta(**{f"{unit.removesuffix('s')}s": int(number or 1)})
    most = max(2, min(MOST, 3 * 86_400 // every))
    fires = [window.begin + (n + 1) * span for n in range(most)]

    agree(schedule, window.begin, fires)

"""Damaged records of what keeps one tenant's jobs from running: those of others go on."""

import pytest

from tests.support.api import api_services
from tests.support.execution.executing import MINUTELY
from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    calendar_factory,
    freeze_factory,
    job_id,
)
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World, delivery
from timegate.adapters.dynamo.restrictions.restriction_items import (
    calendar_key,
    freeze_key,
    in_force_key,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import LATEST_SHAPE, SHAPE
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.calendars.calendar import CalendarName
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Malformed
from timegate.usecases.restrictions.read_calendars import list_calendars
from timegate.usecases.restrictions.read_freezes import list_freezes

NEIGHBOUR = job_id("neighbour")
IN_FORCE, CALENDAR = in_force_key(TENANT), calendar_key(TENANT, "weekends")
#: One that a later release wrote, and three that nothing wrote so.
DAMAGE = [
    pytest.param(IN_FORCE, {SHAPE: LATEST_SHAPE + 1}, id="in force, of a later shape"),
    pytest.param(IN_FORCE, {"freezes": "x"}, id="in force, no list"),
    pytest.param(IN_FORCE, {"freezes": [{"starts_at": "x"}]}, id="in force, no freeze"),
    pytest.param(CALENDAR, {"weekdays": "x"}, id="calendar"),
]
damaged = pytest.mark.parametrize(("key", "fields"), DAMAGE)


@pytest.fixture
def world() -> World:
    """Two minutely jobs of two tenants; the first follows a calendar, and gets its day off."""
    world = World()
    world.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=None)
    rules = (CalendarRule(calendar="weekends"),)
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), calendars=rules)
    world.add_job(
        tenant=OTHER_TENANT, job_id=NEIGHBOUR, schedule=MINUTELY, anchored_at=after(-3600)
    )
    return world


def write(world: World, key: Key, fields: dict[str, Plain]) -> None:
    """Change a record by hand."""
    update = Update(table=JOBS_TABLE, key=key, fields=fields, where={})
    assert world.tables.engine.write(update).done


@damaged
def test_a_planner_plans_around_a_tenant_that_it_cannot_judge(
    world: World, key: Key, fields: dict[str, Plain]
) -> None:
    """The tenant's job is put off, and an operator is told; it does not run unrestricted."""
    write(world, key, fields)
    world.tick()

    assert {each.tenant for each in world.attempts()} == {OTHER_TENANT}
    assert len(world.attempts()) == 11
    assert world.telemetry.counts["RecordsUnreadable"] == 1
    assert world.jobs.get(TENANT, JOB_ID).timing.next_run_at == NOW


@damaged
def test_an_executor_executes_around_a_tenant_that_it_cannot_judge(
    world: World, key: Key, fields: dict[str, Plain]
) -> None:
    """The tenant's message comes back; the one of its neighbour in the batch is executed."""
    write(world, key, fields)
    mine = attempt_factory()
    others = attempt_factory(tenant=OTHER_TENANT, id=attempt_id(job=NEIGHBOUR))
    world.runs.insert_all([mine, others])
    again = world.execute(
        [delivery(RunMessage.of(each), n) for n, each in enumerate([mine, others])]
    )

    assert again == {"message-0"}
    assert {each.tenant: each.state for each in world.attempts()} == {
        TENANT: RunState.QUEUED,
        OTHER_TENANT: RunState.SUCCEEDED,
    }
    assert world.telemetry.counts["RecordsUnreadable"] == 1
    assert world.telemetry.named("calendar_missing") == []


@pytest.mark.parametrize(("key", "fields"), DAMAGE[:-1])
def test_a_sweeper_and_an_auditor_pass_by_a_tenant_that_they_cannot_judge(
    world: World, key: Key, fields: dict[str, Plain]
) -> None:
    """Both tell of it, and look after the neighbour's lost message and its instants."""
    world.tick()
    world.audit()
    write(world, key, fields)
    mine = attempt_factory(watch_at=NOW, id=attempt_id(scheduled_at=after(-60)))
    others = attempt_factory(
        tenant=OTHER_TENANT, watch_at=NOW, id=attempt_id(job=NEIGHBOUR, scheduled_at=after(-60))
    )
    world.runs.insert_all([mine, others])
    world.read_images = len(world.tables.images)
    world.clock.advance(600)
    world.sweep()
    world.stream()
    world.clock.advance(3_600)
    world.audit()
    sent = {
        each.message.tenant for each in world.publisher.sent if each.message.attempt == others.id
    }
    (unaudited,) = world.telemetry.named("job_unaudited")

    assert sent == {OTHER_TENANT}
    assert unaudited.fields["tenant_id"] == TENANT
    assert {each.fields["tenant_id"] for each in world.telemetry.named("run_unreadable")} == {
        TENANT
    }


def test_a_list_of_calendars_goes_on_around_a_damaged_one(world: World) -> None:
    """On whichever page it lies; the log names it."""
    for name in ("a", "z"):
        other = calendar_factory(name=CalendarName(name))
        world.restrictions.put_calendar(TENANT, other, expected_version=None)
    write(world, CALENDAR, {"periods": ["x"]})
    services, cursor, found = api_services(world), None, list[str]()
    for _ in range(3):
        page = list_calendars(TENANT, services, limit=1, cursor=cursor)
        found, cursor = found + [each.name for each in page.rows], page.cursor
    (told,) = world.telemetry.named("calendar_unreadable")

    assert (found, cursor) == (["a", "z"], None)
    assert told.fields["calendar"] == "weekends"
    assert world.telemetry.counts["RecordsUnreadable"] == 1


def test_a_list_of_freezes_goes_on_around_a_damaged_one(world: World) -> None:
    """It is named in the log."""
    freezes = [freeze_factory(ends_at=after(seconds)) for seconds in (3600, 7200)]
    for each in freezes:
        world.restrictions.put_freeze(TENANT, each, now=NOW)
    write(world, freeze_key(TENANT, freezes[0].freeze_id), {"starts_at": "x"})
    services = api_services(world)
    page = list_freezes(TENANT, services, unended_at=None, limit=9, cursor=None)
    (told,) = world.telemetry.named("freeze_unreadable")

    assert page.rows == (freezes[1],)
    assert told.fields["freeze_id"] == freezes[0].freeze_id
    assert world.telemetry.counts["RecordsUnreadable"] == 1


def test_the_tenant_itself_is_told_that_an_operator_must_repair_it(world: World) -> None:
    """No answer takes it for a tenant without restrictions."""
    write(world, IN_FORCE, {SHAPE: LATEST_SHAPE + 1})
    found = world.restrictions.in_force([TENANT, OTHER_TENANT])

    assert sorted(found) == [TENANT, OTHER_TENANT]
    assert len(found) == 2
    assert found[OTHER_TENANT].calendars == {}
    with pytest.raises(Malformed):
        found[TENANT]

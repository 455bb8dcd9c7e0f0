"""Watches over jobs that are to succeed: stored with their jobs, and the calls that looks cost."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.conftest import NewStores
from tests.support.execution.telling import hook
from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
)
from tests.support.ruling import looking_on
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import Calls, recorded
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch
from timegate.domain.planning.plan import plan_runs
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.absence_notices import absence_notices
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import AbsenceRef, JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.usecases.rules.look_at_absences import look_at_absences
from timegate.usecases.sweeping.wake_overdue import wake_rules

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
HOUR = 3_600
REF = AbsenceRef(tenant=TENANT, job_id=JOB_ID)


def awaited(**fields: object) -> Job:
    """A job that is to succeed within an hour."""
    given = {"schedule": DAILY, "next_run_at": after(86_400), "absent_after_seconds": HOUR}
    given |= {"updated_at": NOW}
    return job_factory(**(given | {"notifications": (hook(Occasion.ABSENT),)} | fields))


def changed(job: Job, **fields: object) -> Job:
    """Return the job after a change a minute later."""
    timing = replace(job.timing, version=job.timing.version + 1)
    return replace(job, timing=timing, updated_at=after(60), **fields)  # type: ignore[arg-type]


def due(stores: Stores, seconds: float) -> list[object]:
    """List the watches that are due so many seconds after the beginning."""
    return list(stores.rules.overdue_rules(until=after(seconds)))


def test_successes_are_yielded_latest_first(stores: Stores) -> None:
    """Runs of a range of instants, and none that ended otherwise or waits."""
    states = [RunState.SUCCEEDED, RunState.FAILED, RunState.WAITING] * 2
    runs = [
        attempt_factory(id=attempt_id(scheduled_at=after(number)), state=state)
        for number, state in enumerate(states)
    ]
    stores.runs.insert_all(runs)
    ever, within = InstantRange(), InstantRange(start=after(1), end=after(3))
    found = [[*stores.absences.successes(TENANT, JOB_ID, within=each)] for each in (ever, within)]
    others = stores.absences.successes(OTHER_TENANT, JOB_ID, within=ever)

    assert found == [[runs[3], runs[0]], [runs[3]]]
    assert [*others] == []


def test_a_watch_is_stored_with_its_job(stores: Stores) -> None:
    """It counts from the creation, and is due when its span is over."""
    stores.jobs.create(awaited())
    stores.jobs.create(job_factory(tenant=OTHER_TENANT))

    assert stores.absences.watch(REF) == AbsenceWatch(
        ref=REF, after_seconds=HOUR, since=NOW, version=1
    )
    assert due(stores, HOUR - 1) == []
    assert due(stores, HOUR) == [REF]
    assert stores.absences.watch(replace(REF, tenant=OTHER_TENANT)) is None


def test_a_watch_is_stored_with_a_job_and_its_first_runs(stores: Stores) -> None:
    """A job that is due soon is awaited as any other."""
    job = awaited(next_run_at=NOW)
    plan = plan_runs(job.timing, now=NOW, until=after(60))
    assert stores.runs.create_job(job, plan.attempts, limit=None)

    assert stores.absences.watch(REF) is not None
    assert due(stores, HOUR) == [REF]


def test_a_watch_follows_its_job(stores: Stores) -> None:
    """A change of the span begins it anew, and a change of anything else leaves it as it is."""
    job = stores.jobs.create(awaited())
    renamed = changed(job, name="another name")
    stores.jobs.update(job, renamed)
    kept = stores.absences.watch(REF)
    longer = changed(renamed, absent_after_seconds=2 * HOUR)
    stores.jobs.update(renamed, longer)
    begun = stores.absences.watch(REF)
    stores.jobs.update(longer, changed(longer, absent_after_seconds=None, notifications=()))

    assert kept is not None
    assert (kept.version, kept.since) == (1, NOW)
    assert begun is not None
    assert (begun.version, begun.since, begun.after_seconds) == (3, after(60), 2 * HOUR)
    assert stores.absences.watch(REF) is None
    assert due(stores, 100 * HOUR) == []


def test_a_pause_ends_the_watch_and_a_resume_begins_it(stores: Stores) -> None:
    """The span counts from the resume."""
    job = stores.jobs.create(awaited())
    paused = changed(job)
    paused = replace(paused, timing=replace(paused.timing, status=JobStatus.PAUSED))
    stores.jobs.update(job, paused)
    gone = stores.absences.watch(REF)
    resumed = changed(paused)
    resumed = replace(resumed, timing=replace(resumed.timing, status=JobStatus.ACTIVE))
    stores.jobs.update(paused, resumed)
    begun = stores.absences.watch(REF)

    assert gone is None
    assert begun is not None
    assert begun.since == after(60)


def test_what_a_look_found_is_one_write(stores: Stores) -> None:
    """The runs that tell of it and the watch, once."""
    job = stores.jobs.create(awaited())
    before = stores.absences.watch(REF)
    assert before is not None
    told = replace(before, told=True)
    notices = absence_notices(job, told, now=after(HOUR))

    assert stores.absences.looked(before, told, notices, next_look=after(2 * HOUR))
    assert not stores.absences.looked(before, told, notices, next_look=after(3 * HOUR))
    assert stores.absences.watch(REF) == replace(told, step=1)
    assert due(stores, 2 * HOUR - 1) == []
    assert due(stores, 2 * HOUR) == [REF]
    assert [each.state for each in stores.runs.attempts(TENANT, notices[0].id.run)] == [
        notices[0].state
    ]


def test_a_watch_that_rests_is_not_due(stores: Stores) -> None:
    """Its record is kept for the next change of the job."""
    stores.jobs.create(awaited())
    watch = stores.absences.watch(REF)
    assert watch is not None

    assert stores.absences.rest(watch)
    assert not stores.absences.rest(watch)
    assert due(stores, 100 * HOUR) == []


def test_a_watch_that_is_due_is_shown_once_a_minute(stores: Stores) -> None:
    """Until a look has put it off."""
    stores.jobs.create(awaited())
    telemetry = MemoryTelemetry()
    wake_rules(stores.rules, telemetry, now=after(HOUR))
    wake_rules(stores.rules, telemetry, now=after(HOUR + 59))

    assert due(stores, HOUR + 59) == []
    assert due(stores, HOUR + 60) == [REF]


def test_only_jobs_with_a_span_pay(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """The watch is an item of the transaction that stores the job; a look has four calls.

    One that has to tell something reads the tenant's home as well.
    """
    stores = new_dynamo_stores(shards=1)
    stores.jobs.create(job_factory(job_id=JobId("a" * 26)))
    with recorded(dynamodb) as free:
        stores.jobs.create(job_factory(job_id=JobId("b" * 26)))
    with recorded(dynamodb) as paid:
        stores.jobs.create(awaited())
    with recorded(dynamodb) as woken:
        wake_rules(stores.rules, MemoryTelemetry(), now=after(HOUR))
    with recorded(dynamodb) as looked:
        assert look_at_absences(
            [REF], looking_on(stores, MemoryTelemetry(), MemoryClock(after(HOUR)))
        ) == [True]

    assert (free, paid) == (Calls({"TransactWriteItems": 1}),) * 2
    assert woken == Calls({"Query": 1, "UpdateItem": 1})
    home = {"BatchGetItem": 1}
    assert looked == Calls({"GetItem": 2, "Query": 1, "TransactWriteItems": 1, **home})

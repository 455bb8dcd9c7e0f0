"""``RunStore``: storing attempts, reading them back, and finding those to look at."""

import pytest

from tests.support.execution.placing import placed
from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
    lease_factory,
    run_id,
    running,
)
from tests.support.stores.contract_stores import MINUTE, SHARD, SHARDS, Stores
from timegate.adapters.page_cursor import write_cursor
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState
from timegate.domain.values.errors import InvalidInput, RunNotFound
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, Loaded

FULL = attempt_factory(
    id=attempt_id(12, origin=Origin.TRIGGER, scheduled_at=after(0.001)),
    state=RunState.FAILED,
    job_version=7,
    priority=Priority.LOW,
    resource_class=ResourceClass.LONG,
    precision=Precision.SUBSECOND,
    due_at=after(0.125),
    watch_at=None,
    final=True,
    direct=True,
    fence=3,
    lease=lease_factory(fence=3, expires_at=after(60.5), deadline_at=after(30.25)),
    cancel_requested=True,
    started_at=after(1),
    ended_at=after(2),
    reason=Reason.PERMANENT,
    error=RunError(code="http_400", type="HttpStatus", message="Ærø"),
    result="what it said",
)
ATTEMPTS = {
    "queued": attempt_factory(),
    "waiting": attempt_factory(due_at=after(7200)),
    "running": running(),
    "full": FULL,
}


def ref(attempt: Attempt) -> AttemptRef:
    return AttemptRef(tenant=attempt.tenant, id=attempt.id)


def of_job(name: str, **fields: object) -> Attempt:
    """A first attempt, due now, of a job known by a name."""
    return attempt_factory(id=attempt_id(job=job_id(name)), **fields)


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS.keys())
def test_an_attempt_is_read_back_as_it_was_stored(stores: Stores, attempt: Attempt) -> None:
    """Every field of it, at once."""
    stores.add(attempt)

    assert attempt == stores.stored(attempt)


def test_an_attempt_is_stored_once(stores: Stores) -> None:
    """One run per job and instant, with any number of planners racing (R2)."""
    first = stores.add(of_job("a"))
    again = of_job("a", priority=Priority.LOW)
    others = [of_job("b"), of_job("c")]

    assert stores.runs.insert_all([others[0], again, others[1]]) == [True, False, True]
    assert first == stores.stored(first)
    assert all(stores.exists(each) for each in others)


def test_any_number_of_attempts_is_stored_at_once(stores: Stores) -> None:
    """A minute's worth of a second's rate, say."""
    attempts = [of_job(str(number)) for number in range(60)]

    assert stores.runs.insert_all(attempts) == [True] * 60
    assert stores.runs.insert_all(attempts) == [False] * 60
    assert stores.runs.insert_all([]) == []


def test_attempts_are_loaded_with_their_jobs_in_the_order_asked(stores: Stores) -> None:
    """A missing attempt is ``None``; an attempt named twice comes twice."""
    job = stores.add_job()
    stored, orphan, absent = attempt_factory(), of_job("no job"), of_job("nothing")
    for each in (stored, orphan):
        stores.add(each)
    wanted = [orphan, stored, absent, stored]

    assert stores.runs.load_all([ref(each) for each in wanted]) == [
        Loaded(attempt=orphan, job=None),
        Loaded(attempt=stored, job=job),
        Loaded(attempt=None, job=None),
        Loaded(attempt=stored, job=job),
    ]


def test_any_number_of_attempts_is_loaded_at_once(stores: Stores) -> None:
    """More than one batch of DynamoDB's takes."""
    attempts = [of_job(str(number)) for number in range(120)]
    stores.runs.insert_all(attempts)
    loaded = stores.runs.load_all([ref(each) for each in attempts])

    assert attempts == [each.attempt for each in loaded]
    assert stores.runs.load_all([]) == []


def test_no_other_tenants_attempt_is_there(stores: Stores) -> None:
    """Not even with its id; nor its job (S1)."""
    stores.add_job()
    attempt = stores.add(attempt_factory())
    theirs = AttemptRef(tenant=OTHER_TENANT, id=attempt.id)

    assert stores.runs.load_all([theirs]) == [Loaded(attempt=None, job=None)]
    with pytest.raises(RunNotFound):
        stores.runs.attempts(OTHER_TENANT, attempt.id.run)
    assert stores.runs.list_runs(OTHER_TENANT, JOB_ID, limit=5, cursor=None).rows == ()


def test_the_attempts_at_a_run_are_read_first_to_last(stores: Stores) -> None:
    """By number and not by text; those at other runs of the job are not among them."""
    numbers = [10, 2, 1, 11]
    stores.runs.insert_all([attempt_factory(id=attempt_id(number)) for number in numbers])
    stores.add(attempt_factory(id=attempt_id(3, origin=Origin.TRIGGER)))
    stores.add(attempt_factory(id=attempt_id(3, scheduled_at=after(0.001))))

    assert [attempt_id(number) for number in sorted(numbers)] == [
        attempt.id for attempt in stores.runs.attempts(TENANT, run_id())
    ]


def test_a_run_without_attempts_is_not_there(stores: Stores) -> None:
    """It is told, never an empty list."""
    stores.add(attempt_factory(id=attempt_id(scheduled_at=after(60))))

    with pytest.raises(RunNotFound):
        stores.runs.attempts(TENANT, run_id())


def listed(
    stores: Stores, *, limit: int, job: JobId = JOB_ID, within: InstantRange = EVER
) -> list[AttemptId]:
    """Every page after the other."""
    attempts: list[Attempt] = []
    cursor: str | None = None
    while True:
        page = stores.runs.list_runs(TENANT, job, limit=limit, cursor=cursor, within=within)
        assert len(page.rows) <= limit
        attempts += page.rows
        cursor = page.cursor
        if cursor is None:
            return [attempt.id for attempt in attempts]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_the_last_attempt_stands_for_its_run(stores: Stores, limit: int) -> None:
    """Latest instant first, each run once: no run straddles two pages."""
    tries = {after(0): 1, after(60): 5, after(120): 2, after(180): 3}
    last = []
    for instant, count in tries.items():
        for origin in (Origin.SCHEDULE, Origin.TRIGGER):
            run = RunId(job_id=JOB_ID, origin=origin, scheduled_at=instant)
            ids = [AttemptId(run=run, number=number) for number in range(1, count + 1)]
            stores.runs.insert_all([attempt_factory(id=each) for each in ids])
            last.append(ids[-1])
    stores.add(of_job("another"))

    assert last[::-1] == listed(stores, limit=limit)


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        pytest.param(InstantRange(start=after(60)), [180, 120, 60], id="from-one-of-them"),
        pytest.param(InstantRange(start=after(60.001)), [180, 120], id="from-behind-it"),
        pytest.param(InstantRange(end=after(60)), [60, 0], id="to-one-of-them"),
        pytest.param(InstantRange(end=after(59.999)), [0], id="to-before-it"),
        pytest.param(InstantRange(start=after(60), end=after(120)), [120, 60], id="between-two"),
        pytest.param(InstantRange(start=after(1), end=after(2)), [], id="where-there-is-none"),
    ],
)
@pytest.mark.parametrize("limit", [1, 2, 100])
def test_the_runs_within_a_range_are_listed(
    stores: Stores, within: InstantRange, expected: list[int], limit: int
) -> None:
    """Both ends are within; each run with its last attempt, and no notification."""
    for seconds in (0, 60, 120, 180):
        for number in (1, 2):
            stores.add(attempt_factory(id=attempt_id(number, scheduled_at=after(seconds))))
    found = listed(stores, limit=limit, within=within)

    assert found == [attempt_id(2, scheduled_at=after(seconds)) for seconds in expected]


def test_a_cursor_from_beyond_a_range_leads_nowhere(stores: Stores) -> None:
    """A caller that mixes them up, or makes one up, finds nothing, and breaks nothing."""
    stores.runs.insert_all([attempt_factory(id=attempt_id(scheduled_at=after(s))) for s in (0, 60)])
    first = stores.runs.list_runs(TENANT, JOB_ID, limit=1, cursor=None)
    late = InstantRange(start=after(61))
    page = stores.runs.list_runs(TENANT, JOB_ID, limit=1, cursor=first.cursor, within=late)

    assert (page.rows, page.cursor) == ((), None)


def test_a_job_without_runs_has_an_empty_list(stores: Stores) -> None:
    """It may not have fired yet."""
    assert listed(stores, limit=5) == []


@pytest.mark.parametrize(
    "cursor",
    ["", "no cursor", write_cursor("runs#acme#another", "20261121T070000000Z#s")],
    ids=["empty", "none", "of-another-job"],
)
def test_a_cursor_of_no_page_of_this_list_is_refused(stores: Stores, cursor: str) -> None:
    """It is the caller's mistake, not an empty page."""
    with pytest.raises(InvalidInput):
        stores.runs.list_runs(TENANT, JOB_ID, limit=2, cursor=cursor)


def overdue(stores: Stores, *, until: float, minute: str = MINUTE, shard: int = SHARD) -> list[str]:
    """Return the tenants of overdue attempts in a bucket."""
    return [found.tenant for found in stores.overdue(minute, shard, until=after(until))]


def watched(name: str, at: float | None) -> Attempt:
    """A tenant's attempt at the same run, to be looked at at an instant."""
    watch_at = after(at) if at is not None else None
    return attempt_factory(tenant=TenantId(name), watch_at=watch_at)


def test_a_look_finds_what_is_overdue_in_its_bucket(stores: Stores) -> None:
    """Soonest first, to the instant and no further; what has ended is not looked at."""
    stores.add(watched("ended", None))
    for name, at in {"b": 20, "a": 10, "c": 30.001, "before": -1, "later": 60}.items():
        stores.add(watched(name, at))

    assert overdue(stores, until=30) == ["a", "b"]
    assert overdue(stores, until=30.001) == ["a", "b", "c"]
    assert overdue(stores, until=9.999) == []
    assert overdue(stores, until=60, shard=(SHARD + 1) % SHARDS) == []
    assert overdue(stores, until=60, minute="20261121T0701") == ["later"]


def test_a_shard_looks_after_its_own_jobs(stores: Stores) -> None:
    """And every job is some shard's."""
    attempts = [of_job(str(number), watch_at=NOW) for number in range(12)]
    stores.runs.insert_all(attempts)
    found = {
        reference.id.run.job_id: shard
        for shard in range(SHARDS)
        for reference in stores.overdue(MINUTE, shard, until=NOW)
    }

    assert found == {a.id.run.job_id: placed(SHARDS).shard_of(a.id.run.job_id) for a in attempts}

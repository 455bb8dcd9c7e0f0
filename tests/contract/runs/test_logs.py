"""``LogStore``: what holders of runs say, in order, each batch once."""

from datetime import datetime

from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, attempt_factory, attempt_id
from tests.support.stores.contract_stores import Stores
from timegate.domain.ledger.worker_log import BatchPosition, Level, LogBatch, WorkerLine
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.tenant import TenantId


def batch(
    fence: int,
    sequence: int,
    *texts: str,
    attempt: AttemptId | None = None,
    at: datetime = NOW,
    tenant: TenantId = TENANT,
) -> LogBatch:
    """Return lines that were sent together."""
    return LogBatch(
        tenant=tenant,
        attempt=attempt or attempt_id(),
        fence=fence,
        sequence=sequence,
        lines=tuple(WorkerLine(at=at, level=Level.WARNING, text=text) for text in texts or ("x",)),
        received_at=at,
    )


def test_batches_are_read_by_lease_and_then_as_they_were_said(stores: Stores) -> None:
    """Over all attempts of the run, and from any place on."""
    said = [batch(1, 2), batch(1, 10), batch(2, 1, attempt=attempt_id(2)), batch(10, 1)]
    for each in (said[3], said[1], said[2], said[0]):
        assert stores.logs.append(each)
    run = attempt_id().run

    assert stores.logs.read(TENANT, run, after=None, limit=10) == tuple(said)
    assert stores.logs.read(TENANT, run, after=None, limit=2) == tuple(said[:2])
    place = BatchPosition(fence=1, sequence=10)
    assert stores.logs.read(TENANT, run, after=place, limit=10) == tuple(said[2:])


def test_a_batch_is_kept_once(stores: Stores) -> None:
    """The second at its place changes nothing."""
    first, second = batch(1, 1, "first", "ü"), batch(1, 1, "second", at=after(1))

    assert [stores.logs.append(first), stores.logs.append(second)] == [True, False]
    assert stores.logs.read(TENANT, attempt_id().run, after=None, limit=10) == (first,)


def test_no_reader_gets_the_log_of_another_run(stores: Stores) -> None:
    """Neither of another instant of the job, nor of the same run of another tenant."""
    stores.logs.append(batch(1, 1, attempt=attempt_id(scheduled_at=after(60))))
    stores.logs.append(batch(1, 1, tenant=OTHER_TENANT))

    assert stores.logs.read(TENANT, attempt_id().run, after=None, limit=10) == ()


def test_a_jobs_history_does_not_show_what_was_said(stores: Stores) -> None:
    """A log may be long; a reader of runs meets none of it."""
    attempt = stores.add(attempt_factory())
    stores.logs.append(batch(1, 1))
    page = stores.runs.list_runs(TENANT, attempt.id.run.job_id, limit=10, cursor=None)

    assert page.rows == (attempt,)
    assert stores.runs.attempts(TENANT, attempt.id.run) == (attempt,)

"""``RunStore``: a run and the key that names it are stored together, or neither is."""

from dataclasses import replace

from tests.support.factories import JOB_ID, OTHER_TENANT, TENANT, after, attempt_factory, job_id
from tests.support.stores.contract_stores import Stores
from timegate.domain.execution.triggers import KeyedRun, TriggerKey
from timegate.domain.jobs.demands import Priority
from timegate.domain.runs.run import Attempt, TriggerTerms
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import Payload

KEY = TriggerKey.of(TENANT, JOB_ID, "one", request_hash="hash")


def triggered(seconds: float = 0, *, key: TriggerKey = KEY) -> Attempt:
    """An attempt at a run that a key names."""
    run = RunId(job_id=JOB_ID, origin=Origin.TRIGGER, scheduled_at=after(seconds), about=key.mark)
    return attempt_factory(
        id=AttemptId(run=run, number=1),
        payload=Payload(inline="[1]", size_bytes=3),
        terms=TriggerTerms(tags=(("a", "b"), ("c", "d")), priority=Priority.HIGH),
    )


def test_a_run_is_found_by_its_key(stores: Stores) -> None:
    """With the fingerprint of the request; the run is read back as it was stored."""
    run = triggered()

    assert stores.runs.keyed_run(TENANT, JOB_ID, KEY) is None
    assert stores.runs.insert_keyed(run, KEY)
    assert stores.runs.keyed_run(TENANT, JOB_ID, KEY) == KeyedRun(
        run=run.id.run, request_hash="hash"
    )
    assert stores.stored(run) == run


def test_a_key_names_one_run(stores: Stores) -> None:
    """A later run under it is not stored, and the first one stays its own."""
    first, second = triggered(), triggered(60)
    stores.runs.insert_keyed(first, KEY)

    assert not stores.runs.insert_keyed(second, KEY)
    assert not stores.runs.insert_keyed(first, KEY)
    found = stores.runs.keyed_run(TENANT, JOB_ID, KEY)
    assert found is not None
    assert found.run == first.id.run
    assert stores.runs.list_runs(TENANT, JOB_ID, limit=9, cursor=None).rows == (first,)


def test_a_run_that_exists_keeps_its_key_from_being_stored(stores: Stores) -> None:
    """Neither is written."""
    stores.add(triggered())
    other = replace(KEY, digest="z" * 26)

    assert not stores.runs.insert_keyed(triggered(), other)
    assert stores.runs.keyed_run(TENANT, JOB_ID, other) is None


def test_a_key_is_nobody_else_s(stores: Stores) -> None:
    """Neither another tenant's nor another job's."""
    stores.runs.insert_keyed(triggered(), KEY)

    assert stores.runs.keyed_run(OTHER_TENANT, JOB_ID, KEY) is None
    assert stores.runs.keyed_run(TENANT, job_id("other"), KEY) is None

"""``JobStore``: definitions that were replaced are kept, for readers that must know what ran."""

from dataclasses import replace

import pytest

from tests.support.factories import JOB_ID, OTHER_TENANT, TENANT, after
from tests.support.stores.contract_stores import Stores
from timegate.domain.jobs.job import JobStatus
from timegate.domain.values.errors import JobChanged, JobNotFound


def test_a_definition_is_kept_when_it_is_replaced(stores: Stores) -> None:
    """A definition that was not replaced is the job's own."""
    first = stores.add_job()
    second = replace(
        first, name="renamed", timing=replace(first.timing, version=2), updated_at=after(1)
    )
    paused = replace(second, timing=replace(second.timing, version=3, status=JobStatus.PAUSED))
    third = replace(paused, timeout_seconds=60, timing=replace(paused.timing, version=4))
    for before, after_ in ((first, second), (second, paused), (paused, third)):
        stores.jobs.update(before, after_)
    defined = [stores.jobs.definition(TENANT, JOB_ID, version=v) for v in (1, 2, 3, 4, 5)]

    # The third version changed nothing of the definition, so it says what the second did.
    assert [each.name for each in defined] == [first.name, *["renamed"] * 4]
    assert [each.timeout_seconds for each in defined] == [30, 30, 30, 60, 60]
    assert defined[3] == stores.jobs.get(TENANT, JOB_ID)


def test_a_definition_is_kept_with_the_update_or_not_at_all(stores: Stores) -> None:
    """An update that comes too late leaves nothing behind; the listings show jobs alone."""
    job = stores.add_job()
    renamed = replace(job, name="renamed", timing=replace(job.timing, version=2))
    late = replace(job, timing=replace(job.timing, version=9))
    with pytest.raises(JobChanged):
        stores.jobs.update(late, renamed)
    stores.jobs.update(job, renamed)

    assert stores.jobs.definition(TENANT, JOB_ID, version=1) == job
    assert stores.jobs.list_jobs(TENANT, limit=9, cursor=None).rows == (renamed,)


def test_a_definition_is_its_tenant_s(stores: Stores) -> None:
    """Another one has no such job (S1)."""
    stores.add_job()

    with pytest.raises(JobNotFound):
        stores.jobs.definition(OTHER_TENANT, JOB_ID, version=1)

"""``JobStore``: a key names one job of its tenant, and the write of the job decides which."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import JOB_ID, NOW, OTHER_TENANT, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.execution.triggers import KEY_KEPT
from timegate.domain.jobs.job import Job, JobKeyTaken, JobStatus
from timegate.domain.values.errors import JobChanged, JobNotFound
from timegate.domain.values.identity import JobId, JobKey

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY, OTHER_KEY = JobKey("nightly"), JobKey("weekly.report_2")
OTHER_JOB = job_id("other")


def keyed(job: JobId = JOB_ID, key: JobKey | None = KEY) -> Job:
    """A new job with a key."""
    return job_factory(job_id=job, key=key)


def changed(job: Job, *, status: JobStatus = JobStatus.ACTIVE, key: JobKey | None = KEY) -> Job:
    """The job in its next version."""
    timing = replace(job.timing, version=job.timing.version + 1, status=status)
    return replace(job, timing=timing, key=key, updated_at=after(1))


def test_a_job_is_found_by_its_key(stores: Stores) -> None:
    """Its own tenant finds it; a key that no job has names none."""
    job = stores.jobs.create(keyed())

    assert stores.jobs.keyed_job(TENANT, KEY) == JOB_ID
    assert stores.jobs.keyed_job(TENANT, OTHER_KEY) is None
    assert stores.jobs.keyed_job(OTHER_TENANT, KEY) is None
    assert stores.jobs.get(TENANT, JOB_ID) == job


def test_a_second_job_with_the_key_is_refused(stores: Stores) -> None:
    """Nothing of it is stored, and the error names the holder."""
    stores.jobs.create(keyed())

    with pytest.raises(JobKeyTaken, match=f"Job {JOB_ID} has the key nightly"):
        stores.jobs.create(keyed(OTHER_JOB))
    with pytest.raises(JobNotFound):
        stores.jobs.get(TENANT, OTHER_JOB)
    assert stores.jobs.keyed_job(TENANT, KEY) == JOB_ID


def test_a_repeated_creation_meets_its_own_key(stores: Stores) -> None:
    """The stored job is the answer, and keeps the key."""
    first = stores.jobs.create(keyed())

    assert stores.jobs.create(replace(keyed(), name="repeated")) == first
    assert stores.jobs.keyed_job(TENANT, KEY) == JOB_ID


def test_a_cancelled_job_gives_its_key_up(stores: Stores) -> None:
    """Another job takes it at once; the cancelled one still shows it."""
    job = stores.jobs.create(keyed())
    stores.jobs.update(job, changed(job, status=JobStatus.CANCELLED))

    assert stores.jobs.keyed_job(TENANT, KEY) is None
    stores.jobs.create(keyed(OTHER_JOB))
    assert stores.jobs.keyed_job(TENANT, KEY) == OTHER_JOB
    assert stores.jobs.get(TENANT, JOB_ID).key == KEY


def test_jobs_that_gave_a_key_up_are_named_the_latest_first(stores: Stores) -> None:
    """By a cancellation and by an edit; a job that has the key is none of them."""
    first = stores.jobs.create(keyed())
    stores.jobs.update(first, changed(first, status=JobStatus.CANCELLED))
    second = stores.jobs.create(keyed(OTHER_JOB))
    held = stores.jobs.former_jobs(TENANT, KEY, now=NOW)
    given_up = replace(changed(second, key=OTHER_KEY), updated_at=after(2))
    stores.jobs.update(second, given_up)

    assert held == [JOB_ID]
    assert stores.jobs.former_jobs(TENANT, KEY, now=NOW) == [OTHER_JOB, JOB_ID]
    assert stores.jobs.former_jobs(TENANT, OTHER_KEY, now=NOW) == []
    assert stores.jobs.former_jobs(OTHER_TENANT, KEY, now=NOW) == []


@pytest.mark.parametrize(("seconds", "expected"), [(-1, [JOB_ID]), (0, [])])
def test_a_job_that_gave_a_key_up_is_named_while_keys_of_triggers_are_kept(
    stores: Stores, seconds: float, expected: list[JobId]
) -> None:
    """DynamoDB deletes the record later: no key of a trigger names a run of that job by then."""
    first = stores.jobs.create(keyed())
    cancelled = changed(first, status=JobStatus.CANCELLED)
    stores.jobs.update(first, cancelled)
    now = cancelled.updated_at + KEY_KEPT + timedelta(seconds=seconds)

    assert stores.jobs.former_jobs(TENANT, KEY, now=now) == expected


@pytest.mark.parametrize("status", [JobStatus.PAUSED, JobStatus.COMPLETED], ids=str)
def test_every_other_job_keeps_its_key(stores: Stores, status: JobStatus) -> None:
    """A paused job is resumed, and a completed one may be revived."""
    job = stores.jobs.create(keyed())
    stores.jobs.update(job, changed(job, status=status))

    assert stores.jobs.keyed_job(TENANT, KEY) == JOB_ID


def test_a_job_is_given_another_key(stores: Stores) -> None:
    """The old one is free, and so is the new one after it is removed."""
    first = stores.jobs.create(keyed())
    second = changed(first, key=OTHER_KEY)
    stores.jobs.update(first, second)

    assert stores.jobs.keyed_job(TENANT, KEY) is None
    assert stores.jobs.keyed_job(TENANT, OTHER_KEY) == JOB_ID
    stores.jobs.update(second, changed(second, key=None))
    assert stores.jobs.keyed_job(TENANT, OTHER_KEY) is None


def test_a_change_to_a_key_that_is_taken_changes_nothing(stores: Stores) -> None:
    """The job keeps what it had, its old key included."""
    job = stores.jobs.create(keyed())
    stores.jobs.create(keyed(OTHER_JOB, OTHER_KEY))

    with pytest.raises(JobKeyTaken, match=str(OTHER_JOB)):
        stores.jobs.update(job, changed(job, key=OTHER_KEY))
    assert stores.jobs.get(TENANT, JOB_ID) == job
    assert stores.jobs.keyed_job(TENANT, KEY) == JOB_ID


def test_a_change_of_a_job_that_was_changed_meanwhile_claims_nothing(stores: Stores) -> None:
    """The reason is the change, not the key."""
    job = stores.jobs.create(keyed(key=None))
    stores.jobs.update(job, changed(job, key=None))

    with pytest.raises(JobChanged):
        stores.jobs.update(job, changed(job))
    assert stores.jobs.keyed_job(TENANT, KEY) is None


def test_racing_creations_give_the_key_to_one(stores: Stores) -> None:
    """Every other one is refused, and has stored nothing."""
    contenders = [job_id(f"racer {number}") for number in range(6)]

    def create(job: JobId) -> bool:
        try:
            stores.jobs.create(keyed(job))
        except JobKeyTaken:
            return False
        return True

    with ThreadPoolExecutor(max_workers=6) as pool:
        won = list(pool.map(create, contenders))

    assert won.count(True) == 1
    assert stores.jobs.keyed_job(TENANT, KEY) == contenders[won.index(True)]
    assert len(stores.jobs.list_jobs(TENANT, limit=9, cursor=None).rows) == 1


def test_a_job_without_a_key_pays_nothing(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient"
) -> None:
    """A key joins the transaction of its job; changes that leave it alone write it no more."""
    stores = new_dynamo_stores()
    job = stores.jobs.create(keyed(key=None))
    named = stores.jobs.create(keyed(OTHER_JOB))
    with recorded(dynamodb) as creating:
        stores.jobs.create(keyed(job_id("third"), OTHER_KEY))
    with recorded(dynamodb) as unnamed:
        stores.jobs.update(job, changed(job, key=None))
    with recorded(dynamodb) as kept:
        stores.jobs.update(named, changed(named))
    with recorded(dynamodb) as finding:
        stores.jobs.keyed_job(TENANT, KEY)

    assert creating == {"TransactWriteItems": 1}
    assert unnamed == kept == {"PutItem": 1}
    assert finding == {"GetItem": 1}

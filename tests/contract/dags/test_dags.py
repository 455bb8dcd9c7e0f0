"""``DagStore``: each version as it was written, whatever became of it since."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from tests.support.factories import OTHER_TENANT, TENANT, after, job_id
from tests.support.stores.contract_stores import Stores, race
from tests.unit.domain.dags.definitions import ANY, at_least, dag, task
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.dags.definition import (
    Dag,
    DagStatus,
    FailurePolicy,
    FanOut,
    InlineTask,
    JobTask,
    Join,
    JoinKind,
)
from timegate.domain.dags.errors import DagChanged, DagNotFound, DagVersionNotFound
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import dag_id_from, job_id_from
from timegate.domain.values.secrets import SecretRef
from timegate.ports.dags import DagRow

_TOPIC = "arn:aws:sns:eu-central-1:000000000000:told"
FULL = dag(
    (
        task("extract", name="Extract", priority=Priority.HIGH),
        task("job", spec=JobTask(job_id=job_id_from(b"a job")), trigger_rule=ANY),
        task(
            "each",
            spec=InlineTask(
                action=WebhookAction(
                    url="https://example.com/ä", signing_secret=SecretRef(ssm_parameter="/a/b")
                ),
                timeout_seconds=300,
                resource_class=ResourceClass.LONG,
                retry=RetryPolicy(max_attempts=7, initial_delay_seconds=0.25, breaker=None),
                delivery=DeliveryMode.EXACTLY_ONCE,
                long_run=LongRun(max_duration_seconds=900),
                overlap=Overlap(policy=OverlapPolicy.QUEUE, concurrency_key="warehouse"),
            ),
            trigger_rule=at_least(2),
            fan_out=FanOut(
                over="tasks.extract.result", join=Join(kind=JoinKind.SHARE, share=0.07), max_width=9
            ),
            input='{"n": {"$ref": "item"}}',
        ),
        task("told", spec=InlineTask(action=SnsAction(topic_arn=_TOPIC), payload='"ä"')),
        task("sleep", spec=WaitTask(kind=WaitKind.SLEEP, time="06:00", timezone="Europe/Berlin")),
        task(
            "gate",
            spec=WaitTask(
                kind=WaitKind.APPROVAL,
                until=datetime(2026, 12, 1, tzinfo=UTC),
                on_expiry=Expiry.SKIP,
                approvers=("ann", "bob"),
            ),
        ),
    ),
    "extract -> job",
    "extract -> each",
    "job -* each",
    "each -x told",
    description="All there is.",
    tags={"team": "data"},
    metadata={"wiki": "x"},
    failure_policy=FailurePolicy.RETRY,
    max_retries=3,
    timeout_seconds=7_200,
)
LARGE = dag(tuple(task(f"t{n}", name="x" * 200) for n in range(400)))


def named(number: int, **fields: object) -> Dag:
    """One of several DAGs, created a second apart."""
    seed = f"dag {number}".encode()
    return replace(dag((task("a"),)), dag_id=dag_id_from(seed), created_at=after(number), **fields)  # type: ignore[arg-type]


def next_version(before: Dag, **fields: object) -> Dag:
    """Return the changed DAG's next version, a second later."""
    at = after(before.version)
    return replace(before, version=before.version + 1, updated_at=at, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("definition", [FULL, LARGE], ids=["every-field", "large"])
def test_a_dag_is_read_as_it_was_written(stores: Stores, definition: Dag) -> None:
    """Also one that is too large for its item; no other tenant has it."""
    assert definition == stores.dags.create(definition)
    assert definition == stores.dags.get(TENANT, definition.dag_id)
    assert definition == stores.dags.version(TENANT, definition.dag_id, 1)
    with pytest.raises(DagNotFound):
        stores.dags.get(OTHER_TENANT, definition.dag_id)
    with pytest.raises(DagNotFound):
        stores.dags.version(OTHER_TENANT, definition.dag_id, 1)
    with pytest.raises(DagNotFound):
        stores.dags.versions(OTHER_TENANT, definition.dag_id, limit=9, cursor=None)


def test_an_instant_is_kept_to_the_millisecond(stores: Stores) -> None:
    """A stored instant has milliseconds everywhere."""
    fine = replace(FULL, created_at=after(0.0015), updated_at=after(0.0019))
    stores.dags.create(fine)

    assert stores.dags.get(TENANT, fine.dag_id).updated_at == after(0.001)


def test_a_dag_is_created_once(stores: Stores) -> None:
    """A later creation is told what is there, also after it was changed."""
    stores.dags.create(FULL)
    second = next_version(FULL, name="second")
    stores.dags.update(FULL, second)

    assert second == stores.dags.create(replace(FULL, name="again"))


def test_of_two_creations_at_once_one_is_stored(stores: Stores) -> None:
    """And both are told of that one."""
    one, two = replace(FULL, name="one"), replace(FULL, name="two")
    told = race(lambda: stores.dags.create(one), lambda: stores.dags.create(two))

    assert told == [stores.dags.get(TENANT, FULL.dag_id)] * 2


def test_every_version_stays_as_it_was(stores: Stores) -> None:
    """The latest under its number as well; there are no others."""
    first = stores.dags.create(LARGE)
    second = next_version(first, tasks=FULL.tasks, edges=FULL.edges, name="smaller")
    third = next_version(second, status=DagStatus.DELETED)
    stores.dags.update(first, second)
    stores.dags.update(second, third)

    assert [first, second, third] == [
        stores.dags.version(TENANT, LARGE.dag_id, number) for number in (1, 2, 3)
    ]
    assert third == stores.dags.get(TENANT, LARGE.dag_id)
    for number in (0, 4):
        with pytest.raises(DagVersionNotFound):
            stores.dags.version(TENANT, LARGE.dag_id, number)


def test_only_the_latest_version_is_replaced(stores: Stores) -> None:
    """A change decided about another version is refused, and leaves nothing behind."""
    stores.dags.create(FULL)
    second = next_version(FULL, name="second")
    stores.dags.update(FULL, second)
    with pytest.raises(DagChanged):
        stores.dags.update(FULL, next_version(FULL, name="other"))
    with pytest.raises(DagChanged):
        stores.dags.update(next_version(second), next_version(next_version(second)))
    unknown = named(1)
    with pytest.raises(DagChanged):
        stores.dags.update(unknown, next_version(unknown))

    assert second == stores.dags.get(TENANT, FULL.dag_id)
    assert stores.dags.version(TENANT, FULL.dag_id, 1) == FULL
    with pytest.raises(DagNotFound):
        stores.dags.get(TENANT, unknown.dag_id)


def test_of_two_changes_at_once_one_wins(stores: Stores) -> None:
    """The other one reads again and decides anew."""
    stores.dags.create(FULL)

    def change(name: str) -> str | None:
        try:
            stores.dags.update(FULL, next_version(FULL, name=name))
        except DagChanged:
            return None
        return name

    won = [name for name in race(*(partial(change, name) for name in "abcd")) if name]

    assert won == [stores.dags.get(TENANT, FULL.dag_id).name]


def test_versions_are_listed_by_page_the_latest_first(stores: Stores) -> None:
    """A cursor is good for its listing; a version that comes meanwhile is on no later page."""
    versions = [stores.dags.create(FULL)]
    for _ in range(4):
        versions.append(next_version(versions[-1]))
        stores.dags.update(*versions[-2:])
    expected = [DagRow.of(version) for version in reversed(versions)]
    pages: list[tuple[DagRow, ...]] = []
    cursor: str | None = None
    while cursor is not None or not pages:
        page = stores.dags.versions(TENANT, FULL.dag_id, limit=2, cursor=cursor)
        pages.append(page.rows)
        cursor = page.cursor
        if len(pages) == 1:
            stores.dags.update(versions[-1], next_version(versions[-1]))

    assert [list(rows) for rows in pages] == [expected[:2], expected[2:4], expected[4:]]
    assert stores.dags.versions(TENANT, FULL.dag_id, limit=6, cursor=None).cursor is None
    one = stores.dags.versions(TENANT, FULL.dag_id, limit=1, cursor=None)
    assert ([row.version for row in one.rows], one.cursor is None) == ([6], False)
    with pytest.raises(InvalidInput):
        stores.dags.versions(TENANT, FULL.dag_id, limit=2, cursor="x")


def test_dags_are_listed_by_page_newest_first(stores: Stores) -> None:
    """Deleted DAGs have a list of their own; neither list holds jobs."""
    created = [stores.dags.create(named(number)) for number in range(5)]
    stores.dags.create(replace(named(9), tenant=OTHER_TENANT))
    gone = next_version(created[2], status=DagStatus.DELETED)
    stores.dags.update(created[2], gone)
    active = [DagRow.of(created[number]) for number in (4, 3, 1, 0)]
    first = stores.dags.list_dags(TENANT, DagStatus.ACTIVE, limit=3, cursor=None)
    rest = stores.dags.list_dags(TENANT, DagStatus.ACTIVE, limit=3, cursor=first.cursor)
    deleted = stores.dags.list_dags(TENANT, DagStatus.DELETED, limit=3, cursor=None)

    assert [*first.rows, *rest.rows] == active
    assert rest.cursor is None
    assert deleted.rows == (DagRow.of(gone),)
    assert stores.jobs.list_jobs(TENANT, limit=9, cursor=None).rows == ()
    with pytest.raises(InvalidInput):
        stores.dags.list_dags(TENANT, DagStatus.DELETED, limit=3, cursor=first.cursor)


def test_how_many_jobs_stand_is_read_at_once(stores: Stores) -> None:
    """Existing jobs of this tenant alone have a status."""
    many = [stores.add_job(job_id=job_id(f"job {n}")) for n in range(101)]
    cancelled = stores.add_job(job_id=job_id("cancelled"), status=JobStatus.CANCELLED)
    stores.add_job(job_id=job_id("theirs"), tenant=OTHER_TENANT)
    asked = [job.job_id for job in (*many, cancelled)]
    found = stores.dags.job_statuses(TENANT, [*asked, job_id("theirs"), job_id("unknown")])

    assert found == {
        **{job.job_id: JobStatus.ACTIVE for job in many},
        cancelled.job_id: JobStatus.CANCELLED,
    }
    assert stores.dags.job_statuses(TENANT, []) == {}

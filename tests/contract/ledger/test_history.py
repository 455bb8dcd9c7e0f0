"""``RunStore.history``: what became of the instants that a schedule named."""

from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import (
    JOB_ID,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.values.identity import AttemptId, Origin

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Seconds after the tests' beginning, to the number of attempts at that run.
TRIES = {0: 1, 60: 5, 120: 2, 180: 3}


@pytest.fixture
def busy(stores: Stores) -> Stores:
    """Four runs of the schedule, tried once and more often, and others that are none of it."""
    for seconds, count in TRIES.items():
        for origin in Origin:
            ids = [
                attempt_id(n, origin=origin, scheduled_at=after(seconds))
                for n in range(1, count + 1)
            ]
            stores.runs.insert_all([attempt_factory(id=each) for each in ids])
    stores.add(attempt_factory(id=attempt_id(9, job=job_id("another"), scheduled_at=after(60))))
    stores.add(attempt_factory(tenant=OTHER_TENANT, id=attempt_id(9, scheduled_at=after(60))))
    return stores


def read(stores: Stores, start: float, end: float, *, limit: int = 9) -> list[AttemptId]:
    """The attempts between two moments, in seconds after the tests' beginning."""
    found = stores.runs.history(TENANT, JOB_ID, start=after(start), end=after(end), limit=limit)
    return [attempt.id for attempt in found]


def last_of(*seconds: int) -> list[AttemptId]:
    """The last attempts at the runs of these moments."""
    return [attempt_id(TRIES[each], scheduled_at=after(each)) for each in seconds]


@pytest.mark.parametrize(
    ("start", "end", "limit", "found"),
    [
        pytest.param(0, 180, 9, (180, 120, 60, 0), id="all"),
        pytest.param(0, 180, 1, (180,), id="the-last"),
        pytest.param(0, 179.999, 2, (120, 60), id="two-before"),
        pytest.param(61, 119, 1, (), id="none"),
    ],
)
def test_a_range_is_read_from_its_end_as_well(
    busy: Stores, start: float, end: float, limit: int, found: tuple[int, ...]
) -> None:
    """The same runs, the latest first."""
    attempts = busy.runs.history(
        TENANT, JOB_ID, start=after(start), end=after(end), limit=limit, latest_first=True
    )

    assert [attempt.id for attempt in attempts] == last_of(*found)


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        pytest.param(0, 180, (0, 60, 120, 180), id="both-ends"),
        pytest.param(0.001, 179.999, (60, 120), id="neither-end"),
        pytest.param(60, 60, (60,), id="one-instant"),
        pytest.param(61, 119, (), id="between-instants"),
        pytest.param(-3600, 3600, (0, 60, 120, 180), id="all"),
    ],
)
def test_a_range_holds_both_its_ends(
    busy: Stores, start: float, end: float, found: tuple[int, ...]
) -> None:
    """Earliest first; each run once, as its last attempt; no trigger, and no other job's run."""
    assert read(busy, start, end) == last_of(*found)


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_no_more_than_asked_for_is_read(busy: Stores, limit: int) -> None:
    """The first of the range; a run's last attempt stands for it also at the limit."""
    assert read(busy, 0, 180, limit=limit) == last_of(0, 60, 120, 180)[:limit]


def test_a_page_of_history_is_one_query(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """However much history there is before and after it."""
    stores = new_dynamo_stores()
    stores.runs.insert_all([attempt_factory(due_at=after(n * 60)) for n in range(200)])
    with recorded(dynamodb) as calls:
        found = read(stores, 6000, 9000, limit=50)

    assert found == [attempt_id(scheduled_at=after(n * 60)) for n in range(100, 150)]
    assert calls == {"Query": 1}

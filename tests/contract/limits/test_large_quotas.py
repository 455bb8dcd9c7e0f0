"""Large quotas, which are allotted to several records: never one too many, and no room is lost."""

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.limits.test_quotas import add, cancel, is_let_in
from tests.support.factories import TENANT
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from timegate.adapters.dynamo.limits import tally
from timegate.domain.execution.quota_usage import Quota, Usage
from timegate.domain.jobs.job import Job

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

pytestmark = pytest.mark.wide


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotas from twenty on are allotted to sixteen records."""
    monkeypatch.setattr(tally, "LARGE", 20)


@pytest.mark.usefixtures("large")
def test_all_room_of_a_large_quota_is_used_whatever_ids_are(stores: Stores) -> None:
    """Forty ids are no even spread over sixteen records: the last place is had, and no more."""
    let_in = [is_let_in(stores, str(number), limit=40) for number in range(45)]

    assert let_in == [True] * 40 + [False] * 5
    assert stores.usage.usage(TENANT) == Usage(jobs=40)


def test_creations_of_a_large_quota_are_counted_apart(stores: Stores) -> None:
    """Sixteen records share 160 creations, so that those of one moment seldom meet."""
    for number in range(160):
        add(stores, str(number), limit=10_000)
    *parts, main = stores.usage.tallied(TENANT, Quota.JOBS).records

    assert (len(parts), sum(parts), main) == (16, 160, 0)
    assert min(parts) > 0
    assert max(parts) < 2 * 160 / 16


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("after", [39, 40, 19])
def test_a_large_quota_that_shrinks_lets_nothing_in(stores: Stores, after: int) -> None:
    """Records that were allotted under another quota have no room."""
    for number in range(40):
        add(stores, f"old {number}", limit=64)
    let_in = [is_let_in(stores, f"new {number}", limit=after) for number in range(3)]
    more = [is_let_in(stores, f"more {number}", limit=42) for number in range(3)]

    assert (let_in, more) == ([False] * 3, [True, True, False])
    assert stores.usage.usage(TENANT) == Usage(jobs=42)


@pytest.mark.usefixtures("large")
def test_a_quota_that_grows_large_counts_what_was_there(stores: Stores) -> None:
    """And one that is taken away counts on, so that it can be given again."""
    for number in range(3):
        add(stores, f"small {number}", limit=4)
    for number in range(17):
        add(stores, f"large {number}", limit=20)
    full = is_let_in(stores, "one too many", limit=20)
    add(stores, "without", limit=None)
    still_full = is_let_in(stores, "another", limit=20)

    assert (full, still_full) == (False, False)
    assert stores.usage.usage(TENANT) == Usage(jobs=21)


@pytest.mark.usefixtures("large")
def test_a_repetition_needs_no_room_of_a_large_quota(stores: Stores) -> None:
    """A process that has read nothing yet answers it as well."""
    jobs = [add(stores, str(number), limit=20) for number in range(20)]

    assert add(stores, "7", limit=20) == jobs[7]
    assert not is_let_in(stores, "another", limit=20)


@pytest.mark.usefixtures("large")
def test_of_many_at_once_a_large_quota_lets_in_what_has_room(stores: Stores) -> None:
    """Twelve who create where eight places are left, while two jobs end."""
    old = [add(stores, f"old {number}", limit=30) for number in range(22)]
    makers = [partial(is_let_in, stores, str(number), limit=30) for number in range(12)]

    def end(job: Job) -> bool:
        cancel(stores, job)
        return False

    let_in = race(*makers, partial(end, old[0]), partial(end, old[1])).count(True)
    rest = [is_let_in(stores, f"later {number}", limit=30) for number in range(3)]

    assert stores.usage.usage(TENANT) == Usage(jobs=30)
    assert let_in + rest.count(True) == 10


def test_what_a_large_quota_costs(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """A process reads the counts once, and the first creation of all allots them; from then on a
    creation is one call.
    """
    stores = new_dynamo_stores()
    with recorded(dynamodb) as first:
        add(stores, "first", limit=10_000)
    with recorded(dynamodb) as second:
        add(stores, "second", limit=10_000)
    again = new_dynamo_stores()
    with recorded(dynamodb) as small:
        add(again, "third", limit=9_999)

    assert first == {"Query": 1, "TransactWriteItems": 2}
    assert second == {"TransactWriteItems": 1}
    assert small == {"TransactWriteItems": 1}

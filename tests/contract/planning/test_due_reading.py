"""Reading a bucket while tenants are passed over: their jobs are left out, the bucket is not."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import OTHER_TENANT, TENANT, after, job_id
from tests.support.stores.contract_stores import MINUTE
from timegate.domain.jobs.job import Timing
from timegate.domain.values.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

FLOOD = 7
ONE = 0


@pytest.mark.parametrize(
    ("passing_over", "seen"),
    [
        pytest.param(set[TenantId](), [TENANT] * FLOOD + [OTHER_TENANT], id="none"),
        pytest.param({TENANT}, [TENANT] * 2 + [OTHER_TENANT], id="the flood"),
        pytest.param({TENANT, OTHER_TENANT}, [TENANT] * 2, id="both"),
    ],
)
def test_what_is_passed_over_is_left_out_from_the_second_page_on(
    dynamodb: "DynamoDBClient",
    new_dynamo_stores: NewStores,
    passing_over: set[TenantId],
    seen: list[TenantId],
) -> None:
    """Pages of two: a tenant that is named while the first is read is not seen on the others."""
    stores = new_dynamo_stores(shards=1)
    for number in range(FLOOD):
        stores.add_job(job_id=job_id(f"flood {number}"), next_run_at=after(number))
    stores.add_job(job_id=job_id("quiet"), tenant=OTHER_TENANT, next_run_at=after(50))

    def in_pairs(params: dict[str, Any], **_: object) -> None:
        params["Limit"] = 2

    name = "provide-client-params.dynamodb.Query"
    dynamodb.meta.events.register(name, in_pairs)
    try:
        named: set[TenantId] = set()
        found = []
        for timing in stores.jobs.due(MINUTE, ONE, passing_over=named):
            assert isinstance(timing, Timing)
            found.append(timing.tenant)
            named |= passing_over
    finally:
        dynamodb.meta.events.unregister(name, in_pairs)

    assert found == seen

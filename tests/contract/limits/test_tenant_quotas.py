"""A run is loaded with its tenant's quota of concurrent runs, in the same call."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.conftest import NewStores
from tests.support.factories import TENANT, attempt_factory
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.limits.quotas import Quotas
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def quota_seen(stores: Stores) -> int | None:
    """Return the quota that a worker would see."""
    attempt = attempt_factory()
    (loaded,) = stores.runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
    assert loaded.job is not None
    return loaded.job.tenant_runs


def test_a_run_comes_with_its_tenants_quota(stores: Stores) -> None:
    """The last setting counts; a tenant without one has none."""
    stores.add(attempt_factory())
    stores.add_job()
    without = quota_seen(stores)
    before = stores.tenants.get(TENANT)
    stores.tenants.put(TENANT, before, replace(before, quotas=Quotas(concurrent_runs=7)))

    assert without is None
    assert quota_seen(stores) == 7


def test_it_costs_no_call(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """It is read with the run."""
    stores = new_dynamo_stores()
    stores.add(attempt_factory())
    stores.add_job()
    with recorded(dynamodb) as calls:
        quota_seen(stores)

    assert calls == {"BatchGetItem": 1}

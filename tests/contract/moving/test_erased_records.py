"""``TenantRecords``: everything of a tenant is found, deleted, and nothing else."""

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT, attempt_factory, job_factory
from tests.support.stores.contract_stores import Stores
from tests.support.tenants.api_keys import key_factory
from timegate.adapters.moving.item_kinds import owner_of, owner_of_blob
from timegate.adapters.moving.tenant_records import DynamoTenantRecords
from timegate.domain.runs.run import RunState
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.tenant_records import FoundRecords

#: Names that begin as a partition of the stage does.
LIKE_THE_STAGE = ("shard", "shards", "shards-co", "stage", "stage-eu")


def records_of(stores: Stores) -> DynamoTenantRecords:
    """Over the two tables of the stores."""
    jobs, runs = stores.jobs, stores.runs
    tables = {"jobs_table": jobs._table, "runs_table": runs._table}  # type: ignore[attr-defined]
    return DynamoTenantRecords(stores.engine, **tables)


def test_records_are_counted_and_deleted(stores: Stores) -> None:
    """More than one batch of them; another tenant's stay, and one's whose name begins alike."""
    alike = TenantId(f"{TENANT}-eu")
    for tenant in (TENANT, OTHER_TENANT, alike):
        stores.add_job(tenant=tenant)
        stores.add(attempt_factory(tenant=tenant, state=RunState.QUEUED))
    assert all(stores.api_keys.put(None, key_factory(slot=slot)) for slot in range(30))
    records = records_of(stores)
    found = records.find(TENANT)

    assert (found.at_work, found.count >= 32) == (0, True)
    assert records.erase(TENANT) == found.count
    assert records.find(TENANT) == FoundRecords()
    assert records.erase(TENANT) == 0
    assert stores.api_keys.list_keys(TENANT, now=NOW).keys == ()
    for tenant in (OTHER_TENANT, alike):
        assert stores.jobs.get(tenant, job_factory().timing.job_id)
        assert records.find(tenant).count >= 2


@pytest.mark.parametrize("name", LIKE_THE_STAGE)
def test_a_tenant_may_be_called_as_a_partition_of_the_stage(stores: Stores, name: str) -> None:
    """Its records are its own, and the stage's stay."""
    tenant = TenantId(name)
    stores.add_job(tenant=tenant)
    stores.add(attempt_factory(tenant=tenant, state=RunState.QUEUED))
    records = records_of(stores)

    assert records.find(tenant).count >= 2
    assert records.erase(tenant) >= 2
    assert records.find(tenant) == FoundRecords()
    assert [
        owner_of({"pk": "shard#3", "sk": "planner"}),
        owner_of({"pk": "shards", "sk": "open"}),
    ] == [None, None]


@pytest.mark.parametrize("folder", ["payloads", "payloads/_runs", "results", "checkpoints"])
def test_a_text_is_its_tenants(folder: str) -> None:
    """Behind its folder; an import leaves out those of tenants that were erased."""
    assert owner_of_blob(f"{folder}/acme/job/digest") == TenantId("acme")

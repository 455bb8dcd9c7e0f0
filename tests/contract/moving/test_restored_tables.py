"""A table that is restored from a backup, read beside the stage that went on."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.admin.moving import export_stage, import_stage, restored
from infra.admin.stage_access import StageAccess
from tests.contract.conftest import NewStores
from tests.support.factories import NOW, TENANT, job_id
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.adapters.memory.clock import MemoryClock
from timegate.usecases.planning.open_shards import open_shards

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_a_job_that_was_deleted_comes_back_from_a_backup(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores, tmp_path: Path
) -> None:
    """By DynamoDB's own backup, an export of the restored table, and an import into the stage."""
    stores = new_dynamo_stores()
    jobs: Any = stores.jobs
    runs: Any = stores.runs
    open_shards(4, stores.open_shards, MemoryClock(NOW))
    lost = stores.add_job(job_id=job_id("lost"))
    kept = stores.add_job(job_id=job_id("kept"))
    backup = dynamodb.create_backup(TableName=jobs._table, BackupName="before")
    dynamodb.delete_item(
        TableName=jobs._table, Key={"pk": {"S": f"{TENANT}#{lost.job_id}"}, "sk": {"S": "job"}}
    )
    dynamodb.restore_table_from_backup(
        TargetTableName=f"{jobs._table}-restored",
        BackupArn=backup["BackupDetails"]["BackupArn"],
    )
    access = StageAccess(
        name="prod",
        engine=stores.engine,
        jobs_table=jobs._table,
        runs_table=runs._table,
        blobs=MemoryBlobStore(),
        lambdas=None,  # type: ignore[arg-type]  # no function is asked
        settle=lambda: None,
    )
    past = restored(access, f"{jobs._table}-restored", None)
    export_stage(past, tmp_path / "f", tenant=TENANT, history=False, now=NOW, jobs=[lost.job_id])
    counts = import_stage(access, tmp_path / "f", now=NOW)

    assert (counts.data()["stored"], counts.different) == ({"job": 1}, 0)
    assert stores.jobs.get(TENANT, lost.job_id) == replace(lost, resumed_at=NOW)
    assert stores.jobs.get(TENANT, kept.job_id) == kept

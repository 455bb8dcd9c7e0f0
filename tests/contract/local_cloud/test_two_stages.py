"""Operators' commands between two stages of one cloud, by CloudFormation, DynamoDB and S3."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from typer.testing import CliRunner, Result

from infra.local.cloud import LocalCloud
from tests.support.factories import TENANT, job_id
from tests.support.stores.stores_on import Stores, stores_on
from tests.support.stores.table_descriptions import jobs_table, runs_table
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.system_clock import SystemClock
from timegate.cli.main import app
from timegate.domain.values.payload import Payload
from timegate.usecases.planning.open_shards import OpeningSpread

PAYLOAD = "payloads/acme/large"


@dataclass(frozen=True)
class DeployedStage:
    """The data stack of a stage, and stores over its tables."""

    stores: Stores
    blobs: S3BlobStore


def table(described: Mapping[str, Any]) -> dict[str, Any]:
    """A table as CloudFormation is told of it."""
    stream = {"StreamViewType": described["StreamSpecification"]["StreamViewType"]}
    return {
        "Type": "AWS::DynamoDB::Table",
        "Properties": {**described, "StreamSpecification": stream},
    }


def deployed(name: str) -> DeployedStage:
    """Deploy the data stack of a stage: its tables, its bucket, and what tells of them."""
    jobs, runs, bucket = f"{name}-jobs", f"{name}-runs", f"{name}-blobs"
    outputs = {"JobsTableName": jobs, "RunsTableName": runs, "BlobBucketName": bucket}
    template = {
        "Resources": {
            "Jobs": table(jobs_table(jobs)),
            "Runs": table(runs_table(runs)),
            "Blobs": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": bucket}},
        },
        "Outputs": {key: {"Value": value} for key, value in outputs.items()},
    }
    formation = boto3.client("cloudformation")
    stack = f"Timegate-{name}-Data"
    formation.create_stack(StackName=stack, TemplateBody=json.dumps(template))
    formation.get_waiter("stack_create_complete").wait(
        StackName=stack, WaiterConfig={"Delay": 1, "MaxAttempts": 30}
    )
    engine, s3 = BotoEngine(boto3.client("dynamodb")), boto3.client("s3")
    blobs = S3BlobStore(lambda: s3, bucket)
    unplaced: Any = None
    shards = stores_on(engine, jobs=jobs, runs=runs, shards=unplaced).open_shards
    spread = OpeningSpread(2, shards, SystemClock())
    spread()
    return DeployedStage(stores_on(engine, jobs=jobs, runs=runs, shards=spread, blobs=blobs), blobs)


@pytest.fixture(scope="module")
def stages(cloud: LocalCloud) -> Iterator[dict[str, DeployedStage]]:
    """Two stages; the first has three jobs, one with a large payload."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in cloud.environment.items():
            patch.setenv(name, value)
        found = {name: deployed(name) for name in ("prod", "prod-b")}
        later = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=2)
        found["prod"].blobs.put(PAYLOAD, '"large"')
        for name, payload in (("a", Payload()), ("b", Payload()), ("c", Payload(blob=PAYLOAD))):
            found["prod"].stores.add_job(job_id=job_id(name), next_run_at=later, payload=payload)
        yield found


def timegate(*words: str, code: int = 0) -> Result:
    """Run an operator's command that ends with this code."""
    result = CliRunner().invoke(app, ["admin", *words])
    assert result.exit_code == code, result.output
    return result


def test_a_tenant_goes_from_one_stage_to_the_other(
    stages: dict[str, DeployedStage], tmp_path: Path
) -> None:
    """The page has these commands; both stages show the progress of the move."""
    ends, file = ("--from", "prod", "--to", "prod-b", "--tenant", TENANT), str(tmp_path / "f")
    at = (datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    begun = timegate("move", "begin", *ends, "--at", at)
    exported = json.loads(
        timegate("export", file, "--stage", "prod", "--tenant", TENANT, "--json").stdout
    )
    imported = json.loads(timegate("import", file, "--stage", "prod-b", "--json").stdout)
    early = timegate("move", "close", *ends, code=1)
    there = stages["prod-b"]

    assert "prod-b: arriving from stage prod" in begun.stdout
    assert (exported["records"]["job"], exported["records"]["blob"]) == (3, 1)
    assert (imported["stored"]["job"], imported["different"]) == (3, 0)
    assert there.stores.jobs.get(TENANT, job_id("c")).payload.blob == PAYLOAD
    assert there.blobs.get(PAYLOAD) == '"large"'
    assert there.stores.usage.usage(TENANT).jobs == 3
    assert "move_refused" in early.output
    assert "not on the move" in timegate("move", "withdraw", *ends).stdout


def test_quotas_are_recounted_on_the_cloud(stages: dict[str, DeployedStage]) -> None:
    """And a stage that is not there is named."""
    counted = timegate("quotas", "--stage", "prod", "--tenant", TENANT)
    missing = timegate("quotas", "--stage", "staging", "--tenant", TENANT, code=3)

    assert counted.stdout.splitlines()[0] == "jobs: 3 counted, 3 present"
    assert "stage_not_found" in missing.output
    assert stages

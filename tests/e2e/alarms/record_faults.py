"""Faults in records of the deployed stack: damaged, lost, miscounted, or standing still.

Each is mended as its runbook says.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from botocore.exceptions import ClientError

from infra.local.deployment import ROOT
from infra.rollout_choice import LIVE
from tests.e2e.alarms.rung_alarms import PREFIX
from tests.support.deployed.deployed_losses import DeployedLosses
from tests.support.deployed.stack import Stack, switch_sources
from tests.support.deployed.timing.backdating import shift
from timegate.adapters.dynamo.operations.operation_items import operation_key
from timegate.adapters.dynamo.tables.keys import Key, attempt_key, cursor_key, job_key
from timegate.domain.archive.rounds import (
    ArchivedTable,
    Round,
    Span,
    complete_path,
    plan_path,
    rounds_folder,
)
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.values.identity import AttemptId, JobId, OperationId, RunId
from timegate.domain.values.instants import compact, minute_of
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.cursors import Watcher

JOBS, RUNS = "JobsTableName", "RunsTableName"
SHARDS = [0, 1, 2, 3]
OPERATIONS = PREFIX + "operations"
POOL = "rings-late"
#: No run calls it.
NOWHERE = "http://127.0.0.1:9/never"
#: How far the planner has come in a shard.
PLANNED = cursor_key(Watcher.PLANNER, SHARDS[0])
YEARLY = {"kind": "cron", "cron": "0 0 1 1 *"}
#: Beyond the bounds of the alarms.
BEHIND, STALLED, UNCLAIMED = (timedelta(minutes=minutes) for minutes in (8, 6, 90))
NOT_ARCHIVED = timedelta(weeks=3)
#: Records that the count of a tenant's jobs has too many.
DRIFT = 3


@dataclass
class RecordFaults:
    """Records of the first tenant, and a shard's cursor, each with what its runbook does."""

    stack: Stack
    #: By what is wrong with each.
    jobs: dict[str, str] = field(default_factory=dict)

    def make(self) -> None:
        """Damage a job, lose another's place, miscount jobs; age offer, operation and archive."""
        for name in ("damaged", "lost"):
            self.jobs[name] = self._create(name, YEARLY, {"type": "webhook", "url": NOWHERE})
        self._write(job_key(self._tenant, JobId(self.jobs["damaged"])), status="x")
        self._enter(JOBS, job_key(self._tenant, JobId(self.jobs["damaged"])), "due")
        DeployedLosses(self.stack).lose_index(self.jobs["lost"])
        self._age_an_offer()
        self._stop_an_operation()
        self._miscount(DRIFT)
        self._age_archive()

    def suffer(self) -> None:
        """Let the planner find a shard behind, while the others look at all."""
        looking = ("SweeperFunctionName", "AuditorFunctionName", "ArchiverFunctionName")
        with ThreadPoolExecutor(len(looking)) as pool:
            looks = [pool.submit(self._tick, each) for each in looking]
            # An alarm on two minutes wants a point in each: looks may take longer.
            while True:
                with suppress(ClientError):
                    shift(self.stack, JOBS, PLANNED, watermark=BEHIND)
                self._tick("PlannerFunctionName")
                if all(each.done() for each in looks):
                    break
        for each in looks:
            each.result()

    def _tick(self, output: str) -> None:
        answer = self._functions.invoke(
            FunctionName=self.stack.outputs[output],
            Qualifier=LIVE,
            Payload=json.dumps({"shards": SHARDS}),
        )
        assert "FunctionError" not in answer, answer["Payload"].read()

    def mend(self) -> None:
        """Follow the runbooks."""
        self._write(job_key(self._tenant, JobId(self.jobs["damaged"])), status="active")
        for action in ("pause", "resume"):
            self._post(f"/v1/jobs/{self.jobs['lost']}/{action}")
        asked = {"worker": "late", "max": 1, "wait_seconds": 10}
        for run in self._post(f"/v1/pools/{POOL}/claim", asked)["runs"]:
            said = {"lease_token": run["lease_token"], "result": None}
            self._post(f"/v1/runs/{run['run_id']}/complete", said)
        switch_sources(self.stack, OPERATIONS, on=True)
        self._admin("quotas", "--tenant", self._tenant, "--repair")

    def _age_an_offer(self) -> None:
        """Let a run wait in its pool for long."""
        job = self._create("late", {"kind": "immediate"}, {"type": "worker", "handler": "h"})
        (run,) = self.stack.runs(job)
        first = AttemptId(run=RunId.parse(run["run_id"]), number=1)
        key = attempt_key(self._tenant, first)
        shift(self.stack, RUNS, key, due_at=UNCLAIMED)
        self._enter(RUNS, key, "watch")

    def _stop_an_operation(self) -> None:
        """Begin a bulk change that none of its workers hears of."""
        switch_sources(self.stack, OPERATIONS, on=False)
        asked = {"kind": "pause", "filter": {"tags": {"rings": "stalled"}}}
        operation = OperationId(self._post("/v1/operations", asked)["operation_id"])
        key = operation_key(self._tenant, operation)
        shift(self.stack, JOBS, key, updated_at=STALLED, due_at=timedelta(seconds=1))

    def _age_archive(self) -> None:
        """Let the last round have ended three weeks ago; the archiver's tick makes the next one."""
        archive, bucket = self.stack.aws("s3"), self.stack.outputs["ArchiveBucketName"]
        stored = archive.list_objects_v2(Bucket=bucket, Prefix=rounds_folder())
        for each in stored.get("Contents", []):
            archive.delete_object(Bucket=bucket, Key=each["Key"])
        span = Span(begin=None, end=(datetime.now(UTC) - NOT_ARCHIVED).date())
        empty = Round(span=span, segments=dict.fromkeys(ArchivedTable, 0))
        for path, told in (
            (plan_path(empty.name), empty.as_json()),
            (complete_path(empty.name), {"files": 0, "rows": 0}),
        ):
            archive.put_object(Bucket=bucket, Key=path, Body=json.dumps(told))

    def _miscount(self, by: int) -> None:
        self._tables.update_item(
            TableName=self.stack.outputs[JOBS],
            Key=_plain(Key(pk=f"{self._tenant}#quota", sk=f"{Quota.JOBS}#made")),
            UpdateExpression="ADD counted :by",
            ExpressionAttributeValues={":by": {"N": str(by)}},
        )

    def _create(self, name: str, schedule: dict[str, str], action: dict[str, str]) -> str:
        pool = {"pool": POOL} if action["type"] == "worker" else {}
        job = self.stack.create_job(name=name, schedule=schedule, action=action | pool)
        return str(job["job_id"])

    def _write(self, key: Key, **texts: str) -> None:
        """Change texts of an item by hand."""
        self._tables.update_item(
            TableName=self.stack.outputs[JOBS],
            Key=_plain(key),
            UpdateExpression="SET " + ", ".join(f"#{name} = :{name}" for name in texts),
            ExpressionAttributeNames={f"#{name}": name for name in texts},
            ExpressionAttributeValues={f":{name}": {"S": text} for name, text in texts.items()},
        )

    def _enter(self, table: str, key: Key, index: str) -> None:
        """Let an index show an item in the minute before this one."""
        at = datetime.now(UTC) - timedelta(minutes=1)
        name, place = self.stack.outputs[table], f"{index}_bucket"
        stored = self._tables.get_item(TableName=name, Key=_plain(key))["Item"][place]["S"]
        minute = minute_of(at)
        self._tables.update_item(
            TableName=name,
            Key=_plain(key),
            UpdateExpression=f"SET {place} = :bucket, {index}_at = :at",
            ExpressionAttributeValues={
                ":bucket": {"S": minute + stored[len(minute) :]},
                ":at": {"S": compact(at)},
            },
        )

    def _post(self, path: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
        answer = self.stack.api.post(path, json=body)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def _admin(self, *words: str) -> None:
        """Give an operator's command."""
        done = subprocess.run(
            [sys.executable, "-m", "timegate.cli", "admin", *words, "--stage", "local"],
            cwd=ROOT,
            env={**os.environ, **self.stack.cloud.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    @cached_property
    def _functions(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("lambda")

    @cached_property
    def _tables(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("dynamodb")

    @cached_property
    def _tenant(self) -> TenantId:
        return TenantId(self.stack.tenant("first"))


def _plain(key: Key) -> dict[str, dict[str, str]]:
    return {"pk": {"S": key.pk}, "sk": {"S": key.sk}}

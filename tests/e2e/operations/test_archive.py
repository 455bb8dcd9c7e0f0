"""The archive on the deployed stack: a round, read by SQL, the command line and the API."""

import json
import subprocess
import sys
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from examples.ledger_audit import verify_ledger
from infra.local.webhook_target import Recorder
from tests.e2e.runs.test_overlap import wait_for_state
from tests.e2e.runs.test_triggers import job_with_payload, triggered
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.clock_edges import stay_clear_of_midnight
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.domain.values.identity import AttemptId, RunId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId

pytestmark = pytest.mark.wide

#: The end of a run that its round has; records of tests end now.
ENDED = datetime.now(UTC) - timedelta(days=3)
#: A tick that finds nothing due.
NOTHING = {
    "segments": 0,
    "files": 0,
    "rows": 0,
    "completed": None,
    "seals": 0,
    "sealed_month": None,
}
SCRIPT = Path(verify_ledger.__file__)


def archived_earlier(stack: Stack, run_id: str, ended: datetime = ENDED) -> tuple[str, str]:
    """Store a run as if it had been due and ended earlier; returns its tenant and id."""
    tenant = TenantId(stack.tenant("first"))
    dynamodb, table = stack.aws("dynamodb"), stack.outputs["RunsTableName"]
    run = RunId.parse(run_id)
    key = attempt_key(tenant, AttemptId(run=run, number=1))
    item = dynamodb.get_item(TableName=table, Key=key.attributes())["Item"]
    now, then = compact(run.scheduled_at), compact(ended)
    earlier = json.loads(json.dumps(item).replace(now, then))
    dynamodb.put_item(TableName=table, Item={**earlier, "ended_at": {"S": then}})
    return tenant, run_id.replace(now, then)


def day_of_sealed_month() -> datetime:
    """A day of the last month that a round of now has all of."""
    stay_clear_of_midnight()
    return (datetime.now(UTC) - timedelta(days=1)).replace(day=1) - timedelta(days=10)


def begin_anew(stack: Stack) -> None:
    """Empty the archive, as no function can: an hourly tick may have archived a round."""
    s3, bucket = stack.aws("s3"), stack.outputs["ArchiveBucketName"]
    for each in s3.list_objects_v2(Bucket=bucket).get("Contents", []):
        s3.delete_object(Bucket=bucket, Key=each["Key"])


def asked(stack: Stack, sql: str) -> list[list[str | None]]:
    """The rows that Athena answers, without their heading."""
    athena = stack.aws("athena")
    query = athena.start_query_execution(
        QueryString=sql,
        QueryExecutionContext={"Database": stack.outputs["ArchiveDatabase"]},
        WorkGroup=stack.outputs["ArchiveWorkgroup"],
    )["QueryExecutionId"]

    def ended() -> dict[str, Any] | None:
        status = athena.get_query_execution(QueryExecutionId=query)["QueryExecution"]["Status"]
        return status if status["State"] not in {"QUEUED", "RUNNING"} else None

    status = wait_until(ended, seconds=60)
    assert status["State"] == "SUCCEEDED", status
    rows = athena.get_query_results(QueryExecutionId=query)["ResultSet"]["Rows"][1:]
    return [[cell.get("VarCharValue") for cell in row["Data"]] for row in rows]


def test_ended_runs_are_archived_once_and_read_in_every_way(
    stack: Stack, recorder: Recorder, timegate: CommandLine
) -> None:
    """By Athena, by the command line and by the API; a second tick of the archiver adds nothing."""
    job_id = job_with_payload(stack, recorder, "archived")
    answer = triggered(stack, job_id, {"payload_patch": {"page": 2}})
    wait_for_state(stack, str(answer.json()["run_id"]), "succeeded")
    begin_anew(stack)
    tenant, run_id = archived_earlier(stack, str(answer.json()["run_id"]))
    day = ENDED.date().isoformat()
    first = stack.invoke("ArchiverFunctionName", {})
    second = stack.invoke("ArchiverFunctionName", {})
    where = f"tenant = '{tenant}' AND day = '{day}'"
    found = asked(stack, f"SELECT run_id, attempt, state FROM attempts WHERE {where}")
    listed = timegate.json("runs", "list", "--archived", "--from", f"{day}T00:00:00Z")
    shown = timegate.json("runs", "get", run_id, "--archived")

    assert first["completed"] is not None
    assert first["rows"] >= 1
    assert second == NOTHING
    assert found == [[run_id, "1", "succeeded"]]
    assert [run["run_id"] for run in listed["items"]] == [run_id]
    assert listed["archived_until"] == first["completed"]
    assert [each["state"] for each in shown["attempts"]] == ["succeeded"]
    assert shown["payload"]["page"] == 2
    # Another tenant reads nothing of it.
    assert stack.other_api.get("/v1/archive/runs").json()["items"] == []
    assert stack.other_api.get(f"/v1/archive/runs/{run_id}").status_code == 404


def test_a_sealed_month_is_exported_and_verified_offline(
    stack: Stack, recorder: Recorder, timegate: CommandLine, tmp_path: Path
) -> None:
    """By its tenant, with the stage's public key; a byte that is changed is found."""
    job_id = job_with_payload(stack, recorder, "sealed")
    answer = triggered(stack, job_id, {})
    wait_for_state(stack, str(answer.json()["run_id"]), "succeeded")
    begin_anew(stack)
    day = day_of_sealed_month()
    tenant, _ = archived_earlier(stack, str(answer.json()["run_id"]), day)
    month = f"{day:%Y-%m}"
    first = stack.invoke("ArchiverFunctionName", {})
    second = stack.invoke("ArchiverFunctionName", {})
    months = timegate.json("ledger", "months")["items"]
    exported = timegate.json("ledger", "export", "--month", month, "--to", str(tmp_path / "copy"))
    key = stack.aws("kms").get_public_key(KeyId="alias/timegate-local-seals")["PublicKey"]
    (tmp_path / "key.pem").write_text(
        f"-----BEGIN PUBLIC KEY-----\n{b64encode(key).decode()}\n-----END PUBLIC KEY-----\n"
    )
    whole = verified(tmp_path, tenant, month)
    (changed,) = (tmp_path / "copy" / "attempts").rglob("*.parquet")
    changed.write_bytes(changed.read_bytes()[:-1] + b"X")
    broken = verified(tmp_path, tenant, month)

    assert (first["seals"], first["sealed_month"]) == (1, month)
    assert second == NOTHING
    assert months == [{"month": month}]
    assert exported["items"][0]["rows"] == 1
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert exported["items"][0]["sha256"] in whole.stdout
    assert broken.returncode == 1
    assert "it was changed" in broken.stdout
    # Another tenant has no seal, and reads none.
    assert stack.other_api.get(f"/v1/archive/seals/{month}").status_code == 404


def verified(place: Path, tenant: str, month: str) -> subprocess.CompletedProcess[str]:
    """The script's end, in a process without Timegate."""
    return subprocess.run(
        [
            *(sys.executable, "-I", str(SCRIPT), str(place / "copy"), tenant),
            *("--key", str(place / "key.pem"), "--until", month),
        ],
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_old_run_is_named_with_its_partition(stack: Stack, timegate: CommandLine) -> None:
    """Its record is gone, and the answer says where to look."""
    run_id = f"{'a' * 26}.t20250101T000000000Z"
    result = timegate("runs", "get", run_id, code=1)
    answer = stack.api.get(f"/v1/runs/{run_id}")

    assert (answer.status_code, answer.json()["code"]) == (404, "run_expired")
    assert answer.json()["archived_in"].endswith("/day=2025-01-01/")
    assert "the archive has it" in result.output.replace("\n", " ")

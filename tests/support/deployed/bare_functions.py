"""Functions as a cold start finds them: with their layers, and nothing of this environment."""

import json
from pathlib import Path

from infra.assets.vendor import build_vendor
from infra.stage.settings import HOST_PLATFORM

ROOT = Path(__file__).resolve().parents[3]
FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/handler.py"))
#: Packages that AWS puts beside a Python function: an SDK of the day, and its dependencies.
PROVIDED = ("boto3", "botocore", "s3transfer", "urllib3", "jmespath", "dateutil", "six")
QUEUES = json.dumps({"normal-short": "https://sqs.us-east-1.amazonaws.com/1/q"})
VARIABLES = {
    "AWS_DEFAULT_REGION": "us-east-1",
    # Lambda gives each function those of its role: without them, a client looks for a machine's.
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "POWERTOOLS_SERVICE_NAME": "test",
    "POWERTOOLS_METRICS_NAMESPACE": "Timegate",
    "JOBS_TABLE": "jobs",
    "RUNS_TABLE": "runs",
    "BLOB_BUCKET": "blobs",
    "ARCHIVE_BUCKET": "archive",
    "SHARDS": "4",
    "LOOK_AHEAD_SECONDS": "600",
    "HOLD_LEAD_SECONDS": "1",
    "RUN_RETENTION_DAYS": "30",
    "TENANT_CLAIM": "client_id",
    "SCOPE_PREFIX": "timegate",
    "TOKEN_ISSUER": "https://id.example.com",
    "TOKEN_AUDIENCE": "timegate",
    "STAGE_QUOTAS": "{}",
    "AUDIT_RETENTION_DAYS": "400",
    "HOOK_SECRETS_ROLE_ARN": "arn:aws:iam::111122223333:role/timegate-test-hook-secrets",
    "QUEUE_URLS": QUEUES,
    "QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/1/q",
    "QUEUE_KEY": "normal-short",
    "QUEUE_VISIBILITY_SECONDS": "90",
    "API_URL": "https://api.example.com",
    "TARGETS_ROLE_ARN": "arn:aws:iam::000000000000:role/targets",
    "TRACE_PERCENT": "100",
    "LEASE_SECONDS": "60",
    "RUNS_AT_ONCE": "100",
    "DAG_MACHINE_ARN": "arn:aws:states:us-east-1:111122223333:stateMachine:timegate-dag-runs",
    "WORKER_LEASE_SECONDS": "60",
    "REJECTED_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/1/r",
    "LOOKS_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/1/looks",
}
#: Variables of one function alone: a reader of a stream that had them would tell of changes.
_OWN = {
    "cloud_events": {
        "STAGE": "test",
        "CLOUD_EVENTS_BUS": "timegate-test-events",
        "CLOUD_EVENTS_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/1/events",
    }
}


def variables_of(function: str) -> dict[str, str]:
    """Return what a function is told, by Lambda as well: which handler it has."""
    lambdas = {"_HANDLER": f"{function}.handler.handle"} if function else {}
    return {**VARIABLES, **lambdas, **_OWN.get(function, {})}


def provide(folder: Path) -> Path:
    """Fill a folder with the SDK of a runtime, which refuses to be imported; the same folder."""
    for name in PROVIDED:
        (folder / name).mkdir()
        refusal = f"raise ImportError('{name} of the Lambda runtime was imported.')\n"
        (folder / name / "__init__.py").write_text(refusal)
    return folder


def search_path(*provided: Path) -> list[str]:
    """Return a function's module path, in Lambda's order: its code, its layers, the runtime.

    https://docs.aws.amazon.com/lambda/latest/dg/python-package.html, "Dependency search path and
    runtime-included libraries": layers precede /var/lang and /var/runtime.
    """
    vendor = build_vendor(HOST_PLATFORM) / "python"
    core = ROOT / "layers" / "core" / "python"
    return [str(each) for each in (ROOT / "functions", core, vendor, *provided)]

"""Each function imports with its layers and what the Lambda runtime brings, and nothing else."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from infra.settings import HOST_PLATFORM
from infra.vendor import build_vendor

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/handler.py"))
#: What AWS puts beside a Python function: the SDK and its dependencies.
PROVIDED = ("boto3", "botocore", "s3transfer", "urllib3", "jmespath", "dateutil", "six.py")
#: What runs on people's machines, and what reads their files in a process of its own.
HEAVY = {
    "timegate.cli",
    "timegate.client",
    "timegate.worker",
    "rich",
    "httpx",
    "icalendar",
    "dateutil.rrule",
}
QUEUES = json.dumps({"normal-short": "https://sqs.us-east-1.amazonaws.com/1/q"})
VARIABLES = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "test",
    "POWERTOOLS_METRICS_NAMESPACE": "Timegate",
    "JOBS_TABLE": "jobs",
    "RUNS_TABLE": "runs",
    "BLOB_BUCKET": "blobs",
    "SHARDS": "4",
    "LOOK_AHEAD_SECONDS": "600",
    "HOLD_LEAD_SECONDS": "1",
    "RUN_RETENTION_DAYS": "30",
    "TENANT_CLAIM": "client_id",
    "SCOPE_PREFIX": "timegate",
    "STAGE_QUOTAS": "{}",
    "AUDIT_RETENTION_DAYS": "400",
    "QUEUE_URLS": QUEUES,
    "QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/1/q",
    "QUEUE_KEY": "normal-short",
    "QUEUE_VISIBILITY_SECONDS": "90",
    "API_URL": "https://api.example.com",
    "LEASE_SECONDS": "60",
    "DAG_MACHINE_ARN": "arn:aws:states:us-east-1:111122223333:stateMachine:timegate-dag-runs",
    "WORKER_LEASE_SECONDS": "60",
    "REJECTED_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/1/r",
}


@pytest.fixture(scope="module")
def runtime_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the Lambda runtime brings."""
    provided = tmp_path_factory.mktemp("provided")
    site = Path(sysconfig.get_paths()["purelib"])
    for name in PROVIDED:
        (provided / name).symlink_to(site / name)
    return provided


def import_handler(name: str, provided: Path, variables: dict[str, str]) -> str:
    """Import a handler in a bare interpreter; what it printed, or its traceback."""
    layers = [
        ROOT / "functions",
        ROOT / "layers" / "core" / "python",
        build_vendor(HOST_PLATFORM) / "python",
        provided,
    ]
    code = f"import sys; sys.path[:0] = {[str(p) for p in layers]!r}\n"
    code += f"from {name}.handler import handle\n"
    code += f"heavy = {HEAVY!r} & set(sys.modules)\n"
    code += (
        "heavy |= {'pydantic'} & set(sys.modules) if "
        + repr(name not in {"api", "workers"})
        + " else set()\n"
    )
    code += "print(callable(handle), sorted(heavy))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_needs_nothing_but_its_layers(name: str, runtime_packages: Path) -> None:
    """A package missing from the layer fails here and not after a deployment."""
    assert import_handler(name, runtime_packages, VARIABLES) == "True []"


@pytest.mark.parametrize("missing", ["QUEUE_URLS", "HOLD_LEAD_SECONDS", "REJECTED_QUEUE_URL"])
def test_a_function_names_the_variable_it_misses(missing: str, runtime_packages: Path) -> None:
    """A misdeployed function says what is wrong with it at its first cold start."""
    variables = {name: text for name, text in VARIABLES.items() if name != missing}

    assert f"The environment variable {missing} is not set." in import_handler(
        "relay", runtime_packages, variables
    )

"""A stage leaves its own key on the deployed stack: at once is refused, in two steps it works."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.cloud import LocalCloud
from infra.local.deployment import ROOT, deploy_assembly, synthesise_into
from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep

DATA = "Timegate-local-Data"


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[LocalCloud]:
    """A cloud of this test's own, which is deployed to three times."""
    cloud = LocalCloud.start(tmp_path / "cloud", auth=os.environ.get("TIMEGATE_E2E_AUTH") == "1")
    yield cloud
    cloud.stop()


COMMAND = ("-m", "timegate.cli", "admin", "preflight")


def preflight(cloud: LocalCloud, assembly: Path, *arguments: str) -> tuple[int, list[str]]:
    """The exit code of the check, and the codes that it prints."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "timegate.cli",
            "admin",
            "preflight",
            "--app",
            str(assembly),
            *arguments,
        ],
        cwd=ROOT,
        env={**os.environ, **cloud.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    return done.returncode, [line.partition(":")[0] for line in lines if ": " in line]


def deployed(cloud: LocalCloud, assembly: Path, recorder: Recorder, name: str) -> tuple[bool, int]:
    """Deploy, run a job; whether queues are encrypted then, and how many keys there are."""
    stack = Stack(cloud, deploy_assembly(cloud, assembly, assembly.with_suffix(".json")))
    with stack.clients:
        job = stack.create_job(
            name=name,
            schedule={"kind": "immediate"},
            action={"type": "webhook", "url": recorder.url(name)},
        )
        stack.wait_for_runs(str(job["job_id"]), 1, seconds=90)
        return encrypted(stack), keys(stack)


def encrypted(stack: Stack) -> bool:
    """Return whether a run queue names a key."""
    url = json.loads(stack.outputs["QueueUrls"])["normal-short"]
    names: Any = {"AttributeNames": ["All"]}
    attributes = stack.aws("sqs").get_queue_attributes(QueueUrl=url, **names)["Attributes"]
    return "KmsMasterKeyId" in attributes


def keys(stack: Stack) -> int:
    """Count the keys of the data stack."""
    listed = stack.aws("cloudformation").list_stack_resources(StackName=DATA)
    found = listed["StackResourceSummaries"]
    return sum(each["ResourceType"] == "AWS::KMS::Key" for each in found)


def test_a_key_is_left_in_two_steps(cloud: LocalCloud, recorder: Recorder, tmp_path: Path) -> None:
    """Runs succeed before, between and after; the check stops what CloudFormation would refuse."""
    keyed = synthesise_into(tmp_path / "keyed", kmsKey="own")
    leaving = synthesise_into(tmp_path / "leaving", kmsKey="leave")
    plain = synthesise_into(tmp_path / "plain")

    assert preflight(cloud, keyed) == (0, [])
    assert deployed(cloud, keyed, recorder, "with-a-key") == (True, 1)
    assert preflight(cloud, plain) == (1, ["choice_dropped", "export_in_use"])
    assert preflight(cloud, plain, "--drop", "kmsKey") == (1, ["export_in_use"])

    assert preflight(cloud, leaving) == (0, [])
    assert deployed(cloud, leaving, recorder, "leaving-it") == (False, 1)

    assert preflight(cloud, plain, "--drop", "kmsKey") == (0, [])
    assert deployed(cloud, plain, recorder, "without") == (False, 0)
    assert preflight(cloud, plain) == (0, [])

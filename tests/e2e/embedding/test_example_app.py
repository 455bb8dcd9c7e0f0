"""The example app on the local cloud: its desk makes a job, its stack declares one."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from shutil import make_archive
from typing import Any

import pytest
from aws_cdk import App, CliCredentialsStackSynthesizer

from examples.cdk.app import build
from infra.local.cloud import LocalCloud
from infra.local.deployment import Outputs, deploy_assembly
from tests.support.deployed.stack import wait_until
from tests.support.wheels import ROOT, UV, built, copy_package, required, run
from timegate.client import TimegateClient, parse_profile

pytestmark = pytest.mark.deep

#: The local cloud has done it within seconds.
SOON = {"Delay": 1, "MaxAttempts": 120}


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """A cloud of this app's own."""
    home = tmp_path_factory.mktemp("shop") / "cloud"
    cloud = LocalCloud.start(home, auth=os.environ.get("TIMEGATE_E2E_AUTH") == "1")
    yield cloud
    cloud.stop()


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a layer with the SDK, as ``pip install --target`` makes it."""
    folder = tmp_path_factory.mktemp("layer")
    python = folder / "sdk" / "python"
    for name in sorted(required("httpx")):
        copy_package(name, python)
    wheel = built(ROOT, folder / "dist")
    run(*UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--target", python, wheel)
    return folder / "sdk"


@pytest.fixture(scope="module")
def shop(cloud: LocalCloud, sdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """The app, synthesised and deployed; its outputs."""
    folder = tmp_path_factory.mktemp("app")
    app = App(outdir=str(folder / "out"), context={"like": "local"})
    build(app, sdk=sdk, synthesizer=CliCredentialsStackSynthesizer())
    app.synth()
    return deploy_assembly(cloud, folder / "out", folder / "outputs.json")


@pytest.fixture
def client(cloud: LocalCloud, shop: Outputs) -> Iterator[TimegateClient]:
    """A client by the profile that the app granted."""
    with closing(cloud.client("secretsmanager")) as secrets:
        text = secrets.get_secret_value(SecretId="timegate-shop-profile/shop")["SecretString"]
    with TimegateClient(parse_profile(text, {"AWS_ENDPOINT_URL": cloud.endpoint})) as client:
        yield client


def declared(client: TimegateClient, stack: str = "Shop") -> list[Mapping[str, Any]]:
    """Jobs that a stack declared and that have not ended."""
    found = client.list_jobs.iterate(limit=100)
    active = [each for each in found if each["status"] != "cancelled"]
    return [each for each in active if each["tags"].get("timegate-apply", "").startswith(stack)]


def parameters(layer: str, secret: str) -> list[Any]:
    """The parameters of the template."""
    return [
        {"ParameterKey": "SdkLayer", "ParameterValue": layer},
        {"ParameterKey": "ProfileSecret", "ParameterValue": secret},
    ]


def test_a_granted_function_schedules_and_a_consumer_hears_of_it(
    cloud: LocalCloud, shop: Outputs
) -> None:
    """From the desk's job to the report it calls, and on to the clerk's books."""
    with closing(cloud.client("lambda")) as functions, closing(cloud.client("sqs")) as queues:
        answer = functions.invoke(
            FunctionName=shop["DeskFunctionName"], Payload=json.dumps({"order": "o-17"})
        )
        made = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, made

        def booked() -> dict[str, Any] | None:
            found = queues.receive_message(QueueUrl=shop["BooksUrl"], WaitTimeSeconds=1)
            (message,) = found.get("Messages", [None])
            return json.loads(message["Body"]) if message else None

        event = wait_until(booked, seconds=120)

    assert event["detail-type"] == "io.timegate.run.succeeded"
    assert event["source"].startswith("/timegate/shop/")
    assert event["detail"]["data"]["job_id"] == made["job_id"]


def test_a_job_comes_with_its_stack_and_goes_with_it(
    cloud: LocalCloud, client: TimegateClient
) -> None:
    """It calls the function that stands beside it in the template."""
    (job,) = declared(client)
    run = client.trigger_job(job["job_id"], {})
    ended = client.wait_for_run(run["run_id"], timeout_seconds=120)

    assert job["name"] == "nightly report"
    assert ended["state"] == "succeeded"
    assert json.loads(client.get_result(ended["run_id"])["result"] or "") == {"reported": "all"}

    with closing(cloud.client("cloudformation")) as stacks:
        stacks.delete_stack(StackName="Shop")
        stacks.get_waiter("stack_delete_complete").wait(StackName="Shop", WaiterConfig=SOON)
    assert declared(client) == []


def test_a_template_declares_jobs_without_the_cdk(
    cloud: LocalCloud, client: TimegateClient, sdk: Path, tmp_path: Path
) -> None:
    """Made with values of the stack, changed by an update, and ended with it."""
    template = (ROOT / "examples" / "cloudformation" / "jobs.yaml").read_text()
    layer = Path(make_archive(str(tmp_path / "sdk"), "zip", sdk)).read_bytes()
    with (
        closing(cloud.client("lambda")) as functions,
        closing(cloud.client("secretsmanager")) as secrets,
        closing(cloud.client("cloudformation")) as stacks,
    ):
        version = functions.publish_layer_version(LayerName="sdk", Content={"ZipFile": layer})
        secret = secrets.describe_secret(SecretId="timegate-shop-profile/shop")
        given = parameters(version["LayerVersionArn"], secret["ARN"])
        named = {"StackName": "reports", "Parameters": given, "Capabilities": ["CAPABILITY_IAM"]}
        stacks.create_stack(TemplateBody=template, **named)
        stacks.get_waiter("stack_create_complete").wait(StackName="reports", WaiterConfig=SOON)
        (made,) = declared(client, "reports")
        later = template.replace('"rows": 3', '"rows": 4')
        stacks.update_stack(TemplateBody=later, **named)
        stacks.get_waiter("stack_update_complete").wait(StackName="reports", WaiterConfig=SOON)
        (changed,) = declared(client, "reports")
        stacks.delete_stack(StackName="reports")
        stacks.get_waiter("stack_delete_complete").wait(StackName="reports", WaiterConfig=SOON)

    assert made["description"] == "Declared by reports"
    assert made["payload"] == {"rows": 3, "dry": False, "since": None}
    assert changed["job_id"] == made["job_id"]
    assert changed["payload"] == {"rows": 4, "dry": False, "since": None}
    assert declared(client, "reports") == []
    assert list(client.list_calendars.iterate(limit=100)) == []

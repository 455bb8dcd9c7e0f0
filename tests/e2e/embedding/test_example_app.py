"""The example app on the local cloud: its desk makes a job, its stack declares one."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing
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
def shop(cloud: LocalCloud, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """The app, synthesised and deployed; its outputs."""
    folder = tmp_path_factory.mktemp("app")
    python = folder / "sdk" / "python"
    for name in sorted(required("httpx")):
        copy_package(name, python)
    wheel = built(ROOT, folder / "dist")
    run(*UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--target", python, wheel)
    app = App(outdir=str(folder / "out"), context={"like": "local"})
    build(app, sdk=folder / "sdk", synthesizer=CliCredentialsStackSynthesizer())
    app.synth()
    return deploy_assembly(cloud, folder / "out", folder / "outputs.json")


@pytest.fixture
def client(cloud: LocalCloud, shop: Outputs) -> Iterator[TimegateClient]:
    """A client by the profile that the app granted."""
    with closing(cloud.client("secretsmanager")) as secrets:
        text = secrets.get_secret_value(SecretId="timegate-shop-profile/shop")["SecretString"]
    with TimegateClient(parse_profile(text, {"AWS_ENDPOINT_URL": cloud.endpoint})) as client:
        yield client


def declared(client: TimegateClient) -> list[Mapping[str, Any]]:
    """Jobs that a stack declared and that have not ended."""
    found = client.list_jobs.iterate(limit=100)
    return [each for each in found if each["tags"] and each["status"] != "cancelled"]


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
        wait_until(lambda: not declared(client), seconds=60)

"""Targets of the demonstration's jobs: a web hook here, a function and a queue in the cloud."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.local.cloud import LocalCloud
from infra.local.webhook_target import Recorder, recording

if TYPE_CHECKING:
    from mypy_boto3_iam import IAMClient
    from mypy_boto3_lambda import LambdaClient

#: The local stage shares targets of this name between its tenants.
NAME = "timegate-target-demo"
_CODE = """\
def handle(event, context):
    return {"handled": event["payload"]["n"]}
"""
_TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": {"Service": "lambda.amazonaws.com"},
            "Action": "sts:AssumeRole",
        }
    ],
}


@dataclass(frozen=True, kw_only=True)
class Targets:
    """One of each kind."""

    webhook: Recorder
    function_arn: str
    queue_url: str


@contextmanager
def targets(cloud: LocalCloud) -> Iterator[Targets]:
    """Serve the web hook while the demonstration lasts; function and queue stay."""
    with (
        closing(cloud.client("iam")) as iam,
        closing(cloud.client("lambda")) as functions,
        closing(cloud.client("sqs")) as queues,
        recording() as webhook,
    ):
        yield Targets(
            webhook=webhook,
            function_arn=_function(functions, _role(iam)),
            queue_url=queues.create_queue(QueueName=NAME)["QueueUrl"],
        )


def _role(iam: "IAMClient") -> str:
    with suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_role(RoleName=NAME, AssumeRolePolicyDocument=json.dumps(_TRUST))
    return iam.get_role(RoleName=NAME)["Role"]["Arn"]


def _function(functions: "LambdaClient", role_arn: str) -> str:
    try:
        return functions.create_function(
            FunctionName=NAME,
            Runtime="python3.13",
            Role=role_arn,
            Handler="target.handle",
            Code={"ZipFile": _package()},
        )["FunctionArn"]
    except functions.exceptions.ResourceConflictException:
        return functions.update_function_code(FunctionName=NAME, ZipFile=_package())["FunctionArn"]


def _package() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as package:
        package.writestr("target.py", _CODE)
    return archive.getvalue()

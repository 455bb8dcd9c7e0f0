"""Requests of CloudFormation for one resource of a stack, and what they make."""

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import pytest

from tests.support.world import World
from timegate.client import TimegateClient
from timegate.declaring.cloudformation import answered

Asked = Callable[..., dict[str, str]]

STACK = "arn:aws:cloudformation:eu-central-1:111122223333:stack/Shop/6a2b"
NIGHTLY: dict[str, Any] = {
    "schedule": {"kind": "cron", "cron": "0 2 * * *"},
    "action": {"type": "lambda", "function_arn": "arn:aws:lambda:eu-central-1:1:function:report"},
    "payload": {"rows": 3, "dry": False, "none": None},
}


class Invocation:
    """The context of an invocation that has so many seconds left, one fewer at each look."""

    def __init__(self, seconds: int = 900) -> None:
        self.seconds = seconds

    def get_remaining_time_in_millis(self) -> int:
        """Return the time that is left."""
        self.seconds -= 1
        return self.seconds * 1000


def job(name: str, **changed: object) -> dict[str, Any]:
    """A document of a job."""
    action = {"type": "worker", "pool": "etl", "handler": name}
    return {"kind": "Job", "name": name, "spec": {**NIGHTLY, "action": action, **changed}}


def request(kind: str, *documents: object, **members: str) -> dict[str, Any]:
    """A request of CloudFormation."""
    return {
        "RequestType": kind,
        "ResponseURL": "https://bucket.s3.amazonaws.com/answer?signature=1",
        "StackId": STACK,
        "RequestId": "r-1",
        "ResourceType": "Custom::TimegateDeclarations",
        "LogicalResourceId": "Schedules",
        "ResourceProperties": {"ServiceToken": "arn", "Documents": json.dumps(documents)},
        **members,
    }


def asking(client: TimegateClient, **members: str) -> Asked:
    """Return a function that has requests for one resource done, and returns the answers.

    Each has the id that was answered before, and an update the documents of the request before.
    """
    sent: dict[str, Any] = dict(members)

    def ask(kind: str, *documents: object, context: Invocation | None = None) -> dict[str, str]:
        asked = request(kind, *documents, **sent)
        if kind != "Update":
            asked.pop("OldResourceProperties", None)
        answer = answered(asked, context or Invocation(), lambda: nullcontext(client))
        sent["PhysicalResourceId"] = answer["PhysicalResourceId"]
        sent["OldResourceProperties"] = asked["ResourceProperties"]
        return answer

    return ask


@pytest.fixture
def asked(served: World, client: TimegateClient) -> Asked:
    """Have a request done, and return the answer."""
    return asking(client)


def jobs(client: TimegateClient) -> dict[str, Mapping[str, Any]]:
    """Return jobs that have not ended, by their names."""
    found = client.list_jobs.iterate(limit=100)
    return {each["name"]: dict(each) for each in found if each["status"] != "cancelled"}

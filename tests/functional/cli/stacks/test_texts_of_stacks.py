"""The text of documents that people write in a template, and may get wrong."""

import re
from contextlib import nullcontext
from typing import Any

import pytest

from tests.functional.cli.served import served
from tests.functional.cli.stacks.stack_requests import Invocation, request
from tests.support.world import World
from timegate.client import TimegateClient
from timegate.declaring.cloudformation import NOTHING_MADE, answered

__all__ = ["served"]


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({}, "no_text: Documents: They are one text: a list in JSON."),
        ({"Documents": [{"kind": "Job"}]}, "no_text: Documents: They are one text"),
        ({"Documents": ""}, "invalid_json: Documents: Expecting value: line 1 column 1"),
        ({"Documents": '[\n{"kind": "Job",}]'}, "invalid_json: Documents: .* line 2 column 16"),
        ({"Documents": '[{"kind": "Job", "spec": NaN}]'}, "invalid_json: Documents: Out of range"),
        ({"Documents": "[" * 100_000}, "invalid_json: Documents: "),
        ({"Documents": '{"kind": "Job", "name": "a"}'}, r"no_list: Documents: Write \[ \] around"),
        ({"Documents": '[{"name": "a", "name": "b"}]'}, "there_twice: Documents name: It is"),
    ],
    ids=["none", "members", "empty", "comma", "nan", "endless", "one", "twice"],
)
def test_a_text_that_is_no_list_of_documents_says_why(
    served: World, client: TimegateClient, properties: dict[str, Any], reason: str
) -> None:
    """In the event of the stack: its writer need not look for a log."""
    asked = {**request("Create"), "ResourceProperties": properties}
    answer = answered(asked, Invocation(), lambda: nullcontext(client))

    assert (answer["Status"], answer["PhysicalResourceId"]) == ("FAILED", NOTHING_MADE)
    assert re.match(reason, answer["Reason"])

"""First commands of runbooks, given to the deployed stack as an operator types them."""

import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore import xform_name

from infra.constructs.observability.runbook import Runbook
from infra.local.access import admin_profile, write_profile
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack

STAGE = "local"
HOUR = timedelta(hours=1)
#: Runbooks of parts that the local stage does not have: a bus of events, and another region.
ABSENT = {Runbook.EVENTS_NOT_SENT, Runbook.REGION_NOT_RENEWED, Runbook.REPLICATION_BEHIND}


def given(stack: Stack, words: Sequence[str]) -> Mapping[str, Any]:
    """Return the answer of AWS to a command of its command line."""
    service, operation, *options = words
    client = stack.aws(service)
    if (service, operation) == ("logs", "tail"):
        group, named = options[0], pairs(options[1:])
        assert named.pop("--since") == "1h"
        pattern = named.pop("--filter-pattern", "")
        assert named == {}
        began = int((datetime.now(UTC) - HOUR).timestamp() * 1000)
        found: Mapping[str, Any] = client.filter_log_events(
            logGroupName=group, startTime=began, filterPattern=pattern
        )
        return found
    called = "".join(word.capitalize() for word in operation.split("-"))
    shape = client.meta.service_model.operation_model(called).input_shape
    members = {f"--{dashed(name)}": name for name in (shape.members if shape else ())}
    asked = {members[option]: value for option, value in pairs(options).items()}
    answer: Mapping[str, Any] = getattr(client, xform_name(called))(**asked)
    return answer


def pairs(options: Sequence[str]) -> dict[str, str]:
    """Options with their values."""
    return dict(zip(options[::2], options[1::2], strict=True))


def dashed(member: str) -> str:
    """``AlarmNamePrefix`` as an option."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", member).lower()


@pytest.fixture
def administration(stack: Stack, tmp_path: Path) -> CommandLine:
    """Run commands as the stage's administration."""
    path = tmp_path / "admin.json"
    write_profile(admin_profile(stack.cloud, stack.outputs), path)
    return CommandLine({"TIMEGATE_PROFILE_FILE": str(path)})


@pytest.mark.parametrize(
    "command",
    sorted({runbook.first_command(STAGE) for runbook in set(Runbook) - ABSENT}),
)
def test_a_first_command_answers(
    stack: Stack, timegate: CommandLine, administration: CommandLine, command: str
) -> None:
    """The stage's log groups, queues, alarms and schedules have these names."""
    program, *words = shlex.split(command)
    if program == "timegate":
        assert (administration if "--stage" in words else timegate)(*words).stdout
    else:
        assert given(stack, words)

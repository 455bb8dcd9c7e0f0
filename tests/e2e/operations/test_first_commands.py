"""First commands of runbooks, given to the deployed stack as an operator types them."""

import shlex
from pathlib import Path

import pytest

from infra.constructs.observability.runbook import Runbook
from infra.local.access import admin_profile, write_profile
from tests.e2e.alarms.given_commands import given
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack

STAGE = "local"
#: Runbooks of parts that the local stage does not have: a bus of events, and another region.
ABSENT = {Runbook.EVENTS_NOT_SENT, Runbook.REGION_NOT_RENEWED, Runbook.REPLICATION_BEHIND}
#: One function or queue of those that a runbook is about.
SUBJECTS = {Runbook.REJECTED_MESSAGES: "rejected", Runbook.UNREADABLE_RECORDS: "sweeper"}


def first_command(runbook: Runbook) -> str:
    """Return the command of an alarm of the stage."""
    subject = SUBJECTS.get(runbook)
    return runbook.first_command(STAGE, f"timegate-{STAGE}-{subject}" if subject else "")


@pytest.fixture
def administration(stack: Stack, tmp_path: Path) -> CommandLine:
    """Run commands as the stage's administration."""
    path = tmp_path / "admin.json"
    write_profile(admin_profile(stack.cloud, stack.outputs), path)
    return CommandLine({"TIMEGATE_PROFILE_FILE": str(path)})


@pytest.mark.parametrize(
    "command",
    sorted({first_command(runbook) for runbook in set(Runbook) - ABSENT}),
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

"""An alarm names its runbook, and the first command."""

import json
import re
import shlex
from pathlib import Path

import botocore.session
import pytest
from typer.testing import CliRunner

from infra.alarm_choice import RUNBOOKS as RUNBOOKS_URL
from infra.constructs.observability.runbook import Runbook
from infra.pages.telemetry_tables import events
from tests.infra.conftest import Synthesise
from tests.infra.dags.test_dag_events import LANDED
from tests.infra.observability.alarm_reading import described
from tests.infra.stage_template import StageTemplate
from timegate.cli.main import app

ROOT = Path(__file__).resolve().parents[3]
PREFIX = "timegate-prod-"
RUNBOOKS = ROOT / "docs" / "operations" / "runbooks.md"


def anchors() -> set[str]:
    """The sections of the runbooks, as GitHub names them."""
    titles = re.findall(r"^## (.+)$", RUNBOOKS.read_text(), re.MULTILINE)
    return {title.lower().replace(" ", "-") for title in titles}


def test_every_alarm_leads_to_a_section_of_the_runbooks(stage: StageTemplate) -> None:
    """The address of a page at the end of each description, with an anchor that exists."""
    links = {
        name: re.search(rf" Runbook: {re.escape(RUNBOOKS_URL)}#([a-z-]+)$", text)
        for name, text in described(stage).items()
    }

    assert RUNBOOKS_URL.startswith("https://")
    assert [name for name, link in links.items() if link is None] == []
    assert {link[1] for link in links.values() if link} <= anchors()


def first_commands(template: StageTemplate) -> dict[str, tuple[str, Runbook]]:
    """The first command of each alarm of ``prod``, and its runbook."""
    found = {
        name.removeprefix(PREFIX): re.search(r" First: (.+) Runbook: .*#([a-z-]+)$", text)
        for name, text in described(template).items()
    }
    return {name: (first[1], Runbook(first[2])) for name, first in found.items() if first}


def test_every_alarm_names_its_first_command(prod: StageTemplate) -> None:
    """It is its runbook's, for this very stage; CloudWatch takes 1,024 characters."""
    found = first_commands(prod)

    assert len(found) == len(described(prod))
    assert max(map(len, described(prod).values())) <= 1_024
    for command, runbook in found.values():
        generic = re.escape(runbook.first_command("prod"))
        assert re.fullmatch(re.sub("FUNCTION|QUEUE", "[a-z_-]+", generic), command)


def test_a_first_command_leads_to_what_its_alarm_is_about(
    synthesise: Synthesise, telling: StageTemplate
) -> None:
    """The log of the function that counts, and the queue that fills, of all that share a page."""
    named = synthesise(stage="prod", dagEvents=json.dumps([LANDED]))
    found = {**first_commands(named), **first_commands(telling)}
    told = {name: command for name, (command, _) in found.items()}

    for function in ("planner", "sweeper", "auditor", "operations"):
        assert f"/aws/lambda/{PREFIX}{function} " in told[f"{function}-unreadable"]
    for queue in ("rejected", "dag-events-dlq", "ticks-dlq"):
        assert told[f"{queue}-depth"].endswith(f" --queue-name {PREFIX}{queue}")
    for alarm in ("cloud-events-age", "cloud-events-dlq-depth"):
        assert f"/aws/lambda/{PREFIX}cloud_events " in told[alarm]
    assert f"/aws/lambda/{PREFIX}outcomes " in told["outcomes-events-not-queued"]
    assert "?cloud_event_not_queued" in told["outcomes-events-not-queued"]


def test_the_events_of_unreadable_records_are_those_of_their_functions() -> None:
    """Each event of a function with the alarm that tells of damage is in the pattern."""
    pattern = Runbook.UNREADABLE_RECORDS.first_command("prod")
    watching = {"planner", "sweeper", "auditor", "operations"}
    telling = {
        str(event)
        for event in events()
        if watching & {*event.by} and re.search("_(unreadable|damaged|unaudited)$", event)
    }

    assert {word[1:] for word in shlex.split(pattern)[-1].split()} == telling


@pytest.mark.parametrize("runbook", sorted(Runbook))
def test_a_runbook_has_the_first_command(runbook: Runbook) -> None:
    """A reader of the page begins as one of the alarm does."""
    section = RUNBOOKS.read_text().partition(f"## {title(runbook)}\n")[2].partition("\n## ")[0]

    assert f"`{runbook.first_command('STAGE')}`" in section


def title(runbook: Runbook) -> str:
    """The title of a section."""
    titles = re.findall(r"^## (.+)$", RUNBOOKS.read_text(), re.MULTILINE)
    (found,) = [each for each in titles if each.lower().replace(" ", "-") == runbook.value]
    return str(found)


@pytest.mark.parametrize(
    "command", sorted({each.first_command("STAGE") for each in Runbook}, key=str)
)
def test_a_first_command_exists(command: str) -> None:
    """Commands of ours and of AWS are known, with their options."""
    program, *words = shlex.split(command)
    if program == "timegate":
        answer = CliRunner().invoke(app, [*words, "--help"])
        assert answer.exit_code == 0
        return
    service, operation, *options = words
    assert program == "aws"
    if (service, operation) == ("logs", "tail"):
        assert options[1::2] <= ["--since", "--filter-pattern"]
        return
    known = botocore.session.get_session().get_service_model(
        {"lambda": "lambda"}.get(service, service)
    )
    called = "".join(word.capitalize() for word in operation.split("-"))
    shape = known.operation_model(called).input_shape
    asked = {word.removeprefix("--") for word in options if word.startswith("--")}
    assert asked <= {dashed(member) for member in (shape.members if shape else ())}


def dashed(member: str) -> str:
    """``AlarmNamePrefix`` as an option."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", member).lower()


def test_every_runbook_section_belongs_to_an_alarm() -> None:
    """Sections and alarms' runbooks are the same set."""
    assert {each.value for each in Runbook} == anchors()

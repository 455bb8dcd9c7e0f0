"""An alarm names its runbook, and the first command."""

import json
import re
import shlex
from pathlib import Path

import botocore.session
import pytest
from botocore import xform_name
from typer.testing import CliRunner

from infra.alarm_choice import RUNBOOKS as RUNBOOKS_URL
from infra.constructs.observability.runbook import Runbook
from infra.pages.telemetry_tables import events
from infra.stage.settings import QUEUE_KEYS
from tests.infra.observability.alarm_reading import described, told
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


#: First commands of alarms, and their runbooks.
Commands = dict[str, tuple[str, Runbook]]


def first_commands(template: StageTemplate) -> Commands:
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
    landing: StageTemplate, telling: StageTemplate
) -> None:
    """The log of the function that counts, and the queue that fills, of all that share a page."""
    found = {**first_commands(landing), **first_commands(telling)}
    commands = {name: command for name, (command, _) in found.items()}

    for function in ("planner", "sweeper", "auditor", "operations"):
        assert f"/aws/lambda/{PREFIX}{function} " in commands[f"{function}-unreadable"]
    for queue in ("rejected", "dag-events-dlq", "ticks-dlq"):
        assert commands[f"{queue}-depth"].endswith(f" --queue-name {PREFIX}{queue}")
    for alarm in ("cloud-events-age", "cloud-events-dlq-depth"):
        assert f"/aws/lambda/{PREFIX}cloud_events " in commands[alarm]
    assert f"/aws/lambda/{PREFIX}outcomes " in commands["outcomes-events-not-queued"]
    assert "?cloud_event_not_queued" in commands["outcomes-events-not-queued"]


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


def test_an_aged_queue_tells_a_flood_from_a_stop(prod: StageTemplate) -> None:
    """The alarm and its section name the age of what tenants without a flood have waiting."""
    quiet = "ApproximateAgeOfOldestMessageInQuietGroups"
    aged = {
        name: text
        for name, text in described(prod).items()
        if name in {f"{PREFIX}{key}-age" for key in QUEUE_KEYS}
    }

    assert len(aged) == len(QUEUE_KEYS)
    assert [name for name, text in aged.items() if quiet not in text] == []
    assert quiet in section(Runbook.QUEUE_BACKLOG)
    assert "`ApproximateNumberOfNoisyGroups`" in section(Runbook.QUEUE_BACKLOG)


@pytest.mark.parametrize("runbook", sorted(Runbook))
def test_a_runbook_has_the_first_command(runbook: Runbook) -> None:
    """A reader of the page begins as one of the alarm does."""
    assert f"`{runbook.first_command('STAGE')}`" in section(runbook)


def section(runbook: Runbook) -> str:
    """The text of a section."""
    return RUNBOOKS.read_text().partition(f"## {title(runbook)}\n")[2].partition("\n## ")[0]


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
        answer = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "300"})
        assert answer.exit_code == 0
        assert [each for each in words if each[:2] == "--" and each not in answer.output] == []
        return
    service, operation, *options = words
    assert program == "aws"
    if (service, operation) == ("logs", "tail"):
        assert options[1::2] in (["--since"], ["--since", "--filter-pattern"])
        return
    known = botocore.session.get_session().get_service_model(
        {"lambda": "lambda"}.get(service, service)
    )
    called = "".join(word.capitalize() for word in operation.split("-"))
    shape = known.operation_model(called).input_shape
    asked = {word.removeprefix("--") for word in options if word.startswith("--")}
    assert asked <= {dashed(member) for member in (shape.members if shape else ())}


def test_commands_of_blocks_exist() -> None:
    """A command that an operator copies as it stands is known, with its options."""
    text = RUNBOOKS.read_text()
    lines = [line.strip() for block in text.split("```")[1::2] for line in block.splitlines()]
    # A waiter is no operation; the tests that ring alarms wait by it.
    commands = [line for line in lines if line and not line.startswith("aws lambda wait ")]

    assert len([each for each in commands if each.startswith("timegate ")]) == 2
    for command in commands:
        test_a_first_command_exists(command)


@pytest.mark.parametrize("runbook", sorted(Runbook))
def test_a_runbook_of_a_tenants_records_says_whose_they_are(runbook: Runbook) -> None:
    """The commands act in the tenant of a profile; the alarm is about all tenants."""
    text = section(runbook)
    acting = re.search("timegate (jobs|runs|pools|dead-letters|operations|dags) ", text)

    assert acting is None or re.search("tenant", text)


@pytest.mark.parametrize(
    "runbook",
    [
        Runbook.PLANNER_SILENCE,
        Runbook.POISON_MESSAGES,
        Runbook.QUEUE_BACKLOG,
        Runbook.STREAM_BEHIND,
    ],
)
def test_a_source_that_is_off_is_switched_on_by_its_runbook(runbook: Runbook) -> None:
    """``tests/e2e/alarms`` rings these alarms so, and ends them so."""
    assert "(#event-sources)" in section(runbook)
    assert "aws lambda update-event-source-mapping --uuid UUID --enabled" in RUNBOOKS.read_text()


def dashed(member: str) -> str:
    """``AlarmNamePrefix`` as an option."""
    return xform_name(member, "-")


@pytest.fixture
def every(
    prod: StageTemplate, telling: StageTemplate, landing: StageTemplate, pair: StageTemplate
) -> Commands:
    """Alarms of production: with events that tell, with events that start DAGs, of a pair."""
    found = [first_commands(each) for each in (prod, telling, landing, pair)]
    return {name: first for each in found for name, first in each.items()}


def test_each_alarm_is_named_in_its_section(every: Commands) -> None:
    """By its name, or as that of one function or queue of several; windows of burns aside."""
    queues = "|".join(map(str, QUEUE_KEYS))
    for name, (_, runbook) in every.items():
        if re.search("-burn-(long|short)$", name):
            continue
        spelled = {
            name,
            re.sub("^[a-z_]+-(errors|throttles)$", r"<function>-\1", name),
            re.sub(f"({queues})", "<queue>", name),
        }
        assert any(f"`{each}`" in section(runbook) for each in spelled), name


def test_the_page_lists_the_alarms_that_can_wait(prod: StageTemplate) -> None:
    """Each other one calls people."""
    tickets = {name for name, topic in told(prod).items() if topic == "Alerts/Tickets"}
    listed = RUNBOOKS.read_text().partition("waits for working hours:")[2].partition("\n\n")[0]

    assert {name.removeprefix(PREFIX) for name in tickets} == set(re.findall("`(.+?)`", listed))


def test_functions_are_invoked_as_the_command_line_takes_it() -> None:
    """Version 2 reads a payload as Base64 unless it is told, and repeats what takes a minute."""
    text = re.sub(r"\s+", " ", RUNBOOKS.read_text())
    commands = re.findall(r"`(aws lambda invoke .+?)`", text)

    assert len(commands) == 3
    for command in commands:
        words = shlex.split(command)
        named = dict(zip(words[3:-1:2], words[4:-1:2], strict=True))
        assert named["--cli-binary-format"] == "raw-in-base64-out"
        assert named["--cli-read-timeout"] == "0"
        assert named["--function-name"].endswith(":live")
        assert isinstance(json.loads(named["--payload"]), dict)


def test_every_runbook_section_belongs_to_an_alarm() -> None:
    """Sections and alarms' runbooks are the same set."""
    assert {each.value for each in Runbook} == anchors()

"""An alarm names its runbook, and the first command."""

import re
import shlex
from pathlib import Path

import botocore.session
import pytest
from typer.testing import CliRunner

from infra.alarm_choice import RUNBOOKS as RUNBOOKS_URL
from infra.constructs.observability.runbook import Runbook
from tests.infra.observability.alarm_reading import described
from tests.infra.stage_template import StageTemplate
from timegate.cli.main import app

ROOT = Path(__file__).resolve().parents[3]
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


def test_every_alarm_names_its_first_command(prod: StageTemplate) -> None:
    """It is its runbook's, for this very stage; CloudWatch takes 1,024 characters."""
    for name, text in described(prod).items():
        first = re.search(r" First: (.+) Runbook: .*#([a-z-]+)$", text)
        assert first is not None, name
        assert first[1] == Runbook(first[2]).first_command("prod")
        assert len(text) <= 1_024


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

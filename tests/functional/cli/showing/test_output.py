"""``--output``: the same of every command; ``--json`` is one of its values."""

import json
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
import typer
import yaml
from rich.console import Console
from typer.main import get_command

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page, picture, refusal
from tests.functional.cli.samples import JOB_ID, RUN_ID, answered, job, run
from timegate.cli.main import app
from timegate.cli.terminal import tables

Timegate = Callable[..., Outcome]
#: Commands that show nothing, or print no answer of the API's: operators' tools do so.
SILENT = {
    *("profiles add", "profiles use", "profiles remove", "worker run", "mcp"),
    *("login", "logout"),
}


def commands() -> Iterator[tuple[str, set[str]]]:
    """Every command with its options."""
    root = get_command(app)
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        for sub, leaf in inner.items() if inner else [("", command)]:
            options = {option for each in leaf.params for option in each.opts}
            yield f"{name} {sub}".strip(), options


def test_every_command_that_shows_something_has_the_options() -> None:
    """A new command gets them with the session."""
    lacking = {name for name, options in commands() if not {"--output", "--json"} <= options}

    assert {name for name in lacking if not name.startswith("admin ")} == SILENT
    assert len(list(commands())) > 65


def test_yaml_is_the_apis_answer(api: FakeApi, timegate: Timegate) -> None:
    """In its order; text that looks like something else stays text."""
    api.will(ok(job(name="true")))
    shown = timegate("jobs", "get", JOB_ID, "--output", "yaml")

    assert yaml.safe_load(shown.out) == job(name="true")
    assert shown.out.startswith("job_id: ")


STEERING = "\x1b[2J\x7f\x9b2J\u202e\u2066"


@pytest.mark.parametrize("output", ["json", "yaml", "table"])
def test_no_output_steers_the_terminal(api: FakeApi, timegate: Timegate, output: str) -> None:
    """Texts are of other people and of targets; U+009B begins a command as well."""
    api.will(ok(job(name=STEERING)))
    shown = timegate("jobs", "get", JOB_ID, "--output", output).out

    assert not {"\x1b", "\x7f", "\x9b"} & set(shown)
    assert output == "table" or yaml.safe_load(shown)["name"] == STEERING


def test_an_error_as_data_steers_no_terminal(api: FakeApi, timegate: Timegate) -> None:
    """Its detail may quote what a target said."""
    api.will(refusal(409, "busy", STEERING))
    failed = timegate("jobs", "get", JOB_ID, "--json")

    assert not {"\x1b", "\x7f", "\x9b", "\u202e"} & set(failed.err)
    assert json.loads(failed.err)["error"]["detail"] == STEERING


def test_a_picture_steers_no_terminal(api: FakeApi, timegate: Timegate) -> None:
    """Names of tasks stand in it as they are."""
    api.will(picture(f"<svg>{STEERING}</svg>\n"))
    drawn = timegate("dags", "graph", JOB_ID, "--svg").out

    assert drawn == "<svg>\ufffd[2J\ufffd\ufffd2J\ufffd\ufffd</svg>\n"


def test_json_for_short_is_json(api: FakeApi, timegate: Timegate) -> None:
    """Two wishes that differ are refused."""
    api.will(page([job()]))

    assert timegate("jobs", "list", "--json").json == timegate("jobs", "list", "-o", "json").json
    assert timegate("jobs", "list", "--json", "-o", "yaml").code == 2


def test_lines_that_come_one_by_one_are_documents(api: FakeApi, timegate: Timegate) -> None:
    """So that a reader need not wait for the end."""
    log = page([answered("readLog", "items", 0, text=text) for text in ("one", "two")])
    api.will(ok(run("succeeded")), log)
    shown = timegate("runs", "logs", RUN_ID, "--follow", "-o", "yaml")

    assert [each["text"] for each in yaml.safe_load_all(shown.out)] == ["one", "two"]


@pytest.mark.parametrize("wrong", ["xml", ""])
def test_another_output_is_refused(timegate: Timegate, wrong: str) -> None:
    """The refusal is that of any wrong option."""
    assert timegate("jobs", "list", "-o", wrong).code == 2
    assert isinstance(app, typer.Typer)


def test_states_have_colours_that_colour_blind_people_tell_apart() -> None:
    """No green beside red; the word is always there, and ``NO_COLOR`` leaves it alone."""
    colours = set(tables._STYLES.values())
    written = []
    for environ in ({"NO_COLOR": "1"}, {}):
        file = StringIO()
        Console(file=file, force_terminal=True, color_system="standard", _environ=environ).print(
            tables.state("failed")
        )
        written.append(file.getvalue())

    assert colours & {"green", "bright_green"} == set()
    assert written == ["failed\n", "\x1b[31mfailed\x1b[0m\n"]

"""``timegate simulate``: the ledger of a scenario, offline."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi

Timegate = Callable[..., Outcome]

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "guides" / "simulate.md").read_text()
EXAMPLES = sorted((ROOT / "docs" / "examples").iterdir())
SESSIONS = re.findall(r"^```console\n\$ ([^\n]+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
DAILY = {
    "schedule": {"kind": "cron", "cron": "0 9 * * *"},
    "from": "2026-11-01T00:00:00Z",
    "to": "2026-11-06T00:00:00Z",
    "planner": {"outages": [{"from": "2026-11-02T00:00:00Z", "to": "2026-11-04T12:00:00Z"}]},
    "catch_up": {"policy": "skip"},
}


def scenario(**changes: Any) -> str:  # noqa: ANN401 - any JSON
    """A daily job, unplanned for three days, with these changes; as a document."""
    return json.dumps(DAILY | changes)


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paths on the page are those of the repository."""
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_comes_to_what_it_expects(timegate: Timegate, path: Path) -> None:
    """Each says something, and it is so."""
    outcome = timegate("simulate", "-f", str(path))

    assert (outcome.code, outcome.err) == (0, "")
    assert "expect" in yaml.safe_load(path.read_text())


def test_the_page_says_which_meaning_each_example_holds() -> None:
    """Its table names every file, and no other."""
    table = PAGE.partition("## The examples\n")[2].partition("\n## ")[0]
    named = re.findall(r"`([a-z-]+)`", "".join(row.split("|")[3] for row in rows_of(table)))

    assert set(named) == {path.stem for path in EXAMPLES}


def rows_of(table: str) -> list[str]:
    """The rows of a table in Markdown, without its head."""
    return [line for line in table.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize(("command", "output"), SESSIONS, ids=[words for words, _ in SESSIONS])
def test_a_documented_simulation_is_what_it_prints(
    timegate: Timegate, command: str, output: str
) -> None:
    """In a terminal of 80 columns."""
    outcome = timegate(*shlex.split(command)[1:], columns=80)
    lines = [line.rstrip() for line in (outcome.out + outcome.err).strip().splitlines()]

    assert output.strip().splitlines() == lines


def test_the_page_shows_the_files_that_it_names() -> None:
    """A reader who copies the page has the example."""
    pattern = r"^`((?:docs/examples|examples/scenarios)/[\w.-]+)`:\n\n```yaml\n(.*?)^```"
    shown = re.findall(pattern, PAGE, re.MULTILINE | re.DOTALL)

    assert len(SESSIONS) == 7
    assert [(ROOT / name).read_text() for name, _ in shown] == [text for _, text in shown]
    assert len(shown) == 6


def test_times_of_day_need_no_quotes(timegate: Timegate) -> None:
    """YAML would make a number of 18:00."""
    calendars = {"closed": {"windows": [{"opens": "TEN", "closes": "18:30:00"}]}}
    text = scenario(calendars=calendars, calendar_rules=[{"calendar": "closed"}])
    plain = yaml.safe_dump(json.loads(text)).replace("TEN", "08:00").replace("'", "")
    outcome = timegate("simulate", "-f", "-", "--json", stdin=plain)

    assert "closes: 18:30:00" in plain
    assert outcome.json["summary"]["skipped"] == {"excluded": 5}


def test_json_says_what_became_of_every_instant(timegate: Timegate) -> None:
    """Runs and gaps in order, and what they add up to."""
    value = timegate("simulate", "-f", "-", "--json", stdin=scenario(run_seconds=2.5)).json
    first, gap, last = value["rows"]

    assert gap == {
        "job": None,
        "type": "gap",
        "first": "2026-11-02T09:00:00.000Z",
        "last": "2026-11-04T09:00:00.000Z",
        "count": 3,
        "state": "skipped",
        "reason": "missed_window",
        "rolled_to": None,
        "job_version": 1,
        "recorded_at": "2026-11-04T12:00:00.000Z",
    }
    assert last == {
        "job": None,
        "type": "run",
        "scheduled_at": "2026-11-05T09:00:00.000Z",
        "state": "succeeded",
        "reason": None,
        "job_version": 1,
        "planned_at": "2026-11-05T08:50:00.000Z",
        "due_at": "2026-11-05T09:00:00.000Z",
        "started_at": "2026-11-05T09:00:00.000Z",
        "ended_at": "2026-11-05T09:00:02.500Z",
        "lateness_ms": 0,
        "duration_ms": 2500,
        "finish_by": None,
        "trigger": None,
    }
    assert first["scheduled_at"] == "2026-11-01T09:00:00.000Z"
    assert value["refused"] == []


def test_json_sums_up_what_became_of_the_instants(timegate: Timegate) -> None:
    """The summary counts runs, and other instants by reason."""
    value = timegate("simulate", "-f", "-", "--json", stdin=scenario(run_seconds=2.5)).json

    assert value["summary"] == {
        "instants": 5,
        "runs": 2,
        "failed": 0,
        "notices": {},
        "skipped": {"missed_window": 3},
        "cancelled": {},
        "undecided": 0,
        "max_lateness_ms": 0,
        "missed_deadlines": 0,
        "will_be_late": 0,
    }


def test_what_is_not_as_expected_is_said(timegate: Timegate) -> None:
    """Each number on its own line, for a reader of the log of a failed build: 4."""
    expect = {"runs": 2, "skipped": {"missed_window": 2, "late": 1}, "cancelled": 1}
    outcome = timegate("simulate", "-f", "-", stdin=scenario(expect=expect))

    assert outcome.code == 4
    assert outcome.err.splitlines() == [
        "expected skipped.missed_window to be 2, but it is 3",
        "expected skipped.late to be 1, but it is 0",
        "expected cancelled to be 1, but it is 0",
    ]
    assert "5 instants: 2 run, 3 skipped (missed_window)" in outcome.out


def test_a_program_reads_what_is_not_as_expected(timegate: Timegate) -> None:
    """One object on standard error, as for any other failure; the report is the answer."""
    outcome = timegate("simulate", "-f", "-", "--json", stdin=scenario(expect={"runs": 3}))

    assert outcome.code == 4
    assert json.loads(outcome.err) == {
        "error": {
            "code": "not_met",
            "detail": "The simulation is not as expected.",
            "errors": [
                {
                    "field": "runs",
                    "code": "not_met",
                    "detail": "expected runs to be 3, but it is 2",
                }
            ],
        }
    }
    assert len(outcome.json["unmet"]) == 1


def test_lateness_is_expected_to_be_at_most_so_much(timegate: Timegate) -> None:
    """A bound, not a number to be hit."""
    late = scenario(catch_up={"policy": "latest"}, expect={"max_lateness_ms": 10_799_999})
    on_time = scenario(catch_up={"policy": "latest"}, expect={"max_lateness_ms": 10_800_000})
    outcome = timegate("simulate", "-f", "-", stdin=late)

    assert outcome.code == 4
    assert outcome.err.strip() == (
        "expected max_lateness_ms to be at most 10799999, but it is 10800000"
    )
    assert timegate("simulate", "-f", "-", stdin=on_time).code == 0


def test_a_change_that_the_api_would_refuse_is_shown(timegate: Timegate) -> None:
    """It changed nothing; its planner should know."""
    text = scenario(
        cancelled_at="2026-11-02T00:00:00Z",
        pauses=[{"from": "2026-11-03T00:00:00Z", "to": "2026-11-04T00:00:00Z"}],
    )
    outcome = timegate("simulate", "-f", "-", stdin=text)

    assert outcome.out.splitlines()[-2:] == [
        "pauses.0.from is refused at 2026-11-03 00:00:00 [job_cancelled]",
        "pauses.0.to is refused at 2026-11-04 00:00:00 [job_cancelled]",
    ]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("a: [", "scenario [invalid_yaml]", id="no-yaml"),
        pytest.param("{", "scenario [invalid_yaml]", id="no-json"),
        pytest.param(
            "from: a\nfrom: b", "from [there_twice]: It is written again in line 2.", id="twice"
        ),
        pytest.param(
            '{"to": 1, "to": 1}', "to [there_twice]: It is written again", id="twice-in-json"
        ),
        pytest.param("- 1", "scenario [wrong_type]", id="no-object"),
        pytest.param("", "scenario [wrong_type]", id="empty"),
        pytest.param("[" * 5000, "scenario [invalid_yaml]", id="too-deep"),
        pytest.param("? [a]\n: 1", "scenario [invalid_yaml]", id="odd-key"),
        pytest.param("from: 2026-11-21", "from [invalid_instant]", id="a-date"),
        pytest.param("from: 2026-11-21T07:00:00", "from [no_utc_offset]", id="no-offset"),
        pytest.param("from: 2026-13-21T07:00:00Z", "from [invalid_instant]", id="month-13"),
    ],
)
def test_a_file_that_cannot_be_read_is_the_users_to_correct(
    timegate: Timegate, text: str, error: str
) -> None:
    """Two lines, no trace: 2."""
    outcome = timegate("simulate", "-f", "-", stdin=text)

    assert (outcome.code, outcome.out, outcome.unexpected) == (2, "", None)
    assert outcome.err.startswith("error [invalid_request]: ")
    assert outcome.err.splitlines()[1].startswith(f"  {error}")


def test_a_missing_file_is_named(timegate: Timegate, tmp_path: Path) -> None:
    """The exit code is 2, like for any option."""
    outcome = timegate("simulate", "-f", str(tmp_path / "none.yaml"))

    assert outcome.code == 2
    assert "cannot be read" in outcome.err


def test_yaml_and_json_say_the_same(timegate: Timegate) -> None:
    """YAML's own dates are left alone: they would lose their offsets."""
    text = yaml.safe_dump(DAILY).replace("'", "")
    unquoted = timegate("simulate", "-f", "-", "--json", stdin=text)

    assert "from: 2026-11-01T00:00:00Z" in text
    assert unquoted.json == timegate("simulate", "-f", "-", "--json", stdin=scenario()).json


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param((), "Name a scenario with -f, or a job with --job.", id="nothing"),
        pytest.param(
            ("-f", "-", "--from", "2026-11-21T00:00:00Z"), "--from and --to go with", id="from"
        ),
        pytest.param(
            ("-f", "-", "--to", "2026-11-21T00:00:00Z"), "--from and --to go with", id="to"
        ),
    ],
)
def test_a_file_or_a_job_is_named(timegate: Timegate, options: tuple[str, ...], said: str) -> None:
    """And a range goes with a job alone: 2."""
    outcome = timegate("simulate", *options, stdin=scenario())

    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("schedule: {kind: immediate}", "schedule [not_for_this_job]", id="schedule"),
        pytest.param(f"job_id: {'b' * 26}", "job_id [not_for_this_job]", id="another"),
        pytest.param("- 1", "scenario [wrong_type]", id="no-object"),
        pytest.param("from: tomorrow", "from [invalid_instant]", id="from"),
        pytest.param("run_seconds: .nan", "scenario [invalid_yaml]", id="no-number"),
        pytest.param("expect: !!binary aGk=", "scenario [invalid_yaml]", id="no-text"),
    ],
)
def test_a_scenario_about_a_job_says_nothing_else_of_it(
    timegate: Timegate, api: FakeApi, text: str, error: str
) -> None:
    """A contradiction is refused with exit code 2 before a request is sent."""
    outcome = timegate("simulate", "--job", "a" * 26, "-f", "-", stdin=text)

    assert (outcome.code, outcome.unexpected, api.calls) == (2, None, [])
    assert f"  {error}: " in outcome.err

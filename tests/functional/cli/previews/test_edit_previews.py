"""``timegate jobs update --preview`` and ``timegate diff`` in front of the real API."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
PAGE = (Path(__file__).resolve().parents[4] / "docs" / "reference" / "cli.md").read_text()
LATER = json.dumps(
    {"schedule": {"kind": "cron", "cron": "30 10 * * *", "timezone": "Europe/Berlin"}}
)
JOB = """
kind: Job
name: report
spec:
  schedule: {kind: cron, cron: "0 9 * * *", timezone: Europe/Berlin}
  action: {type: webhook, url: https://example.com/report}
  tags: {team: ops}
"""


def created(timegate: Timegate, served: World) -> str:
    """A job's id, a second later."""
    made = timegate(
        *("jobs", "create", "--name", "report", "--cron", "0 9 * * *"),
        *("--timezone", "Europe/Berlin", "--webhook", "https://example.com/report", "--json"),
    )
    served.clock.advance(1)
    return str(made.json["job_id"])


def test_the_page_shows_what_a_preview_prints(timegate: Timegate, served: World) -> None:
    """Line by line, but for the second at which it was asked."""
    job_id = created(timegate, served)
    (shown,) = re.findall(
        r"\$ timegate jobs update JOB_ID --file later.*?\n(.*?)```", PAGE, re.DOTALL
    )
    printed = timegate(
        *("jobs", "update", job_id, "--file", "-", "--preview", "--days", "2"), stdin=LATER
    )
    lines = [line.rstrip() for line in printed.out.replace(":01 UTC", ":00 UTC").split("\n")]

    assert lines == [line.rstrip() for line in shown.split("\n")]
    assert timegate("jobs", "get", job_id, "--json").json["version"] == 1


def test_a_preview_can_be_data_and_of_one_version(timegate: Timegate, served: World) -> None:
    """The API's answer; another version is refused."""
    job_id = created(timegate, served)
    words = ("jobs", "update", job_id, "--file", "-", "--preview", "--limit", "1", "--json")
    found = timegate(*words, stdin=LATER)
    other = timegate(*words, "--if-version", "7", stdin=LATER)

    assert (found.json["moved"]["count"], len(found.json["moved"]["first"])) == (7, 1)
    assert (other.code, "version_mismatch" in other.err) == (1, True)


def test_a_paused_job_is_said_to_be(timegate: Timegate, served: World) -> None:
    """And compared as if it were resumed, if so asked."""
    job_id = created(timegate, served)
    timegate("jobs", "pause", job_id)
    words = ("jobs", "update", job_id, "--file", "-", "--preview")
    paused, resumed = timegate(*words, stdin=LATER), timegate(*words, "--resumed", stdin=LATER)

    assert "The job is paused" in paused.out
    assert "7 moved" in resumed.out


def test_options_of_a_preview_need_one(timegate: Timegate) -> None:
    """Else a caller would wait for a preview and get an update."""
    outcome = timegate("jobs", "update", "ID", "--file", "-", "--days", "2", stdin=LATER)

    assert outcome.code == 2
    assert "--preview" in outcome.err


def test_a_difference_names_the_instants(timegate: Timegate, tmp_path: Path) -> None:
    """New, changed and pruned jobs name theirs; a change that moves none names nothing."""
    file = tmp_path / "job.yaml"
    file.write_text(JOB)
    new = timegate("diff", "-f", str(file))
    timegate("apply", "-f", str(file), "--yes")
    file.write_text(JOB.replace("0 9 ", "0 10 "))
    changed = timegate("diff", "-f", str(file), "--days", "3")
    quiet = timegate("diff", "-f", str(file), "--days", "0")
    file.write_text(JOB.replace("/report}", "/other}"))
    unmoved = timegate("diff", "-f", str(file), "--json")
    file.write_text("[]")
    pruned = timegate("diff", "-f", str(file), "--prune")

    assert "    first runs: Sat 2026-11-21 08:00:00, Sun 2026-11-22 08:00:00," in new.out
    assert "    next 3 days (UTC): 0 gained, 0 lost, 3 moved; 3 runs before, 3 after" in changed.out
    assert "      ~ Sat 2026-11-21 08:00:00 → Sat 2026-11-21 09:00:00" in changed.out
    assert "moved" not in quiet.out
    assert unmoved.json["steps"][0]["instants"] is None
    assert "    next 7 days (UTC): 0 gained, 7 lost, 0 moved; 7 runs before, 0 after" in pruned.out


def test_calendars_of_the_same_files_are_not_guessed(timegate: Timegate, tmp_path: Path) -> None:
    """The stage knows those that are stored."""
    file = tmp_path / "job.yaml"
    calendar = "kind: Calendar\nname: office\nspec: {weekdays: [sun]}\n---"
    file.write_text(calendar + JOB + "  calendars: [{calendar: office}]\n")
    shown = timegate("diff", "-f", str(file))

    assert "instants are not known: Calendar/office is changed by these files as well." in shown.out


def test_an_end_that_moves_is_said_of_either_side(timegate: Timegate, served: World) -> None:
    """The job has no bound before; the edit gives it one."""
    job_id = created(timegate, served)
    bounded = json.loads(LATER)
    bounded["schedule"]["max_runs"] = 2
    words = ("jobs", "update", job_id, "--file", "-", "--preview")
    plain, moving = timegate(*words, stdin=LATER), timegate(*words, stdin=json.dumps(bounded))

    assert "max_runs" not in plain.out
    assert "after: Ends with the run of 2026-11-22T09:30:00.000Z: max_runs is 2." in moving.out
    assert "before:" not in moving.out


def test_a_difference_says_where_an_end_moves(timegate: Timegate, tmp_path: Path) -> None:
    """New and changed jobs name their end; a pruned job names none."""
    file = tmp_path / "job.yaml"
    bounded = JOB.replace("timezone: Europe/Berlin}", "timezone: Europe/Berlin, max_runs: 2}")
    file.write_text(bounded)
    new = timegate("diff", "-f", str(file))
    timegate("apply", "-f", str(file), "--yes")
    file.write_text(bounded.replace("0 9 ", "0 10 "))
    changed = timegate("diff", "-f", str(file))
    file.write_text("[]")
    pruned = timegate("diff", "-f", str(file), "--prune")
    file.write_text(JOB)
    unbounded = timegate("diff", "-f", str(file))

    assert "Ends with the run of 2026-11-22T08:00:00.000Z: max_runs is 2." in new.out
    assert "Ends with the run of 2026-11-22T09:00:00.000Z: max_runs is 2." in changed.out
    assert "max_runs is" not in pruned.out
    assert "max_runs is" not in unbounded.out

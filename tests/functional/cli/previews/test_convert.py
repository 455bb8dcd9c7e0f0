"""``schedule convert``: files of other programs, read and compared."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import AFTER, BERLIN, converted, entries, warned
from tests.functional.cli.fake_api import FakeApi

__all__ = ["converted"]

Timegate = Callable[..., Outcome]

CRONTAB = """\
# m h dom mon dow command
MAILTO="ops@example.com"
CRON_TZ=Europe/Berlin
PATH=/usr/bin:/bin

# Nightly backup
30 2 * * * /usr/local/bin/backup.sh --all

#30 3 * * * /usr/bin/switched-off
*/60 2 * * *  LANG=C /opt/x/run 100\\% % input
@weekly /usr/bin/tidy
@reboot /bin/start
0 25 * * * foo
0 9 13 * 5
0 0 L * * foo
"""


def test_each_line_of_a_crontab_is_read(converted: Callable[..., Outcome]) -> None:
    """Comments name entries; what cannot be converted says why and where."""
    outcome = converted("crontab", CRONTAB)
    found = entries(outcome)

    assert outcome.code == 1
    assert [(e["line"], e["name"], (e["error"] or {}).get("code")) for e in found] == [
        (7, "Nightly backup", None),
        (10, "run", None),
        (11, "tidy", None),
        (12, "start", "reboot"),
        (13, "foo", "invalid_cron"),
        (14, "schedule", "incomplete_line"),
        (15, "foo 2", "invalid_cron"),
    ]
    assert "of Vixie cron" in found[-1]["error"]["detail"]
    assert found[0]["here"]["job"]["schedule"] == {
        "kind": "cron",
        "cron": "30 2 * * *",
        "timezone": "Europe/Berlin",
    }
    assert warned(found[0]) == ["mailto"]


def test_fires_that_differ_are_named_with_their_remedy(converted: Callable[..., Outcome]) -> None:
    """Vixie cron goes by the star at the head, ours by the times; ``dst`` keeps it."""
    (found,) = entries(outcome := converted("crontab", "*/60 2 * * * run", *BERLIN))
    spring, autumn = found["warnings"]
    kept = converted("crontab", "*/60 2 * * * run", *BERLIN, "--faithful")

    assert (outcome.code, found["differs"]) == (5, True)
    assert spring["code"] == autumn["code"] == "clock_change"
    assert spring["detail"] == (
        "The clock changes on Sun 2027-03-28. Only there: none. Only here: 01:00 UTC. "
        "To keep it: dst: interval."
    )
    assert "Only there: 01:00 UTC. Only here: none." in autumn["detail"]
    assert (kept.code, entries(kept)[0]["warnings"]) == (0, [])
    assert entries(kept)[0]["here"]["job"]["schedule"]["dst"] == "interval"


def test_fires_stand_side_by_side(converted: Callable[..., Outcome]) -> None:
    """Each side shows ``-n`` instants after the given one."""
    (found,) = entries(converted("quartz", "0 0 9 ? * 2-6", *BERLIN, "-n", "2"))

    assert found["there"]["fires"] == found["here"]["fires"]
    assert found["here"]["fires"] == ["2026-11-23T08:00:00.000Z", "2026-11-24T08:00:00.000Z"]
    assert warned(found) == ["weekday_numbers"]
    assert found["here"]["description"] == "At 09:00 on Monday to Friday, Europe/Berlin time"


@pytest.mark.parametrize(
    ("source", "text", "policies"),
    [
        ("quartz", "0 30 2 * * ?", {"dst": "interval"}),
        ("eventbridge", "cron(30 2 * * ? *)", {"gap": "skip"}),
        ("eventbridge", "cron(0 * * * ? *)", {"dst": "fixed", "gap": "skip"}),
        ("systemd", "02:30", {"gap": "skip"}),
        ("crontab", "30 2 * * * run", {}),
        ("crontab", "0 * * * * run", {}),
    ],
)
def test_policies_imitate_each_program(
    converted: Callable[..., Outcome], source: str, text: str, policies: dict[str, str]
) -> None:
    """docs/concepts/schedules.md lists them; without them the output warns of a difference."""
    (plain,) = entries(converted(source, text, *BERLIN))
    (kept,) = entries(converted(source, text, *BERLIN, "--faithful"))
    schedule = kept["here"]["job"]["schedule"]

    assert ("clock_change" in warned(plain)) == bool(policies)
    assert "clock_change" not in warned(kept)
    assert {n: v for n, v in schedule.items() if n in {"dst", "gap", "fold"}} == policies


@pytest.mark.parametrize("source", ["crontab", "quartz", "systemd", "kubernetes"])
def test_a_zone_that_is_not_said_is_pointed_out(
    converted: Callable[..., Outcome], source: str
) -> None:
    """Each reads its machine's clock; UTC is assumed."""
    texts = {
        "crontab": "0 9 * * * run",
        "quartz": "0 0 9 * * ?",
        "systemd": "09:00",
        "kubernetes": "{kind: CronJob, metadata: {name: a}, spec: {schedule: '0 9 * * *'}}",
    }
    (without,) = entries(converted(source, texts[source]))
    (named,) = entries(converted(source, texts[source], *BERLIN))

    assert "timezone_assumed" in warned(without)
    assert "timezone_assumed" not in warned(named)
    assert named["here"]["job"]["schedule"]["timezone"] == "Europe/Berlin"


def test_people_see_a_summary(timegate: Timegate, tmp_path: Path) -> None:
    """Both readings, the job, its fires, and a count."""
    path = tmp_path / "quartz.properties"
    path.write_text("daily=0 0 9 ? * 2\nwrong=0 0 9 * * *\n")
    outcome = timegate("schedule", "convert", "--from", "quartz", str(path), *BERLIN, *AFTER)

    assert outcome.code == 1
    assert "line 1  daily: 0 0 9 ? * 2" in outcome.out
    assert "there  At 09:00 on Monday, Europe/Berlin time, following real time" in outcome.out
    assert "refused [invalid_cron]: Quartz wants ? in exactly one" in outcome.out
    assert "2 read, 0 with differences, 1 refused." in outcome.out


def test_it_works_offline(timegate: Timegate, api: FakeApi, tmp_path: Path) -> None:
    """No stage is asked."""
    (tmp_path / "file").write_text("0 9 * * * run")
    timegate("schedule", "convert", "--from", "crontab", str(tmp_path / "file"))

    assert api.calls + api.token_calls == []


@pytest.mark.parametrize(
    ("source", "text", "named"),
    [
        ("eventbridge", '{"Name": "a",', "line 1 [invalid_json]"),
        ("eventbridge", "[1]", "file [invalid_json]"),
        ("kubernetes", "{", "file [invalid_yaml]"),
        ("systemd", "[Timer]\nRandomizedDelaySec=soon\n", "line 2 [invalid_calendar_event]"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    converted: Callable[..., Outcome], source: str, text: str, named: str
) -> None:
    """The exit code is that of a wrong command line, and the error names the place."""
    outcome = converted(source, text)
    (problem,) = json.loads(outcome.err)["error"]["errors"]

    assert outcome.code == 2
    assert f"{problem['field']} [{problem['code']}]" == named


def test_a_wrong_zone_is_refused(converted: Callable[..., Outcome]) -> None:
    """Before anything is read."""
    outcome = converted("crontab", "0 9 * * * run", "--timezone", "Mars/Olympus")

    assert outcome.code == 2
    assert "unknown_timezone" in outcome.err

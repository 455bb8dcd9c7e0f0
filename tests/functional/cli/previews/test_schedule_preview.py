"""``schedule preview``: what a schedule would do, computed on this machine."""

import time
from collections.abc import Callable, Iterator

import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import answered
from tests.support.api import api_services
from tests.support.factories import TENANT
from tests.support.world import World
from timegate.contracts.previews.previews import PreviewRequest
from timegate.domain.recurrence.words import describe
from timegate.usecases.previews.preview_schedule import SchedulePreview, preview_schedule

Timegate = Callable[..., Outcome]

BERLIN = ("--cron", "30 2 * * *", "--timezone", "Europe/Berlin")
BEFORE_SPRING = ("--from", "2027-03-27T00:00:00Z")


@pytest.fixture
def in_kolkata(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock on the wall is 5:30 ahead."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def preview(timegate: Timegate, *options: str) -> list[str]:
    """The instants a preview prints."""
    fires: list[str] = timegate("schedule", "preview", *options, "--json").json["fires"]
    return fires


def test_it_needs_no_profile_and_no_network(
    api: FakeApi, elsewhere: Callable[..., Terminal]
) -> None:
    """No stage is asked, so it works before anything is deployed."""
    outcome = elsewhere(XDG_CONFIG_HOME="/nowhere").run(
        "schedule", "preview", "--cron", "@daily", "-n", "1", "--json"
    )

    assert outcome.json["fires"] == ["2026-11-22T00:00:00.000Z"]
    assert api.calls + api.token_calls == []


def test_instants_are_utc_with_milliseconds(timegate: Timegate) -> None:
    """On the day the clock jumps over it, the run comes right after the jump."""
    assert preview(timegate, *BERLIN, *BEFORE_SPRING, "-n", "3") == [
        "2027-03-27T01:30:00.000Z",
        "2027-03-28T01:00:00.000Z",
        "2027-03-29T00:30:00.000Z",
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(
            ("--every", "90"), ["2027-01-01T00:01:30.000Z", "2027-01-01T00:03:00.000Z"], id="every"
        ),
        pytest.param(
            ("--every", "90", "--max-runs", "1"), ["2027-01-01T00:01:30.000Z"], id="max-runs"
        ),
        pytest.param(
            ("--at", "2027-01-01T01:00:00+01:00"), ["2027-01-01T00:00:00.000Z"], id="at-the-start"
        ),
        pytest.param(("--delay", "250ms"), ["2027-01-01T00:00:00.250Z"], id="delay"),
        pytest.param(("--now",), ["2027-01-01T00:00:00.000Z"], id="now"),
        pytest.param(
            ("--cron", "0 0 * * *"),
            ["2027-01-02T00:00:00.000Z", "2027-01-03T00:00:00.000Z"],
            id="cron-after-the-start",
        ),
        pytest.param(
            ("--cron", "@daily", "--ends-at", "2027-01-02T00:00:00Z"),
            ["2027-01-02T00:00:00.000Z"],
            id="ends-at",
        ),
        pytest.param(
            ("--cron", "0 */8 * * *", "--cron", "0 */12 * * *"),
            ["2027-01-01T08:00:00.000Z", "2027-01-01T12:00:00.000Z"],
            id="union",
        ),
    ],
)
def test_every_kind_can_be_previewed(
    timegate: Timegate, options: tuple[str, ...], expected: list[str]
) -> None:
    """Like a job created at ``--from``."""
    assert preview(timegate, *options, "--from", "2027-01-01T00:00:00Z", "-n", "2") == expected


def test_it_begins_now(timegate: Timegate) -> None:
    """Without ``--from``, with the machine's clock, and shows ten."""
    fires = preview(timegate, "--every", "60")

    assert (fires[0], len(fires)) == ("2026-11-21T07:01:00.000Z", 10)


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param({"kind": "cron", "cron": "*/7 3 * * 1", "timezone": "America/St_Johns"}),
        pytest.param({"kind": "rate", "every_seconds": 37, "starts_at": "2027-01-05T00:00:00Z"}),
        pytest.param({"kind": "delay", "delay_seconds": 1.5}),
    ],
    ids=lambda schedule: schedule["kind"],
)
def test_it_agrees_with_the_api(timegate: Timegate, schedule: dict[str, str]) -> None:
    """The same schedule, asked of the API's use case, has the same instants."""
    start = "2027-01-01T00:00:00Z"
    request = PreviewRequest.model_validate({"schedule": schedule, "from": start}, strict=False)
    assert request.start is not None
    wanted = SchedulePreview(
        tenant=TENANT, schedule=request.schedule.to_domain(), start=request.start, count=5
    )
    theirs = preview_schedule(wanted, api_services(World())).prospects
    names = {"delay_seconds": "--delay", "every_seconds": "--every", "starts_at": "--starts-at"}
    options = [
        word
        for name, value in schedule.items()
        if name != "kind"
        for word in (names.get(name, f"--{name}"), str(value))
    ]
    ours = preview(timegate, *options, "--from", start, "-n", "5")

    assert ours == [
        each.at.isoformat(timespec="milliseconds").replace("+00:00", "Z") for each in theirs
    ]


def test_people_see_words_and_both_clocks(timegate: Timegate) -> None:
    """A cron schedule shows its own zone's clock, whose offset jumps."""
    lines = timegate("schedule", "preview", *BERLIN, *BEFORE_SPRING, "-n", "2").out.splitlines()

    assert lines[0].strip()
    assert lines[2].split() == ["Europe/Berlin", "UTC"]
    assert lines[3].split() == (
        ["1", "Sat", "2027-03-27", "02:30:00+01:00", "CET", "2027-03-27T01:30:00.000Z"]
    )
    assert lines[4].split() == (
        ["2", "Sun", "2027-03-28", "03:00:00+02:00", "CEST", "2027-03-28T01:00:00.000Z"]
    )


def test_without_a_pattern_the_clock_is_this_machines(timegate: Timegate, in_kolkata: None) -> None:
    """A rate has no zone of its own."""
    out = timegate(*("schedule", "preview", "--delay", "0.5", "--from", "2027-01-01T00:00:00Z")).out

    assert "Fri 2027-01-01 05:30:00.500+05:30 IST" in out


@pytest.mark.parametrize(
    ("max_runs", "says_so"), [pytest.param("2", True, id="ends"), pytest.param("3", False, id="n")]
)
def test_a_schedule_that_ends_says_so(timegate: Timegate, max_runs: str, says_so: bool) -> None:
    """Fewer rows than asked for are explained."""
    out = timegate("schedule", "preview", "--every", "1", "-n", "3", "--max-runs", max_runs).out

    assert ("Then it ends." in out) == says_so


def test_the_description_is_the_domains(timegate: Timegate) -> None:
    """The words are those the API uses."""
    outcome = timegate("schedule", "preview", "--cron", "0 9 * * *", "--json")
    request = {"schedule": {"kind": "cron", "cron": "0 9 * * *"}}
    schedule = PreviewRequest.model_validate(request, strict=False).schedule.to_domain()

    assert outcome.json["description"] == describe(schedule)


def test_calendars_are_asked_of_the_stage(api: FakeApi, timegate: Timegate) -> None:
    """Each instant is shown with its outcome; the rules go out like those of a job."""
    instants = [
        {
            "at": "2027-03-27T01:30:00.000Z",
            "outcome": "deferred",
            "runs_at": "2027-03-28T01:00:00.000Z",
        },
        {"at": "2027-03-28T01:00:00.000Z", "outcome": "excluded", "runs_at": None},
        {
            "at": "2027-03-29T00:30:00.000Z",
            "outcome": "runs",
            "runs_at": "2027-03-29T00:30:00.000Z",
        },
    ]
    change = answered("previewSchedule", "clock_changes", 0, description="The clock skips an hour.")
    told = {"description": "Daily", "instants": instants, "clock_changes": [change]}
    api.will(ok(answered("previewSchedule", **told)))
    options = (*BERLIN, *BEFORE_SPRING, "-n", "3", "--exclude", "holidays", "--defer")
    lines = timegate("schedule", "preview", *options).out.splitlines()

    assert api.asked == ["POST /v1/schedules/preview"]
    assert api.body == {
        "schedule": {"kind": "cron", "cron": "30 2 * * *", "timezone": "Europe/Berlin"},
        "calendars": [{"calendar": "holidays", "mode": "exclude", "action": "defer"}],
        "from": "2027-03-27T00:00:00.000Z",
        "count": 3,
    }
    assert lines[0] == "Daily"
    assert lines[-1] == "The clock skips an hour."
    assert lines[2].split() == ["Europe/Berlin", "UTC", "runs"]
    assert lines[3].rstrip().endswith("Sun 2027-03-28 03:00:00+02:00 CEST")
    assert lines[4].rstrip().endswith("- (excluded)")
    assert lines[5].rstrip().endswith("then")


@pytest.mark.parametrize(
    ("options", "fires", "words"),
    [
        (
            ("--cron", "0 0 9 ? * 2", "--dialect", "quartz"),
            ["2026-11-23T09:00:00.000Z"],
            "At 09:00 on Monday, UTC",
        ),
        (("--cron", "rate(5 minutes)"), ["2026-11-21T07:05:00.000Z"], "Every 5 minutes"),
        (
            ("--cron", "at(2026-12-01T09:00:00)", "--timezone", "Europe/Berlin"),
            ["2026-12-01T08:00:00.000Z"],
            "Once, at 2026-12-01T08:00:00.000Z",
        ),
    ],
)
def test_dialects_and_other_spellings(
    timegate: Timegate, options: tuple[str, ...], fires: list[str], words: str
) -> None:
    """The API reads them alike."""
    shown = timegate("schedule", "preview", *options, "-n", "1", "--json").json

    assert (shown["fires"], shown["description"]) == (fires, words)


@pytest.mark.parametrize(
    ("options", "moves_to"),
    [
        pytest.param(("--max-runs", "2"), "2026-11-21T07:03:00.000Z", id="moves"),
        pytest.param(("--max-runs", "4"), None, id="later-than-shown"),
        pytest.param((), None, id="no-bound"),
        pytest.param(
            ("--max-runs", "2", "--ends-at", "2026-11-21T07:03:00Z"),
            "2026-11-21T07:03:00.000Z",
            id="ends-at-after",
        ),
        pytest.param(
            ("--max-runs", "2", "--ends-at", "2026-11-21T07:02:59Z"), None, id="ends-at-before"
        ),
    ],
)
def test_an_end_by_max_runs_says_where_it_moves(
    timegate: Timegate, options: tuple[str, ...], moves_to: str | None
) -> None:
    """In words and as data, as the API says it; nothing where no place given back moves the end."""
    words = ("schedule", "preview", "--every", "60", "-n", "3", *options)
    end = timegate(*words, "--json").json["end"]
    shown = timegate(*words).out

    assert (end and end["moves_to"]) == moves_to
    assert ("max_runs" in shown) == (moves_to is not None)
    assert end is None or end["description"] in shown.replace("\n", " ")


@pytest.mark.parametrize("max_runs", [2, 3, 4])
def test_ends_agree_with_the_api(timegate: Timegate, max_runs: int) -> None:
    """Computed here, and by the API's use case."""
    schedule = {"kind": "rate", "every_seconds": 60, "max_runs": max_runs}
    start = "2027-01-01T00:00:00Z"
    request = PreviewRequest.model_validate({"schedule": schedule, "from": start}, strict=False)
    assert request.start is not None
    wanted = SchedulePreview(
        tenant=TENANT, schedule=request.schedule.to_domain(), start=request.start, count=3
    )
    theirs = preview_schedule(wanted, api_services(World())).end
    words = ("--every", "60", "--max-runs", str(max_runs), "--from", start, "-n", "3", "--json")

    assert timegate("schedule", "preview", *words).json["end"] == (theirs and theirs.fields())


@pytest.mark.parametrize("columns", [20, 30, 36, 39, 60, 100])
def test_instants_are_whole_however_narrow_the_terminal_is(
    timegate: Timegate, columns: int
) -> None:
    """Numbers of rows give way to them, and the last column folds."""
    options = ("--cron", "0 9 * * *", "--timezone", "Europe/Berlin", "-n", "2")
    shown = timegate("schedule", "preview", *options, columns=columns).out
    words = " ".join(shown.split())

    assert "2026-11-21 09:00:00+01:00 CET" in words
    assert "2026-11-22 09:00:00+01:00 CET" in words
    assert max(map(len, shown.splitlines())) <= columns

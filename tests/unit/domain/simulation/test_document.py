"""Scenarios as they are written: what is accepted, and what is refused where."""

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from timegate.domain.errors import InvalidInput
from timegate.domain.job import CatchUp, CatchUpPolicy
from timegate.domain.simulation import Scenario, read_document, simulate

ROOT = Path(__file__).resolve().parents[4]
MINUTELY = {
    "schedule": {"kind": "rate", "every_seconds": 60},
    "from": "2026-11-21T07:00:00Z",
    "to": "2026-11-21T08:00:00Z",
}
HOUR = {"from": "2026-11-21T07:10:00Z", "to": "2026-11-21T07:20:00Z"}
LATER = {"from": "2026-11-21T07:30:00Z", "to": "2026-11-21T07:40:00Z"}


def document(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A minutely job, watched for an hour."""
    return deepcopy(MINUTELY) | changes


def read(**changes: Any) -> Scenario:  # noqa: ANN401 - any JSON
    """The scenario that a document tells."""
    return read_document(document(**changes)).scenario


def test_what_is_left_out_gets_the_schedulers_defaults() -> None:
    """A scenario of three fields is a job without troubles."""
    scenario = read()

    assert scenario.created_at == scenario.anchored_at == scenario.start
    assert scenario.catch_up == CatchUp()
    assert [*scenario.planner_outages, *scenario.pauses, *scenario.edits] == []
    assert len(simulate(scenario).rows) == 59


def test_a_policy_is_read_with_its_fields() -> None:
    """And the others keep their defaults."""
    assert read(catch_up={"policy": "all", "limit": 3}).catch_up == CatchUp(limit=3)
    assert read(catch_up={"policy": "latest", "window_seconds": 9}).catch_up == CatchUp(
        policy=CatchUpPolicy.LATEST, window_seconds=9
    )


REFUSED = [
    pytest.param({"shedule": {}}, "shedule", "unknown_field", id="misspelt"),
    pytest.param({"planner": {"outage": []}}, "planner.outage", "unknown_field", id="nested"),
    pytest.param({"planner": []}, "planner", "wrong_type", id="no-object"),
    pytest.param({"pauses": HOUR}, "pauses", "wrong_type", id="no-list"),
    pytest.param({"pauses": [HOUR] * 101}, "pauses", "too_long", id="too-many"),
    pytest.param({"pauses": [{"to": HOUR["to"]}]}, "pauses.0.from", "missing", id="missing"),
    pytest.param({"run_seconds": "90"}, "run_seconds", "wrong_type", id="text"),
    pytest.param({"run_seconds": [1, True]}, "run_seconds.1", "wrong_type", id="true-is-no-1"),
    pytest.param({"run_seconds": -1}, "run_seconds", "too_small", id="negative"),
    pytest.param({"run_seconds": float("nan")}, "run_seconds", "too_small", id="nan"),
    pytest.param({"run_seconds": []}, "run_seconds", "too_short", id="no-duration"),
    pytest.param({"start_within_seconds": 1.5}, "start_within_seconds", "wrong_type", id="half"),
    pytest.param({"start_within_seconds": 0}, "start_within_seconds", "too_small", id="zero"),
    pytest.param({"precision": "hour"}, "precision", "invalid_choice", id="choice"),
    pytest.param({"job_id": "7"}, "job_id", "invalid_format", id="job-id"),
    pytest.param({"job_id": 7}, "job_id", "wrong_type", id="job-id-number"),
    pytest.param({"from": 7}, "from", "invalid_instant", id="number-is-no-instant"),
    pytest.param({"from": "9999-01-01T00:00:00Z"}, "from", "out_of_range", id="year-9999"),
    pytest.param({"to": MINUTELY["from"]}, "to", "ends_before_start", id="empty-range"),
    pytest.param({"created_at": LATER["from"]}, "created_at", "out_of_range", id="created-later"),
    pytest.param({"anchored_at": LATER["to"]}, "anchored_at", "out_of_range", id="anchor-later"),
    pytest.param({"cancelled_at": MINUTELY["to"]}, "cancelled_at", "out_of_range", id="at-the-end"),
    pytest.param({"cancelled_at": MINUTELY["from"]}, "cancelled_at", "out_of_range", id="at-once"),
    pytest.param(
        {"planner": {"outages": [{"from": HOUR["to"], "to": HOUR["from"]}]}},
        "planner.outages.0.to",
        "ends_before_start",
        id="reversed-outage",
    ),
    pytest.param(
        {"pauses": [HOUR, {"from": LATER["to"], "to": LATER["from"]}]},
        "pauses.1.to",
        "ends_before_start",
        id="reversed-pause",
    ),
    pytest.param(
        {"planner": {"look_ahead_seconds": 901}},
        "planner.look_ahead_seconds",
        "too_large",
        id="look-ahead",
    ),
    pytest.param(
        {"pauses": [LATER, HOUR]}, "pauses.1.from", "overlapping", id="pauses-out-of-order"
    ),
    pytest.param(
        {"pauses": [{"from": HOUR["from"]}, LATER]}, "pauses.1.from", "overlapping", id="paused"
    ),
    pytest.param(
        {"pauses": [{"from": HOUR["from"], "catch_up": True}]},
        "pauses.0.catch_up",
        "not_resumed",
        id="never-resumed",
    ),
    pytest.param(
        {"pauses": [HOUR | {"catch_up": "yes"}]}, "pauses.0.catch_up", "wrong_type", id="yes"
    ),
    pytest.param(
        {"catch_up": {"policy": "skip", "window_seconds": 60}},
        "catch_up.window_seconds",
        "not_for_this_policy",
        id="window-of-skip",
    ),
    pytest.param(
        {"catch_up": {"policy": "latest", "limit": 2}},
        "catch_up.limit",
        "not_for_this_policy",
        id="limit-of-latest",
    ),
    pytest.param(
        {"schedule": {"kind": "rate", "cron": "@daily"}},
        "schedule.every_seconds",
        "required",
        id="kind",
    ),
    pytest.param(
        {
            "edits": [
                {"at": HOUR["from"], "schedule": {"kind": "immediate"}},
                {"at": HOUR["from"], "schedule": {"kind": "immediate"}},
            ]
        },
        "edits.1.at",
        "out_of_order",
        id="edits-out-of-order",
    ),
    pytest.param(
        {"edits": [{"at": HOUR["from"], "schedule": {"kind": "cron", "cron": "0 0 31 2 *"}}]},
        "edits.0.schedule.cron",
        "never_fires",
        id="edit-never-fires",
    ),
    pytest.param({"expect": {"run": 1}}, "expect.run", "unknown_field", id="expect-misspelt"),
    pytest.param(
        {"expect": {"skipped": {"lat": 1}}}, "expect.skipped.lat", "unknown_field", id="no-reason"
    ),
    pytest.param({"expect": {"runs": "1"}}, "expect.runs", "wrong_type", id="expect-text"),
]


@pytest.mark.parametrize(("changes", "field", "code"), REFUSED)
def test_what_cannot_be_accepted_names_its_field(
    changes: dict[str, Any], field: str, code: str
) -> None:
    """By its whole path, with a stable code."""
    with pytest.raises(InvalidInput) as refused:
        simulate(read(**changes))

    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize(
    ("to", "refused"),
    [
        pytest.param("2026-11-21T12:33:21Z", False, id="20000"),
        pytest.param("2026-11-21T12:33:22Z", True, id="20001"),
        pytest.param("8000-01-01T00:00:00Z", True, id="much-more"),
    ],
)
def test_a_simulation_has_at_most_twenty_thousand_instants(to: str, *, refused: bool) -> None:
    """More is refused before anything is computed."""
    scenario = read(schedule={"kind": "rate", "every_seconds": 1}, to=to)
    if not refused:
        assert len(simulate(scenario).rows) == 20_000
        return

    with pytest.raises(InvalidInput) as error:
        simulate(scenario)
    assert (error.value.field, error.value.code) == ("to", "simulation_too_large")


def test_the_page_knows_every_code() -> None:
    """As the code writes them; those of schedules have a page of their own."""
    page = (ROOT / "docs" / "simulate.md").read_text()
    package = ROOT / "layers/core/python/timegate/domain/simulation"
    sources = [path.read_text() for path in package.glob("*.py")]
    others = ("cli/simulate.py", "usecases/simulate_scenario.py")
    sources += [(ROOT / "layers/core/python/timegate" / name).read_text() for name in others]
    named = r'(?:InvalidInput|_refuse)\(\s*[^,()]+(?:\([^()]*\))?,\s*"(\w+)"'
    codes = {code for source in sources for code in re.findall(named, source)}
    listed = {
        code
        for row in re.findall(
            r"^\| (`\w+`(?:, `\w+`)*) \| ", page.partition("## Refusals")[2], re.MULTILINE
        )
        for code in re.findall(r"\w+", row)
    }
    elsewhere = {"ends_before_start", "out_of_range", "no_utc_offset"}

    assert codes - elsewhere == listed
    assert all(f"`{code}`" in (ROOT / "docs/schedules.md").read_text() for code in elsewhere)

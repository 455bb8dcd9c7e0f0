"""Documents that are refused, here and by the API: what is changed, which field, with what code."""

from copy import deepcopy
from typing import Any

import pytest

MINUTELY = {
    "schedule": {"kind": "rate", "every_seconds": 60},
    "from": "2026-11-21T07:00:00Z",
    "to": "2026-11-21T08:00:00Z",
}
RANGE = {"from": MINUTELY["from"], "to": MINUTELY["to"]}
ONCE = {"name": "a", "schedule": {"kind": "immediate"}}
HOUR = {"from": "2026-11-21T07:10:00Z", "to": "2026-11-21T07:20:00Z"}
LATER = {"from": "2026-11-21T07:30:00Z", "to": "2026-11-21T07:40:00Z"}


def document(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A minutely job, watched for an hour."""
    return deepcopy(MINUTELY) | changes


REFUSED_JOBS = [
    pytest.param({"jobs": []}, "jobs", "too_short", id="none"),
    pytest.param(
        {"jobs": [{"name": str(n), "schedule": {"kind": "immediate"}} for n in range(11)]},
        "jobs",
        "too_long",
        id="eleven",
    ),
    pytest.param({"jobs": {}}, "jobs", "wrong_type", id="no-list"),
    pytest.param({"jobs": [7]}, "jobs.0", "wrong_type", id="no-object"),
    pytest.param(
        {"jobs": [{"schedule": {"kind": "immediate"}}]}, "jobs.0.name", "missing", id="no-name"
    ),
    pytest.param({"jobs": [{"name": ""}]}, "jobs.0.name", "too_short", id="empty-name"),
    pytest.param({"jobs": [{"name": "n" * 65}]}, "jobs.0.name", "too_long", id="long-name"),
    pytest.param({"jobs": [{"name": "a\n"}]}, "jobs.0.name", "invalid_format", id="newline"),
    pytest.param({"jobs": [{"name": "a"}]}, "jobs.0.schedule", "missing", id="no-schedule"),
    pytest.param(
        {"jobs": [{"name": "a", "schedule": {"kind": "immediate"}, "from": HOUR["from"]}]},
        "jobs.0.from",
        "unknown_field",
        id="range-of-a-job",
    ),
    pytest.param(
        {"jobs": [ONCE], "schedule": {"kind": "immediate"}},
        "schedule",
        "unknown_field",
        id="both",
    ),
    pytest.param({"jobs": [ONCE, ONCE]}, "jobs.1.name", "there_twice", id="same-name"),
    pytest.param(
        {"jobs": [ONCE | {"job_id": "a" * 26}, ONCE | {"name": "b", "job_id": "a" * 26}]},
        "jobs.1.job_id",
        "there_twice",
        id="same-id",
    ),
    pytest.param(
        {"jobs": [ONCE, {"name": "b", "schedule": {"kind": "cron", "cron": "0 0 31 2 *"}}]},
        "jobs.1.schedule.cron",
        "never_fires",
        id="never-fires",
    ),
    pytest.param(
        {"jobs": [ONCE, {"name": "b", "schedule": {"kind": "cron", "cron": "rate(5)"}}]},
        "jobs.1.schedule.cron",
        "invalid_cron",
        id="another-spelling",
    ),
    pytest.param(
        {"jobs": [ONCE | {"start_within_seconds": "P1M"}]},
        "jobs.0.start_within_seconds",
        "calendar_duration",
        id="months",
    ),
    pytest.param(
        {"jobs": [ONCE | {"start_within_seconds": "5m"}]},
        "jobs.0.start_within_seconds",
        "wrong_type",
        id="no-duration",
    ),
    pytest.param(
        {"jobs": [ONCE | {"pauses": [LATER, HOUR]}]},
        "jobs.0.pauses.1.from",
        "overlapping",
        id="overlapping",
    ),
    pytest.param(
        {
            "jobs": [
                ONCE | {"edits": [{"at": HOUR["from"], "schedule": {"kind": "cron", "cron": "7"}}]}
            ]
        },
        "jobs.0.edits.0.schedule.cron",
        "invalid_cron",
        id="edit",
    ),
    pytest.param(
        {"jobs": [ONCE | {"expect": {"run": 1}}]}, "jobs.0.expect.run", "unknown_field", id="expect"
    ),
]

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
    pytest.param({"run_seconds": []}, "run_seconds", "too_short", id="no-duration"),
    pytest.param({"start_within_seconds": 1.5}, "start_within_seconds", "wrong_type", id="half"),
    pytest.param({"start_within_seconds": 0}, "start_within_seconds", "too_small", id="zero"),
    pytest.param({"precision": "hour"}, "precision", "invalid_choice", id="choice"),
    pytest.param(
        {
            "schedule": {"kind": "rate", "every_seconds": 60, "jitter_seconds": 9},
            "precision": "subsecond",
        },
        "schedule.jitter_seconds",
        "not_for_this_precision",
        id="spread-and-exact",
    ),
    pytest.param({"job_id": "7"}, "job_id", "invalid_format", id="job-id"),
    pytest.param({"job_id": 7}, "job_id", "wrong_type", id="job-id-number"),
    pytest.param({"from": 7}, "from", "wrong_type", id="number-is-no-instant"),
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
        {"overlap": {"policy": "allow", "max_concurrent": 2}},
        "overlap.max_concurrent",
        "not_for_this_policy",
        id="slots-of-allow",
    ),
    pytest.param(
        {"overlap": {"policy": "allow", "concurrency_key": "db"}},
        "overlap.concurrency_key",
        "not_for_this_policy",
        id="key-of-allow",
    ),
    pytest.param(
        {"overlap": {"key_from": "/customer"}},
        "overlap.key_from",
        "not_for_this_policy",
        id="pointer-of-allow",
    ),
    pytest.param(
        {"triggers": [{"at": "2026-11-21T07:30:00Z", "concurrency_key": "a"}]},
        "triggers.0.concurrency_key",
        "without_effect",
        id="key-without-slots",
    ),
    pytest.param(
        {"overlap": {"max_concurrent": 2}},
        "overlap.max_concurrent",
        "not_for_this_policy",
        id="no-policy",
    ),
    pytest.param(
        {"overlap": {"policy": "queue", "max_concurrent": 0}},
        "overlap.max_concurrent",
        "too_small",
        id="no-slot",
    ),
    pytest.param(
        {"overlap": {"policy": "queue", "max_concurrent": 1001}},
        "overlap.max_concurrent",
        "too_large",
        id="too-many-slots",
    ),
    pytest.param(
        {"overlap": {"policy": "queue", "concurrency_key": "two words"}},
        "overlap.concurrency_key",
        "invalid_format",
        id="key-with-a-space",
    ),
    pytest.param(
        {"schedule": {"kind": "rate"}},
        "schedule.every_seconds",
        "missing",
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
        {"expect": {"skipped": {"lat": 1}}}, "expect.skipped.lat", "invalid_choice", id="no-reason"
    ),
    pytest.param({"expect": {"runs": "1"}}, "expect.runs", "wrong_type", id="expect-text"),
]

"""Calendars and freezes that are refused, here and by the API: which field, with what code."""

import pytest

from tests.unit.domain.simulation.refused_documents import HOUR, MINUTELY

RULE = {"calendar": "closed"}
FREEZE = {"scope": {"kind": "tenant"}, **HOUR}
EDIT = {"at": HOUR["from"], "calendar": {"weekdays": ["sat"]}}

REFUSED_CALENDARS = [
    pytest.param({"calendars": []}, "calendars", "wrong_type", id="no-table"),
    pytest.param(
        {"calendars": {f"c{n}": {} for n in range(101)}}, "calendars", "too_long", id="101"
    ),
    pytest.param({"calendars": {"A": {}}}, "calendars.A", "invalid_format", id="name"),
    pytest.param({"calendars": {"c": []}}, "calendars.c", "wrong_type", id="no-object"),
    pytest.param({"calendars": {"c": {"day": []}}}, "calendars.c.day", "unknown_field", id="field"),
    pytest.param(
        {"calendars": {"c": {"timezone": "Mars/Olympus"}}},
        "calendars.c.timezone",
        "unknown_timezone",
        id="zone",
    ),
    pytest.param(
        {"calendars": {"c": {"weekdays": ["saturday"]}}},
        "calendars.c.weekdays.0",
        "invalid_choice",
        id="weekday",
    ),
    pytest.param(
        {"calendars": {"c": {"days": [{"first": "2026-02-31"}]}}},
        "calendars.c.days.0.first",
        "invalid_format",
        id="no-day",
    ),
    pytest.param(
        {"calendars": {"c": {"days": [{"first": "2026-12-26", "last": "2026-12-24"}]}}},
        "calendars.c.days.0.last",
        "range_reversed",
        id="reversed-days",
    ),
    pytest.param(
        {"calendars": {"c": {"windows": [{"opens": "24:00", "closes": "06:00"}]}}},
        "calendars.c.windows.0.opens",
        "invalid_format",
        id="no-time",
    ),
    pytest.param(
        {"calendars": {"c": {"windows": [{"weekdays": [], "opens": "22:00", "closes": "06:00"}]}}},
        "calendars.c.windows.0.weekdays",
        "too_short",
        id="never-opens",
    ),
    pytest.param(
        {"calendars": {"c": {"periods": [{"start": HOUR["to"], "end": HOUR["from"]}]}}},
        "calendars.c.periods.0.end",
        "range_reversed",
        id="reversed-period",
    ),
    pytest.param(
        {"calendars": {"c": {"days": [{"first": "2026-12-24"}] * 2001}}},
        "calendars.c.days",
        "too_long",
        id="2001-days",
    ),
    pytest.param(
        {"calendars": {"c": {"edits": [EDIT, EDIT]}}},
        "calendars.c.edits.1.at",
        "out_of_order",
        id="edits-out-of-order",
    ),
    pytest.param(
        {"calendars": {"c": {"edits": [EDIT | {"at": MINUTELY["to"]}]}}},
        "calendars.c.edits.0.at",
        "out_of_range",
        id="edit-at-the-end",
    ),
    pytest.param(
        {"calendars": {"c": {"edits": [EDIT | {"calendar": {"timezone": ""}}]}}},
        "calendars.c.edits.0.calendar.timezone",
        "too_short",
        id="edit-zone",
    ),
    pytest.param(
        {"calendars": {"c": {"edits": [{"at": HOUR["from"]}]}}},
        "calendars.c.edits.0.calendar",
        "missing",
        id="edit-without-calendar",
    ),
    pytest.param(
        {"calendar_rules": [RULE]}, "calendar_rules.0.calendar", "unknown_calendar", id="unknown"
    ),
    pytest.param(
        {"calendars": {"closed": {}}, "calendar_rules": [RULE, RULE]},
        "calendar_rules.1.calendar",
        "repeated",
        id="rule-twice",
    ),
    pytest.param(
        {"calendars": {"closed": {}}, "calendar_rules": [RULE, RULE | {"mode": "only"}]},
        "calendar_rules.1.calendar",
        "contradictory",
        id="rules-contradict",
    ),
    pytest.param(
        {
            "calendars": {f"c{n}": {} for n in range(6)},
            "calendar_rules": [{"calendar": f"c{n}"} for n in range(6)],
        },
        "calendar_rules",
        "too_long",
        id="six-rules",
    ),
    pytest.param(
        {"calendars": {"closed": {}}, "calendar_rules": [RULE | {"action": "wait"}]},
        "calendar_rules.0.action",
        "invalid_choice",
        id="action",
    ),
    pytest.param({"tags": ["a"]}, "tags", "wrong_type", id="tags"),
    pytest.param({"tags": {"a": 7}}, "tags.a", "wrong_type", id="tag"),
]
REFUSED_FREEZES = [
    pytest.param({"freezes": [HOUR]}, "freezes.0.scope", "missing", id="no-scope"),
    pytest.param(
        {"freezes": [FREEZE | {"scope": {"kind": "world"}}]},
        "freezes.0.scope.kind",
        "invalid_choice",
        id="kind",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"scope": {"kind": "tag"}}]},
        "freezes.0.scope.key",
        "missing",
        id="tag-without-key",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"scope": {"kind": "tenant", "job": "a"}}]},
        "freezes.0.scope.job",
        "unknown_field",
        id="job-of-a-tenant",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"scope": {"kind": "job", "job": "a"}}]},
        "freezes.0.scope.job",
        "unknown_job",
        id="no-such-name",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"scope": {"kind": "job", "job_id": "a" * 26}}]},
        "freezes.0.scope.job_id",
        "unknown_job",
        id="no-such-id",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"to": HOUR["from"]}]},
        "freezes.0.to",
        "ends_before_start",
        id="empty",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"to": "2027-11-22T07:10:00.001Z"}]},
        "freezes.0.to",
        "range_too_long",
        id="366-days-and-more",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"created_at": HOUR["to"]}]},
        "freezes.0.created_at",
        "out_of_range",
        id="created-too-late",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"lifted_at": HOUR["to"]}]},
        "freezes.0.lifted_at",
        "out_of_range",
        id="lifted-at-its-end",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"created_at": HOUR["from"], "lifted_at": HOUR["from"]}]},
        "freezes.0.lifted_at",
        "out_of_range",
        id="lifted-as-it-is-made",
    ),
    pytest.param(
        {"freezes": [FREEZE | {"thaw": "some"}]}, "freezes.0.thaw", "invalid_choice", id="thaw"
    ),
    pytest.param({"freezes": [FREEZE, FREEZE]}, "freezes.1", "there_twice", id="twice"),
    pytest.param({"freezes": [FREEZE] * 51}, "freezes", "too_long", id="51"),
    pytest.param(
        {"freezes": [FREEZE | {"starts_at": 7}]},
        "freezes.0.starts_at",
        "unknown_field",
        id="other",
    ),
]

"""Durations in ISO 8601 wherever a caller sends seconds."""

import json
import re
from typing import Any

import pytest

from api.openapi.document import document
from tests.support.api import Api, new_job

#: Fields of seconds, as a caller writes them and as the job shows them.
WRITTEN = {
    "timeout_seconds": "PT1M",
    "late_after_seconds": "PT2M",
    "absent_after_seconds": "P1DT2H",
    "start_within_seconds": "PT3M",
    "retry": {
        "initial_delay_seconds": "PT0.5S",
        "max_delay_seconds": "PT5M",
        "window_seconds": "P1D",
        "breaker": {"window_seconds": "PT1H30M"},
    },
    "catch_up": {"window_seconds": "P1W"},
    "schedule": {"kind": "rate", "every_seconds": "PT5M", "jitter_seconds": "PT10S"},
}
SHOWN = {
    "timeout_seconds": 60,
    "late_after_seconds": 120,
    "absent_after_seconds": 93_600,
    "start_within_seconds": 180,
    "retry": {
        "initial_delay_seconds": 0.5,
        "max_delay_seconds": 300.0,
        "window_seconds": 86_400,
        "breaker": {"window_seconds": 5400.0},
    },
    "catch_up": {"window_seconds": 604_800},
    "schedule": {"kind": "rate", "every_seconds": 300, "jitter_seconds": 10},
}


def part_of(answer: Any, wanted: Any) -> Any:  # noqa: ANN401 - any JSON
    """The fields of an answer that are wanted."""
    if isinstance(wanted, dict):
        return {name: part_of(answer[name], each) for name, each in wanted.items()}
    return answer


def test_a_job_is_created_with_durations_and_shows_seconds(api: Api) -> None:
    """In its schedule and in every policy."""
    created = api.send("POST", "/v1/jobs", new_job(**WRITTEN))

    assert created.status == 201, created.body
    assert part_of(created.body, SHOWN) == SHOWN


def test_a_job_is_changed_with_durations(api: Api) -> None:
    """An update takes durations like a creation."""
    job_id = api.send("POST", "/v1/jobs", new_job()).body["job_id"]
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", WRITTEN)

    assert changed.status == 200, changed.body
    assert part_of(changed.body, SHOWN) == SHOWN


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("P1M", "calendar_duration"),
        ("P1Y", "calendar_duration"),
        ("PT", "invalid_duration"),
        ("PT1H1", "invalid_duration"),
        ("60", "wrong_type"),
        ("5m", "wrong_type"),
        ("PT0.5S", "wrong_type"),
        ("PT0S", "too_small"),
        ("P2D", "too_large"),
    ],
)
def test_a_wrong_duration_is_refused_by_its_field(api: Api, value: str, code: str) -> None:
    """The limits hold for both spellings, and a whole field takes no fraction."""
    refused = api.send("POST", "/v1/jobs", new_job(timeout_seconds=value))

    assert refused.status == 400
    assert refused.fields == [("timeout_seconds", code)]


def test_every_field_of_seconds_is_described_as_both() -> None:
    """A request takes a number or a duration; an answer has a number."""
    described = document()
    asked = _reachable(described, _bodies(described))
    for name, schema in described["components"]["schemas"].items():
        for field, of in schema.get("properties", {}).items():
            if field.endswith("_seconds"):
                text = str(of)
                assert ("'format': 'duration'" in text) == (name in asked), f"{name}.{field}"


def _bodies(described: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    return [
        operation["requestBody"]
        for path in described["paths"].values()
        for operation in path.values()
        if "requestBody" in operation
    ]


def _reachable(described: dict[str, Any], value: Any) -> set[str]:  # noqa: ANN401 - any JSON
    """The names of the schemas that a request may hold."""
    found: set[str] = set()
    left = list(_references(value))
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _references(described["components"]["schemas"][name])
    return found


def _references(value: Any) -> list[str]:  # noqa: ANN401 - any JSON
    return re.findall(r'"#/components/schemas/(\w+)"', json.dumps(value))

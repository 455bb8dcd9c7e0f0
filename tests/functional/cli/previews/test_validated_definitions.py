"""``validate`` of calendars, notification rules and event triggers."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]

THINGS = [
    ("calendars", "validateCalendar", "/v1/calendars/x/validate"),
    ("rules", "validateRule", "/v1/notification-rules/x/validate"),
    ("event-triggers", "validateEventTrigger", "/v1/event-triggers/x/validate"),
]


@pytest.mark.parametrize(("things", "operation", "path"), THINGS)
def test_a_valid_one_is_shown_with_its_defaults(
    api: FakeApi, timegate: Timegate, things: str, operation: str, path: str
) -> None:
    """The file is sent as it is."""
    answer = answered(operation, valid=True, errors=[])
    api.will(ok(answer), ok(answer))
    shown = timegate(things, "validate", "x", "-f", "-", "--wide", stdin="description: Ours.")
    data = timegate(things, "validate", "x", "-f", "-", "--json", stdin="description: Ours.")

    assert (shown.code, data.code, data.json) == (0, 0, answer)
    said = {name for name, value in answer["definition"].items() if value not in (None, "")}
    lines = [line for line in shown.out.splitlines() if not line.startswith(" ")]
    assert {line.split()[0] for line in lines} == said
    assert [json.loads(each.content) for each in api.calls] == [{"description": "Ours."}] * 2
    assert api.calls[0].url.path.endswith(path)


@pytest.mark.parametrize(("things", "operation", "path"), THINGS)
def test_a_wrong_one_ends_with_its_problems(
    api: FakeApi, timegate: Timegate, things: str, operation: str, path: str
) -> None:
    """The exit code is that of a refusal."""
    errors = [{"field": "tags.0", "code": "too_long", "detail": "It is too long."}]
    api.will(ok(answered(operation, valid=False, errors=errors)))
    refused = timegate(things, "validate", "x", "-f", "-", stdin="{}")

    assert refused.code == 1
    assert refused.err.splitlines() == [
        "error [invalid_definition]: It is too long.",
        "  tags.0 [too_long]: It is too long.",
    ]

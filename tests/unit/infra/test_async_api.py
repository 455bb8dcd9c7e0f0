"""The description of events: valid AsyncAPI 3, as the register says, and true of what is sent."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, FormatChecker

from infra.pages.async_api import DOCUMENT, PAGE, data_of, document, page, rendered
from infra.pages.event_examples import examples
from timegate.domain.cloud_events.event_types import EVENT_TYPES

#: The official schema, from the npm package ``@asyncapi/specs`` 6.11.1 (Apache-2.0).
OFFICIAL = Path(__file__).resolve().parents[2] / "support" / "documents" / "asyncapi-3.0.0.json"


def faults(name: str, event: object) -> list[str]:
    """Faults of an event by the description's schema of its type."""
    key = name.removeprefix("io.timegate.").replace(".", "_")
    described = document()
    payload = described["components"]["messages"][key]["payload"]
    validator = Draft7Validator({**described, **payload}, format_checker=FormatChecker())
    return [each.message for each in validator.iter_errors(event)]


def test_the_description_is_asyncapi() -> None:
    """The official schema has no fault to find; a channel without messages would be one."""
    official = Draft7Validator(json.loads(OFFICIAL.read_text()))
    broken = {**document(), "channels": {"transitions": {"messages": 7}}}

    assert [each.message for each in official.iter_errors(document())] == []
    assert list(official.iter_errors(broken)) != []


def test_the_pages_are_written_from_the_register() -> None:
    """``make openapi`` writes them."""
    assert DOCUMENT.read_text() == rendered()
    assert PAGE.read_text() == page(PAGE.read_text())


def test_each_type_is_described_and_sent() -> None:
    """A type without an example would be one that nothing sends."""
    messages = document()["components"]["messages"].values()

    assert [each["name"] for each in messages] == list(EVENT_TYPES)
    assert set(examples()) == set(EVENT_TYPES)


@pytest.mark.parametrize("name", sorted(EVENT_TYPES))
def test_each_example_is_as_described(name: str) -> None:
    """It has no field of data beside those of its type."""
    event = examples()[name]
    known = data_of(EVENT_TYPES[name].data)["properties"]

    assert faults(name, event) == []
    assert set(event["data"]) <= set(known)


@pytest.mark.parametrize(
    ("field", "value"),
    [("id", "x"), ("type", "io.timegate.run.planned"), ("specversion", "0.3"), ("data", {})],
)
def test_an_event_of_another_form_is_refused(field: str, value: object) -> None:
    """So the schemas say something."""
    event: dict[str, Any] = {**examples()["io.timegate.run.succeeded"], field: value}

    assert faults("io.timegate.run.succeeded", event) != []


@pytest.mark.parametrize("field", ["id", "source", "type", "specversion", "tenant", "time"])
def test_an_event_without_an_attribute_is_refused(field: str) -> None:
    """``traceparent`` and ``reason`` may be missing, these may not."""
    event = {k: v for k, v in examples()["io.timegate.run.failed"].items() if k != field}

    assert faults("io.timegate.run.failed", event) != []


def test_every_field_is_sent_in_some_example() -> None:
    """A field that no record ever fills would be described for nothing."""
    seen: dict[type, set[str]] = {}
    for name, event in examples().items():
        seen.setdefault(EVENT_TYPES[name].data, set()).update(event["data"])
    unseen = {kind.__name__: set(data_of(kind)["properties"]) - seen[kind] for kind in seen}

    assert unseen == {"RunData": {"dag_run_id", "task_key"}, "DagRunData": set(), "JobData": set()}

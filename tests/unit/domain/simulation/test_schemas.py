"""Schemas of payloads in a scenario: triggers and events that do not fit start nothing."""

import pytest

from tests.unit.domain.simulation.test_events import PAID, TRIGGER, at, met, runs, simulated
from timegate.domain.values.errors import InvalidInput

SCHEMA = {"type": "object", "properties": {"rows": {"type": "integer"}}, "required": ["rows"]}
STARTS = {"type": "job", "payload": {"$ref": "event.data"}}


def test_an_event_whose_data_does_not_fit_starts_nothing_and_says_why() -> None:
    """One that fits starts a run."""
    found = simulated(
        payload_schema=SCHEMA,
        event_triggers={"paid": {"pattern": PAID, "starts": STARTS}},
        events=[
            {"at": at(1), "type": "order.paid", "data": {"rows": "1"}},
            {"at": at(2), "type": "order.paid", "data": {"rows": 1}},
        ],
    )

    assert met(found) == [[("paid", None, "payload_mismatch")], [("paid", "02:00", None)]]
    assert runs(found) == [("02:00", "succeeded")]


def test_a_trigger_whose_payload_does_not_fit_is_refused_as_the_api_refuses_it() -> None:
    """One without a payload has the job's own, or null."""
    triggers = [{"at": at(1)}, {"at": at(2), "payload": {"rows": 1}}, {"at": at(3), "payload": 1}]
    bare = simulated(payload_schema=SCHEMA, triggers=triggers)
    own = simulated(payload_schema=SCHEMA, payload={"rows": 2}, triggers=triggers)

    assert runs(bare) == [("02:00", "succeeded")]
    assert runs(own) == [("01:00", "succeeded"), ("02:00", "succeeded")]


def test_a_schema_is_refused_as_that_of_a_job() -> None:
    """With a pointer into it."""
    with pytest.raises(InvalidInput, match=r"^payload_schema/\$ref"):
        simulated(payload_schema={"$ref": "#"}, event_triggers={"paid": TRIGGER}, events=[])

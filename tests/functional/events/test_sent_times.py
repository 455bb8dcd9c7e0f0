"""The instant at which a queue took a message is read, and nothing depends on it."""

from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.functional.events.functions import sample
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.runtime.events.queue_records import read_deliveries

QUEUE = "normal-short"


def sent_at(attributes: object) -> datetime | None:
    """Return the send time of the sample's first message under these attributes."""
    event: dict[str, Any] = deepcopy(sample("executor"))
    event["Records"] = event["Records"][:1]
    event["Records"][0]["attributes"] = attributes
    (read,) = read_deliveries(event, QUEUE, MemoryTelemetry()).deliveries
    return read.sent_at


def test_the_queue_says_when_it_took_a_message() -> None:
    """To the millisecond."""
    sent = sent_at({"SentTimestamp": "1795244399950"})

    assert sent == datetime(2026, 11, 21, 6, 59, 59, 950_000, tzinfo=UTC)


@pytest.mark.parametrize(
    "attributes",
    [{}, None, [], {"SentTimestamp": ""}, {"SentTimestamp": "soon"}, {"SentTimestamp": "9" * 14}],
    ids=["none", "null", "list", "empty", "word", "long"],
)
def test_a_message_without_an_instant_is_delivered_all_the_same(attributes: object) -> None:
    """The breakdown of a run is for people; the run is executed."""
    assert sent_at(attributes) is None

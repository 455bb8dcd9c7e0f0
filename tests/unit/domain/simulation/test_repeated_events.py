"""Events that a scenario repeats, and those that a stage would refuse."""

from typing import Any

import pytest

from tests.unit.domain.simulation.test_events import TRIGGER, at, met, runs, simulated
from timegate.domain.values.errors import InvalidInput


def test_a_repeated_event_starts_and_ends_nothing_twice() -> None:
    """It names the run that it started; a wait that begins too late for it ends with no repeat."""
    event = {"type": "order.paid", "id": "4711", "subject": "ann"}
    awaited = {"event": {"type": "order.paid", "correlation": "ann", "lookback_seconds": 0}}
    found = simulated(
        event_triggers={"paid": TRIGGER},
        events=[event | {"at": at(1)}, event | {"at": at(3)}, event | {"at": at(4), "source": "s"}],
        waits={"early": awaited, "late": awaited | {"from": at(2)}},
    )

    assert met(found) == [
        [("paid", "01:00", None)],
        [("paid", "01:00", None)],
        [("paid", "04:00", None)],
    ]
    assert runs(found) == [("01:00", "succeeded"), ("04:00", "succeeded")]
    assert [each["met_at"][11:16] for each in found["waits"]] == ["08:01", "08:04"]


@pytest.mark.parametrize("changes", [{"type": "order.sent"}, {"data": 1}, {"subject": "bob"}])
def test_an_event_that_would_conflict_is_refused(changes: dict[str, Any]) -> None:
    """It has the source and id of another one, and says something else."""
    event = {"type": "order.paid", "id": "4711", "subject": "ann"}
    with pytest.raises(InvalidInput) as refused:
        simulated(events=[event | {"at": at(1)}, event | {"at": at(3)} | changes])

    assert (refused.value.field, refused.value.code) == ("events", "there_twice")


def test_an_event_with_a_secret_starts_nothing() -> None:
    """It cannot be sent on, as no caller's payload may have one."""
    secret = {"password": "correct horse battery staple"}
    found = simulated(
        event_triggers={"paid": TRIGGER},
        events=[{"at": at(1), "type": "order.paid", "data": secret}],
    )

    assert met(found) == [[("paid", None, "plaintext_secret")]]

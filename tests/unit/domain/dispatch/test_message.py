"""The message that carries an attempt through its queue."""

import pytest

from tests.support.factories import after, attempt_factory, attempt_id
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Precision
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import RunNotFound, TimegateError
from timegate.domain.values.identity import Origin

SENT = RunMessage.of(attempt_factory()).fields()


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(attempt_factory(), id="a first attempt"),
        pytest.param(attempt_factory(id=attempt_id(12)), id="a twelfth"),
        pytest.param(attempt_factory(id=attempt_id(origin=Origin.TRIGGER)), id="triggered"),
        pytest.param(
            attempt_factory(due_at=after(0.123), precision=Precision.SUBSECOND), id="sub-second"
        ),
        pytest.param(attempt_factory(trace=f"{'a' * 32}-01"), id="of a caller's trace"),
    ],
)
def test_a_message_is_read_back_as_it_was_written(attempt: Attempt) -> None:
    """The queue it came through is told by who received it."""
    message = RunMessage.of(attempt)

    assert message == RunMessage.from_fields(message.fields(), queue_key=attempt.queue_key)


def test_a_message_is_small_and_names_its_run() -> None:
    """These fields are read by whatever version of the executor runs next: they are pinned."""
    assert RunMessage.of(attempt_factory()).fields() == {
        "tenant": "acme",
        "attempt": "f45yzns2tqd44elwkoh3t4kpiq.s20261121T070000000Z.1",
        "due_at": "20261121T070000000Z",
        "precision": "second",
    }


@pytest.mark.parametrize("trace", [None, f"{'a' * 32}-01"])
def test_a_message_names_the_trace_of_its_run(trace: str | None) -> None:
    """Its log lines have it before the record is read."""
    attempt = attempt_factory(trace=trace)

    assert RunMessage.of(attempt).trace_id == attempt.trace_id


@pytest.mark.parametrize("missing", sorted(SENT), ids=str)
def test_a_message_without_a_field_is_malformed(missing: str) -> None:
    """No worker can act on it."""
    fields = {name: value for name, value in SENT.items() if name != missing}

    with pytest.raises(KeyError, match=missing):
        RunMessage.from_fields(fields, queue_key="normal-short")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tenant", ""),
        ("tenant", "a#b"),
        ("tenant", "\ud800"),
        ("attempt", ""),
        ("attempt", "job.s20261121T070000000Z.1"),
        ("attempt", SENT["attempt"] + "x"),
        ("due_at", "2026-11-21T07:00:00Z"),
        ("due_at", "20261321T070000000Z"),
        ("precision", "minute"),
    ],
    ids=str,
)
def test_a_message_with_a_field_that_says_nothing_is_malformed(field: str, value: str) -> None:
    """It is refused with an error its reader expects."""
    with pytest.raises((ValueError, TimegateError)):
        RunMessage.from_fields(SENT | {field: value}, queue_key="normal-short")


@pytest.mark.parametrize("number", ["0", "01", "-1", "1.5", "", "²", "٣", "1" * 5000], ids=repr)
def test_an_attempt_number_is_written_in_one_way_only(number: str) -> None:
    """Two spellings of one attempt would be two records."""
    attempt = SENT["attempt"].rpartition(".")[0] + f".{number}"

    with pytest.raises(RunNotFound):
        RunMessage.from_fields(SENT | {"attempt": attempt}, queue_key="normal-short")

"""Ids of messages: what a receiver may drop as known, and what it must not."""

import pytest

from tests.support.factories import attempt_id
from tests.unit.adapters.targets.calls import RUN_ID, call_factory
from timegate.domain.execution.call import Call, Resume
from timegate.domain.values.identity import AttemptId, RunId

ID = RUN_ID.replace(".", "_")


@pytest.mark.parametrize(
    "call",
    [
        call_factory(),
        call_factory(attempt=attempt_id(1)),
        call_factory(fence=9),
        call_factory(resume=Resume(slice=1)),
        call_factory(resume=Resume(slice=1, sequence=3, checkpoint="{}")),
    ],
    ids=["call", "attempt", "lease", "first-slice", "checkpoint"],
)
def test_a_run_is_one_message(call: Call) -> None:
    """However often it is delivered: a retry after a lost answer is the same."""
    assert call.message_id == ID


@pytest.mark.parametrize(
    ("call", "suffix"),
    [
        (call_factory(resume=Resume(slice=2)), "~2"),
        (call_factory(resume=Resume(slice=10_000)), "~10000"),
        (call_factory(purpose="before", attempt=attempt_id(1)), "-before~1-1"),
        (call_factory(purpose="before", attempt=attempt_id(1), refused=1), "-before~1-2"),
        (call_factory(purpose="before", attempt=attempt_id(2)), "-before~2-1"),
    ],
    ids=["slice", "last-slice", "question", "another-question", "question-of-a-reopened-run"],
)
def test_slices_and_questions_are_messages_of_their_own(call: Call, suffix: str) -> None:
    """A receiver that dropped them would lose work, or say "go" by what it said before."""
    assert call.message_id == ID + suffix


def test_the_longest_id_has_128_characters_at_most() -> None:
    """It has no dot, which parts id, second and body in what is signed."""
    run = RunId.parse(f"{'a' * 26}.d20261121T070000000Z-{'k' * 64}")
    call = call_factory(attempt=AttemptId(run=run, number=1), resume=Resume(slice=10_000))

    assert len(call.message_id) <= 128
    assert "." not in call.message_id

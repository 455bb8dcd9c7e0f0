"""Progress and checkpoints: what is refused, and who begins where."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, after, attempt_factory, running, timing_factory
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.checkpoint import (
    MAX_CHECKPOINT_BYTES,
    MAX_INLINE_BYTES,
    Checkpoint,
    Progress,
    check_progress,
    sequence_of,
)
from timegate.domain.runs.conclusion import end, next_attempt
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.runs.store_checkpoint import load_checkpoint, store_checkpoint

LAST = Checkpoint(sequence=3, inline='{"row": 3}', size_bytes=10, written_at=NOW, fence=1)


@pytest.mark.parametrize(
    "progress",
    [
        pytest.param(Progress(percent=0, at=NOW), id="nothing-done"),
        pytest.param(Progress(percent=100, at=NOW), id="all-done"),
        pytest.param(Progress(message="x" * 200, at=NOW), id="only-a-message"),
    ],
)
def test_progress_is_a_percentage_or_a_line(progress: Progress) -> None:
    """Or both."""
    check_progress(progress)


@pytest.mark.parametrize(
    ("progress", "field", "code"),
    [
        pytest.param(Progress(percent=-0.1, at=NOW), "progress.percent", "out_of_range", id="low"),
        pytest.param(
            Progress(percent=100.1, at=NOW), "progress.percent", "out_of_range", id="high"
        ),
        pytest.param(
            Progress(percent=float("nan"), at=NOW), "progress.percent", "out_of_range", id="none"
        ),
        pytest.param(
            Progress(message="x" * 201, at=NOW), "progress.message", "too_long", id="long"
        ),
        pytest.param(Progress(at=NOW), "progress", "missing", id="nothing"),
        pytest.param(Progress(message="", at=NOW), "progress", "missing", id="empty"),
    ],
)
def test_unreadable_progress_is_refused(progress: Progress, field: str, code: str) -> None:
    """With the field that is wrong."""
    with pytest.raises(InvalidInput) as refused:
        check_progress(progress)

    assert (field, code) == (refused.value.field, refused.value.code)


@pytest.mark.parametrize(
    ("size", "inline"),
    [
        pytest.param(MAX_INLINE_BYTES, True, id="small"),
        pytest.param(MAX_INLINE_BYTES + 1, False, id="large"),
        pytest.param(MAX_CHECKPOINT_BYTES, False, id="largest"),
    ],
)
def test_a_small_checkpoint_rides_in_the_attempt(size: int, *, inline: bool) -> None:
    """A large one lies in the blob store, and is read back as it was."""
    blobs, text = MemoryBlobStore(), f'"{"x" * (size - 2)}"'
    kept = store_checkpoint(text, running(), sequence=4, blobs=blobs, now=after(1))

    assert inline is (kept.blob is None)
    assert (kept.sequence, kept.size_bytes, kept.fence, kept.written_at) == (4, size, 1, after(1))
    assert text == load_checkpoint(kept, blobs)


def test_a_checkpoint_has_a_limit() -> None:
    """Beyond it nothing is stored."""
    blobs, text = MemoryBlobStore(), "x" * (MAX_CHECKPOINT_BYTES + 1)
    with pytest.raises(InvalidInput) as refused:
        store_checkpoint(text, running(), sequence=1, blobs=blobs, now=NOW)

    assert refused.value.code == "checkpoint_too_large"
    assert blobs.blobs == {}


def test_no_checkpoint_is_no_text() -> None:
    """And number 0."""
    assert load_checkpoint(None, MemoryBlobStore()) is None
    assert sequence_of(None) == 0
    assert sequence_of(LAST) == 3


def test_a_retry_carries_the_checkpoint() -> None:
    """But not the progress: that is its own to say."""
    attempt = replace(running(), checkpoint=LAST, progress=Progress(percent=50, at=NOW))
    retry = next_attempt(attempt, after(5), after(1))

    assert retry.checkpoint == LAST
    assert retry.progress is None


@pytest.mark.parametrize(
    ("state", "fresh", "kept"),
    [
        pytest.param(RunState.DEAD_LETTERED, False, True, id="goes-on"),
        pytest.param(RunState.DEAD_LETTERED, True, False, id="asked-to-begin-anew"),
        pytest.param(RunState.SUCCEEDED, False, False, id="had-done-it-all"),
    ],
)
def test_a_run_that_is_opened_again_goes_on(state: RunState, *, fresh: bool, kept: bool) -> None:
    """From its last checkpoint, unless there is a reason not to."""
    last = replace(running(attempt_factory()), checkpoint=LAST)
    last = end(last, state, now=after(1), reason=Reason.RETRIES_EXHAUSTED)
    again = reopened(last, timing_factory(), now=after(2), fresh=fresh)

    assert (LAST if kept else None) == again.checkpoint

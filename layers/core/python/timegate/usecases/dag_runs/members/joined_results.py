"""The result of a fan-out: the list of what its members answered."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from timegate.domain.dag_runs.progress import TaskProgress
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.references import as_value
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.run_result import MAX_RESULT_BYTES, StoredResult, excerpt, was_cut
from timegate.domain.values.errors import Malformed
from timegate.domain.values.redaction import without_credentials
from timegate.ports.blobs import BlobStore


def with_joined_result(
    task: TaskProgress, attempts: Sequence[Attempt], blobs: BlobStore
) -> TaskProgress:
    """The task with the list of its members' answers, in their order; null where one failed.

    A list that is too large keeps its beginning alone, and no answer stored aside is read for it: a
    thousand answers may be more than fits into memory.
    """
    answered = {
        mark.index: attempt
        for attempt in attempts
        if attempt.state is RunState.SUCCEEDED and (mark := task_run_mark(attempt.id.run))
    }
    fits = sum(map(_size, answered.values())) <= MAX_RESULT_BYTES
    width = task.members.width if task.members is not None else 0
    try:
        text = _joined(answered, width, blobs, whole=fits)
    except Malformed:
        # An answer has expired that an earlier round kept.
        fits, text = False, _joined(answered, width, blobs, whole=False)
    if excerpt(text) == text:
        return replace(task, result=text)
    size = len(text.encode())
    if not fits or size > MAX_RESULT_BYTES:
        # Each task that refers to it fails with what this says.
        return replace(task, result=excerpt(text))
    path = f"results/{task.tenant}/{task.dag_run_id}.{task.round}-{task.key}"
    blobs.put(path, text)
    stored = StoredResult(blob=path, size_bytes=size)
    return replace(task, result=excerpt(text), stored_result=stored)


def _joined(answered: Mapping[int, Attempt], width: int, blobs: BlobStore, *, whole: bool) -> str:
    """Return the list as JSON text; raises ``Malformed`` where a whole answer is gone."""
    texts = (
        as_value(_text(answered[index], blobs, whole=whole)) if index in answered else None
        for index in range(width)
    )
    return without_credentials(json.dumps([*texts], separators=(",", ":")))


def _size(attempt: Attempt) -> int:
    """Return the size of a member's answer in bytes; one that was cut is too large for any list."""
    if attempt.stored_result is not None:
        return attempt.stored_result.size_bytes
    text = attempt.result or ""
    return MAX_RESULT_BYTES + 1 if was_cut(text) else len(text.encode())


def _text(attempt: Attempt, blobs: BlobStore, *, whole: bool) -> str | None:
    stored = attempt.stored_result
    return blobs.get(stored.blob) if stored is not None and whole else attempt.result

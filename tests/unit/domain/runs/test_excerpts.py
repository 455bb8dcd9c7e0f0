"""Answers: the beginning in the record, the whole aside, and neither of what is too large."""

import pytest

from timegate.domain.runs.run_result import MAX_CHARACTERS, MAX_RESULT_BYTES, excerpt, whole


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", False),
        ("x" * MAX_CHARACTERS, False),
        ("x" * (MAX_CHARACTERS + 1), True),
        ("x" * MAX_RESULT_BYTES, True),
        ("x" * (MAX_RESULT_BYTES + 1), False),
        ("é" * (MAX_RESULT_BYTES // 2 + 1), False),
    ],
    ids=["empty", "fits", "does not fit", "largest", "too large", "too large in bytes"],
)
def test_the_whole_is_kept_where_the_beginning_is_not_all(text: str, *, kept: bool) -> None:
    """On both sides of each limit."""
    assert whole(text) == (text if kept else None)
    assert len(excerpt(text)) <= MAX_CHARACTERS

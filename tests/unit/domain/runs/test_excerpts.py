"""Answers: the beginning in the record, the whole aside, and neither of what is too large."""

import pytest

from timegate.domain.runs import run_result
from timegate.domain.runs.run_result import (
    MAX_CHARACTERS,
    MAX_EXAMINED,
    MAX_RESULT_BYTES,
    excerpt,
    whole,
)


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


@pytest.mark.parametrize("beyond", [0, 1, 6 * 1024 * 1024], ids=str)
def test_no_more_of_an_answer_is_examined_than_can_be_kept(
    monkeypatch: pytest.MonkeyPatch, beyond: int
) -> None:
    """Lambda lets six megabytes pass: to look through them holds every call of the process up."""
    examined: list[int] = []

    def counted(text: str) -> str:
        examined.append(len(text))
        return text

    monkeypatch.setattr(run_result, "without_credentials", counted)
    text = "x" * (MAX_EXAMINED + beyond)

    assert excerpt(text) == "x" * (MAX_CHARACTERS - 1) + "…"
    assert whole(text) is None
    assert max(examined) == MAX_EXAMINED


def test_an_answer_that_was_examined_in_part_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little its credentials leave of that part."""
    monkeypatch.setattr(run_result, "without_credentials", lambda _: "[redacted]")

    assert excerpt("x" * MAX_EXAMINED) == "[redacted]"
    assert excerpt("x" * (MAX_EXAMINED + 1)) == "[redacted]…"

"""Checksums of an export: whatever is changed is found."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import NOW
from timegate.domain.moving.errors import ExportDamaged, ExportIncomplete, ExportUnknown
from timegate.domain.moving.export_lines import Chain, ExportHead, checked

HEAD = ExportHead(stage="prod", tenant=None, history=False, exported_at=NOW)


def lines_of(*bodies: dict[str, Any]) -> list[str]:
    """An export that is whole."""
    chain = Chain()
    return [chain.line(each) for each in (HEAD.body(), *bodies, {"end": {}})]


def test_what_was_written_is_read() -> None:
    """Line by line, the head and the end included."""
    head, record, end = checked(lines_of({"kind": "job", "item": {"pk": "ü"}}))

    assert ExportHead.read(head) == HEAD
    assert (record["item"], end) == ({"pk": "ü"}, {"end": {}})


@given(st.data())
def test_a_changed_character_is_found(data: st.DataObject) -> None:
    """In any line but the mark of the head, wherever it is."""
    lines = lines_of(*({"kind": "job", "item": {"pk": str(number)}} for number in range(3)))
    number = data.draw(st.integers(1, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    other = data.draw(
        st.characters(codec="utf-8").filter(lambda each: each != lines[number][place])
    )
    lines[number] = f"{lines[number][:place]}{other}{lines[number][place + 1 :]}"

    with pytest.raises((ExportDamaged, ExportIncomplete)):
        list(checked(lines))


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        pytest.param(lambda lines: lines[:-1], ExportIncomplete, id="cut"),
        pytest.param(lambda lines: [lines[0], *lines[2:]], ExportDamaged, id="lost"),
        pytest.param(
            lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], ExportDamaged, id="moved"
        ),
        pytest.param(lambda lines: [*lines, lines[-1]], ExportDamaged, id="behind the end"),
        pytest.param(lambda lines: lines[1:], ExportUnknown, id="headless"),
        pytest.param(lambda _: [], ExportIncomplete, id="empty"),
        pytest.param(lambda _: ["hello\n"], ExportUnknown, id="something else"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(
    damage: Callable[[list[str]], list[str]], error: type[Exception]
) -> None:
    """By a code of its own."""
    with pytest.raises(error):
        list(checked(damage(lines_of({"mark": 1}, {"mark": 2}))))


def test_another_format_is_refused() -> None:
    """A later release may write what this one would misread."""
    line = Chain().line({**HEAD.body(), "timegate_export": 2})

    with pytest.raises(ExportUnknown, match="2, and not 1"):
        list(checked([line]))

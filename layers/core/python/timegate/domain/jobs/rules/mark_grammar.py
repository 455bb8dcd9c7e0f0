"""The grammar of marks: ``{{name}}`` in texts of a JSON document, and ``{{{{`` for two braces.

A document is walked once, from its start to its end. Texts that a mark brings in are not walked.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from timegate.domain.values.errors import InvalidInput

#: Marks, and the most bytes that the value of each has as JSON.
MARKS: Final[Mapping[str, int]] = {
    "run.id": 112,
    "run.attempt": 9,
    "run.scheduled_at": 24,
    "run.scheduled_epoch": 12,
    "job.id": 26,
    # A task's name is that of its DAG and its own: 200 characters each, four bytes a character.
    "job.name": 1612,
    "tenant": 128,
    "date": 10,
    "date.previous": 10,
    "month": 7,
    "month.previous": 7,
}
_OPEN: Final = "{{"
_ESCAPE: Final = "{{{{"
#: The two braces before a name open a mark; of more braces, each four before them stand for two.
_TOKEN = re.compile(r"\{\{\{\{|\{\{(?!\{)(?:([^{}]*)\}\})?")
_IS_NAME = re.compile(r"\s*+:")
_MAX_SHOWN = 60
_READ = json.JSONDecoder(strict=False).raw_decode


def growth(document: str) -> int | None:
    """Return how many bytes a JSON document gains at most when it is filled; ``None``: no mark.

    Escapes make it negative. Raises ``InvalidInput`` for a mark that is unknown or not closed.
    """
    if _OPEN not in document:
        return None
    return sum(_gain(token) for _, _, text in _texts(document) for token in _TOKEN.finditer(text))


def filled(document: str, values: Mapping[str, str]) -> str:
    """Return a JSON document with a value for each mark; what is no mark stays as it is."""

    def value(token: re.Match[str]) -> str:
        if token[0] == _ESCAPE:
            return _OPEN
        return values.get((token[1] or "").strip(), token[0])

    return _rewritten(document, lambda text: _TOKEN.sub(value, text))


def escaped(document: str) -> str:
    """Return a JSON document that is filled to this one: data of others names no mark."""
    return _rewritten(document, lambda text: text.replace(_OPEN, _ESCAPE))


def _rewritten(document: str, rewrite: Callable[[str], str]) -> str:
    """Replace each text that has two braces, and leave every other character alone."""
    if _OPEN not in document:
        return document
    parts: list[str] = []
    written = 0
    for start, end, text in _texts(document):
        parts += (document[written:start], json.dumps(rewrite(text), ensure_ascii=False))
        written = end
    return "".join((*parts, document[written:]))


def _texts(document: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and value of each text of a JSON document that has two braces.

    Names of members are no values.
    """
    end = 0
    while (start := document.find('"', end)) >= 0:
        text, end = _READ(document, start)
        if _OPEN in text and _IS_NAME.match(document, end) is None:
            yield start, end, text


def _gain(token: re.Match[str]) -> int:
    if token[0] == _ESCAPE:
        return len(_OPEN) - len(_ESCAPE)
    known = ", ".join(MARKS)
    if token[1] is None:
        detail = (
            "Two braces open a mark, and this one is not closed by }}. Known marks: "
            f"{known}. {{{{{{{{ stands for two braces."
        )
        raise InvalidInput("payload", "invalid_mark", detail)
    most = MARKS.get(token[1].strip())
    if most is None:
        detail = (
            f"There is no mark {token[1].strip()[:_MAX_SHOWN]!r}. Known marks: {known}. "
            "{{{{ stands for two braces."
        )
        raise InvalidInput("payload", "unknown_mark", detail)
    return most - len(token[0])

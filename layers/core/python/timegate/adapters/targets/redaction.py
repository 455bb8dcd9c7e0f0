"""Redaction: targets echo what they are sent, and answers are kept."""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import quote, quote_plus

from timegate.domain.values.redaction import REDACTED
from timegate.ports.call_runner import TargetFailed
from timegate.value_classes import dataclass

#: Words of a secret ("Bearer", "v1") that are no secret by themselves are shorter.
_MIN_WORD = 8
#: A run of characters that secrets cover.
_COVERED = re.compile(rb"\x01+")


@dataclass(frozen=True, slots=True)
class Redaction:
    """The texts that must not be seen, longest first."""

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, secrets: Iterable[str]) -> "Redaction":
        """Build the redaction of secrets: whole and by word, in each common spelling."""
        spelled = {
            text for secret in secrets for part in parts_of(secret) for text in _written(part)
        }
        return cls(tuple(sorted(spelled - {""}, key=len, reverse=True)))

    def apply(self, text: str) -> str:
        """The text without them.

        Each is looked for in the text as it came, and in none that stands for another: secrets of
        one letter would make an answer a thousand times as long.
        """
        covered = bytearray(len(text))
        for secret in self.texts:
            at = text.find(secret)
            while at >= 0:
                end = at + len(secret)
                covered[at:end] = b"\x01" * len(secret)
                at = text.find(secret, end)
        parts: list[str] = []
        done = 0
        for found in _COVERED.finditer(covered):
            parts += (text[done : found.start()], REDACTED)
            done = found.end()
        return "".join((*parts, text[done:]))


@contextmanager
def redacting(redaction: Redaction) -> Iterator[None]:
    """Take secrets out of the messages of failures."""
    try:
        yield
    except TargetFailed as failed:
        message = redaction.apply(failed.failure.message)
        raise TargetFailed(replace(failed.failure, message=message)) from None


def parts_of(secret: str) -> Iterator[str]:
    """Yield a secret, and what in it is one by itself."""
    yield secret
    yield from (word for word in secret.split() if len(word) >= _MIN_WORD)
    yield from _in_basic(secret)


def _in_basic(secret: str) -> Iterator[str]:
    """Yield name and password of Basic authentication, and the password by itself (RFC 7617)."""
    scheme, _, encoded = secret.partition(" ")
    if scheme.lower() != "basic":
        return
    try:
        pair = base64.b64decode(encoded.strip(), validate=True).decode()
    except ValueError:
        return
    yield from (part for part in (pair, pair.partition(":")[2]) if len(part) >= _MIN_WORD)


def _written(text: str) -> Iterator[str]:
    """In JSON, in HTML and in URLs, as common programs write them."""
    yield text
    for as_ascii in (True, False):
        quoted = json.dumps(text, ensure_ascii=as_ascii)[1:-1]
        yield quoted
        yield from (quoted.translate(table) for table in _IN_JSON)
    yield json.dumps(text)[1:-1].replace('\\"', r"\u0022").translate(_BY_DOTNET)
    yield from (text.translate(table) for table in _IN_HTML)
    for encoded in (quote(text), quote(text, safe=""), quote_plus(text)):
        yield encoded
        yield _PERCENT.sub(lambda found: found[0].lower(), encoded)


_PERCENT = re.compile("%[0-9A-F]{2}")


def _by_number(characters: str, form: str) -> dict[int, str]:
    """Return a table that writes characters by their number."""
    return {ord(each): form.format(ord(each)) for each in characters}


_BY_DOTNET = _by_number("<>&'+`", "\\u{:04X}")
#: PHP; Go, Ruby on Rails and Jinja; Gson.
_IN_JSON = (
    str.maketrans({"/": "\\/"}),
    _by_number("<>&'", "\\u{:04x}"),
    _by_number("<>&", "\\u{:04x}"),
    _by_number("<>&='", "\\u{:04x}"),
    _by_number("<>&'", "\\u{:04X}"),
)
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
#: Python; PHP, Java and JavaScript; Jinja; Go; text between tags.
_IN_HTML = tuple(
    str.maketrans({**_MARKUP, **quotes})
    for quotes in (
        {'"': "&quot;", "'": "&#x27;"},
        {'"': "&quot;", "'": "&#039;"},
        {'"': "&quot;", "'": "&#39;"},
        {'"': "&#34;", "'": "&#39;"},
        {'"': "&#34;", "'": "&#39;", "+": "&#43;"},
        {},
    )
)

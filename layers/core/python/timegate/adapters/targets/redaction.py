"""Redaction: targets echo what they are sent, and answers are kept."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import quote, quote_plus

from timegate.domain.values.redaction import REDACTED
from timegate.ports.call_runner import TargetFailed
from timegate.value_classes import dataclass

#: Words of a secret ("Bearer", "v1") that are no secret by themselves are shorter.
_MIN_WORD = 8


@dataclass(frozen=True, slots=True)
class Redaction:
    """The texts that must not be seen, longest first."""

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, secrets: Iterable[str]) -> "Redaction":
        """Build the redaction of secrets: whole and by word, in each common spelling."""
        spelled = {text for secret in secrets for part in _parts(secret) for text in _written(part)}
        return cls(tuple(sorted(spelled, key=len, reverse=True)))

    def apply(self, text: str) -> str:
        """The text without them."""
        for secret in self.texts:
            text = text.replace(secret, REDACTED)
        return text


@contextmanager
def redacting(redaction: Redaction) -> Iterator[None]:
    """Take secrets out of the messages of failures."""
    try:
        yield
    except TargetFailed as failed:
        message = redaction.apply(failed.failure.message)
        raise TargetFailed(replace(failed.failure, message=message)) from None


def _parts(secret: str) -> Iterator[str]:
    yield secret
    yield from (word for word in secret.split() if len(word) >= _MIN_WORD)


def _written(text: str) -> Iterator[str]:
    """In JSON and in URLs."""
    yield text
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield json.dumps(text)[1:-1].replace("/", "\\/")
    yield quote(text)
    yield quote(text, safe="")
    yield quote_plus(text)

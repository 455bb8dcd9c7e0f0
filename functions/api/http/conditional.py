"""Conditional reads: an answer that the caller has already is not sent again."""

from hashlib import sha256

from api.http.exchange import Exchange
from api.http.refusals import InvalidHeader

#: Characters of the condition of a read: some 200 entity tags.
MOST_OF_CONDITION = 8_192

#: Hexadecimal digits of a digest: two answers of one path never share them by chance.
_DIGITS = 32


def weak_etag(body: str) -> str:
    """Return the entity tag of an answer: a digest of its text, weak as encodings may differ."""
    return f'W/"{sha256(body.encode()).hexdigest()[:_DIGITS]}"'


def refuse_long_condition(exchange: Exchange) -> None:
    """Raise ``InvalidHeader`` for an ``If-None-Match`` that names too many answers."""
    if len(exchange.header("If-None-Match") or "") > MOST_OF_CONDITION:
        detail = f"It has more than {MOST_OF_CONDITION:,} characters."
        raise InvalidHeader("If-None-Match", "invalid_if_none_match", detail)


def is_known(tag: str, if_none_match: str | None) -> bool:
    """Tell if the caller has the answer: its ``If-None-Match`` names the tag, or is ``*``.

    Tags are compared as RFC 9110 compares them weakly: ``W/`` makes no difference.
    """
    if if_none_match is None:
        return False
    named = {_opaque(each.strip()) for each in if_none_match.split(",")}
    return bool({"*", _opaque(tag)} & named)


def _opaque(tag: str) -> str:
    return tag.removeprefix("W/")

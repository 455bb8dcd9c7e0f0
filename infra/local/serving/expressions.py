"""Expressions of DynamoDB in the emulator: each text is read once, not for each item of a query."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from ministack.services import dynamodb  # type: ignore[import-untyped]

_KEPT = 4096


def read_expressions_once() -> None:
    """Keep what depends on an expression's text alone: its tokens, and the error in its grammar."""
    tokens = lru_cache(_KEPT)(dynamodb._tokenize)
    dynamodb._tokenize = lambda expression: list(tokens(expression))
    dynamodb._condition_syntax_error = lru_cache(_KEPT)(dynamodb._condition_syntax_error)
    for name in ("_check_redundant_parens", "_check_reserved_keyword_usage"):
        setattr(dynamodb, name, _by_tokens(getattr(dynamodb, name)))


def _by_tokens(check: Callable[..., str | None]) -> Callable[..., str | None]:
    kept = lru_cache(_KEPT)(check)

    def checked(tokens: Sequence[tuple[str, str]], *slot: str) -> str | None:
        return kept(tuple(tokens), *slot)

    return checked

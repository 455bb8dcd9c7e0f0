"""Patterns that name errors: by code, by a class of HTTP answers, or by code and type."""

import re
from collections.abc import Iterable

#: ``http_409``, ``http_5xx``, ``timeout``, ``function_error/ValueError``.
ERROR_PATTERN = re.compile(r"[a-z][a-z0-9_]{0,63}(?:/[!-~]{1,100})?")
_HTTP_CLASS = re.compile(r"http_([1-9])xx")
_HTTP_STATUS = re.compile(r"http_([1-9])\d\d")


def names_error(patterns: Iterable[str], code: str, error_type: str) -> bool:
    """Tell if one of the patterns means an error with this code and type."""
    return any(_names(pattern, code, error_type) for pattern in patterns)


def _names(pattern: str, code: str, error_type: str) -> bool:
    named, slash, wanted = pattern.partition("/")
    if slash and wanted != error_type:
        return False
    family, status = _HTTP_CLASS.fullmatch(named), _HTTP_STATUS.fullmatch(code)
    if family is not None and status is not None:
        return family[1] == status[1]
    return named == code

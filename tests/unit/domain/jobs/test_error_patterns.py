"""A pattern names errors by code, class of status and type."""

import pytest

from timegate.domain.jobs.rules.error_patterns import ERROR_PATTERN, names_error


@pytest.mark.parametrize(
    ("pattern", "code", "error_type", "expected"),
    [
        pytest.param("http_409", "http_409", "HttpStatus", True, id="this status"),
        pytest.param("http_409", "http_408", "HttpStatus", False, id="another status"),
        pytest.param("http_4xx", "http_499", "HttpStatus", True, id="its class"),
        pytest.param("http_4xx", "http_500", "HttpStatus", False, id="another class"),
        pytest.param("http_4xx", "http_4xx", "HttpStatus", True, id="the class by name"),
        pytest.param("http_4xx", "timeout", "TimedOut", False, id="no answer at all"),
        pytest.param("timeout", "timeout", "TimedOut", True, id="a code"),
        pytest.param("time", "timeout", "TimedOut", False, id="a part of a code"),
        pytest.param("function_error/ValueError", "function_error", "ValueError", True, id="type"),
        pytest.param("function_error/ValueError", "function_error", "KeyError", False, id="other"),
        pytest.param("http_5xx/HttpStatus", "http_503", "HttpStatus", True, id="class and type"),
    ],
)
def test_a_pattern_names_errors(
    pattern: str, code: str, error_type: str, *, expected: bool
) -> None:
    """By code, by class of status, and by type where it gives one."""
    assert names_error((pattern,), code, error_type) is expected


def test_any_of_several_patterns_is_enough() -> None:
    """And none names nothing."""
    assert names_error(("timeout", "http_409"), "http_409", "HttpStatus")
    assert not names_error((), "http_409", "HttpStatus")


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("http_5xx", True),
        ("function_error/ValueError", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("5xx", False),
        ("HTTP_500", False),
        ("function_error/", False),
        ("function_error/Two words", False),
        ("", False),
    ],
)
def test_what_a_pattern_looks_like(text: str, *, valid: bool) -> None:
    """Codes are lower case; a type is whatever the target calls it, without spaces."""
    assert (ERROR_PATTERN.fullmatch(text) is not None) is valid

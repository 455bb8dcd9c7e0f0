"""JSON pointers to the keys of payloads, after RFC 6901."""

from typing import Any

import pytest

from timegate.domain.limits.collapse import key_in

_TWELVE = list("abcdefghijkl")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("0", "a"),
        ("9", "j"),
        ("10", "k"),
        ("11", "l"),
        ("12", None),
        ("00", None),
        ("01", None),
        ("010", None),
        ("-1", None),
        ("-", None),
        ("", None),
        ("+1", None),
        ("1_0", None),
        ("1\n", None),
        ("\u0661", None),
        ("1\u0660", None),
        ("\u00b2", None),
    ],
)
def test_an_array_has_indices_of_ascii_digits_without_leading_zeros(
    name: str, key: str | None
) -> None:
    """Any other name is that of no element."""
    assert key_in({"list": _TWELVE}, f"/list/{name}") == key


@pytest.mark.parametrize(
    ("payload", "pointer", "key"),
    [
        pytest.param({"01": "a"}, "/01", "a", id="digits name a member"),
        pytest.param({"\u0661": "a"}, "/\u0661", "a", id="other digits name a member"),
        pytest.param({"": "a"}, "/", "a", id="an empty name"),
        pytest.param({"a/b": "c"}, "/a~1b", "c", id="a slash"),
        pytest.param({"a~1": "c"}, "/a~01", "c", id="a tilde before a digit"),
        pytest.param([["a", "b"]], "/0/1", "b", id="a list of lists"),
        pytest.param("abc", "/0", None, id="a text has no elements"),
    ],
)
def test_names_of_members_are_taken_as_they_are(
    payload: Any,  # noqa: ANN401 - any JSON
    pointer: str,
    key: str | None,
) -> None:
    """Digits are an index within an array alone."""
    assert key_in(payload, pointer) == key

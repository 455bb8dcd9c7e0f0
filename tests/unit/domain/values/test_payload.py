"""Payloads: 256 KiB, in bytes."""

import pytest

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES, check_payload_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param("", 0, id="none"),
        pytest.param('{"a": 1}', 8, id="ascii"),
        pytest.param('"ü€😀"', 11, id="two, three and four bytes"),
        pytest.param("x" * MAX_PAYLOAD_BYTES, MAX_PAYLOAD_BYTES, id="the largest"),
    ],
)
def test_a_payload_is_measured_in_bytes(text: str, size: int) -> None:
    """The limit counts bytes, which are stored and sent."""
    assert size == check_payload_size(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x" * (MAX_PAYLOAD_BYTES + 1), id="one byte more"),
        pytest.param("x" * (MAX_PAYLOAD_BYTES - 1) + "ü", id="one character of two bytes"),
    ],
)
def test_a_larger_payload_is_refused(text: str) -> None:
    """With its size, so that its author knows by how much."""
    with pytest.raises(InvalidInput, match=f"has {MAX_PAYLOAD_BYTES + 1} bytes") as refused:
        check_payload_size(text)

    assert (refused.value.field, refused.value.code) == ("payload", "payload_too_large")

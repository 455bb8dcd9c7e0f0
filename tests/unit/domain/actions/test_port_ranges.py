"""Ports, as operators write them."""

import pytest

from timegate.domain.actions.port_ranges import WEB_PORTS, InvalidPortRange, port_ranges


def test_a_port_or_a_range_is_read() -> None:
    """Both ends of a range belong to it."""
    assert port_ranges(["443", "80"]) == WEB_PORTS
    assert port_ranges(["1-65535"]) == (range(1, 65_536),)
    assert port_ranges([]) == ()


@pytest.mark.parametrize("text", ["", "0", "65536", "x", "1-", "-1", "9-8", "1-65536", "443 ", "*"])
def test_what_is_neither_is_refused(text: str) -> None:
    """A slip opens no port."""
    with pytest.raises(InvalidPortRange):
        port_ranges([text])

"""Page cursors."""

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timegate.adapters.page_cursor import read_cursor, read_number, write_cursor
from timegate.domain.values.errors import InvalidInput

positions = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=200)


@given(st.text(), positions)
def test_a_cursor_leads_back_to_its_position(listing: str, position: str) -> None:
    """Through a URL: it holds no character that means something there."""
    cursor = write_cursor(listing, position)

    assert position == read_cursor(listing, cursor)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", cursor)


@given(positions)
def test_a_cursor_of_another_listing_is_refused(position: str) -> None:
    """A tenant's cursor says nothing in another tenant's list, nor a run's among jobs."""
    cursor = write_cursor("jobs#acme", position)

    for listing in ("jobs#globex", "runs#acme#job"):
        with pytest.raises(InvalidInput):
            read_cursor(listing, cursor)


@given(st.text())
def test_any_text_is_a_cursor_or_refused(text: str) -> None:
    """An invalid cursor is the caller's mistake and names the field."""
    with pytest.raises(InvalidInput) as caught:
        read_cursor("jobs#acme", text)

    assert (caught.value.field, caught.value.code) == ("cursor", "invalid_cursor")


@pytest.mark.parametrize(
    "position",
    ["", "with space", "with\nline", "x" * 201, "ä"],
    ids=["empty", "space", "line", "too-long", "not-ascii"],
)
def test_a_forged_position_is_refused(position: str) -> None:
    """The digest is no secret, so what follows it is checked as well."""
    digest = base64.urlsafe_b64decode(write_cursor("jobs#acme", "xxx")).decode()[:12]
    forged = base64.urlsafe_b64encode(f"{digest}{position}".encode()).decode()

    with pytest.raises(InvalidInput):
        read_cursor("jobs#acme", forged)


@pytest.mark.parametrize("number", [0, 7, 10**199])
def test_a_number_is_a_position(number: int) -> None:
    """Rows of such a list are counted."""
    cursor = write_cursor("dag-versions#acme", f"{number}")

    assert read_number("dag-versions#acme", cursor) == number


@pytest.mark.parametrize("position", ["x", "-1", "1_0", "1.5", "+1", "1e3"])
def test_a_forged_position_that_is_no_number_is_refused(position: str) -> None:
    """Also one that Python reads as a number."""
    cursor = write_cursor("dag-versions#acme", position)
    with pytest.raises(InvalidInput) as caught:
        read_number("dag-versions#acme", cursor)

    assert (caught.value.field, caught.value.code) == ("cursor", "invalid_cursor")

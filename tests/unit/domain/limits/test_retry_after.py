"""``Retry-After``: seconds, or a date that counts from the answer."""

import math

import pytest

from tests.support.factories import NOW, after
from timegate.domain.limits.retry_after import retry_after_seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        pytest.param(None, None, id="absent"),
        pytest.param("0", 0.0, id="at-once"),
        pytest.param(" 120 ", 120.0, id="seconds"),
        pytest.param("Sat, 21 Nov 2026 07:01:30 GMT", 90.0, id="a-date"),
        pytest.param("Sat, 21 Nov 2026 07:01:30 -0000", 90.0, id="a-date-without-a-zone"),
        pytest.param("Sat, 21 Nov 2026 06:00:00 GMT", 0.0, id="a-date-gone-by"),
        pytest.param("soon", None, id="no-date"),
        pytest.param("-5", None, id="negative"),
        pytest.param("1.5", None, id="no-whole-number"),
        pytest.param(f"Sat, {'9' * 30} Nov 2026 07:00:00 GMT", None, id="beyond-a-word"),
        pytest.param("9" * 400, math.inf, id="more-than-any-float"),
        pytest.param("Sat, 21 Nov 2026 07:00:00 +" + "9" * 30, None, id="zone-beyond-a-word"),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    """Other text counts as no header (RFC 9110, section 10.2.3)."""
    assert seconds == retry_after_seconds(header, NOW)


def test_time_is_that_of_the_answer() -> None:
    """A date counts from the instant of the answer; where that is not known, it is no wait."""
    date = "Sat, 21 Nov 2026 07:01:30 GMT"

    assert (retry_after_seconds(date, after(60)), retry_after_seconds(date, None)) == (30.0, None)

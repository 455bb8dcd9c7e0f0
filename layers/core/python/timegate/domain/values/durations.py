"""Durations in ISO 8601 (RFC 3339, appendix A), accepted wherever a number of seconds is."""

import re
from fractions import Fraction

from timegate.domain.values.errors import InvalidInput

#: Ten years.
MAX_SECONDS = 315_360_000
_NUMBER = r"\d{1,12}(?:[.,]\d{1,9})?"
_DURATION = re.compile(
    rf"P(?:({_NUMBER})W)?(?:({_NUMBER})D)?(?:T(?:({_NUMBER})H)?(?:({_NUMBER})M)?(?:({_NUMBER})S)?)?",
    re.ASCII,
)
#: Seconds of a week, a day, an hour, a minute and a second.
_UNITS = (604_800, 86_400, 3600, 60, 1)
_CALENDAR = re.compile(
    rf"P(?=[\d.,]+[YM])(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}[WD])*(?:T.+)?", re.ASCII
)
_FRACTION = re.compile(r"[.,]\d+[WDHM].")
#: Readers of a field name that field instead.
_FIELD = "duration"
_SHAPE = "It must be a duration in ISO 8601: PT90S, PT5M, PT1H30M or P1D."
_NO_FIXED_LENGTH = "Years and months differ in length: write days, as P30D."
_ONE_FRACTION = "Only the last part of a duration may have a fraction."


def is_duration(text: str) -> bool:
    """Tell whether a text means to be a duration in ISO 8601: it begins with ``P``."""
    return text.startswith("P")


def read_duration(text: str) -> int | float:
    """Read ``PT5M`` as 300 seconds; whole seconds come back as ``int``.

    A day is 24 hours. Raises ``InvalidInput``: ``calendar_duration`` for years and months, which
    have no fixed length, and ``invalid_duration`` for other text.
    """
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groups()) or text.endswith("T"):
        if _CALENDAR.fullmatch(text):
            raise InvalidInput(_FIELD, "calendar_duration", _NO_FIXED_LENGTH)
        raise InvalidInput(_FIELD, "invalid_duration", _SHAPE)
    if _FRACTION.search(text):
        raise InvalidInput(_FIELD, "invalid_duration", _ONE_FRACTION)
    total = sum(
        (
            Fraction(part.replace(",", ".")) * unit
            for part, unit in zip(match.groups(), _UNITS, strict=True)
            if part is not None
        ),
        Fraction(0),
    )
    return int(total) if total.denominator == 1 else float(total)

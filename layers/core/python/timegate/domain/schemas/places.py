"""Places in JSON, written as the field and a JSON pointer (RFC 6901) behind it."""

from typing import TypeAlias

from timegate.domain.values.redaction import without_credentials

#: A name or an index, and the place that it is in; the first is the field.
Place: TypeAlias = tuple[str | int, "Place | None"]
#: A member's name may be as long as its payload.
_MAX_PART = 100
_MAX_PLACE = 1_000


def written(place: Place) -> str:
    """Write a place out as ``payload/lines/3/amount``; long names are cut."""
    parts: list[str] = []
    step: Place | None = place
    while step is not None:
        name, step = step
        shown = without_credentials(str(name))[:_MAX_PART] if step is not None else str(name)
        parts.append(shown.replace("~", "~0").replace("/", "~1") if step is not None else shown)
    return "/".join(parts[::-1])[:_MAX_PLACE]

"""Lists in values of the context, which are texts."""


def listed(value: object) -> tuple[str, ...]:
    """Return the names between commas; none of no value."""
    return tuple(part.strip() for part in str(value or "").split(",") if part.strip())

"""Positions of a scan as texts: names of tenants and keys of limits may hold any separator."""

import json
from collections.abc import Mapping

from timegate.adapters.dynamo.tables.values import Plain


def position_of(key: Mapping[str, Plain]) -> str:
    """Write the key of the last item that a page passed over."""
    return json.dumps([key["pk"], key["sk"]])


def key_after(position: str | None) -> dict[str, Plain] | None:
    """Read the key that a page begins behind; ``None``: it is the first."""
    return dict(zip(("pk", "sk"), json.loads(position), strict=True)) if position else None

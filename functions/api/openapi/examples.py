"""Examples in the description: requests that were sent, and what they were answered.

``python -m tests.support.documents.described_examples`` keeps them in
``docs/reference/openapi-examples.json``, and a test sends each of them again.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from api.http.route import Route
from api.openapi.parameters import path_names

KEPT = Path(__file__).resolve().parents[3] / "docs" / "reference" / "openapi-examples.json"

Example = Mapping[str, Any]


@cache
def kept() -> Mapping[str, Any]:
    """``operations`` and ``problems``; of an operation that is new, nothing yet."""
    found: Mapping[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def of_operation(operation: str) -> Example:
    """Return the request of an example, with ``status`` and ``answer``."""
    found: Example = kept()["operations"].get(operation, {})
    return found


def of_refusals(name: str) -> Mapping[str, Any]:
    """Problems that a status is answered with, by code."""
    found: Mapping[str, Any] = kept()["problems"].get(name, {})
    return found


def sent_parameters(route: Route) -> dict[str, Any]:
    """Return the values of the example's path, query and headers, by parameter."""
    example = of_operation(route.operation)
    if not example:
        return {}
    places = zip(route.path.split("/"), example["path"].split("/"), strict=True)
    in_path = {place.strip("<>"): text for place, text in places}
    found = {name: in_path[name] for name in path_names(route)}
    return found | dict(example["query"]) | dict(example["headers"])

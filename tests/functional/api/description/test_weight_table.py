"""``docs/operations/quotas.md`` has the weight of each operation above one request."""

import re
from pathlib import Path

from api.http.route import Route
from api.http.table import ROUTES

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "operations" / "quotas.md").read_text()
HEAD = "| operation | counts as | and for its body |\n|---|---|---|\n"
PLAIN_BYTES = 16 * 1024


def described() -> dict[str, tuple[int, str]]:
    """By operation: what the table says."""
    table = PAGE.split(HEAD, 1)[1].split("\n\n", 1)[0]
    found: dict[str, tuple[int, str]] = {}
    for line in table.splitlines():
        named, weight, body = (cell.strip() for cell in line.strip("|").split("|"))
        operations = re.findall(r"`(\w+)`", named)

        assert not found.keys() & operations, f"{line} repeats an operation"
        found |= dict.fromkeys(operations, (int(weight), body))
    return found


def body_of(route: Route) -> str:
    """Return the table's words for the number of requests that a body counts as."""
    if route.body is None:
        return ""
    size = "16 KB" if route.bytes_for_one == PLAIN_BYTES else f"{route.bytes_for_one:,} bytes"
    return f"one for each {size}"


def test_the_table_has_the_weight_of_every_operation() -> None:
    """An operation of plain weight and body has no row."""
    weighed = {
        route.operation: (route.weight, body_of(route))
        for route in ROUTES
        if route.weight != 1 or route.bytes_for_one != PLAIN_BYTES
    }

    assert described() == weighed


def test_what_is_left_out_is_said_of_all() -> None:
    """In the sentence before the table."""
    assert "Each counts as one, and as one more for each 16 KB of its body." in PAGE

"""Tables of ``docs/reference/api.md`` have every kind and list of the description."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from timegate.domain.actions.action import KINDS
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.tenants.audit_trail import ResourceKind

REFERENCE = Path(__file__).resolve().parents[4] / "docs" / "reference"
PAGE = (REFERENCE / "api.md").read_text()
#: Pages of numbers and of lines, whose own sections say how they go on.
OF_THEIR_OWN = {"/v1/forecast", "/v1/tenants/{tenant}/forecast", "/v1/runs/{run_id}/logs"}


def rows(head: str) -> list[list[str]]:
    """The cells of a table, by the beginning of its head."""
    (table,) = re.findall(rf"^{re.escape(head)}.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in table.splitlines()]


def named(text: str) -> list[str]:
    """The names in a cell."""
    return re.findall(r"`([^`]+)`", text)


def test_the_page_has_every_kind_of_action_with_its_fields() -> None:
    """In the order in which an answer shows them."""
    kinds: dict[str, Any] = dict(KINDS)
    known = {name: [each.name for each in fields(kind)] for name, kind in kinds.items()}

    assert {named(kind)[0]: named(given) for kind, given, _ in rows("| `action.type` |")} == known


def test_the_page_has_every_kind_of_schedule() -> None:
    """Also those that name no instant, or several schedules."""
    assert {named(row[0])[0] for row in rows("| `schedule.kind` |")} == set(ScheduleKind)


def test_the_page_of_the_audit_trail_has_every_kind_of_thing() -> None:
    """A reader narrows the trail to any of them."""
    page = (REFERENCE.parent / "operations" / "audit.md").read_text()
    listed = page.partition("`resource` narrows it")[2].partition("`since`")[0]

    assert {name.removesuffix("/…") for name in named(listed)} == set(ResourceKind)


def described() -> dict[str, set[str]]:
    """The filters of each operation that goes on from page to page."""
    paths: dict[str, Any] = json.loads((REFERENCE / "openapi.json").read_text())["paths"]
    queries = {
        path: {each["name"] for each in item["get"].get("parameters", []) if each["in"] == "query"}
        for path, item in paths.items()
        if "get" in item
    }
    paged = {path: names for path, names in queries.items() if "cursor" in names}
    return {
        path: names - {"limit", "cursor"}
        for path, names in paged.items()
        if path not in OF_THEIR_OWN
    }


def test_the_page_has_every_list_with_its_filters() -> None:
    """A list that the table leaves out has a limit and filters that no reader finds."""
    found = {
        path.removeprefix("GET "): set(named(filters))
        for paths, _, filters in rows("| | newest first, or |")
        for path in named(paths)
    }

    assert found == described()

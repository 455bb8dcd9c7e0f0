"""Cursors that a caller has forged: each list shows rows of its own, or refuses them."""

import base64
from zlib import crc32

import pytest

from tests.functional.api.requests.test_listings import DAG, PAGED, full
from tests.support.api import Api
from tests.support.factories import JOB_ID

__all__ = ["full"]

#: Lengths of a cursor's marks: of its filters, and of its list.
FILTERS, LISTING = 8, 12
#: Before all positions, behind them, of other records, and of no form that a list writes.
POSITIONS = (
    *("!", "~" * 200, "0", "9" * 200, "-1", "1_0", "x", "job", "in-force", "calendar#calendar-0"),
    *("20261121T070000000Z", "99991231T235959999Z", "20261341T250000000Z#", "####"),
)
LEDGER = f"/v1/jobs/{JOB_ID}/ledger?from=2026-11-21T06:00:00Z&to=2026-11-21T08:00:00Z"


def forged(cursor: str, position: str) -> str:
    """Return a cursor of the same list and filters, at another position."""
    filters, _, written = cursor.partition(".")
    padded = written + "=" * (-len(written) % 4)
    raw = base64.urlsafe_b64decode(padded)[:LISTING] + position.encode()
    return f"{filters}.{base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


@pytest.mark.parametrize("path", [each for each in PAGED if not each.endswith("/ledger")])
def test_a_forged_position_breaks_no_list(full: Api, path: str) -> None:
    """The mark of a list is no secret: any caller can write a cursor that bears it."""
    changed = full.send("PATCH", f"/v1/dags/{DAG}", {"description": "Has two versions."})
    cursor = full.send("GET", f"{path}?limit=1").body["next_cursor"]

    assert changed.body["version"] == 2
    for position in POSITIONS if cursor is not None else ():
        answer = full.send("GET", f"{path}?cursor={forged(cursor, position)}")

        assert answer.status == 200 or answer.fields == [("cursor", "invalid_cursor")], position


@pytest.mark.parametrize(
    ("instant", "is_one"),
    [("99991231T235959998Z", True), ("99991231T235959999Z", False)],
)
def test_a_forged_position_of_a_ledger_is_an_instant_that_another_follows(
    full: Api, instant: str, is_one: bool
) -> None:
    """Reading goes on a millisecond behind it, which the last instant of all does not have."""
    mark = full.send("GET", f"{LEDGER}&limit=1").body["next_cursor"].partition(".")[0]
    cursor = f"{mark}.{instant}r{crc32(f'ledger#{JOB_ID}'.encode()):08x}"
    answer = full.send("GET", f"{LEDGER}&limit=1&cursor={cursor}")

    assert answer.status == (200 if is_one else 400)
    assert is_one or answer.fields == [("cursor", "invalid_cursor")]

"""Leases of an auditor's share: AWS's client repeats a write that DynamoDB did not answer."""

from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores


def test_a_lease_that_meets_itself_is_held(stores: Stores) -> None:
    """No tick is skipped for it, and a walk that was left goes on where it was."""
    cursors = stores.audit_cursors
    first, repeated = (
        cursors.acquire(0, 2, owner="one", now=NOW, until=after(240)) for _ in range(2)
    )

    assert first is not None
    assert repeated == first


def test_a_lease_of_another_auditor_is_another(stores: Stores) -> None:
    """Two auditors that begin at the same instant name themselves."""
    cursors = stores.audit_cursors
    held = [
        cursors.acquire(0, 2, owner=each, now=NOW, until=after(240)) is not None
        for each in ("one", "two")
    ]

    assert held == [True, False]

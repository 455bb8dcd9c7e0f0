"""``RunStore``: a claim records the way to it, in its own write."""

from dataclasses import replace

from tests.support.factories import after, attempt_factory, lease_factory
from tests.support.stores.contract_stores import Stores
from timegate.domain.runs.conclusion import next_attempt
from timegate.domain.runs.lease import Pickup
from timegate.ports.runs.claims import LeaseClaim

FIRST = Pickup(published_at=after(0), received_at=after(1), claimed_at=after(2))
LATER = Pickup(published_at=after(0), received_at=after(61), claimed_at=after(62))


def test_a_claim_records_its_pickup(stores: Stores) -> None:
    """No worker had picked the attempt up before; a take-over replaces what it finds."""
    read = stores.add(attempt_factory())
    claim = LeaseClaim(attempt=read, job_version=1, lease=lease_factory(), pickup=FIRST)
    stores.runs.claim_all([claim])
    held = stores.stored(read)
    lease = lease_factory(owner="worker-2", fence=2)
    stores.runs.claim_all([replace(claim, attempt=held, lease=lease, pickup=LATER)])

    assert (read.pickup, held.pickup, stores.stored(read).pickup) == (None, FIRST, LATER)


def test_a_pool_has_neither_message_nor_receipt(stores: Stores) -> None:
    """The claim alone is known, and read back as it was written."""
    read = stores.add(attempt_factory())
    pickup = Pickup(claimed_at=after(2))
    claim = LeaseClaim(attempt=read, job_version=1, lease=lease_factory(), pickup=pickup)
    stores.runs.claim_all([claim])

    assert stores.stored(read).pickup == pickup


def test_a_retry_has_not_been_picked_up(stores: Stores) -> None:
    """Each attempt has its own way."""
    read = stores.add(attempt_factory())
    claim = LeaseClaim(attempt=read, job_version=1, lease=lease_factory(), pickup=FIRST)
    stores.runs.claim_all([claim])

    assert next_attempt(stores.stored(read), after(5), after(2)).pickup is None

"""Slots of one key in the stores of a contract."""

from tests.support.execution.overlapping import KEY
from tests.support.factories import NOW, TENANT, after, attempt_id, job_id
from tests.support.stores.contract_stores import Stores
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots, SlotWaiter

THE_KEY = SlotKey(tenant=TENANT, name=KEY)
CONTENDERS = 50


def holder(name: str, *, expires: float = 60) -> Holder:
    """A slot that was taken now."""
    hold = SlotHold(attempt=attempt_id(job=job_id(name)), owner="worker-1", fence=1)
    return Holder(hold=hold, since=NOW, expires_at=after(expires))


def waiter(name: str, due: float = 0) -> SlotWaiter:
    """A run in the line."""
    return SlotWaiter(due_at=after(due), attempt=attempt_id(job=job_id(name)))


def put(stores: Stores, slots: Slots, key: SlotKey = THE_KEY) -> None:
    """Store a key's slots."""
    stores.slots.change(key, lambda _: (slots, None), now=NOW)


def read(stores: Stores, key: SlotKey = THE_KEY) -> Slots:
    """Read a key's slots back."""
    return stores.slots.change(key, lambda slots: (slots, slots), now=NOW)

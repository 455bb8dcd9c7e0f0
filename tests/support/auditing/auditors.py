"""The auditor of a world in memory."""

from datetime import timedelta
from typing import TYPE_CHECKING

from timegate.usecases.auditing.audit_shard import Audited, audit_shard
from timegate.usecases.services.auditor_services import Auditing

if TYPE_CHECKING:
    from tests.support.world import World

#: How long records are kept.
RETENTION = timedelta(days=30)


def auditing_of(world: "World") -> Auditing:
    """Build the auditor's services in a world."""
    return Auditing(
        jobs=world.jobs,
        runs=world.runs,
        cursors=world.audit_cursors,
        restrictions=world.restrictions,
        is_erased=lambda tenant: world.tenants.get(tenant).erased_at is not None,
        usage=world.usage,
        telemetry=world.telemetry,
        clock=world.clock,
        retention=RETENTION,
    )


def audited_by(owner: str, world: "World") -> Audited:
    """One tick over the only shard."""
    audited = audit_shard(0, world.auditing, now=world.clock.now(), owner=owner)
    assert audited is not None
    return audited

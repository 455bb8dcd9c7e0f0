"""Claiming: one batch of conditional writes for as many runs as came together."""

from collections.abc import Sequence

from timegate.adapters.dynamo.limits.day_counts import DayCounts
from timegate.adapters.dynamo.runs.items.attempt_reading import ATTEMPT, attempt_from_fields
from timegate.adapters.dynamo.runs.items.index_items import late_fields, moved_watch_fields
from timegate.adapters.dynamo.runs.items.lease_items import lease_fields
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Found, Update, WriteResult
from timegate.domain.execution.day_quota import Counted, DayQuota
from timegate.domain.runs.reserved_turns import current_pace
from timegate.domain.runs.run import RunState
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.runs.claims import LeaseClaim


def claim_all(
    engine: Engine, table: str, claims: Sequence[LeaseClaim], *, shards: ShardPlacement
) -> list[bool]:
    """Lease attempts, each unless it was leased or renewed since."""
    # Two messages of one attempt in a batch: the first claims, the second is a duplicate. Were
    # both sent, the second would find the first one's lease and take it for its own.
    keys = [attempt_key(claim.attempt.tenant, claim.attempt.id) for claim in claims]
    first = {key: index for index, key in reversed([*enumerate(keys)])}.values()
    written = engine.execute([_claim(table, claims[index], shards) for index in first])
    results = dict(zip(first, written, strict=True))
    return [
        index in results and _is_claimed(results[index], claim)
        for index, claim in enumerate(claims)
    ]


def claim_within(
    counts: DayCounts,
    table: str,
    tenant: TenantId,
    quota: DayQuota,
    claims: Sequence[LeaseClaim],
    *,
    shards: ShardPlacement,
) -> list[Counted]:
    """Lease attempts whose runs begin, each counted by the transaction that leases it."""
    keys = [attempt_key(claim.attempt.tenant, claim.attempt.id) for claim in claims]
    first = [*{key: index for index, key in reversed([*enumerate(keys)])}.values()]
    # In the order given: who is first gets the last place.
    first.sort()

    def is_ours(index: int, found: Found) -> bool:
        return _is_claimed(WriteResult(done=False, found=found), claims[first[index]])

    updates = [_claim(table, claims[index], shards) for index in first]
    counted = dict(zip(first, counts.claim(tenant, quota, updates, is_ours), strict=True))
    return [counted.get(index, Counted.LOST) for index in range(len(claims))]


def _claim(table: str, claim: LeaseClaim, shards: ShardPlacement) -> Update:
    before, lease = claim.attempt, claim.lease
    return Update(
        table=table,
        key=attempt_key(before.tenant, before.id),
        fields={
            "state": RunState.RUNNING,
            "job_version": claim.job_version,
            "fence": lease.fence,
            # It has been published: should it be queued again, the stream does that.
            "direct": False,
            **_lease(claim),
            **_offered(claim),
            **_changed_mode(claim),
            **_alone(claim),
            **_beginning(claim),
            **_heard(claim),
            **_paced(claim),
            **_finishing(claim),
            **_late(claim),
            **_picked_up(claim),
            **moved_watch_fields(before, claim.watch_at, shards=shards),
        },
        where={
            "state": before.state,
            "fence": before.fence,
            # A lease that was renewed since it was read has the same fence.
            "lease_expires_at": compact(before.lease.expires_at) if before.lease else None,
        },
        shows_refused=True,
    )


def _lease(claim: LeaseClaim) -> dict[str, Plain]:
    """Build the lease's fields; nothing stays of the lease before, as of a target that held it."""
    before, fields = lease_fields(claim.attempt.lease), lease_fields(claim.lease)
    return {
        name: value
        for name, value in fields.items()
        if value is not None or before.get(name) is not None
    }


def _offered(claim: LeaseClaim) -> dict[str, str | None]:
    """Shown in its pool again when the lease has expired, and able to tell its holder's tokens."""
    key = claim.attempt.lease_key
    told = {"lease_key": key} if key is not None else {}
    if claim.attempt.offer is None:
        return {**told}
    return {**told, "offered_at": compact(claim.lease.expires_at)}


def _changed_mode(claim: LeaseClaim) -> dict[str, Plain]:
    """Nothing for most: a job's mode seldom changes, and is mostly the default."""
    if claim.delivery is claim.attempt.delivery:
        return {}
    return ATTEMPT.field("delivery", claim.delivery)


def _alone(claim: LeaseClaim) -> dict[str, Plain]:
    """Nothing for a run that was not held by a worker that died."""
    return {"alone": claim.alone} if claim.alone != claim.attempt.alone else {}


def _beginning(claim: LeaseClaim) -> dict[str, str | None]:
    return {"begun_at": compact(claim.begins_at)} if claim.begins_at is not None else {}


def _heard(claim: LeaseClaim) -> dict[str, Plain]:
    """Nothing for a job without channels."""
    if claim.notify == claim.attempt.notify:
        return {}
    return ATTEMPT.field("notify", claim.notify)


def _paced(claim: LeaseClaim) -> dict[str, Plain]:
    """Nothing for a run that no rate limit has held up."""
    pace = current_pace(claim.attempt)
    if pace is None:
        return {}
    return {"due_at": compact(claim.attempt.due_at), **ATTEMPT.field("pace", pace)}


def _finishing(claim: LeaseClaim) -> dict[str, Plain]:
    """Nothing for a run without a deadline."""
    finish = claim.attempt.finish
    return ATTEMPT.field("finish", finish) if finish is not None else {}


def _late(claim: LeaseClaim) -> dict[str, Plain]:
    """Nothing for a run that has passed no bound of a rule."""
    shown = late_fields(claim.attempt)
    return {**shown, **ATTEMPT.field("lateness", claim.attempt.lateness)} if shown else {}


def _picked_up(claim: LeaseClaim) -> dict[str, Plain]:
    """Part of the claim's write, so that it costs none of its own."""
    return ATTEMPT.field("pickup", claim.pickup) if claim.pickup is not None else {}


def _is_claimed(result: WriteResult, claim: LeaseClaim) -> bool:
    """Now, or before: our own claim, already written, the answer to it lost on its way."""
    if result.done:
        return True
    if result.found is None:
        return False
    stored = attempt_from_fields(result.found).lease
    wanted = claim.lease
    return stored is not None and (stored.owner, stored.fence) == (wanted.owner, wanted.fence)

"""Claims of slots: workers race on the stores under contract."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import NewStores
from tests.contract.limits.keyed_slots import CONTENDERS, read
from tests.support.execution.overlapping import limited, live_at
from tests.support.factories import NOW, after, attempt_factory, attempt_id, job_id
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import LeaseLost
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.supervise_run import heartbeat
from timegate.usecases.limits.overlap_releases import release_slot
from timegate.usecases.services.execution_services import Claimed

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

LIMIT = 3


class Arena(World):
    """Workers on the stores under contract."""

    def __init__(self, stores: Stores) -> None:
        super().__init__()
        self.runs = stores.runs
        self.slots = stores.slots

    def claim(self, attempt: Attempt, owner: str) -> Claimed | None:
        """One worker, one message."""
        held = claim_runs([delivery(RunMessage.of(attempt))], self.execution(owner=owner)).held
        return held[0] if held else None


def due_together(stores: Stores, policy: OverlapPolicy) -> list[Attempt]:
    """Store runs of as many jobs as contend, all due on one key."""
    attempts = []
    for number in range(CONTENDERS):
        each, at = job_id(f"{number}"), after(-number / 10)
        stores.add_job(
            job_id=each, overlap=limited(policy, LIMIT), anchored_at=after(-600 - number / 10)
        )
        attempt = attempt_factory(id=attempt_id(job=each, scheduled_at=at), due_at=at)
        attempts.append(stores.add(attempt))
    return attempts


@pytest.mark.parametrize("policy", [OverlapPolicy.FORBID, OverlapPolicy.QUEUE], ids=str)
def test_fifty_claims_at_once_never_exceed_the_limit(stores: Stores, policy: OverlapPolicy) -> None:
    """Live leases fill the slots; the policy records the other runs (J8)."""
    arena, attempts = Arena(stores), due_together(stores, policy)
    held = race(*(partial(arena.claim, a, f"worker-{n}") for n, a in enumerate(attempts)))
    now = [stores.stored(attempt) for attempt in attempts]
    other = RunState.SKIPPED if policy is OverlapPolicy.FORBID else RunState.WAITING

    assert sum(each is not None for each in held) == LIMIT
    assert len(live_at(now, NOW)) == LIMIT
    assert sorted(each.state for each in now) == sorted(
        [RunState.RUNNING] * LIMIT + [other] * (CONTENDERS - LIMIT)
    )


def test_fifty_claims_after_all_holders_died(stores: Stores) -> None:
    """Their slots expire together, and late heartbeats of the dead change nothing."""
    arena, attempts = Arena(stores), due_together(stores, OverlapPolicy.FORBID)
    dead = [arena.claim(attempts.pop(), f"dead-{n}") for n in range(LIMIT)]
    arena.clock.advance(60)

    def late(claimed: Claimed | None) -> None:
        assert claimed is not None
        with pytest.raises(LeaseLost):
            heartbeat(claimed, arena.execution(), now=after(60))

    race(
        *(partial(late, each) for each in dead),
        *(partial(arena.claim, a, f"worker-{n}") for n, a in enumerate(attempts)),
    )
    now = [stores.stored(attempt) for attempt in attempts]

    assert len(live_at(now, after(60))) == LIMIT


def test_claims_and_ends_race_without_a_leak(stores: Stores) -> None:
    """Each holder gives its slot back while others claim: at the end all are free again."""
    arena, attempts = Arena(stores), due_together(stores, OverlapPolicy.QUEUE)
    held: list[Any] = race(*(partial(arena.claim, a, f"w-{n}") for n, a in enumerate(attempts)))
    rounds = 0
    while holders := [each for each in held if each is not None]:
        rounds += 1
        for each in holders:
            done = replace(stores.stored(each.attempt), state=RunState.SUCCEEDED, ended_at=NOW)
            assert stores.runs.finish_all([replace(done, watch_at=None)]) == [True]

        def release(claimed: Claimed) -> None:
            release_slot(claimed.attempt, claimed.lease, claimed.job, arena.execution(), now=NOW)

        race(*(partial(release, each) for each in holders))
        called = [a for a in map(stores.stored, attempts) if a.state is RunState.QUEUED]
        held = (
            race(*(partial(arena.claim, a, f"w-{rounds}-{a.id}") for a in called)) if called else []
        )
        assert len(live_at([stores.stored(a) for a in attempts], NOW)) <= LIMIT

    assert {stores.stored(each).state for each in attempts} == {RunState.SUCCEEDED}
    assert read(stores) == Slots()


def test_what_a_policy_costs(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """Two readings and a write to take a slot, one write a heartbeat; nothing for others."""
    stores = new_dynamo_stores()
    arena = Arena(stores)
    plain, policed = job_id("plain"), job_id("policed")
    stores.add_job(job_id=plain)
    stores.add_job(job_id=policed, overlap=limited(OverlapPolicy.FORBID))
    costs = []
    for each in (plain, policed):
        attempt = stores.add(attempt_factory(id=attempt_id(job=each)))
        with recorded(dynamodb) as calls:
            claimed = arena.claim(attempt, "worker")
            assert claimed is not None
            heartbeat(claimed, arena.execution(owner="worker"), now=after(1))
        costs.append(calls)

    assert costs[0] == {"BatchGetItem": 1, "BatchExecuteStatement": 1, "UpdateItem": 1}
    assert costs[1] - costs[0] == {"Query": 2, "UpdateItem": 2}

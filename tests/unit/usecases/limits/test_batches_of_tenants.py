"""A batch of two tenants: what the store refuses one of them costs the other nothing."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.execution.overlapping import limited
from tests.support.factories import OTHER_TENANT, TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.quotas import Quotas
from timegate.domain.limits.rate_limit import RateLimit, RatePeriod
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.execution_services import Delivery

TENANTS = [TENANT, OTHER_TENANT]
#: More calls than a batch makes for one tenant.
MOMENTS = 24
RUNS = 3


class Busy:
    """A store that refuses a tenant's calls, from one of them on; shared calls are refused too."""

    def __init__(self, store: object, fault: "Fault") -> None:
        self._store = store
        self._fault = fault

    def __getattr__(self, name: str) -> Callable[..., object]:
        method = getattr(self._store, name)

        def call(*args: object, **kwargs: object) -> object:
            concerned = f"'{self._fault.tenant}'" in repr((args, kwargs))
            if not concerned:
                return method(*args, **kwargs)
            if self._fault.is_due():
                raise self._fault.error
            answer = method(*args, **kwargs)
            if self._fault.is_due():
                raise self._fault.error
            return answer

        return call


class Fault:
    """From its moment on, calls that concern a tenant fail: before or after their effect."""

    def __init__(self, tenant: TenantId, moment: int, error: Exception) -> None:
        self.tenant = tenant
        self.error = error
        self._moment = moment
        self._moments = 0

    def is_due(self) -> bool:
        self._moments += 1
        return self._moments > self._moment


def batch(world: World, *, counted: bool, **fields: object) -> list[Delivery]:
    """Three runs of each tenant, one after the other, each under a slot, a turn and a count."""
    messages: list[Delivery] = []
    for tenant in TENANTS:
        before = world.tenants.get(tenant)
        quotas = Quotas(runs_per_day=10 if counted else None)
        assert world.tenants.put(tenant, before, replace(before, quotas=quotas))
    for number in range(RUNS):
        for tenant in TENANTS:
            job = job_id(f"{tenant} {number}")
            world.add_job(
                tenant=tenant,
                job_id=job,
                anchored_at=after(-3600),
                schedule=MINUTELY,
                overlap=limited(OverlapPolicy.QUEUE, limit=5),
                rate_limit=RateLimit(calls=100, per=RatePeriod.SECOND, burst=10, key="crm"),
                **fields,
            )
            attempt = attempt_factory(tenant=tenant, id=attempt_id(job=job))
            world.runs.insert_all([attempt])
            messages.append(delivery(RunMessage.of(attempt), len(messages)))
    return messages


def strike(world: World, fault: Fault) -> None:
    for name in ("runs", "slots", "rates"):
        setattr(world, name, Busy(getattr(world, name), fault))


def of(world: World, tenant: TenantId) -> list[Attempt]:
    return [attempt for attempt in world.attempts() if attempt.tenant == tenant]


@pytest.mark.parametrize("busy", TENANTS)
@pytest.mark.parametrize("counted", [True, False], ids=["counted", "uncounted"])
@pytest.mark.parametrize("mode", [DeliveryMode.AT_LEAST_ONCE, DeliveryMode.AT_MOST_ONCE], ids=str)
@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_throttled_tenant_keeps_no_other_one(
    busy: TenantId, counted: bool, mode: DeliveryMode, moment: int
) -> None:
    """At each call: the other tenant's runs succeed in this very invocation, called once each."""
    world = World()
    messages = batch(world, counted=counted, delivery=mode)
    strike(world, Fault(busy, moment, Throttled("busy")))
    again = world.execute(messages)
    (other,) = set(TENANTS) - {busy}

    assert [each.state for each in of(world, other)] == [RunState.SUCCEEDED] * RUNS
    calls = [call.attempt for call in world.target.calls if call.tenant == other]
    assert sorted(calls) == [each.id for each in of(world, other)]
    assert again <= {each.id for each in messages if each.message.tenant == busy}


@pytest.mark.parametrize("busy", TENANTS)
def test_a_count_that_fails_in_another_way_keeps_no_other_tenant(busy: TenantId) -> None:
    """The others' runs end first; then the error is raised, and nothing is acknowledged."""
    world = World()
    messages = batch(world, counted=True, delivery=DeliveryMode.AT_MOST_ONCE)
    claim_within = world.runs.claim_within

    def broken(tenant: TenantId, *args: object) -> object:
        if tenant == busy:
            raise OSError("the network is gone")
        return claim_within(tenant, *args)  # type: ignore[arg-type]

    world.runs.claim_within = broken  # type: ignore[assignment, method-assign]
    with pytest.raises(OSError, match="network"):
        world.execute(messages)
    (other,) = set(TENANTS) - {busy}

    assert [each.state for each in of(world, other)] == [RunState.SUCCEEDED] * RUNS
    assert [each.state for each in of(world, busy)] == [RunState.QUEUED] * RUNS
    assert world.tables.slots
    assert not any(slots.holders for slots in world.tables.slots.values())


def test_a_throttled_tenant_is_put_off_by_itself() -> None:
    """Its messages come back in two seconds, its slots are free, and nothing of it is held."""
    world = World()
    messages = batch(world, counted=True)
    claim_within = world.runs.claim_within

    def throttled(tenant: TenantId, *args: object) -> object:
        if tenant == TENANT:
            raise Throttled("busy")
        return claim_within(tenant, *args)  # type: ignore[arg-type]

    world.runs.claim_within = throttled  # type: ignore[assignment, method-assign]
    again = world.execute(messages)

    assert again == {each.id for each in messages if each.message.tenant == TENANT}
    assert [hidden.seconds for hidden in world.inbox.hidden] == [2] * RUNS
    assert [each.state for each in of(world, TENANT)] == [RunState.QUEUED] * RUNS
    assert not any(slots.holders for slots in world.tables.slots.values())

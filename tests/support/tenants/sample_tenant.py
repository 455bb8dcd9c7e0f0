"""A tenant with one of everything, in the states in which it can be: for a memory or a table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from api.http.route import Route
from tests.support.archived import archived_attempt, keep_archived
from tests.support.dag_runs.dag_leftovers import PAYMENT, add_dag_run, add_waiting_run
from tests.support.event_triggers.triggering import hook_trigger, settle, trigger_factory
from tests.support.factories import (
    NOW,
    after,
    attempt_factory,
    attempt_id,
    calendar_factory,
    freeze_factory,
    job_factory,
    lease_factory,
)
from tests.support.operations.burying import dead_factory
from tests.support.operations.started_operations import operation_factory
from tests.support.ruling import rule_factory
from tests.support.sealed import keep_sealed
from tests.support.tenants.api_keys import key_factory
from tests.support.world import World
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dags.definition import DagStatus, InlineTask
from timegate.domain.event_triggers.event_trigger import HookId, StartsJob
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.operation import OperationStatus
from timegate.domain.pools.lease_token import issue_callback_token, issue_token
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import Freeze, FreezeKind, FreezeScope
from timegate.domain.rules.messages import rule_notices
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.identity import DagId, JobId, OperationId, Origin, job_id_from
from timegate.domain.values.tenant import TenantId

POOL = "reports"
SEALED_MONTHS = ("2026-09", "2026-10")
CALENDARS = ("holidays", "weekends")
STEP = InlineTask(action=WorkerAction(pool=POOL, handler="step"))
#: Minutely, and its ledger has instants before now.
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


@dataclass(frozen=True, kw_only=True)
class Inhabitant:
    """A tenant of a world, and its things."""

    tenant: TenantId
    #: Ids of what there is, by the name of the path parameter that takes them.
    ids: Mapping[str, tuple[str, ...]]
    #: The run that a worker holds, and the tokens that speak for it.
    held: Attempt
    lease_token: str
    callback_token: str

    def path(self, route: Route, place: int = 0) -> str:
        """A path of the route to what is this tenant's: the first of its kind, or another."""
        first, *others = re.findall(r"<(\w+)>", route.path) or [""]
        path = route.path.replace(f"<{first}>", self.ids[first][place] if first else "")
        for name in others:
            path = path.replace(f"<{name}>", self.ids[name][0])
        return path


def inhabit(
    world: World, name: str, *, pool: str = POOL, calendars: tuple[str, ...] = CALENDARS
) -> Inhabitant:
    """Let a tenant move in."""
    tenant = TenantId(name)
    jobs = _add_jobs(world, tenant, pool)
    _change_twice(world, tenant, jobs[0])
    held = _add_runs(world, tenant, jobs)
    _add_calendars(world, tenant, calendars)
    freezes = _add_freezes(world, tenant)
    dags = _add_dags(world, tenant)
    runs = [
        attempt_id(job=jobs[0], origin=Origin.TRIGGER),
        attempt_id(job=jobs[0], scheduled_at=after(-120)),
        dead_factory(-60, job=jobs[0]).id,
        held.id,
    ]
    return Inhabitant(
        tenant=tenant,
        ids={
            "job_id": tuple(jobs),
            "run_id": tuple(str(each.run) for each in runs),
            "operation_id": tuple(_add_operations(world, tenant)),
            "calendar": calendars,
            "rule": tuple(_add_rules(world, tenant)),
            "freeze_id": tuple(each.freeze_id for each in freezes),
            "event_trigger": ("orders", "deployments"),
            "hook_id": (_add_triggers(world, tenant, jobs[0]),),
            "pool": (pool,),
            "dag_id": tuple(dags),
            "dag_run_id": tuple(_add_dag_runs(world, tenant, dags[0])),
            "task_key": ("first", "first", "first", "first"),
            "key_id": tuple(_add_keys(world, tenant)),
            "version": ("1",),
            "month": SEALED_MONTHS,
        },
        held=held,
        lease_token=issue_token(held, claimed_at=NOW),
        callback_token=issue_callback_token(held, claimed_at=NOW, silence_seconds=300),
    )


def _change_twice(world: World, tenant: TenantId, job_id: JobId) -> None:
    """Change the job to and fro, for the audit trail."""
    trail = getattr(world, "trail", world.tables.trail)
    for number in (1, 2):
        stamp = Stamp(
            subject="ops", operation="updateJob", request_id=f"r{number}", at=after(-number)
        )
        with trail.on_behalf_of(stamp):
            job = world.jobs.get(tenant, job_id)
            world.jobs.update(job, replace(job, updated_at=job.updated_at))


def _add_rules(world: World, tenant: TenantId) -> list[str]:
    rules = [rule_factory(tenant=tenant, name=f"{tenant}-{each}") for each in ("one", "two")]
    for seed in ("first", "second"):
        notices = rule_notices(rules[0], [{"type": "late"}], seed=seed, now=after(-60))
        assert world.rule_messages.tell(tenant, notices=notices)
    return [world.rules.put_rule(each, expected_version=None, now=NOW).name for each in rules]


def _add_keys(world: World, tenant: TenantId) -> list[str]:
    """One that is good, and one that was revoked."""
    digests = [sha256(f"{what} key of {tenant}".encode()).hexdigest() for what in ("a", "an old")]
    keys = [
        key_factory(tenant=tenant, slot=0, digest=digests[0]),
        key_factory(tenant=tenant, slot=1, digest=digests[1], revoked_at=NOW),
    ]
    assert all(world.api_keys.put(None, key) for key in keys)
    return [key.key_id for key in keys]


def _add_triggers(world: World, tenant: TenantId, job_id: JobId) -> str:
    """One for the tenant's own events, and one with a web hook, whose address is returned."""
    hook_id = HookId(job_id_from(f"hook of {tenant}".encode()))
    starts = StartsJob(job_id=job_id)
    own = trigger_factory(tenant=tenant, starts=starts)
    settle(world, own, hook_trigger(tenant, starts=starts, hook_id=hook_id))
    return hook_id


def _job_id(tenant: TenantId, what: str) -> JobId:
    return job_id_from(f"{what} of {tenant}".encode())


def _add_jobs(world: World, tenant: TenantId, pool: str) -> list[JobId]:
    fields: dict[str, dict[str, Any]] = {
        "active": {"schedule": MINUTELY, "tags": {"team": "ops"}},
        "cancelled": {"status": JobStatus.CANCELLED, "next_run_at": None},
        "worked": {"action": WorkerAction(pool=pool, handler="sales"), "next_run_at": None},
    }
    return [
        world.jobs.create(
            job_factory(tenant=tenant, job_id=_job_id(tenant, what), **own)
        ).timing.job_id
        for what, own in fields.items()
    ]


def _add_runs(world: World, tenant: TenantId, jobs: list[JobId]) -> Attempt:
    """Queued, ended, given up twice, and held by a worker; another one waits in the pool."""
    first, _, worked = jobs
    ended = attempt_factory(
        tenant=tenant,
        id=attempt_id(job=first, scheduled_at=after(-120)),
        due_at=after(-120),
        state=RunState.SUCCEEDED,
        started_at=after(-120),
        ended_at=after(-119),
        watch_at=None,
    )
    held = attempt_factory(
        tenant=tenant,
        id=attempt_id(job=worked, scheduled_at=after(-30)),
        due_at=after(-30),
        state=RunState.RUNNING,
        lease=lease_factory(),
        lease_key=f"key of {tenant}",
        fence=1,
        started_at=after(-30),
        watch_at=after(60),
    )
    world.runs.insert_all(
        [
            attempt_factory(tenant=tenant, id=attempt_id(job=first, origin=Origin.TRIGGER)),
            ended,
            dead_factory(-60, job=first, tenant=tenant),
            dead_factory(-61, job=first, tenant=tenant),
            held,
        ]
    )
    archived = (
        attempt_id(job=jobs[0], origin=Origin.TRIGGER),
        attempt_id(job=jobs[0], scheduled_at=after(-120)),
    )
    keep_archived(world, *(archived_attempt(tenant, each, ended_at=NOW) for each in archived))
    for month in SEALED_MONTHS:
        keep_sealed(world, tenant, month)
    return held


def _add_calendars(world: World, tenant: TenantId, names: tuple[str, ...]) -> None:
    for name in names:
        calendar = calendar_factory(tenant=tenant, name=name)
        world.restrictions.put_calendar(tenant, calendar, expected_version=None)


def _add_freezes(world: World, tenant: TenantId) -> list[Freeze]:
    """Two, of which one was lifted."""
    freezes = [_freeze(world, tenant, hours) for hours in (1, 2)]
    world.restrictions.lift_freeze(tenant, freezes[1].freeze_id, now=NOW)
    return freezes


def _freeze(world: World, tenant: TenantId, hours: int) -> Freeze:
    freeze = freeze_factory(
        tenant=tenant,
        scope=FreezeScope(kind=FreezeKind.TAG, value="team=none"),
        ends_at=after(hours * 3600),
    )
    world.restrictions.put_freeze(tenant, freeze, now=NOW)
    return freeze


def _add_operations(world: World, tenant: TenantId) -> list[OperationId]:
    states: dict[str, dict[str, Any]] = {
        "going on": {},
        "ended": {"status": OperationStatus.SUCCEEDED, "ended_at": NOW, "watch_at": None},
    }
    return [
        world.operations.create(
            operation_factory(tenant=tenant, operation_id=OperationId(_job_id(tenant, what)), **own)
        ).operation_id
        for what, own in states.items()
    ]


def _add_dags(world: World, tenant: TenantId) -> list[DagId]:
    """One that is, one that was, and one more."""
    steps = (task("first", spec=STEP), task("second", spec=STEP))
    made = [
        world.dags.create(
            dag(
                steps,
                "first -> second",
                tenant=tenant,
                dag_id=DagId(_job_id(tenant, f"{what} dag")),
                created_at=after(-number),
            )
        )
        for number, what in enumerate(("lasting", "deleted", "other"))
    ]
    world.dags.update(made[1], replace(made[1], version=2, status=DagStatus.DELETED))
    world.dags.update(made[0], replace(made[0], version=2))
    return [each.dag_id for each in made]


def _add_dag_runs(world: World, tenant: TenantId, dag_id: DagId) -> list[str]:
    stages = (("open", DagRunStatus.OPENING), ("failed", DagRunStatus.FAILED))
    added = [add_dag_run(world, tenant, dag_id, key, status) for key, status in stages]
    approving = DagId(_job_id(tenant, "approving dag"))
    added.append(add_waiting_run(world, tenant, approving))
    paying = DagId(_job_id(tenant, "paying dag"))
    added.append(add_waiting_run(world, tenant, paying, PAYMENT))
    added.append(add_waiting_run(world, tenant, DagId(_job_id(tenant, "asking dag"))))
    return [str(run.dag_run_id) for run in added]

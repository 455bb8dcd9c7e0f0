"""Things that the samples in ``events`` name: the job, the run, the calendar."""

from tests.support.archived import archived_attempt, keep_archived
from tests.support.dag_runs.dag_leftovers import PAYMENT, add_dag_run, add_waiting_run
from tests.support.event_triggers.triggering import hook_trigger, settle, trigger_factory
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    calendar_factory,
    freeze_factory,
    job_factory,
    stage_freeze_factory,
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
from timegate.domain.dags.definition import InlineTask
from timegate.domain.restrictions.freeze import FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.identity import Origin, dag_id_for_key
from timegate.domain.values.tenant import ADMINISTRATION, TenantId

_STEP = InlineTask(action=WorkerAction(pool="etl", handler="step"))


def furnish(world: World) -> None:
    """Put there what the samples name."""
    world.jobs.create(job_factory(tags={"team": "ops", "tier": "1"}))
    run = attempt_factory(id=attempt_id(origin=Origin.TRIGGER, scheduled_at=NOW))
    world.tables.put_attempt(run)
    world.tables.put_attempt(dead_factory(-60))
    keep_archived(world, archived_attempt())
    keep_sealed(world, TENANT, "2026-10")
    calendar = calendar_factory(name="holidays", weekdays=frozenset({6}))
    world.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    settle(world, trigger_factory(), hook_trigger())
    freeze = freeze_factory(
        scope=FreezeScope(kind=FreezeKind.TAG, value="team=ops"),
        ends_at=after(7200),
        thaw=ThawPolicy.LATEST,
        reason="Database migration",
        created_at=NOW,
    )
    world.restrictions.put_freeze(TENANT, freeze, now=NOW)
    of_stage = stage_freeze_factory(
        scope=FreezeScope(kind=FreezeKind.STAGE, value="critical"),
        spared_tenants=(TENANT,),
        ends_at=after(7200),
        thaw=ThawPolicy.LATEST,
        reason="Incident 4711",
        created_at=NOW,
    )
    world.restrictions.put_freeze(ADMINISTRATION, of_stage, now=NOW)
    world.rules.put_rule(rule_factory(name="ops"), expected_version=None, now=NOW)
    assert world.api_keys.put(None, key_factory())
    initech = TenantSettings(tenant=TenantId("initech"))
    assert world.tenants.put(initech.tenant, initech, initech)
    world.operations.create(operation_factory())
    steps = (task("first", spec=_STEP), task("second", spec=_STEP))
    world.dags.create(dag(steps, "first -> second", dag_id=dag_id_for_key(TENANT, "sample")))
    for key, status in (("sample", DagRunStatus.OPENING), ("failed", DagRunStatus.FAILED)):
        add_dag_run(world, TENANT, dag_id_for_key(TENANT, "sample"), key, status)
    add_waiting_run(world, TENANT, dag_id_for_key(TENANT, "approving"))
    add_waiting_run(world, TENANT, dag_id_for_key(TENANT, "paying"), PAYMENT)

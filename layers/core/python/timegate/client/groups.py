"""Operations by resource; ``python -m api.openapi`` writes them."""

from timegate.client.calls.audit_calls import AuditCalls, SealCalls
from timegate.client.calls.dag_calls import DagCalls
from timegate.client.calls.dag_run_calls import DagRunCalls
from timegate.client.calls.dead_letter_calls import DeadLetterCalls
from timegate.client.calls.event_calls import EventCalls
from timegate.client.calls.event_trigger_calls import EventTriggerCalls
from timegate.client.calls.job_calls import JobCalls
from timegate.client.calls.operation_calls import OperationCalls
from timegate.client.calls.overview_calls import OverviewCalls
from timegate.client.calls.pool_calls import HeldRunCalls, PoolCalls
from timegate.client.calls.restriction_calls import RestrictionCalls
from timegate.client.calls.rule_calls import RuleCalls
from timegate.client.calls.run_calls import RunCalls
from timegate.client.calls.tenant_calls import KeyCalls, TenantCalls
from timegate.client.sending import Calls


class AuditOperations(Calls):
    """Operations on audit."""

    read = AuditCalls.read_audit
    read_job = AuditCalls.read_job_audit
    read_stage = AuditCalls.read_stage_audit
    read_tenant = AuditCalls.read_tenant_audit


class CalendarsOperations(Calls):
    """Operations on calendars."""

    check = RestrictionCalls.check_calendar
    delete = RestrictionCalls.delete_calendar
    get = RestrictionCalls.get_calendar
    import_ = RestrictionCalls.import_calendar
    list = RestrictionCalls.list_calendars
    put = RestrictionCalls.put_calendar
    validate = RestrictionCalls.validate_calendar


class DagsOperations(Calls):
    """Operations on dags."""

    create = DagCalls.create_dag
    delete = DagCalls.delete_dag
    draw = DagCalls.draw_dag
    draw_picture = DagCalls.draw_dag_picture
    get = DagCalls.get_dag
    get_version = DagCalls.get_dag_version
    list = DagCalls.list_dags
    list_versions = DagCalls.list_dag_versions
    update = DagCalls.update_dag
    validate = DagCalls.validate_dag
    validate_new = DagCalls.validate_new_dag


class DagRunsOperations(Calls):
    """Operations on dag runs."""

    cancel = DagRunCalls.cancel_dag_run
    complete_task = DagRunCalls.complete_dag_task
    create_task_link = DagRunCalls.create_dag_task_link
    decide_task = DagRunCalls.decide_dag_task
    draw = DagRunCalls.draw_dag_run
    draw_gantt = DagRunCalls.draw_dag_run_gantt
    draw_gantt_picture = DagRunCalls.draw_dag_run_gantt_picture
    draw_picture = DagRunCalls.draw_dag_run_picture
    get = DagRunCalls.get_dag_run
    list = DagRunCalls.list_dag_runs
    list_approvals = DagRunCalls.list_approvals
    rerun_task = DagRunCalls.rerun_dag_task
    retry = DagRunCalls.retry_dag_run
    signal_task = DagRunCalls.signal_dag_task
    skip_task = DagRunCalls.skip_dag_task
    start = DagRunCalls.start_dag_run


class DeadLettersOperations(Calls):
    """Operations on dead letters."""

    discard = DeadLetterCalls.discard_dead_letter
    discard_many = DeadLetterCalls.discard_dead_letters
    get = DeadLetterCalls.get_dead_letter
    list = DeadLetterCalls.list_dead_letters
    redrive = DeadLetterCalls.redrive_dead_letter
    redrive_many = DeadLetterCalls.redrive_dead_letters


class EventsOperations(Calls):
    """Operations on events."""

    send_many = EventCalls.send_events


class EventTriggersOperations(Calls):
    """Operations on event triggers."""

    delete = EventTriggerCalls.delete_event_trigger
    get = EventTriggerCalls.get_event_trigger
    list = EventTriggerCalls.list_event_triggers
    pause = EventTriggerCalls.pause_event_trigger
    put = EventTriggerCalls.put_event_trigger
    resume = EventTriggerCalls.resume_event_trigger
    try_ = EventTriggerCalls.try_event_trigger
    validate = EventTriggerCalls.validate_event_trigger


class FreezesOperations(Calls):
    """Operations on freezes."""

    create = RestrictionCalls.create_freeze
    create_stage = RestrictionCalls.create_stage_freeze
    get = RestrictionCalls.get_freeze
    get_stage = RestrictionCalls.get_stage_freeze
    lift = RestrictionCalls.lift_freeze
    lift_stage = RestrictionCalls.lift_stage_freeze
    list = RestrictionCalls.list_freezes
    list_stage = RestrictionCalls.list_stage_freezes


class JobsOperations(Calls):
    """Operations on jobs."""

    backfill = OperationCalls.backfill_job
    cancel = JobCalls.cancel_job
    create = JobCalls.create_job
    create_many = OperationCalls.create_jobs
    explain_instant = JobCalls.explain_instant
    forecast_load = JobCalls.forecast_load
    get = JobCalls.get_job
    get_statistics = JobCalls.get_job_statistics
    list = JobCalls.list_jobs
    pause = JobCalls.pause_job
    preview = JobCalls.preview_job
    preview_schedule = JobCalls.preview_schedule
    read_ledger = JobCalls.read_ledger
    resume = JobCalls.resume_job
    simulate = JobCalls.simulate
    trigger = JobCalls.trigger_job
    trigger_many = JobCalls.trigger_many
    update = JobCalls.update_job
    validate_new = JobCalls.validate_new_job


class KeysOperations(Calls):
    """Operations on keys."""

    create = KeyCalls.create_key
    list = KeyCalls.list_keys
    revoke = KeyCalls.revoke_key


class OperationsOperations(Calls):
    """Operations on operations."""

    cancel = OperationCalls.cancel_operation
    get = OperationCalls.get_operation
    list = OperationCalls.list_operations
    start = OperationCalls.start_operation


class OverviewsOperations(Calls):
    """Operations on overviews."""

    get = OverviewCalls.get_overview
    get_cost = OverviewCalls.get_cost
    get_health = OverviewCalls.get_health
    get_stage = OverviewCalls.get_stage_overview
    get_stage_cost = OverviewCalls.get_stage_cost
    list_decisions = OverviewCalls.list_decisions


class PoolsOperations(Calls):
    """Operations on pools."""

    get = PoolCalls.get_pool
    list = PoolCalls.list_pools
    pause = PoolCalls.pause_pool
    resume = PoolCalls.resume_pool


class RulesOperations(Calls):
    """Operations on rules."""

    delete = RuleCalls.delete_rule
    get = RuleCalls.get_rule
    list = RuleCalls.list_rules
    list_messages = RuleCalls.list_rule_messages
    put = RuleCalls.put_rule
    test = RuleCalls.test_rule
    validate = RuleCalls.validate_rule


class RunsOperations(Calls):
    """Operations on runs."""

    cancel = RunCalls.cancel_run
    cancel_many = RunCalls.cancel_runs
    claim_many = PoolCalls.claim_runs
    complete = HeldRunCalls.complete_run
    continue_ = HeldRunCalls.continue_run
    fail = HeldRunCalls.fail_run
    get = RunCalls.get_run
    get_archived = RunCalls.get_archived_run
    get_result = RunCalls.get_result
    heartbeat = HeldRunCalls.heartbeat_run
    list = RunCalls.list_runs
    list_all = RunCalls.list_all_runs
    list_archived = RunCalls.list_archived_runs
    list_attempts = RunCalls.list_attempts
    list_notifications = RunCalls.list_notifications
    post_log = HeldRunCalls.post_log
    read_log = RunCalls.read_log
    redrive = RunCalls.redrive_run
    redrive_many = RunCalls.redrive_runs
    release = HeldRunCalls.release_run
    reschedule = RunCalls.reschedule_run
    reschedule_many = RunCalls.reschedule_runs


class SealsOperations(Calls):
    """Operations on seals."""

    export_sealed_month = SealCalls.export_sealed_month
    list_sealed_months = SealCalls.list_sealed_months


class TenantsOperations(Calls):
    """Operations on tenants."""

    create = TenantCalls.create_tenant
    create_key = TenantCalls.create_tenant_key
    forecast_load = TenantCalls.forecast_tenant_load
    get = TenantCalls.get_tenant
    get_cost = OverviewCalls.get_tenant_cost
    get_own = TenantCalls.get_own_tenant
    list = TenantCalls.list_tenants
    list_keys = TenantCalls.list_tenant_keys
    put = TenantCalls.put_tenant
    resume = TenantCalls.resume_tenant
    revoke_key = TenantCalls.revoke_tenant_key
    suspend = TenantCalls.suspend_tenant
    update = TenantCalls.update_tenant

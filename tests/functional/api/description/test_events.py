"""The sample events: each is a request as the gateway really sends it."""

import json
import re
from pathlib import Path

import pytest

from api.http.table import ROUTES
from tests.support.api import Api
from tests.support.documents.sample_world import furnish

EVENTS = sorted((Path(__file__).resolve().parents[4] / "events").glob("api_*.json"))
#: Status of each event's answer, and the part of the answer that shows it.
ANSWERS: dict[str, tuple[int, dict[str, object] | str]] = {
    "create_job": (201, {"name": "nightly report", "next_run_at": "2026-11-22T01:30:00.000Z"}),
    "validate_new_job": (200, {"valid": True, "errors": []}),
    "list_jobs": (200, {"next_cursor": None}),
    "get_job": (200, {"name": "send the report"}),
    "update_job": (200, {"version": 2, "next_run_at": "2026-12-24T17:00:00.000Z"}),
    "cancel_job": (200, {"status": "cancelled"}),
    "pause_job": (200, {"status": "paused"}),
    "resume_job": (200, {"status": "active"}),
    "trigger_job": (202, {"origin": "trigger", "state": "queued"}),
    "list_runs": (200, {"next_cursor": None}),
    "read_ledger": (200, {"next_cursor": None}),
    # The tenant of the samples is frozen.
    "explain_instant": (200, {"verdict": "frozen", "record": None}),
    "get_run": (200, {"state": "queued"}),
    "cancel_runs": (202, {"kind": "cancel_runs", "created_by": "acme"}),
    "reschedule_runs": (202, {"kind": "reschedule_runs", "created_by": "acme"}),
    "cancel_run": (200, {"state": "cancelled"}),
    "reschedule_run": (200, {"state": "waiting"}),
    # The tenant of the samples is frozen for longer than the preview looks ahead.
    "preview_job": (200, {"version": 1, "gained": {"count": 0, "first": []}}),
    "forecast_load": (200, {"next_cursor": None, "until": "2026-11-22T07:00:00.000Z"}),
    "forecast_tenant_load": (200, {"next_cursor": None, "until": "2026-11-22T07:00:00.000Z"}),
    "preview_schedule": (
        200,
        {
            "fires": [
                "2026-11-23T06:00:00.000Z",
                "2026-11-24T06:00:00.000Z",
                "2026-11-25T06:00:00.000Z",
            ]
        },
    ),
    "simulate": (200, {"unmet": [], "refused": []}),
    "put_calendar": (200, {"name": "holidays", "version": 2, "weekdays": ["sat", "sun"]}),
    "get_calendar": (200, {"name": "holidays", "version": 1, "weekdays": ["sun"]}),
    "list_calendars": (200, {"next_cursor": None}),
    "delete_calendar": (200, {"name": "holidays", "version": 1}),
    "check_calendar": (200, {"covered": False, "until": "2026-12-26T23:00:00.000Z"}),
    "import_calendar": (200, {"events": 1, "occurrences": 2}),
    "put_rule": (200, {"name": "ops", "version": 2, "enabled": True}),
    "get_rule": (200, {"name": "ops", "version": 1, "quiet_hours": None}),
    "list_rules": (200, {"next_cursor": None}),
    "list_rule_messages": (200, {"next_cursor": None, "held": {"events": [], "more": 0}}),
    "test_rule": (200, {}),
    "delete_rule": (200, {"name": "ops", "version": 1}),
    "create_freeze": (201, {"state": "active", "thaw": "latest"}),
    "list_freezes": (200, {"next_cursor": None}),
    "get_freeze": (200, {"state": "active", "reason": "Database migration"}),
    "create_stage_freeze": (201, {"state": "active", "spared_tenants": ["acme"]}),
    "list_stage_freezes": (200, {"next_cursor": None}),
    "get_stage_freeze": (200, {"state": "active", "reason": "Incident 4711"}),
    "lift_stage_freeze": (200, {"state": "lifted", "lifted_at": "2026-11-21T07:00:00.000Z"}),
    "lift_freeze": (200, {"state": "lifted", "lifted_at": "2026-11-21T07:00:00.000Z"}),
    "list_event_triggers": (200, {"next_cursor": None}),
    "get_event_trigger": (200, {"name": "deployments", "status": "active", "version": 1}),
    "put_event_trigger": (200, {"name": "orders", "version": 2, "hook": None}),
    "delete_event_trigger": (200, {"name": "orders", "version": 1}),
    "pause_event_trigger": (200, {"status": "paused", "version": 2}),
    "resume_event_trigger": (200, {"status": "active", "version": 1}),
    "try_event_trigger": (200, {"matches": True}),
    "receive_hook": (200, {"event_id": "msg_2b9h4k", "matched": True, "replayed": False}),
    "read_approval": (200, {"state": "running", "receiver": "ann@example.com"}),
    "decide_approval": (200, {"state": "succeeded", "decided_now": True}),
    "create_dag_task_link": (200, {"receiver": "ann@example.com"}),
    "trigger_many": (207, {"triggered": 2, "replayed": 0, "failed": 1}),
    "send_events": (202, {"received": 1, "repeated": 0, "failed": 0}),
    "create_jobs": (207, {"created": 1, "replayed": 0, "failed": 1}),
    "backfill_job": (202, {"kind": "backfill", "status": "running"}),
    "start_operation": (202, {"kind": "pause", "created_by": "acme"}),
    "list_operations": (200, {"next_cursor": None}),
    "get_operation": (200, {"kind": "pause", "cancel_requested": False}),
    "cancel_operation": (200, {"status": "running", "cancel_requested": True}),
    # No worker has claimed the run of the samples.
    "get_pool": (200, {"depth": 0, "workers": []}),
    "claim_runs": (200, {"runs": [], "ask_again_after_seconds": 5.0}),
    "heartbeat_run": (409, {"code": "lease_lost"}),
    "complete_run": (409, {"code": "lease_lost"}),
    "fail_run": (409, {"code": "lease_lost"}),
    "release_run": (409, {"code": "lease_lost"}),
    "post_log": (409, {"code": "lease_lost"}),
    "post_callback_log": (409, {"code": "lease_lost"}),
    "heartbeat_callback": (409, {"code": "lease_lost"}),
    "complete_callback": (409, {"code": "lease_lost"}),
    "fail_callback": (409, {"code": "lease_lost"}),
    "release_callback": (409, {"code": "lease_lost"}),
    "continue_callback": (409, {"code": "lease_lost"}),
    "list_attempts": (200, {"next_cursor": None}),
    "list_notifications": (200, {"items": []}),
    "get_result": (200, {"state": "queued", "result": None}),
    "read_log": (200, {"next_cursor": None}),
    "list_dead_letters": (200, {"next_cursor": None}),
    "list_all_runs": (200, {"next_cursor": None}),
    "list_archived_runs": (200, {"next_cursor": None, "archived_until": "2026-10-20"}),
    "get_archived_run": (200, {"state": "succeeded", "attempt": 1}),
    "list_sealed_months": (200, {"items": [{"month": "2026-10"}]}),
    "export_sealed_month": (200, {"month": "2026-10", "rows": 1, "previous": None}),
    "get_dead_letter": (200, {"state": "dead_lettered", "reason": "retries_exhausted"}),
    "redrive_run": (202, {"state": "queued", "attempt": 2}),
    "redrive_runs": (202, {"kind": "redrive", "created_by": "acme"}),
    "redrive_dead_letter": (202, {"state": "queued", "attempt": 2}),
    "discard_dead_letter": (200, {"state": "dead_lettered", "attempt": 1}),
    "redrive_dead_letters": (202, {"kind": "redrive", "created_by": "acme"}),
    "discard_dead_letters": (202, {"kind": "discard", "created_by": "acme"}),
    "continue_run": (409, {"code": "lease_lost"}),
    "create_dag": (201, {"name": "nightly load", "version": 1, "task_count": 2}),
    "list_dags": (200, {"next_cursor": None}),
    "get_dag": (200, {"name": "nightly", "version": 1}),
    "update_dag": (200, {"version": 2, "failure_policy": {"policy": "retry", "max_retries": 2}}),
    "delete_dag": (200, {"version": 2, "status": "deleted"}),
    "list_dag_versions": (200, {"next_cursor": None}),
    "get_dag_version": (200, {"version": 1}),
    "validate_new_dag": (200, {"valid": False, "levels": []}),
    "validate_dag": (200, {"valid": True, "levels": [["first"], ["second"]]}),
    "validate_calendar": (200, {"valid": True, "errors": []}),
    "validate_rule": (200, {"valid": True, "errors": []}),
    "validate_event_trigger": (200, {"valid": True, "errors": []}),
    "start_dag_run": (202, {"status": "opening", "task_count": 2}),
    "list_dag_runs": (200, {"next_cursor": None}),
    "get_dag_run": (200, {"status": "opening", "parameters": {}}),
    "cancel_dag_run": (200, {"status": "stopping", "reason": "dag_cancelled"}),
    "retry_dag_run": (202, {"status": "reopening", "round": 2}),
    "complete_dag_task": (202, {"status": "reopening", "round": 2}),
    "skip_dag_task": (202, {"status": "reopening", "round": 2}),
    "signal_dag_task": (202, {"status": "running"}),
    "decide_dag_task": (202, {"status": "running"}),
    "rerun_dag_task": (202, {"status": "reopening", "round": 2}),
    "draw_dag_run": (200, {"format": "mermaid", "status": "opening"}),
    "draw_dag_run_gantt": (200, {"format": "text", "status": "opening"}),
    "draw_dag": (200, {"format": "mermaid", "version": 1}),
    "draw_dag_picture": (200, "first"),
    "draw_dag_run_picture": (200, "failed"),
    "draw_dag_run_gantt_picture": (200, "Europe/Berlin"),
    "get_job_statistics": (200, {"is_partial": False, "last_success": None}),
    "pause_pool": (200, {"pool": "reports", "last_seen_at": None}),
    "resume_pool": (200, {"pause": None}),
    "list_pools": (200, {"is_partial": False}),
    "get_overview": (200, {"tenant": "acme", "paused_jobs": []}),
    "list_approvals": (200, {"next_cursor": None}),
    "list_decisions": (200, {"is_partial": False}),
    "get_stage_overview": (200, {"alarms": []}),
    "get_cost": (200, {"tenant": "acme", "jobs": [], "is_complete": True}),
    "get_tenant_cost": (200, {"tenant": "acme", "other_jobs": 0}),
    "get_stage_cost": (200, {"items": [], "next_cursor": None}),
    "get_health": (200, {"status": "unhealthy"}),
    "get_own_tenant": (200, {"tenant": "acme", "status": "active", "caller": "acme"}),
    "list_tenants": (200, {"next_cursor": None}),
    "create_tenant": (201, {}),
    "list_tenant_keys": (200, {}),
    "create_tenant_key": (201, {"name": "nightly exports", "scopes": ["read", "operate"]}),
    "revoke_tenant_key": (200, {"status": "revoked"}),
    "list_keys": (200, {}),
    "create_key": (201, {"name": "nightly exports", "scopes": ["read", "write"]}),
    "revoke_key": (200, {"status": "revoked"}),
    "get_tenant": (200, {"tenant": "acme", "version": 0}),
    "put_tenant": (200, {"display_name": "Acme Ltd", "version": 1}),
    "update_tenant": (200, {"tenant": "acme", "version": 1}),
    "suspend_tenant": (200, {"status": "suspended", "version": 1}),
    "resume_tenant": (200, {"status": "active", "version": 0}),
    "read_audit": (200, {"next_cursor": None}),
    "read_job_audit": (200, {"next_cursor": None}),
    "read_tenant_audit": (200, {"next_cursor": None}),
    "read_stage_audit": (200, {"next_cursor": None}),
    "no_tenant": (403, {"code": "invalid_tenant"}),
    "no_token": (401, {"code": "unauthenticated"}),
}

LISTINGS = ("list_jobs", "list_runs", "list_calendars", "list_freezes", "list_dead_letters")


@pytest.fixture
def busy(api: Api) -> Api:
    """With the job, the run, the calendar and the freeze that the events name."""
    furnish(api.world)
    return api


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_a_sample_event_is_served(busy: Api, path: Path) -> None:
    """Every file in ``events`` is replayed; an unexpected one fails here."""
    status, shown = ANSWERS[path.stem.removeprefix("api_")]
    answer = busy.deliver(json.loads(path.read_text()))

    assert answer.status == status
    if isinstance(shown, str):
        assert shown in answer.body
    else:
        assert shown.items() <= answer.body.items()


def test_the_sample_listings_find_what_is_there(busy: Api) -> None:
    """Repeated parameters are read one by one, as they were sent."""
    folder = EVENTS[0].parent
    found = [
        len(busy.deliver(json.loads((folder / f"api_{name}.json").read_text())).body["items"])
        for name in LISTINGS
    ]

    # One of the two runs is queued.
    assert found == [1, 1, 1, 1, 1]


def test_there_is_a_sample_of_every_operation() -> None:
    """A new route comes with one."""
    operations = {re.sub("[A-Z]", lambda a: f"_{a[0].lower()}", each.operation) for each in ROUTES}

    assert {path.stem.removeprefix("api_") for path in EVENTS} == set(ANSWERS)
    assert set(ANSWERS) == operations | {"no_tenant", "no_token"}

"""From the domain to JSON: a tenant at a glance, and what waits for a decision."""

from dataclasses import asdict
from datetime import datetime

from api.dag_runs.approval_rows import approval_group_view
from api.restrictions.restriction_views import freeze_view
from api.runs.run_record_views import named_run_row
from api.values.views import View, instant_view
from timegate.domain.jobs.job import Job
from timegate.domain.limits.quotas import Quotas
from timegate.domain.operations.dead_letter import NamedRun
from timegate.domain.operations.decisions import Decision
from timegate.domain.values.instants import rfc3339
from timegate.usecases.operations.read_decisions import Decisions
from timegate.usecases.tenants.read_overview import Overview


def overview_view(overview: Overview, stage: Quotas) -> View:
    """A tenant at a stage with these quotas."""
    settings, jobs = overview.settings, overview.jobs
    return {
        "tenant": settings.tenant,
        "status": settings.status,
        "failing": {
            "since": rfc3339(overview.failed_since),
            **asdict(overview.failed),
            "latest": [named_run_row(each) for each in overview.latest],
        },
        "dead_letters": asdict(overview.dead_letters),
        "paused_jobs": [view for job in overview.paused_jobs if (view := _paused(job)) is not None],
        "freezes": [freeze_view(each, now=overview.at) for each in overview.freezes],
        "jobs": None if jobs is None else {str(status): n for status, n in jobs.items()},
        "usage": asdict(overview.usage),
        "effective_quotas": asdict(settings.quotas.over(stage)),
    }


def decisions_view(found: Decisions, *, since: datetime) -> View:
    """Groups that wait for a person, by cause."""
    return {
        "since": rfc3339(since),
        "read": found.read,
        "is_partial": found.is_partial,
        "groups": [_decision(each) for each in found.groups],
        "approvals": [approval_group_view(each, found.dag_names) for each in found.approvals],
        "approvals_are_partial": found.approvals_are_partial,
    }


def _paused(job: Job) -> View | None:
    pause = job.timing.failure_pause
    if pause is None:
        return None
    return {
        "job_id": job.job_id,
        "name": job.name,
        "at": rfc3339(pause.at),
        "failures": pause.failures,
        "run_id": str(pause.attempt.run),
    }


def _decision(decision: Decision) -> View:
    return {
        **asdict(decision.cause),
        "count": decision.count,
        "jobs": decision.jobs,
        "first_at": rfc3339(decision.first_at),
        "last_at": rfc3339(decision.last_at),
        "latest": [_run(each) for each in decision.latest],
    }


def _run(failed: NamedRun) -> View:
    return {
        "run_id": str(failed.last.id.run),
        "job_id": failed.last.id.run.job_id,
        "job_name": failed.job_name,
        "ended_at": instant_view(failed.last.ended_at),
    }

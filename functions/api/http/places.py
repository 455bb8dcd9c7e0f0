"""Places of routes: a request loads the modules that serve its path, and no others."""

from functools import cache
from importlib import import_module
from types import ModuleType

_ROOT = "/v1/"
_PACKAGE = "api"

#: Beginnings of the paths that each module serves; ``*`` stands for one part. In the order in which
#: the description shows them.
PLACES = {
    "jobs.job_routes": ("jobs", "jobs/*"),
    "runs.trigger_routes": ("jobs/*/trigger",),
    "operations.trigger_many_routes": ("jobs/*/trigger/batch",),
    "previews.job_preview_routes": ("jobs/validate", "jobs/*/preview"),
    "runs.run_routes": ("runs", "runs/*", "runs/*/logs", "jobs/*/runs"),
    "runs.archive_routes": ("archive/runs",),
    "ledger.seal_routes": ("archive/seals",),
    "ledger.ledger_routes": ("jobs/*/ledger", "jobs/*/explain"),
    "previews.statistics_routes": ("jobs/*/statistics",),
    "previews.schedule_routes": ("schedules",),
    "simulation.simulation_routes": ("simulate",),
    "restrictions.calendar_routes": ("calendars",),
    "restrictions.freeze_routes": ("freezes",),
    "restrictions.stage_freeze_routes": ("stage/freezes",),
    "rules.rule_routes": ("notification-rules",),
    "operations.bulk_routes": ("jobs/bulk",),
    "operations.operation_routes": ("operations", "jobs/*/backfill"),
    "pools.pool_routes": (
        *("pools/*", "callbacks"),
        *("runs/*/heartbeat", "runs/*/complete", "runs/*/fail"),
        *("runs/*/release", "runs/*/continue"),
    ),
    "pools.pool_list_routes": ("pools",),
    "pools.pool_pause_routes": ("pools/*/pause", "pools/*/resume"),
    "pools.worker_log_routes": ("runs/*/logs", "callbacks/*/logs"),
    "operations.dead_letter_routes": (
        "dead-letters",
        "runs/redrive",
        "runs/*/redrive",
        "runs/cancel",
        "runs/reschedule",
    ),
    "dags.dag_routes": ("dags",),
    "dag_runs.dag_run_routes": ("dags/*/runs", "dag-runs"),
    "dag_runs.intervention_routes": ("dag-runs/*/tasks",),
    "dag_runs.picture_routes": ("dag-runs/*/graph", "dag-runs/*/gantt"),
    "dag_runs.svg_routes": ("dags/*/graph.svg", "dag-runs/*/graph.svg", "dag-runs/*/gantt.svg"),
    "events.event_routes": ("events",),
    "events.event_trigger_routes": ("event-triggers",),
    "events.hook_routes": ("hooks",),
    "dag_runs.approval_routes": ("approval",),
    "dag_runs.approval_list_routes": ("approvals",),
    "tenants.overview_routes": ("overview", "decisions"),
    "tenants.tenant_routes": ("tenant", "tenants/*"),
    "tenants.keys.tenant_list_routes": ("tenants",),
    "tenants.keys.key_routes": ("keys", "tenants/*/keys"),
    "tenants.stage_routes": ("stage",),
    "metering.cost_routes": ("cost", "tenants/*/cost", "stage/cost"),
    "tenants.health_routes": ("health",),
    "tenants.audit_routes": ("audit", "jobs/*/audit", "tenants/*/audit", "stage/audit"),
    "previews.forecast_routes": ("forecast", "tenants/*/forecast"),
}


def modules_of(path: str) -> list[ModuleType]:
    """Import the modules that serve a path, at its first request."""
    return [imported(name) for name in names_of(path)]


def names_of(path: str) -> tuple[str, ...]:
    """Return the modules whose places are the longest beginnings of a path.

    Several may have one of the same length. A path beneath no place has none.
    """
    parts = tuple(path.removeprefix(_ROOT).split("/"))
    near = _places().get(parts[0], ())
    found = [(len(place), name) for name, place in near if _begins(parts, place)]
    longest = max((length for length, _ in found), default=0)
    return tuple(name for length, name in found if length == longest)


def imported(name: str) -> ModuleType:
    """Import a module of routes."""
    return import_module(f"{_PACKAGE}.{name}")


@cache
def _places() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Return modules and their places by the first part, which is a word in each."""
    near: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, places in PLACES.items():
        for each in places:
            place = tuple(each.split("/"))
            near.setdefault(place[0], []).append((name, place))
    return near


def _begins(parts: tuple[str, ...], place: tuple[str, ...]) -> bool:
    return len(place) <= len(parts) and all(
        known in {"*", part} for known, part in zip(place, parts, strict=False)
    )

"""Places of routes: a request loads the modules that serve its path, and no others."""

from functools import cache
from importlib import import_module
from types import ModuleType

_ROOT = "/v1/"
_ROOM = "api.routes"

#: What each module serves, as beginnings of paths; ``*`` stands for one part. In the order in
#: which the description shows them.
PLACES = {
    "jobs": ("jobs", "jobs/*"),
    "trigger_many": ("jobs/*/trigger/batch",),
    "job_previews": ("jobs/validate", "jobs/*/preview"),
    "runs": ("runs", "runs/*", "runs/*/logs", "jobs/*/runs"),
    "ledger": ("jobs/*/ledger", "jobs/*/explain"),
    "statistics": ("jobs/*/statistics",),
    "schedules": ("schedules",),
    "simulations": ("simulate",),
    "calendars": ("calendars",),
    "freezes": ("freezes",),
    "notification_rules": ("notification-rules",),
    "bulk": ("jobs/bulk",),
    "operations": ("operations", "jobs/*/backfill"),
    "pools": (
        *("pools/*", "callbacks"),
        *("runs/*/heartbeat", "runs/*/complete", "runs/*/fail"),
        *("runs/*/release", "runs/*/continue"),
    ),
    "pool_lists": ("pools",),
    "worker_logs": ("runs/*/logs", "callbacks/*/logs"),
    "dead_letters": ("dead-letters", "runs/redrive", "runs/*/redrive", "runs/cancel"),
    "dags": ("dags",),
    "dag_runs": ("dags/*/runs", "dag-runs"),
    "dag_interventions": ("dag-runs/*/tasks",),
    "dag_run_pictures": ("dag-runs/*/graph", "dag-runs/*/gantt"),
    "events": ("events",),
    "event_triggers": ("event-triggers",),
    "hooks": ("hooks",),
    "overviews": ("overview", "decisions"),
    "tenants": ("tenant", "tenants"),
    "stage": ("stage",),
    "audit": ("audit", "jobs/*/audit", "tenants/*/audit"),
    "forecasts": ("forecast", "tenants/*/forecast"),
}


def modules_of(path: str) -> list[ModuleType]:
    """Import the modules that serve a path, at its first request."""
    return [imported(name) for name in names_of(path)]


def names_of(path: str) -> tuple[str, ...]:
    """Return the modules whose places are the longest beginnings of a path.

    Several may have one of the same length. A path beneath no place has none.
    """
    parts = tuple(path.removeprefix(_ROOT).split("/"))
    found = [(len(place), name) for name, place in _places() if _begins(parts, place)]
    longest = max((length for length, _ in found), default=0)
    return tuple(name for length, name in found if length == longest)


def imported(name: str) -> ModuleType:
    """Import a module of routes."""
    return import_module(f"{_ROOM}.{name}")


@cache
def _places() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (name, tuple(place.split("/"))) for name, places in PLACES.items() for place in places
    )


def _begins(parts: tuple[str, ...], place: tuple[str, ...]) -> bool:
    return len(place) <= len(parts) and all(
        known in {"*", part} for known, part in zip(place, parts, strict=False)
    )

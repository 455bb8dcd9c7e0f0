"""Instants of a picture, on the clock of its zone."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from timegate.domain.dag_runs.pictures.gantt import Gantt


def shown_at(instant: datetime, zone: tzinfo) -> str:
    """Return an instant with the offset of its zone: 2026-11-21 08:00:00+01:00."""
    return instant.astimezone(zone).isoformat(sep=" ", timespec="milliseconds").replace(".000", "")


def zone_name(zone: tzinfo) -> str:
    """Return the IANA name of a zone."""
    return zone.key if isinstance(zone, ZoneInfo) else str(zone)


def lasting(gantt: Gantt, zone: tzinfo = UTC) -> str:
    """Say how long a DAG run took, or has taken until now, and from when."""
    seconds = (gantt.ends_at - gantt.begins_at).total_seconds()
    name = zone_name(zone)
    offset = "" if name == "UTC" else f" {name}"
    return f"{seconds:.1f} s from {shown_at(gantt.begins_at, zone)}{offset}"

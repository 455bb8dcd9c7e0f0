"""From the domain to JSON: what users see of event triggers."""

import json
from dataclasses import asdict

from api.values.views import View
from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.event_triggers.projections import WHOLE
from timegate.domain.values.instants import rfc3339
from timegate.usecases.event_triggers.fire_trigger import Fired
from timegate.usecases.event_triggers.try_event_trigger import Tried


def event_trigger_view(trigger: EventTrigger) -> View:
    """An event trigger, with the address of its web hook."""
    return {
        "name": trigger.name,
        "status": trigger.status,
        "version": trigger.version,
        **defined_event_trigger_view(trigger),
        "hook": _hook(trigger),
        "created_at": rfc3339(trigger.created_at),
        "updated_at": rfc3339(trigger.updated_at),
    }


def defined_event_trigger_view(trigger: EventTrigger) -> View:
    """Show what the owner of a trigger says of it; the address of its web hook is no part."""
    return {
        "pattern": json.loads(trigger.pattern),
        "starts": _starts(trigger.starts),
        "hook": _defined_hook(trigger),
        "description": trigger.description,
        "tags": dict(trigger.tags),
    }


def tried_view(tried: Tried) -> View:
    """Show if an event matches, and what it would send on."""
    return {"matches": tried.matches, "data": tried.data}


def received_view(event_id: str, fired: Fired | None) -> View:
    """Show what became of a message to a web hook."""
    run_id = fired.run_id if fired is not None else None
    return {
        "event_id": event_id,
        "matched": fired is not None,
        "replayed": fired is not None and fired.replayed,
        "run_id": None if run_id is None else str(run_id),
        "dag_run_id": None if fired is None else fired.dag_run_id,
    }


def _starts(starts: StartsJob | StartsDagRun) -> View:
    if isinstance(starts, StartsDagRun):
        return {
            "type": starts.type,
            "dag_id": starts.dag_id,
            "parameters": json.loads(starts.parameters or WHOLE),
        }
    patch = starts.payload_patch
    return {
        "type": starts.type,
        "job_id": starts.job_id,
        "payload": None if patch is not None else json.loads(starts.payload or WHOLE),
        "payload_patch": None if patch is None else json.loads(patch),
        "priority": starts.priority,
        "tags": dict(starts.tags),
    }


def _hook(trigger: EventTrigger) -> View | None:
    defined = _defined_hook(trigger)
    return None if defined is None else defined | {"path": f"/v1/hooks/{trigger.hook_id}"}


def _defined_hook(trigger: EventTrigger) -> View | None:
    if trigger.hook is None:
        return None
    return {"scheme": trigger.hook.scheme, "secret": asdict(trigger.hook.secret)}

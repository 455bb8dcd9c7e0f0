"""Web hooks: a signed request is an event of one trigger."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from timegate.domain.event_triggers.errors import EventTriggerNotFound
from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    HookId,
    HookPlace,
    HookScheme,
)
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.event_triggers.hook_proofs import Proof, parse_hook_id, proof_in
from timegate.domain.events.matching import StepBudget
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant_errors import HookRefused, HookUnavailable
from timegate.ports.telemetry import service_events
from timegate.usecases.event_triggers.fire_trigger import Fired, fire_trigger
from timegate.usecases.event_triggers.match_triggers import is_match
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HookRequest:
    """A request to a web hook, before anything of it is believed."""

    hook_id: str
    #: By lower-case names.
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """A message that its sender has signed, and the trigger that it is for."""

    trigger: EventTrigger
    proof: Proof


def check_hook(request: HookRequest, services: ApiServices, *, now: datetime) -> Sent:
    """Find the trigger of a signed request; an unsigned one costs no read.

    Raises ``HookRefused`` alike for an address of none, a signature that is wrong and one that is
    old or of another scheme, and ``HookUnavailable`` while the secret cannot be read.
    """
    proof, hook_id = proof_in(request.headers), parse_hook_id(request.hook_id)
    if proof is None or hook_id is None or not proof.is_timely(now):
        raise HookRefused
    place = services.event_triggers.places.place_of(hook_id)
    if place is None or place.hook.scheme is not proof.scheme:
        raise HookRefused
    if not _is_signed(place, proof, request.body, services):
        raise HookRefused
    return Sent(trigger=_trigger_of(place, hook_id, services), proof=proof)


def fire_hook(
    sent: Sent,
    data: Any,  # noqa: ANN401 - any JSON
    services: ApiServices,
    *,
    now: datetime,
) -> Fired | None:
    """Fire the trigger of a web hook; ``None``: it is paused, or its pattern does not match.

    A message that is sent again meets its run. Raises as ``fire_trigger``.
    """
    event = _event(sent, data, now)
    if not sent.trigger.is_active or not is_match(sent.trigger, event, StepBudget()):
        services.telemetry.event(
            service_events.HOOK_IGNORED,
            tenant_id=sent.trigger.tenant,
            event_trigger=sent.trigger.name,
        )
        return None
    return fire_trigger(sent.trigger, event, services, now=now)


def _trigger_of(place: HookPlace, hook_id: HookId, services: ApiServices) -> EventTrigger:
    """Read the trigger of an address; raises ``HookRefused`` if that was given up meanwhile."""
    try:
        trigger = services.event_triggers.store.get(place.tenant, place.name)
    except EventTriggerNotFound as error:
        raise HookRefused from error
    if trigger.hook_id != hook_id:
        raise HookRefused
    return trigger


def _is_signed(place: HookPlace, proof: Proof, body: bytes, services: ApiServices) -> bool:
    try:
        return proof.holds(
            services.event_triggers.secrets.read(place.tenant, place.hook.secret), body
        )
    except (HookUnavailable, ValueError) as error:
        services.telemetry.event(
            service_events.HOOK_UNAVAILABLE,
            tenant_id=place.tenant,
            event_trigger=place.name,
            reason=str(error.__cause__ or error),
        )
        raise HookUnavailable from error


def _event(sent: Sent, data: Any, now: datetime) -> EventFacts:  # noqa: ANN401 - any JSON
    """Make a CloudEvent of a message."""
    proof, source = sent.proof, f"/hooks/{sent.trigger.name}"
    kind = f"github.{proof.event}" if proof.scheme is HookScheme.GITHUB else "webhook"
    return EventFacts(
        source=source,
        id=proof.message_id,
        document={
            "specversion": "1.0",
            "id": proof.message_id,
            "source": source,
            "type": kind,
            "time": rfc3339(now),
            "datacontenttype": "application/json",
            "data": data,
        },
    )

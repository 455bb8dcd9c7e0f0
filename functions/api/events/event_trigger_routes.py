"""Routes under ``/v1/event-triggers``."""

from functools import partial

from api.events import event_trigger_answers
from api.events.event_trigger_views import (
    defined_event_trigger_view,
    event_trigger_view,
    tried_view,
)
from api.http.exchange import Exchange, Reply
from api.http.headers import etag, expected_version
from api.http.route import Scope, route
from api.values.validations import problems_of, validation_view
from api.values.views import page_view
from timegate.contracts.event_triggers import EventToTry, EventTriggerBody
from timegate.contracts.values.queries import PageQuery
from timegate.domain.event_triggers.event_trigger import EventTrigger, EventTriggerStatus
from timegate.domain.event_triggers.facts import EventFacts
from timegate.usecases.event_triggers.change_event_trigger import (
    delete_event_trigger,
    set_event_trigger_status,
)
from timegate.usecases.event_triggers.list_event_triggers import list_event_triggers
from timegate.usecases.event_triggers.put_event_trigger import (
    check_new_event_trigger,
    put_event_trigger,
)
from timegate.usecases.event_triggers.try_event_trigger import try_event_trigger

_set_status = partial(
    route,
    asks=Scope.OPERATE,
    answer=event_trigger_answers.EventTrigger,
    success={200: "The event trigger as it is now."},
    refusals=(404,),
    answer_headers=("ETag",),
)


@route(
    "GET",
    "/v1/event-triggers",
    operation="listEventTriggers",
    query=PageQuery,
    answer=event_trigger_answers.EventTriggerPage,
    success={200: "A page of the tenant's event triggers."},
)
def list_page(exchange: Exchange) -> Reply:
    """List event triggers.

    By name.
    """
    query = exchange.query(PageQuery)
    page = list_event_triggers(exchange.tenant, exchange.services, **query.paging)
    return Reply(body=page_view(query.leading_on(page), event_trigger_view))


@route(
    "PUT",
    "/v1/event-triggers/<event_trigger>",
    operation="putEventTrigger",
    weight=2,
    body=EventTriggerBody,
    answer=event_trigger_answers.EventTrigger,
    success={200: "The event trigger as it is now."},
    refusals=(409, 412, 422),
    request_headers=("If-Match", "If-None-Match"),
    answer_headers=("ETag",),
)
def put(exchange: Exchange) -> Reply:
    """Create an event trigger, or replace it.

    The body is the whole trigger; a paused one stays paused, and a web hook keeps its address.
    Events meet the new one within ten seconds.
    """
    body = exchange.body().parse(EventTriggerBody)
    name = exchange.path["event_trigger"]
    trigger = body.to_domain(exchange.tenant, name, now=exchange.now)
    version = expected_version(exchange)
    return _reply(put_event_trigger(trigger, exchange.services, expected_version=version))


@route(
    "POST",
    "/v1/event-triggers/<event_trigger>/validate",
    operation="validateEventTrigger",
    asks=Scope.READ,
    weight=2,
    body=EventTriggerBody,
    answer=event_trigger_answers.EventTriggerValidation,
    success={200: "What is wrong with it; nothing is stored."},
)
def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with an event trigger.

    The problems are those of putEventTrigger; nothing is stored and no quota is used.
    """
    body = exchange.body().parse(EventTriggerBody)
    name = exchange.path["event_trigger"]
    trigger = body.to_domain(exchange.tenant, name, now=exchange.now)
    problems = problems_of(lambda: check_new_event_trigger(trigger, exchange.services))
    return Reply(body=validation_view(defined_event_trigger_view(trigger), problems))


@route(
    "GET",
    "/v1/event-triggers/<event_trigger>",
    operation="getEventTrigger",
    answer=event_trigger_answers.EventTrigger,
    success={200: "The event trigger as it is now."},
    refusals=(404,),
    answer_headers=("ETag",),
)
def get(exchange: Exchange) -> Reply:
    """Read an event trigger.

    With the address of its web hook, if it has one.
    """
    return _reply(_named(exchange))


@route(
    "DELETE",
    "/v1/event-triggers/<event_trigger>",
    operation="deleteEventTrigger",
    answer=event_trigger_answers.EventTrigger,
    success={200: "The event trigger as it was."},
    refusals=(404, 409, 412),
    request_headers=("If-Match",),
)
def delete(exchange: Exchange) -> Reply:
    """Delete an event trigger.

    Its web hook has no address any more; runs that it started go on.
    """
    deleted = delete_event_trigger(
        exchange.tenant,
        exchange.path["event_trigger"],
        exchange.services,
        expected_version=expected_version(exchange),
        now=exchange.now,
    )
    return Reply(body=event_trigger_view(deleted))


@_set_status("POST", "/v1/event-triggers/<event_trigger>/pause", operation="pauseEventTrigger")
def pause(exchange: Exchange) -> Reply:
    """Pause an event trigger.

    Events that come meanwhile start nothing by it, also later.
    """
    return _reply(_with_status(exchange, EventTriggerStatus.PAUSED))


@_set_status("POST", "/v1/event-triggers/<event_trigger>/resume", operation="resumeEventTrigger")
def resume(exchange: Exchange) -> Reply:
    """Let events reach an event trigger again.

    Events that came while it was paused start nothing.
    """
    return _reply(_with_status(exchange, EventTriggerStatus.ACTIVE))


@route(
    "POST",
    "/v1/event-triggers/<event_trigger>/try",
    operation="tryEventTrigger",
    asks=Scope.READ,
    weight=4,
    body=EventToTry,
    answer=event_trigger_answers.TriedEvent,
    success={200: "Whether the event matches, and what would be sent on."},
    refusals=(404,),
)
def try_event(exchange: Exchange) -> Reply:
    """Say whether an event would start something.

    Compares an event with the pattern and looks up the references; nothing starts.
    """
    event = exchange.body().parse(EventToTry).to_domain()
    facts = EventFacts(source="", id="", document=event)
    services, now = exchange.services, exchange.now
    return Reply(body=tried_view(try_event_trigger(_named(exchange), facts, services, now=now)))


def _named(exchange: Exchange) -> EventTrigger:
    triggers = exchange.services.event_triggers.store
    return triggers.get(exchange.tenant, exchange.path["event_trigger"])


def _with_status(exchange: Exchange, status: EventTriggerStatus) -> EventTrigger:
    name = exchange.path["event_trigger"]
    return set_event_trigger_status(
        exchange.tenant, name, status, exchange.services, now=exchange.now
    )


def _reply(trigger: EventTrigger) -> Reply:
    return Reply(body=event_trigger_view(trigger), headers={"ETag": etag(trigger.version)})

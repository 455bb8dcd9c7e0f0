"""The route by which a tenant sends events."""

import json
from http import HTTPStatus

from api.events import event_answers
from api.events.binary_mode import binary_event
from api.http.body import read_body
from api.http.exchange import Exchange, Reply
from api.http.problems import problem_of
from api.http.refusals import InvalidFields, RequestRefused
from api.http.route import Scope, route
from api.operations.bulk_views import item_error
from api.values.views import View
from timegate.contracts.events import EventBatch, EventContract, EventsToSend
from timegate.domain.events.errors import EventConflict
from timegate.domain.events.event import Event
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.ports.events import Receipt
from timegate.usecases.events.deliver_events import EventDelivery, deliver_events
from timegate.usecases.events.met import Met

#: So many events count as one request more.
EVENTS_FOR_ONE = 4
_ONE, _BATCH = "application/cloudevents+json", "application/cloudevents-batch+json"
_Result = EventDelivery | RequestRefused | TimegateError


@route(
    "POST",
    "/v1/events",
    operation="sendEvents",
    asks=Scope.SEND,
    weight=2,
    body=EventsToSend,
    also_json=(_ONE, _BATCH),
    answer=event_answers.SentEvents,
    success={
        202: "The event is kept, and was given to everything that waits for it.",
        207: "The outcome of each event of a batch.",
    },
    refusals=(409,),
)
def send_events(exchange: Exchange) -> Reply:
    """Send an event, or a batch of events.

    CloudEvents 1.0 in their JSON format, or one in binary mode: attributes in headers that begin
    with ce-, and data as the body. An event is received once: the same source and id with the
    same content changes nothing. Each event of a batch is decided by itself. Each four events
    count as one request more, and so do each four triggers that one fires, for each 16 KB of it.
    """
    sent = binary_event(exchange)
    if sent is not None:
        return _send_one(exchange, sent)
    body = exchange.body(checked=False, also=(_ONE, _BATCH), references=False)
    if not isinstance(body.value, list):
        return _send_one(exchange, body.value)
    read = [_read(each) for each in body.parse(EventBatch).root]
    services = exchange.services
    quotas = services.tenants_at_hand.quotas(exchange.tenant, now=exchange.now)
    count = len(read) // EVENTS_FOR_ONE
    services.request_rates.admit(exchange.tenant, quotas, now=exchange.now, count=count)
    known = [each for each in read if isinstance(each, Event)]
    delivered = iter(deliver_events(exchange.tenant, known, services, now=exchange.now))
    results = [next(delivered) if isinstance(each, Event) else each for each in read]
    return _reply(results, HTTPStatus.MULTI_STATUS)


def _send_one(exchange: Exchange, sent: object) -> Reply:
    event = _read(sent)
    if not isinstance(event, Event):
        raise event
    (delivered,) = deliver_events(exchange.tenant, [event], exchange.services, now=exchange.now)
    if not isinstance(delivered, EventDelivery):
        raise delivered
    if delivered.receipt is Receipt.CONFLICT:
        raise _conflict(delivered)
    return _reply([delivered], HTTPStatus.ACCEPTED)


def _read(sent: object) -> Event | RequestRefused | TimegateError:
    """Read one event, or return its refusal: as for a request for this one alone."""
    try:
        refuse_plaintext(sent)
        return read_body(json.dumps(sent)).parse(EventContract).to_domain()
    except (RequestRefused, TimegateError) as error:
        return error


def _conflict(delivered: EventDelivery) -> EventConflict:
    event = delivered.received.event
    return EventConflict(event.source, event.id)


def _reply(results: list[_Result], status: HTTPStatus) -> Reply:
    views = [_view(index, each) for index, each in enumerate(results)]
    counts = {
        "received": sum(view["receipt"] == Receipt.NEW for view in views),
        "repeated": sum(view["receipt"] == Receipt.REPEATED for view in views),
        "failed": sum(view["error"] is not None for view in views),
    }
    return Reply(body={"items": views, **counts}, status=status)


def _met(met: Met) -> View:
    problem = None if met.refusal is None else problem_of(met.refusal)
    code = None if problem is None else problem.code
    if problem is not None and code == InvalidFields.code and len(problem.errors) == 1:
        # One field's own code says more.
        code = problem.errors[0].code
    return {
        "kind": met.kind,
        "name": met.name,
        "dag_run_id": met.dag_run_id,
        "run_id": met.run_id,
        "code": code,
        "detail": None if problem is None else problem.detail,
    }


def _view(index: int, result: _Result) -> View:
    if isinstance(result, EventDelivery) and result.receipt is Receipt.CONFLICT:
        result = _conflict(result)
    if isinstance(result, EventDelivery):
        is_new = result.receipt is Receipt.NEW
        event = result.received.event
        return {
            "index": index,
            "status": int(HTTPStatus.ACCEPTED if is_new else HTTPStatus.OK),
            "id": event.id,
            "source": event.source,
            "receipt": result.receipt,
            "met": [_met(each) for each in result.met],
            "error": None,
        }
    problem = problem_of(result)
    none: View = {"id": None, "source": None, "receipt": None, "met": []}
    return {"index": index, "status": int(problem.status), **none, "error": item_error(problem)}

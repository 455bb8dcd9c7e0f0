"""Routing: from an event to a route, and from its reply or error to a response."""

import json
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext

from api.http.body import is_too_large
from api.http.conditional import is_known, refuse_long_condition, weak_etag
from api.http.exchange import Exchange, Reply, is_paged, rows_of
from api.http.on_behalf import on_behalf
from api.http.problems import CONTENT_TYPE, problem_of
from api.http.refusals import FieldError, MethodNotAllowed, RouteNotFound
from api.http.route import Route
from api.http.tenancy import (
    UNPROVEN,
    admit,
    check_scope,
    check_token,
    is_by_key,
    tenant_named,
    tenant_of,
    tenant_of_lease,
)
from timegate.contracts.values.fields import Nothing
from timegate.domain.limits.request_rate import RateExceeded, requests_counted
from timegate.domain.tenants.standing import refuse_erased, refuse_suspended
from timegate.domain.values.instants import milliseconds_between, to_milliseconds
from timegate.domain.values.redaction import logged_field
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import HeldTelemetry
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.worker_services import WorkerServices

Services = ApiServices | WorkerServices
#: Made once: it is the same for each answer.
_BODIES = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

app = APIGatewayHttpResolver()


def answer(event: dict[str, Any], context: LambdaContext, services: Services) -> dict[str, Any]:
    """Serve one request; every outcome is a response, also our own faults."""
    began_at = services.clock.now()
    app.context.update(services=services, began_at=began_at)
    response: dict[str, Any] = app.resolve(event, context)
    services.telemetry.measure(
        service_metrics.API_MS, milliseconds_between(began_at, services.clock.now())
    )
    return response


def _endpoint(route: Route) -> Callable[..., Response[str]]:
    def serve(**path: str) -> Response[str]:
        app.context["shows_pages"] = route.page is not None
        exchange = _exchange(route, path)
        if not route.asks_no_token:
            _check_scope(route, exchange.event, exchange.provided)
        if not (route.asks_no_token or route.of_stage):
            _keep_rate(route, exchange)
        _check_region(route, exchange)
        if route.changes:
            _refuse_suspended(exchange)
        _refuse_strays(route, exchange)
        with on_behalf(route, exchange):
            return _respond(route, _fitting(route, exchange))

    return serve


def _fitting(route: Route, exchange: Exchange) -> Reply:
    """Serve a request; a page that is too large for an answer has half as many rows, and a cursor.

    Rows of a page are bounded, and so is each; a hundred of the largest are more than Lambda takes.
    Damage of rows is told with the page that shows them.
    """
    if route.query is None or not is_paged(route.query):
        return route.serve(exchange)
    rows = None
    while True:
        served, held = _holding(exchange)
        try:
            reply = route.serve(served)
            if isinstance(reply.body, str):
                return reply
            text = _json(reply.body)
            if not is_too_large(text) or rows == 1:
                return replace(reply, body=text)
            held.drop()
        finally:
            held.release()
        # Few pages are: the query is not read again for the others.
        rows = max(1, (rows or rows_of(exchange.query(route.query))) // 2)
        exchange = replace(exchange, most_rows=rows)


def _holding(exchange: Exchange) -> tuple[Exchange, HeldTelemetry]:
    """Return an exchange whose telemetry is held, and that telemetry."""
    services = exchange.provided
    held = HeldTelemetry(services.telemetry)
    if not isinstance(services, ApiServices):
        return exchange, held
    scheduling = replace(services.scheduling, telemetry=held)
    return replace(exchange, provided=replace(services, scheduling=scheduling)), held


def _exchange(route: Route, path: dict[str, str]) -> Exchange:
    services: Services = app.context["services"]
    event = app.current_event
    tenant = app.context["tenant"] = _tenant(route, path, services)
    return Exchange(
        event=event,
        path=path,
        tenant=tenant,
        now=to_milliseconds(app.context["began_at"]),
        provided=services,
    )


def _keep_rate(route: Route, exchange: Exchange) -> None:
    """Raise ``RateExceeded`` for a tenant that asks too often, or too much, or ``TenantErased``.

    Not of its workers: a heartbeat that is refused is a run that is lost.
    """
    services, now = exchange.provided, exchange.now
    if isinstance(services, ApiServices):
        refuse_erased(services.tenants_at_hand.settings(exchange.tenant, now=now))
        quotas = services.tenants_at_hand.quotas(exchange.tenant, now=now)
        count = requests_counted(route.weight, exchange.body_bytes, route.bytes_for_one)
        services.request_rates.admit(exchange.tenant, quotas, now=now, count=count)


def _tenant(route: Route, path: dict[str, str], services: Services) -> TenantId:
    """Return the tenant of the request: the token's, or the path's for the administration."""
    event = app.current_event
    if route.by_lease:
        return tenant_of_lease(event)
    if route.by_signature or route.by_link:
        return UNPROVEN
    if is_by_key(event):
        admit(event, services, now=app.context["began_at"])
    else:
        check_token(event, services.token_rules, now=app.context["began_at"])
    if route.of_stage:
        _check_scope(route, event, services)
        return tenant_named(path.get("tenant"))
    return tenant_of(event, services.tenant_claim, services.token_rules.people)


def _check_scope(route: Route, event: APIGatewayProxyEventV2, services: Services) -> None:
    check_scope(event, route.scope, services.token_rules.people, services.scope_prefix)


def _check_region(route: Route, exchange: Exchange) -> None:
    """Refuse what changes something where the stage's other region is active; ``RegionPassive``.

    Workers, and targets that call back, report to the region that began their runs.
    """
    services = exchange.provided
    if services.region is None:
        return
    if isinstance(services, WorkerServices):
        services.region.check_chosen()
    elif route.changes:
        services.region.check()


def _refuse_suspended(exchange: Exchange) -> None:
    """Judged by what this process read of its tenant up to ten seconds ago."""
    at_hand = exchange.services.tenants_at_hand
    refuse_suspended(at_hand.settings(exchange.tenant, now=exchange.now))


def _refuse_strays(route: Route, exchange: Exchange) -> None:
    """Refuse a query and a body that the route would ignore."""
    if route.query is None:
        exchange.query(Nothing)
    if route.is_conditional:
        refuse_long_condition(exchange)
    if route.body is None and route.method != "GET":
        exchange.refuse_body()


def _respond(route: Route, reply: Reply) -> Response[str]:
    headers = {**_headers(), **reply.headers}
    body = reply.body
    if route.page is not None and not isinstance(body, str) and _wants_page():
        return _page(route.page(body), reply.status, headers)
    if not isinstance(body, str):
        body = _json(body)
    if route.is_conditional:
        headers["ETag"] = weak_etag(body)
        if is_known(headers["ETag"], app.current_event.headers.get("If-None-Match")):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers, body="")
    return Response(
        status_code=reply.status, content_type=route.media_type, headers=headers, body=body
    )


def _json(body: Mapping[str, Any] | str) -> str:
    return _BODIES.encode(body)


def _headers() -> dict[str, str]:
    """Return the headers of every answer: it is not cached, and is found in the logs."""
    request_id = app.current_event.request_context.request_id
    return {"Cache-Control": "no-store", "X-Request-Id": request_id}


def _refuse(error: Exception) -> Response[str]:
    problem = problem_of(error)
    request = app.current_event.request_context
    services: Services = app.context["services"]
    fault = problem.status == HTTPStatus.INTERNAL_SERVER_ERROR
    services.telemetry.count(service_metrics.REQUESTS_REFUSED, int(not fault))
    services.telemetry.count(
        service_metrics.REQUESTS_OVER_RATE, int(isinstance(error, RateExceeded))
    )
    tell_refused_fields(app.context.get("tenant"), problem.errors, services.telemetry)
    services.telemetry.event(
        service_events.REQUEST_FAILED if fault else service_events.REQUEST_REFUSED,
        tenant_id=app.context.get("tenant"),
        method=request.http.method,
        path=app.current_event.path,
        status=int(problem.status),
        code=problem.code,
        fields=[*dict.fromkeys(f"{logged_field(e.field)}:{e.code}" for e in problem.errors)]
        or None,
        trace="".join(traceback.format_exception(error)) if fault else None,
    )
    headers = {**_headers(), **problem.headers}
    if app.context.get("shows_pages") and _wants_page():
        # Imported here: a page is rarely shown.
        from api.values.pages import refusal_page  # noqa: PLC0415

        return _page(refusal_page(problem.detail, request.request_id), problem.status, headers)
    return Response(
        status_code=problem.status,
        content_type=CONTENT_TYPE,
        headers=headers,
        body=json.dumps(problem.body(request.request_id), ensure_ascii=False),
    )


def _logged(errors: Iterable[FieldError]) -> list[str]:
    """Return what is wrong with which field, each once, without names that are in a payload."""
    return [*dict.fromkeys(f"{logged_field(each.field)}:{each.code}" for each in errors)]


def _wants_page() -> bool:
    """Tell if a browser asks: programs accept no pages."""
    return "text/html" in (app.current_event.headers.get("Accept") or "")


def _page(page: str, status: HTTPStatus, headers: Mapping[str, str]) -> Response[str]:
    from api.values.pages import HEADERS, MEDIA_TYPE  # noqa: PLC0415 - as above

    headers = {**headers, **HEADERS}
    return Response(status_code=status, content_type=MEDIA_TYPE, headers=headers, body=page)


def _not_found(_: Exception) -> Response[str]:
    path, method = app.current_event.path, app.current_event.http_method
    allowed = [each for (each, _), pattern in _SERVED.items() if pattern.fullmatch(path)]
    # A method that would be allowed did not match for the characters of the path.
    known = allowed and method not in allowed
    return _refuse(MethodNotAllowed(allowed) if known else RouteNotFound())


#: Routes that are served, by method and path, with the pattern of their paths.
_SERVED: dict[tuple[str, str], re.Pattern[str]] = {}

app.exception_handler(Exception)(_refuse)
app.not_found(_not_found)


def _pattern(route: Route) -> re.Pattern[str]:
    return re.compile(re.sub(r"<\w+>", "[^/]+", route.path))


def register(routes: Iterable[Route]) -> None:
    """Serve routes, each once. A handler names those of its function, and loads no others."""
    for route in routes:
        if (route.method, route.path) not in _SERVED:
            _SERVED[route.method, route.path] = _pattern(route)
            app.route(route.path, method=route.method)(_endpoint(route))

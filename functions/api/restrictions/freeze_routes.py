"""Routes under ``/v1/freezes``."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http import HTTPStatus

from api.http.body import JsonBody
from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.route import Scope, route
from api.restrictions import restriction_answers
from api.restrictions.restriction_views import freeze_view
from api.values.views import View, page_view
from timegate.contracts.restrictions import FreezesQuery, NewFreeze
from timegate.domain.restrictions.freeze import Freeze, parse_freeze_id
from timegate.domain.values.identity import asked_as
from timegate.domain.values.tenant import TenantId
from timegate.usecases.restrictions.create_freeze import create_freeze
from timegate.usecases.restrictions.lift_freeze import lift_freeze
from timegate.usecases.restrictions.read_freezes import list_freezes


@route(
    "POST",
    "/v1/freezes",
    operation="createFreeze",
    asks=Scope.OPERATE,
    body=NewFreeze,
    answer=restriction_answers.Freeze,
    success={
        201: "The new freeze.",
        200: "The same freeze was there already, or the Idempotency-Key was used with this body.",
    },
    refusals=(409,),
    request_headers=("Idempotency-Key",),
    answer_headers=("Location", "Idempotency-Replayed"),
)
def create(exchange: Exchange) -> Reply:
    """Freeze a tenant, a tag or a job.

    Nothing in its scope starts meanwhile; when it ends, what passed is settled as asked. The same
    freeze twice is one, unless it was lifted before it began and another Idempotency-Key plans it
    again. With an Idempotency-Key, the same request gives the same freeze until 31
    days after its end, also where it leaves out starts_at.
    """
    sent = exchange.body()
    asked = sent.parse(NewFreeze).to_domain(exchange.tenant, now=exchange.now)
    return created(exchange, sent, asked, "/v1/freezes", partial(freeze_view, now=exchange.now))


@route(
    "GET",
    "/v1/freezes",
    operation="listFreezes",
    query=FreezesQuery,
    answer=restriction_answers.FreezePage,
    success={200: "A page of freezes."},
)
def list_page(exchange: Exchange) -> Reply:
    """List freezes.

    The last to start first, those that ended among them.
    """
    return listed(exchange, exchange.tenant, partial(freeze_view, now=exchange.now))


@route(
    "GET",
    "/v1/freezes/<freeze_id>",
    operation="getFreeze",
    answer=restriction_answers.Freeze,
    success={200: "The freeze."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read a freeze.

    One that ended stays on record.
    """
    freeze_id = parse_freeze_id(exchange.path["freeze_id"])
    freeze = exchange.services.restrictions.get_freeze(exchange.tenant, freeze_id)
    return Reply(body=freeze_view(freeze, now=exchange.now))


@route(
    "DELETE",
    "/v1/freezes/<freeze_id>",
    operation="liftFreeze",
    asks=Scope.OPERATE,
    answer=restriction_answers.Freeze,
    success={200: "The freeze, ended; one that had ended is as it was."},
    refusals=(404, 409),
)
def lift(exchange: Exchange) -> Reply:
    """End a freeze now.

    Runs that it held back may start; lifting it again changes nothing.
    """
    freeze_id = parse_freeze_id(exchange.path["freeze_id"])
    freeze = lift_freeze(exchange.tenant, freeze_id, exchange.services, now=exchange.now)
    return Reply(body=freeze_view(freeze, now=exchange.now))


def created(
    exchange: Exchange, sent: JsonBody, asked: Freeze, path: str, show: Callable[[Freeze], View]
) -> Reply:
    """Create a freeze of a tenant or of the whole stage, which is found below ``path`` then."""
    whole = replace(
        asked,
        asked_as=asked_as(asked.tenant, idempotency_key(exchange)),
        request_hash=sent.fingerprint,
    )
    freeze = create_freeze(whole, exchange.services, now=exchange.now)
    headers = {"Location": f"{path}/{freeze.freeze_id}"}
    made = Reply(body=show(freeze), headers=headers, status=HTTPStatus.CREATED)
    return made.unless(replayed=freeze.created_at != exchange.now)


def listed(exchange: Exchange, tenant: TenantId, show: Callable[[Freeze], View]) -> Reply:
    """List freezes of a tenant, or those of the whole stage, which its administration has."""
    query = exchange.query(FreezesQuery)
    unended_at = exchange.now if query.unended else None
    page = list_freezes(tenant, exchange.services, unended_at=unended_at, **query.paging)
    return Reply(body=page_view(query.leading_on(page), show))

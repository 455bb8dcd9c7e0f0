"""Routes under ``/v1/freezes``."""

from http import HTTPStatus

from api.contracts.freezes import FreezesQuery, NewFreeze
from api.exchange import Exchange, Reply
from api.restriction_views import freeze_view
from api.views import page_view
from timegate.domain.restrictions.freeze import parse_freeze_id
from timegate.usecases.restrictions.create_freeze import create_freeze
from timegate.usecases.restrictions.lift_freeze import lift_freeze
from timegate.usecases.restrictions.read_freezes import list_freezes, read_freeze


def create(exchange: Exchange) -> Reply:
    """Freeze a tenant, a tag or a job."""
    asked = exchange.body().parse(NewFreeze).to_domain(exchange.tenant, now=exchange.now)
    freeze = create_freeze(asked, exchange.services, now=exchange.now)
    is_new = freeze.created_at == exchange.now
    return Reply(
        body=freeze_view(freeze, now=exchange.now),
        status=HTTPStatus.CREATED if is_new else HTTPStatus.OK,
        headers={"Location": f"/v1/freezes/{freeze.freeze_id}"},
    )


def list_page(exchange: Exchange) -> Reply:
    """List freezes."""
    query = exchange.query(FreezesQuery)
    page = list_freezes(
        exchange.tenant,
        exchange.services,
        unended_at=exchange.now if query.unended else None,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(
        body=page_view(query.leading_on(page), lambda freeze: freeze_view(freeze, now=exchange.now))
    )


def get(exchange: Exchange) -> Reply:
    """Read a freeze."""
    freeze_id = parse_freeze_id(exchange.path["freeze_id"])
    freeze = read_freeze(exchange.tenant, freeze_id, exchange.services)
    return Reply(body=freeze_view(freeze, now=exchange.now))


def lift(exchange: Exchange) -> Reply:
    """End a freeze now."""
    freeze_id = parse_freeze_id(exchange.path["freeze_id"])
    freeze = lift_freeze(exchange.tenant, freeze_id, exchange.services, now=exchange.now)
    return Reply(body=freeze_view(freeze, now=exchange.now))

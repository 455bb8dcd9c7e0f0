"""Routes about schedules that need not be any job's."""

from api.contracts.previews import PreviewRequest
from api.exchange import Exchange, Reply
from api.views import preview_view
from timegate.usecases.previews.preview_schedule import Wanted, preview_schedule


def preview(exchange: Exchange) -> Reply:
    """Show the next instants of a schedule, and which of them run under calendars."""
    request = exchange.body().parse(PreviewRequest)
    wanted = Wanted(
        tenant=exchange.tenant,
        schedule=request.schedule.to_domain(),
        start=request.start or exchange.now,
        count=request.count,
        calendars=tuple(rule.to_domain() for rule in request.calendars),
    )
    return Reply(body=preview_view(preview_schedule(wanted, exchange.services)))

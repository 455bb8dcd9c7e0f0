"""Routes about schedules that need not be any job's."""

from api.contracts.previews import PreviewRequest
from api.exchange import Exchange, Reply
from timegate.domain.instants import rfc3339
from timegate.usecases.preview_schedule import preview_schedule


def preview(exchange: Exchange) -> Reply:
    """Show the next fires of a schedule."""
    request = exchange.body().parse(PreviewRequest)
    shown = preview_schedule(
        request.schedule.to_domain(), start=request.start or exchange.now, count=request.count
    )
    return Reply(
        body={
            "fires": [rfc3339(fire) for fire in shown.fires],
            "description": shown.description,
        }
    )

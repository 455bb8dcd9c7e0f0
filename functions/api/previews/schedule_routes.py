"""Routes about schedules that need not be any job's."""

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.previews import preview_answers
from api.previews.preview_views import preview_view
from timegate.contracts.previews.previews import PreviewRequest
from timegate.usecases.previews.preview_schedule import SchedulePreview, preview_schedule


@route(
    "POST",
    "/v1/schedules/preview",
    operation="previewSchedule",
    asks=Scope.READ,
    weight=4,
    body=PreviewRequest,
    answer=preview_answers.Preview,
    success={200: "The next fires."},
)
def preview(exchange: Exchange) -> Reply:
    """Show the next instants of a schedule, and which of them run under calendars.

    Nothing is stored; with calendars, what they make of each instant.
    """
    request = exchange.body().parse(PreviewRequest)
    wanted = SchedulePreview(
        tenant=exchange.tenant,
        schedule=request.schedule.to_domain(),
        start=request.start or exchange.now,
        count=request.count,
        calendars=tuple(rule.to_domain() for rule in request.calendars),
    )
    return Reply(body=preview_view(preview_schedule(wanted, exchange.services)))

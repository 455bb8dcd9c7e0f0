"""Routes of a job's recent runs in numbers."""

from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.previews import statistics_answers
from api.previews.statistics_views import statistics_view
from timegate.usecases.previews.read_statistics import read_statistics


@route(
    "GET",
    "/v1/jobs/<job_id>/statistics",
    operation="getJobStatistics",
    weight=3,
    answer=statistics_answers.JobStatistics,
    success={200: "Numbers of the job's recent runs."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read a job's recent runs in numbers.

    Last run, last success, streak, and percentiles of duration and lateness over its latest 100
    runs, computed from one page of them; and its next five instants. Nothing is kept for it.
    """
    found = read_statistics(exchange.tenant, exchange.job_id, exchange.services, now=exchange.now)
    return Reply(body=statistics_view(found))

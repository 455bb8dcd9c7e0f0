"""The routes of what a run left behind."""

from api.contracts.queries import LogQuery
from api.routes import runs
from api.routes.route import Route

RUN_RECORDS = (
    Route(
        method="GET",
        path="/v1/runs/<run_id>/attempts",
        serve=runs.attempts,
        operation="listAttempts",
    ),
    Route(method="GET", path="/v1/runs/<run_id>/result", serve=runs.result, operation="getResult"),
    Route(
        method="GET",
        path="/v1/runs/<run_id>/logs",
        serve=runs.logs,
        operation="readLog",
        query=LogQuery,
    ),
)

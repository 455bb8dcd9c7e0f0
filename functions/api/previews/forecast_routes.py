"""Routes that forecast load."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.previews import preview_answers
from api.previews.preview_views import forecast_view
from timegate.contracts.previews.forecasts import ForecastQuery
from timegate.usecases.previews.forecast_load import forecast_load

_forecast = partial(
    route,
    query=ForecastQuery,
    answer=preview_answers.LoadForecast,
    success={200: "The load, minute by minute."},
)


@_forecast("GET", "/v1/forecast", operation="forecastLoad", weight=40)
@_forecast(
    "GET",
    "/v1/tenants/<tenant>/forecast",
    operation="forecastTenantLoad",
    asks=Scope.ADMIN,
    description="As forecastLoad answers the tenant itself; for those who administer the stage.",
)
def read(exchange: Exchange) -> Reply:
    """Forecast the load of a tenant.

    From schedules and calendars alone: no freeze, overlap or retry is in it. Up to 500 jobs a page,
    newest first.
    """
    query = exchange.query(ForecastQuery)
    found = forecast_load(exchange.tenant, query.to_domain(), exchange.services, now=exchange.now)
    return Reply(body=forecast_view(query.leading_on(found)))

"""The routes of forecasts."""

from api.contracts.forecasts import ForecastQuery
from api.routes import forecasts
from api.routes.route import Route
from api.routes.scope import Scope

FORECASTS = (
    Route(
        method="GET",
        path="/v1/forecast",
        serve=forecasts.read,
        operation="forecastLoad",
        weight=40,
        query=ForecastQuery,
    ),
    Route(
        method="GET",
        path="/v1/tenants/<tenant>/forecast",
        serve=forecasts.read,
        operation="forecastTenantLoad",
        query=ForecastQuery,
        asks=Scope.ADMIN,
    ),
)

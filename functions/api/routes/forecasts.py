"""Routes that forecast load."""

from api.contracts.forecasts import ForecastQuery
from api.exchange import Exchange, Reply
from api.forecast_views import forecast_view
from timegate.usecases.previews.forecast_load import forecast_load


def read(exchange: Exchange) -> Reply:
    """Forecast the load of a tenant."""
    query = exchange.query(ForecastQuery)
    found = forecast_load(exchange.tenant, query.to_domain(), exchange.services, now=exchange.now)
    return Reply(body=forecast_view(query.leading_on(found)))

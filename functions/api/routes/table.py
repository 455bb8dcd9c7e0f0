"""Every route of version 1: what is served, described and documented comes from here."""

from api.routes import (
    audit,
    bulk,
    calendars,
    dag_interventions,
    dag_run_pictures,
    dag_runs,
    dags,
    dead_letters,
    forecasts,
    freezes,
    jobs,
    ledger,
    operations,
    pools,
    runs,
    schedules,
    simulations,
    tenants,
)
from api.routes.route import routes_of

#: In the order in which the description shows them.
_HANDLERS = (
    jobs,
    runs,
    ledger,
    schedules,
    simulations,
    calendars,
    freezes,
    bulk,
    operations,
    pools,
    dead_letters,
    dags,
    dag_runs,
    dag_interventions,
    dag_run_pictures,
    tenants,
    audit,
    forecasts,
)

ROUTES = tuple(route for module in _HANDLERS for route in routes_of(module))

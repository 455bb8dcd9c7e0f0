"""The route that simulates."""

from api.exchange import Exchange, Reply
from timegate.domain.simulation import report
from timegate.usecases.simulation.simulate_scenario import simulate_scenario


def run(exchange: Exchange) -> Reply:
    """Simulate what becomes of every instant of jobs."""
    outcome = simulate_scenario(exchange.tenant, exchange.body().value, exchange.services)
    return Reply(body=report(outcome.simulated, outcome.expectations))

"""The route that simulates."""

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.simulation import simulation_answers
from timegate.contracts.simulation.reading import asked_scenario
from timegate.contracts.simulation.scenario import ScenarioContract
from timegate.domain.simulation import report
from timegate.usecases.simulation.simulate_scenario import simulate_scenario


@route(
    "POST",
    "/v1/simulate",
    operation="simulate",
    asks=Scope.READ,
    weight=40,
    body=ScenarioContract,
    answer=simulation_answers.Simulation,
    success={200: "What would become of every instant of the range."},
)
def run(exchange: Exchange) -> Reply:
    """Simulate what becomes of every instant of jobs.

    A scenario of jobs, outages, pauses and edits, and the ledger it would have. Nothing is stored.
    """
    asked = asked_scenario(exchange.body().parse(ScenarioContract))
    outcome = simulate_scenario(exchange.tenant, asked, exchange.services)
    return Reply(body=report(outcome.simulated, outcome.expectations))

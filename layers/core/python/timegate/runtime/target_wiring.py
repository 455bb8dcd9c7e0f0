"""Wiring of the targets: what may be reached, and with which clients."""

from timegate.adapters.targets.router import TargetClients, TargetRouter
from timegate.adapters.threaded_workshop import ThreadedWorkshop
from timegate.domain.port_ranges import port_ranges
from timegate.domain.target_rules import TargetRules
from timegate.ports.surroundings import Clock
from timegate.runtime import clients
from timegate.runtime.settings import Targets

_TARGET_CLIENTS = TargetClients(
    sqs=clients.sqs,
    aws_lambda=clients.aws_lambda,
    sns=clients.sns,
    events=clients.events,
    step_functions=clients.step_functions,
    secrets=clients.secrets,
    parameters=clients.parameters,
)


def target_workshop(targets: Targets, clock: Clock, *, api_url: str) -> ThreadedWorkshop:
    """Calls of every kind of target; none of their clients is built yet."""
    router = TargetRouter(target_rules(targets), _TARGET_CLIENTS, clock, api_url=api_url)
    return ThreadedWorkshop(router, clock)


def target_rules(targets: Targets) -> TargetRules:
    """As jobs are checked against them, and calls."""
    return TargetRules(
        allowed_lambda_targets=targets.lambdas,
        allowed_queue_targets=targets.queues,
        allowed_topic_targets=targets.topics,
        allowed_bus_targets=targets.buses,
        allowed_state_machine_targets=targets.state_machines,
        allowed_secrets=targets.secrets,
        private_hosts=targets.private_hosts,
        allowed_ports=port_ranges(targets.ports),
    )

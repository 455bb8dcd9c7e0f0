"""Wiring of the targets: what may be reached, and with which clients."""

from functools import cache

import boto3

from timegate.adapters.targets.aws.tenant_sessions import TenantSessions, tenant_session
from timegate.adapters.targets.router import TargetClients, TargetRouter
from timegate.adapters.threaded_workshop import ThreadedWorkshop
from timegate.domain.actions.port_ranges import port_ranges
from timegate.domain.actions.target_rules import TargetRules
from timegate.ports.surroundings import Clock
from timegate.runtime import clients
from timegate.runtime.settings import Targets


def target_workshop(
    targets: Targets, clock: Clock, *, api_url: str, role_arn: str
) -> ThreadedWorkshop:
    """Calls of every kind of target; none of their clients is built yet."""
    rules = target_rules(targets)
    router = TargetRouter(rules, _target_clients(clock, role_arn), clock, api_url=api_url)
    return ThreadedWorkshop(router, clock)


def _target_clients(clock: Clock, role_arn: str) -> TargetClients:
    """Clients that act for the tenant whose run it is, with a session of the targets' role."""
    sessions = TenantSessions(clients.sts, clock, role_arn=role_arn)

    @cache
    def session() -> boto3.Session:
        return boto3.Session(botocore_session=tenant_session(sessions))

    return TargetClients(
        sqs=lambda: clients.sqs(session()),
        aws_lambda=lambda: clients.aws_lambda(session()),
        sns=lambda: clients.sns(session()),
        events=lambda: clients.events(session()),
        step_functions=lambda: clients.step_functions(session()),
        secrets=lambda: clients.secrets(session()),
        parameters=lambda: clients.parameters(session()),
    )


def target_rules(targets: Targets) -> TargetRules:
    """Build the rules that jobs and calls are checked against."""
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

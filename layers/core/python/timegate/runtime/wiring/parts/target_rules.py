"""Wiring of the rules of targets: which ones a stage may reach."""

from dataclasses import replace

from timegate.domain.actions.port_ranges import port_ranges
from timegate.domain.actions.target_rules import ReachablePlaces, TargetPlace, TargetRules
from timegate.runtime.settings import Targets


def target_rules(targets: Targets, *, role_arn: str) -> TargetRules:
    """Build the rules that jobs and calls are checked against.

    ``role_arn``: a role of the stage, which tells its partition and its account.
    """
    own = replace(TargetPlace.of(role_arn), region=targets.own_region)
    return TargetRules(
        allowed=targets.allowed,
        allowed_secrets=targets.secrets,
        private_hosts=targets.private_hosts,
        allowed_ports=port_ranges(targets.ports),
        places=ReachablePlaces(own=own, regions=frozenset(targets.regions)),
    )

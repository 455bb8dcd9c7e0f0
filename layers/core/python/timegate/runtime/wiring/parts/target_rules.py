"""Wiring of the rules of targets: which ones a stage may reach."""

from timegate.domain.actions.port_ranges import port_ranges
from timegate.domain.actions.target_rules import TargetRules
from timegate.runtime.settings import Targets


def target_rules(targets: Targets) -> TargetRules:
    """Build the rules that jobs and calls are checked against."""
    return TargetRules(
        allowed=targets.allowed,
        allowed_secrets=targets.secrets,
        private_hosts=targets.private_hosts,
        allowed_ports=port_ranges(targets.ports),
    )

"""Targets that jobs may reach: resources by their names, and hosts on private addresses."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aws_cdk import ArnFormat, Stack
from constructs import Construct, IConstruct

from infra.acknowledge import acknowledge_wildcard
from infra.stage.settings import StageSettings
from infra.stage.target_patterns import PRINCIPAL_TENANT, TENANT

_SLASH = ArnFormat.SLASH_RESOURCE_NAME


@dataclass(frozen=True, kw_only=True)
class AllowedTargets:
    """ARN patterns: what jobs are validated against is what the targets' role is granted.

    ``{tenant}`` in them is the tenant whose job it is.
    """

    lambda_arns: tuple[str, ...]
    queue_arns: tuple[str, ...]
    topic_arns: tuple[str, ...]
    bus_arns: tuple[str, ...]
    state_machine_arns: tuple[str, ...]
    #: Of those state machines; an execution is looked at by whoever waits for it.
    execution_arns: tuple[str, ...]
    secret_arns: tuple[str, ...]
    parameter_arns: tuple[str, ...]
    private_hosts: tuple[str, ...]
    #: Ports of web hooks.
    ports: tuple[str, ...]

    @classmethod
    def of(cls, reader: Construct, settings: StageSettings) -> "AllowedTargets":
        """The stage's allow-lists; a bare name means this account and region."""
        stack = Stack.of(reader)
        return cls(
            lambda_arns=tuple(_arns(stack, "lambda", "function", settings.lambda_targets)),
            queue_arns=tuple(_arns(stack, "sqs", None, settings.queue_targets)),
            topic_arns=tuple(_arns(stack, "sns", None, settings.topic_targets)),
            bus_arns=tuple(_arns(stack, "events", "event-bus", settings.bus_targets, form=_SLASH)),
            state_machine_arns=tuple(
                _arns(stack, "states", "stateMachine", settings.state_machine_targets)
            ),
            execution_arns=tuple(
                _arns(stack, "states", "execution", _executions(settings.state_machine_targets))
            ),
            secret_arns=tuple(
                _arns(stack, "secretsmanager", "secret", _of(settings.secrets, "secretsmanager"))
            ),
            parameter_arns=tuple(
                _arns(stack, "ssm", "parameter", _of(settings.secrets, "ssm"), form=_SLASH)
            ),
            private_hosts=settings.private_hosts,
            ports=settings.webhook_ports,
        )

    @property
    def grants(self) -> Mapping[str, tuple[str, ...]]:
        """Return the rights of a tenant's session, with their ARNs: AWS puts its tag into them."""
        grants = {
            "lambda:InvokeFunction": self.lambda_arns,
            "sqs:SendMessage": self.queue_arns,
            "sns:Publish": self.topic_arns,
            "events:PutEvents": self.bus_arns,
            "states:StartExecution": self.state_machine_arns,
            "states:DescribeExecution": self.execution_arns,
            "states:StopExecution": self.execution_arns,
            "secretsmanager:GetSecretValue": self.secret_arns,
            "ssm:GetParameter": self.parameter_arns,
        }
        return {
            action: tuple(arn.replace(TENANT, PRINCIPAL_TENANT) for arn in arns)
            for action, arns in grants.items()
        }

    def environment(self, reader: Construct) -> dict[str, str]:
        """Return the variables of API and executors."""
        stack = Stack.of(reader)
        lists = {
            "ALLOWED_LAMBDA_TARGETS": self.lambda_arns,
            "ALLOWED_QUEUE_TARGETS": self.queue_arns,
            "ALLOWED_TOPIC_TARGETS": self.topic_arns,
            "ALLOWED_BUS_TARGETS": self.bus_arns,
            "ALLOWED_STATE_MACHINE_TARGETS": self.state_machine_arns,
            "ALLOWED_SECRETS": (*self.secret_arns, *self.parameter_arns),
        }
        told = {name: stack.to_json_string([*arns]) for name, arns in lists.items()}
        return {
            **told,
            "ALLOWED_PRIVATE_HOSTS": json.dumps(self.private_hosts),
            "ALLOWED_PORTS": json.dumps(self.ports),
        }

    def acknowledge(self, role: IConstruct) -> None:
        """The patterns are the allow-list itself."""
        for arn in (arn for arns in self.grants.values() for arn in arns):
            if "*" in arn:
                acknowledge_wildcard(
                    role,
                    arn,
                    "The stage's allow-list of job targets: users name their resources by this "
                    "pattern, and jobs are validated against the same list.",
                )


def _of(names: Iterable[str], service: str) -> Iterable[str]:
    """Bare names, and the ARNs of one service."""
    return (n for n in names if not n.startswith("arn:") or n.split(":")[2] == service)


def _executions(machines: Iterable[str]) -> Iterable[str]:
    """The executions of state machines, each of any name."""
    return (f"{machine.replace(':stateMachine:', ':execution:', 1)}:*" for machine in machines)


def _arns(
    stack: Stack,
    service: str,
    resource: str | None,
    names: Iterable[str],
    *,
    form: ArnFormat = ArnFormat.COLON_RESOURCE_NAME,
) -> Iterable[str]:
    for name in names:
        if name.startswith("arn:"):
            yield name
        elif resource:
            yield stack.format_arn(
                service=service, resource=resource, resource_name=name, arn_format=form
            )
        else:
            yield stack.format_arn(service=service, resource=name)

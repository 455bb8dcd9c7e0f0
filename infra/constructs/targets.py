"""What a job may target: functions, queues, and hosts on private addresses."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from aws_cdk import ArnFormat, Stack
from constructs import Construct, IConstruct

from infra.acknowledge import acknowledge_wildcard
from infra.settings import StageSettings


@dataclass(frozen=True, kw_only=True)
class AllowedTargets:
    """ARN patterns: what jobs are validated against is what the executors are granted."""

    lambda_arns: tuple[str, ...]
    queue_arns: tuple[str, ...]
    private_hosts: tuple[str, ...]

    @classmethod
    def of(cls, reader: Construct, settings: StageSettings) -> "AllowedTargets":
        """The stage's allow-lists; a bare name means this account and region."""
        stack = Stack.of(reader)
        return cls(
            lambda_arns=tuple(_arns(stack, "lambda", "function", settings.lambda_targets)),
            queue_arns=tuple(_arns(stack, "sqs", None, settings.queue_targets)),
            private_hosts=settings.private_hosts,
        )

    def environment(self, reader: Construct) -> dict[str, str]:
        """As the API and the executors read them."""
        stack = Stack.of(reader)
        return {
            "ALLOWED_LAMBDA_TARGETS": stack.to_json_string([*self.lambda_arns]),
            "ALLOWED_QUEUE_TARGETS": stack.to_json_string([*self.queue_arns]),
            "ALLOWED_PRIVATE_HOSTS": json.dumps(self.private_hosts),
        }

    def acknowledge(self, role: IConstruct) -> None:
        """The patterns are the allow-list itself."""
        for arn in (*self.lambda_arns, *self.queue_arns):
            if "*" in arn:
                acknowledge_wildcard(
                    role,
                    arn,
                    "The stage's allow-list of job targets: users name their functions and "
                    "queues by this pattern, and jobs are validated against the same list.",
                )


def _arns(stack: Stack, service: str, resource: str | None, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        if name.startswith("arn:"):
            yield name
        elif resource:
            yield stack.format_arn(
                service=service,
                resource=resource,
                resource_name=name,
                arn_format=ArnFormat.COLON_RESOURCE_NAME,
            )
        else:
            yield stack.format_arn(service=service, resource=name)

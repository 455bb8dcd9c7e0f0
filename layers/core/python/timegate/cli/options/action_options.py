"""The options that say what a job does, and to which target."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from timegate.cli.terminal.values import whole_seconds
from timegate.domain.actions.kinds.aws_lambda import Invocation
from timegate.domain.actions.kinds.ecs import Capacity
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode

_WHAT = "What (one of)"
_AWS = "AWS targets"
_KINDS = (
    "--webhook, --lambda, --sqs, --sns, --eventbridge, --step-functions, --ecs, --dag and --pool"
)
#: The option that names a target, and the field its value goes to.
_ADDRESSES = {
    "webhook": "url",
    "lambda": "function_arn",
    "sqs": "queue_url",
    "sns": "topic_arn",
    "eventbridge": "bus_arn",
    "stepfunctions": "state_machine_arn",
    "ecs": "task_definition",
    "worker": "pool",
    "dag": "dag_id",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ActionOptions:
    """The target of a job."""

    webhook: Annotated[
        str | None,
        typer.Option(metavar="URL", help="An HTTP request.", rich_help_panel=_WHAT),
    ] = None
    function_arn: Annotated[
        str | None,
        typer.Option("--lambda", metavar="ARN", help="A Lambda invocation.", rich_help_panel=_WHAT),
    ] = None
    queue_url: Annotated[
        str | None,
        typer.Option("--sqs", metavar="URL", help="An SQS message.", rich_help_panel=_WHAT),
    ] = None
    topic_arn: Annotated[
        str | None,
        typer.Option("--sns", metavar="ARN", help="An SNS message.", rich_help_panel=_WHAT),
    ] = None
    bus_arn: Annotated[
        str | None,
        typer.Option(
            "--eventbridge", metavar="ARN", help="An event on a bus.", rich_help_panel=_WHAT
        ),
    ] = None
    state_machine_arn: Annotated[
        str | None,
        typer.Option(
            "--step-functions",
            metavar="ARN",
            help="An execution of a state machine.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    task_definition: Annotated[
        str | None,
        typer.Option(
            "--ecs",
            metavar="DEFINITION",
            help="A Fargate task: family, family:revision or ARN.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    dag_id: Annotated[
        str | None,
        typer.Option("--dag", metavar="DAG_ID", help="A run of a DAG.", rich_help_panel=_WHAT),
    ] = None
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="An offer to workers.", rich_help_panel=_WHAT),
    ] = None
    handler: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of --pool: who does it.", rich_help_panel=_WHAT),
    ] = None
    invocation: Annotated[
        Invocation | None,
        typer.Option(help="Of --lambda; sync without.", rich_help_panel=_AWS),
    ] = None
    heartbeat: Annotated[
        int | None,
        typer.Option(
            parser=whole_seconds,
            metavar="DURATION",
            help="How long a target that calls back may be silent; 60 s without.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    message_group: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Of --sqs and --sns; a FIFO target gets the job's id without.",
            rich_help_panel=_AWS,
        ),
    ] = None
    subject: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Of --sns.", rich_help_panel=_AWS),
    ] = None
    message_structure: Annotated[
        str | None,
        typer.Option(
            metavar="json",
            help="Of --sns: the payload has a message for each protocol.",
            rich_help_panel=_AWS,
        ),
    ] = None
    event_source: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Of --eventbridge.", rich_help_panel=_AWS),
    ] = None
    detail_type: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Of --eventbridge.", rich_help_panel=_AWS),
    ] = None
    mode: Annotated[
        ExecutionMode | None,
        typer.Option(help="Of --step-functions; start without.", rich_help_panel=_AWS),
    ] = None

    cluster: Annotated[
        str | None, typer.Option(metavar="ARN", help="Of --ecs.", rich_help_panel=_AWS)
    ] = None
    container: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of --ecs: the container that gets payload and run, and whose exit code decides.",
            rich_help_panel=_AWS,
        ),
    ] = None
    command: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            help="Of --ecs: the container's command, a word each; may be repeated.",
            rich_help_panel=_AWS,
        ),
    ] = None
    subnet: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Of --ecs; may be repeated.", rich_help_panel=_AWS),
    ] = None
    security_group: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Of --ecs; may be repeated.", rich_help_panel=_AWS),
    ] = None
    public_ip: Annotated[
        bool | None,
        typer.Option(
            "--public-ip", help="Of --ecs: give the task a public address.", rich_help_panel=_AWS
        ),
    ] = None
    capacity: Annotated[
        Capacity | None, typer.Option(help="Of --ecs; FARGATE without.", rich_help_panel=_AWS)
    ] = None
    platform_version: Annotated[
        str | None,
        typer.Option(metavar="VERSION", help="Of --ecs; the latest without.", rich_help_panel=_AWS),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the action in the API's form; the API refuses options of other targets."""
        targets = _given(
            {
                "webhook": self.webhook,
                "lambda": self.function_arn,
                "sqs": self.queue_url,
                "sns": self.topic_arn,
                "eventbridge": self.bus_arn,
                "stepfunctions": self.state_machine_arn,
                "ecs": self.task_definition,
                "worker": self.pool,
                "dag": self.dag_id,
            }
        )
        if len(targets) != 1:
            message = f"Exactly one of {_KINDS} says what."
            raise typer.BadParameter(message)
        ((kind, address),) = targets.items()
        return {"type": kind, _ADDRESSES[kind]: address, **self._details()}

    def _details(self) -> dict[str, object]:
        return _given(
            {
                "invocation": self.invocation,
                "heartbeat_seconds": self.heartbeat,
                "message_group_id": self.message_group,
                "subject": self.subject,
                "message_structure": self.message_structure,
                "source": self.event_source,
                "detail_type": self.detail_type,
                "mode": self.mode,
                "handler": self.handler,
                "cluster_arn": self.cluster,
                "container": self.container,
                "command": self.command or None,
                "subnets": self.subnet or None,
                "security_groups": self.security_group or None,
                "public_ip": self.public_ip,
                "capacity": self.capacity,
                "platform_version": self.platform_version,
            }
        )


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}

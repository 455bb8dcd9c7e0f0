"""The options that say what a job does, and to which target."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_dags, complete_pools
from timegate.cli.completing.words_of_jobs import complete_handlers
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import span_option
from timegate.domain.actions.kinds.aws_lambda import Invocation
from timegate.domain.actions.kinds.ecs import Capacity
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode

_WHAT = "What (one of)"
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


@option_group("AWS targets")
class ActionOptions:
    """The target of a job."""

    webhook: Annotated[
        str | None, typer.Option(metavar="URL", help="Send an HTTP request.", rich_help_panel=_WHAT)
    ] = None
    function_arn: Annotated[
        str | None,
        typer.Option(
            "--lambda", metavar="ARN", help="Invoke a Lambda function.", rich_help_panel=_WHAT
        ),
    ] = None
    queue_url: Annotated[
        str | None,
        typer.Option("--sqs", metavar="URL", help="Send an SQS message.", rich_help_panel=_WHAT),
    ] = None
    topic_arn: Annotated[
        str | None,
        typer.Option("--sns", metavar="ARN", help="Publish an SNS message.", rich_help_panel=_WHAT),
    ] = None
    bus_arn: Annotated[
        str | None,
        typer.Option(
            "--eventbridge", metavar="ARN", help="Put an event on a bus.", rich_help_panel=_WHAT
        ),
    ] = None
    state_machine_arn: Annotated[
        str | None,
        typer.Option(
            "--step-functions",
            metavar="ARN",
            help="Start an execution of a state machine.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    task_definition: Annotated[
        str | None,
        typer.Option(
            "--ecs",
            metavar="DEFINITION",
            help="Run a Fargate task: family, family:revision or ARN.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    dag_id: Annotated[
        str | None,
        typer.Option(
            "--dag",
            metavar="DAG_ID",
            autocompletion=complete_dags,
            help="Start a run of a DAG.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    pool: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_pools,
            help="Offer its runs to workers.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    handler: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_handlers,
            help="Name the worker's handler, with --pool.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    invocation: Annotated[
        Invocation | None, typer.Option(help="Choose how --lambda is invoked; sync by default.")
    ] = None
    tenant_isolation: Annotated[
        bool | None,
        typer.Option(
            "--tenant-isolation", help="Run --lambda in environments of the tenant alone."
        ),
    ] = None
    heartbeat: Annotated[
        int | None,
        span_option(
            help="Let a target that calls back be silent so long; 60 s by default.",
            rich_help_panel=_WHAT,
        ),
    ] = None
    message_group: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Set the group of a FIFO --sqs or --sns; by default the job's id."
        ),
    ] = None
    subject: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Set the subject of --sns.")
    ] = None
    message_structure: Annotated[
        str | None,
        typer.Option(
            metavar="json", help="Take the payload of --sns for a message for each protocol."
        ),
    ] = None
    event_source: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Set the source of --eventbridge.")
    ] = None
    detail_type: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Set the detail type of --eventbridge.")
    ] = None
    mode: Annotated[
        ExecutionMode | None,
        typer.Option(help="Choose what --step-functions does; start by default."),
    ] = None

    cluster: Annotated[
        str | None, typer.Option(metavar="ARN", help="Run --ecs in this cluster.")
    ] = None
    container: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Name the container of --ecs that gets the payload, and whose exit code decides.",
        ),
    ] = None
    command: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="Set the command of the --ecs container, a word each."),
    ] = None
    subnet: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Run --ecs in this subnet; may be repeated."),
    ] = None
    security_group: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Give --ecs this security group; may be repeated."),
    ] = None
    public_ip: Annotated[
        bool | None, typer.Option("--public-ip", help="Give the task of --ecs a public address.")
    ] = None
    capacity: Annotated[
        Capacity | None, typer.Option(help="Choose the capacity of --ecs; FARGATE by default.")
    ] = None
    platform_version: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION", help="Choose the platform of --ecs; by default the latest."
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the action in the API's form; the API refuses options of other targets."""
        return self._target(self._addresses()) | self._details()

    def as_change(self) -> dict[str, object]:
        """Return the members that are given, with the type if an option names a target."""
        addresses = self._addresses()
        return (self._target(addresses) if addresses else {}) | self._details()

    def _target(self, addresses: dict[str, Any]) -> dict[str, object]:
        if len(addresses) != 1:
            message = f"Exactly one of {_KINDS} says what."
            raise typer.BadParameter(message)
        ((kind, address),) = addresses.items()
        return {"type": kind, _ADDRESSES[kind]: address}

    def _addresses(self) -> dict[str, Any]:
        return _given(
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

    def _details(self) -> dict[str, object]:
        return _given(
            {
                "invocation": self.invocation,
                "tenant_isolation": self.tenant_isolation,
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

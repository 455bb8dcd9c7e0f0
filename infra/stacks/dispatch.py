"""From a due job to a finished run."""

import json
from functools import partial

from aws_cdk import CfnOutput, Environment
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct

from infra.constructs.dags.dag_events import DagEvents
from infra.constructs.dags.dag_machine import DagMachine, machine_arn
from infra.constructs.data.sealed_queue import ParkingQueue
from infra.constructs.data.stores import Stores
from infra.constructs.events.ticks import Ticks
from infra.constructs.functions.archiver import ARCHIVE_MINUTES, ARCHIVER
from infra.constructs.functions.auditor import AUDIT_MINUTES, AUDITOR
from infra.constructs.functions.cloud_events import CloudEvents
from infra.constructs.functions.dag_runs import DAG_RUNS
from infra.constructs.functions.dead_letter import DeadLetter
from infra.constructs.functions.executors import Executors
from infra.constructs.functions.looks import Looks
from infra.constructs.functions.operations import OPERATIONS, STEPS
from infra.constructs.functions.outcomes import FOLLOWED_RUNS, OUTCOMES
from infra.constructs.functions.planner import PLANNER
from infra.constructs.functions.relay import QUEUED_RUNS, RELAY
from infra.constructs.functions.seal_key import seal_key_arn
from infra.constructs.functions.stream_function import StreamFunction
from infra.constructs.functions.sweeper import SWEEPER
from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime.description import Given
from infra.constructs.runtime.environment_size import check_environments
from infra.constructs.runtime.rollout import Rollout
from infra.constructs.runtime.runtime_layers import RuntimeLayers
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.rollout_choice import AT_ONCE
from infra.stacks.stage_stack import StageStack
from infra.stage.look_groups import look_groups
from infra.stage.settings import StageSettings


class DispatchStack(StageStack):
    """Ticks, planner, relay, executors, sweeper, auditor, outcomes, DAGs, operator, dead letter."""

    def __init__(
        self,
        scope: Construct,
        *,
        settings: StageSettings,
        stores: Stores,
        alerts: Alerts,
        api_url: str,
        console_url: str,
        env: Environment | None,
    ) -> None:
        super().__init__(
            scope,
            "Dispatch",
            settings=settings,
            meaning="from a due job to a finished run",
            env=env,
        )
        context = FunctionContext(
            settings=settings,
            layers=RuntimeLayers(self, "Layers", vendor=settings.vendor),
            alerts=alerts,
        )
        parked = ParkingQueue(
            self,
            "Rejected",
            name="rejected",
            settings=settings,
            meaning="Messages or stream records that no function can act on wait for a person.",
            runbook=Runbook.REJECTED_MESSAGES,
            alerts=alerts,
        )
        rejected = parked.queue
        given = Given(
            reader=self,
            settings=settings,
            stores=stores,
            rejected=rejected,
            machine_arn=machine_arn(self, settings),
            seal_key_arn=seal_key_arn(self, "Seals", settings=settings),
        )
        self._functions(context, given)
        self.dead_letter = DeadLetter(self, "DeadLetter", context=context, given=given)
        self.executors = Executors(
            self,
            "Executors",
            context=context,
            given=given,
            api_url=api_url,
            console_url=console_url,
        )
        self._ticks(settings, alerts)
        check_environments(context.made)
        if settings.rollout != AT_ONCE:
            Rollout(self, "Rollout", settings=settings, alerts=alerts, functions=context.made)
        CfnOutput(self, "RejectedQueueUrl", value=rejected.queue_url)
        self._name_functions()

    def _functions(self, context: FunctionContext, given: Given) -> None:
        function = partial(SchedulerFunction, self, context=context, given=given)
        reader = partial(StreamFunction, self, context=context, given=given)
        self.planner = function("Planner", description=PLANNER)
        self.sweeper = function("Sweeper", description=SWEEPER)
        Looks(self, "Looks", sweeper=self.sweeper)
        self.auditor = function("Auditor", description=AUDITOR)
        self.relay = reader("Relay", description=RELAY, stream=QUEUED_RUNS)
        self.outcomes = reader("Outcomes", description=OUTCOMES, stream=FOLLOWED_RUNS)
        self.dag_runs = function("DagRuns", description=DAG_RUNS)
        # The one state machine of all DAG runs, and what its states call.
        machine = DagMachine(self, "DagMachine", settings=context.settings, steps=self.dag_runs)
        # Outcomes tells an execution what this definition asks for: its alias moves first.
        machine.node.add_dependency(self.outcomes.live)
        if context.settings.dag_events:
            DagEvents(self, "DagEvents", steps=self.dag_runs)
        self.operations = reader("Operations", description=OPERATIONS, stream=STEPS)
        self.archiver = function("Archiver", description=ARCHIVER)
        #: The name of the bus of events, where the stage has one.
        self.bus_name: str | None = None
        if context.settings.events.on:
            told = CloudEvents(self, "CloudEvents", context=context, given=given)
            told.let_tell(self.outcomes)
            told.alarm_on_losses(self.outcomes)
            self.bus_name = told.bus_name

    def _ticks(self, settings: StageSettings, alerts: Alerts) -> None:
        lost = ParkingQueue(
            self,
            "LostTicks",
            name="ticks-dlq",
            settings=settings,
            meaning="Ticks of planner, sweeper, auditor or archiver were lost, or failed.",
            runbook=Runbook.TICKS_LOST,
            alerts=alerts,
        )
        group = scheduler.CfnScheduleGroup(self, "TickGroup", name=settings.physical_name("ticks"))
        ticks = partial(Ticks, group=group, dead_letters=lost.queue)
        for function in (self.planner, self.sweeper, self.auditor, self.archiver):
            # A version that fails at its ticks loses them.
            function.gates = (lost,)
        if settings.archive:
            ticks(
                self.archiver,
                "Ticks",
                function=self.archiver,
                every_minutes=ARCHIVE_MINUTES,
                by_shards=False,
            )
        for function, every_minutes in (
            (self.planner, 1),
            (self.sweeper, 1),
            (self.auditor, AUDIT_MINUTES),
        ):
            ticks(
                function,
                "Ticks",
                function=function,
                every_minutes=every_minutes,
                looks=look_groups(settings) if function is self.sweeper else {},
            )

    def _name_functions(self) -> None:
        executors = {str(key): each.name for key, each in self.executors.by_key.items()}
        CfnOutput(self, "TargetsRoleArn", value=self.executors.targets.role.role_arn)
        CfnOutput(self, "PlannerFunctionName", value=self.planner.name)
        CfnOutput(self, "SweeperFunctionName", value=self.sweeper.name)
        CfnOutput(self, "AuditorFunctionName", value=self.auditor.name)
        CfnOutput(self, "ArchiverFunctionName", value=self.archiver.name)
        CfnOutput(self, "RelayFunctionName", value=self.relay.name)
        CfnOutput(self, "OutcomesFunctionName", value=self.outcomes.name)
        CfnOutput(self, "OperationsFunctionName", value=self.operations.name)
        CfnOutput(self, "DeadLetterFunctionName", value=self.dead_letter.name)
        CfnOutput(self, "ExecutorFunctionNames", value=json.dumps(executors))

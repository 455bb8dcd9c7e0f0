"""From a due job to a finished run."""

import json

from aws_cdk import CfnOutput, IStackSynthesizer, Stack
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct

from infra.constructs.dags.dag_events import DagEvents
from infra.constructs.dags.dag_machine import DagMachine, machine_arn
from infra.constructs.data.sealed_queue import ParkingQueue
from infra.constructs.data.stores import Stores
from infra.constructs.events.ticks import Ticks
from infra.constructs.functions.auditor import Auditor
from infra.constructs.functions.dag_runs import DagRuns
from infra.constructs.functions.dead_letter import DeadLetter
from infra.constructs.functions.executors import Executors
from infra.constructs.functions.looks import Looks
from infra.constructs.functions.operations import Operations
from infra.constructs.functions.outcomes import Outcomes
from infra.constructs.functions.planner import Planner
from infra.constructs.functions.relay import Relay
from infra.constructs.functions.sweeper import Sweeper
from infra.constructs.observability.alerts import Alerts, Runbook
from infra.constructs.runtime.runtime_layers import RuntimeLayers
from infra.constructs.runtime.scheduler_function import FunctionContext
from infra.stage.look_groups import look_groups
from infra.stage.settings import StageSettings


class DispatchStack(Stack):
    """Ticks, planner, relay, executors, sweeper, auditor, outcomes, DAGs, operator, dead letter."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        stores: Stores,
        alerts: Alerts,
        api_url: str,
        synthesizer: IStackSynthesizer | None,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            synthesizer=synthesizer,
            description=f"Timegate {settings.name}: from a due job to a finished run",
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
            meaning="Messages or stream records nobody can act on wait for a person.",
            runbook=Runbook.REJECTED_MESSAGES,
            alerts=alerts,
        )
        rejected = parked.queue
        self.planner = Planner(self, "Planner", context=context, stores=stores)
        self.sweeper = Sweeper(self, "Sweeper", context=context, stores=stores)
        Looks(self, "Looks", sweeper=self.sweeper)
        self.auditor = Auditor(self, "Auditor", context=context, stores=stores)
        self.relay = Relay(self, "Relay", context=context, stores=stores, rejected=rejected)
        dag_machine = machine_arn(self, settings)
        self.outcomes = Outcomes(
            self,
            "Outcomes",
            context=context,
            stores=stores,
            rejected=rejected,
            machine_arn=dag_machine,
        )
        self.dag_runs = self._dag_runs(context, stores, dag_machine)
        self.operations = Operations(
            self, "Operations", context=context, stores=stores, rejected=rejected
        )
        self.dead_letter = DeadLetter(
            self, "DeadLetter", context=context, stores=stores, rejected=rejected
        )
        self.executors = Executors(
            self, "Executors", context=context, stores=stores, api_url=api_url
        )
        self._ticks(settings, alerts)
        CfnOutput(self, "RejectedQueueUrl", value=rejected.queue_url)
        self._name_functions()

    def _dag_runs(self, context: FunctionContext, stores: Stores, machine_arn: str) -> DagRuns:
        """The one state machine of all DAG runs, and what its states call."""
        steps = DagRuns(self, "DagRuns", context=context, stores=stores, machine_arn=machine_arn)
        DagMachine(self, "DagMachine", settings=context.settings, steps=steps)
        if context.settings.dag_events:
            DagEvents(self, "DagEvents", steps=steps)
        return steps

    def _ticks(self, settings: StageSettings, alerts: Alerts) -> None:
        lost = ParkingQueue(
            self,
            "LostTicks",
            name="ticks-dlq",
            settings=settings,
            meaning="Ticks of planner, sweeper or auditor were lost, or failed.",
            runbook=Runbook.TICKS_LOST,
            alerts=alerts,
        )
        group = scheduler.CfnScheduleGroup(self, "TickGroup", name=settings.physical_name("ticks"))
        for function, every_minutes in (
            (self.planner, 1),
            (self.sweeper, 1),
            (self.auditor, 5),
        ):
            Ticks(
                function,
                "Ticks",
                settings=settings,
                group=group,
                function=function,
                dead_letters=lost.queue,
                every_minutes=every_minutes,
                looks=look_groups(settings) if function is self.sweeper else {},
            )

    def _name_functions(self) -> None:
        executors = {str(key): each.name for key, each in self.executors.by_key.items()}
        CfnOutput(self, "TargetsRoleArn", value=self.executors.targets.role.role_arn)
        CfnOutput(self, "PlannerFunctionName", value=self.planner.name)
        CfnOutput(self, "SweeperFunctionName", value=self.sweeper.name)
        CfnOutput(self, "AuditorFunctionName", value=self.auditor.name)
        CfnOutput(self, "RelayFunctionName", value=self.relay.name)
        CfnOutput(self, "OutcomesFunctionName", value=self.outcomes.name)
        CfnOutput(self, "OperationsFunctionName", value=self.operations.name)
        CfnOutput(self, "DeadLetterFunctionName", value=self.dead_letter.name)
        CfnOutput(self, "ExecutorFunctionNames", value=json.dumps(executors))

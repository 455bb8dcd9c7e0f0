"""DAG runs: the steps of the generic state machine."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import TaskKey
from timegate.runtime.wiring.dag_runs import dag_services
from timegate.usecases.dag_runs import execution_steps as steps
from timegate.usecases.dag_runs.starting.start_on_event import start_on_event

services = dag_services()


def _step(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    works = services.works
    try:
        step = event["step"]
        if step == "start":
            run = start_on_event(event, services, now=works.clock.now())
            return {"dag_run_id": run.dag_run_id if run is not None else None}
        executed = steps.Executed.of(event["run"])
        match step:
            case "open":  # By executions that the release before began.
                return {"tasks": steps.open_step(executed, works)}
            case "task":
                steps.task_step(executed, TaskKey(event["key"]), event["token"], works)
            case "close":
                steps.close_step(executed, event["token"], works)
            case "cleanup":
                return {"status": steps.cleanup_step(executed, works).status}
            case _:
                raise Malformed(f"There is no step {step!r}.")
    except KeyError as missing:
        raise Malformed(f"The step has no {missing}.") from missing
    return {}


handle = services.telemetry.instrument(_step)

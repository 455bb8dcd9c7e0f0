"""A target of ECS on tasks in memory."""

from typing import Any

from tests.support.factories import NOW
from tests.support.targets.fake_ecs import CLUSTER, FakeEcs
from tests.unit.adapters.targets.calls import call_factory
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.ecs import TaskTarget
from timegate.domain.actions.kinds.ecs import CLUSTERS, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call, Resume
from timegate.domain.jobs.slices import Continuation

PLACE = "arn:aws:ecs:us-east-1:111122223333"
RULES = TargetRules(
    allowed={
        "ecs": (f"{PLACE}:task-definition/timegate-target-acme-*",),
        CLUSTERS: (f"{PLACE}:cluster/timegate-target-acme-*",),
    }
)
ACTION = EcsAction(
    cluster_arn=CLUSTER,
    task_definition="timegate-target-acme-report:3",
    container="app",
    subnets=("subnet-1a",),
)
TASK = f"{PLACE}:task/timegate-target-acme-batch/1"


class Service:
    """A target on ECS in memory, and a clock that steps."""

    def __init__(self) -> None:
        self.ecs = FakeEcs()
        self.clock = MemoryClock(NOW)
        client: Any = self.ecs
        self.target = TaskTarget(client, RULES, self.clock)

    def call(self, after_answer: Answer | None = None, **fields: Any) -> Answer:  # noqa: ANN401
        """Call the target, with the checkpoint of an answer."""
        return self.target.invoke(resumed(after_answer, **fields), ACTION)


def resumed(answer: Answer | None, **fields: Any) -> Call:  # noqa: ANN401 - as the factory
    """The call of the slice that follows an answer."""
    if answer is None:
        return call_factory(**({"resume": Resume(slice=1)} | fields))
    resume = Resume(slice=2, sequence=1, checkpoint=order(answer).checkpoint)
    return call_factory(**({"resume": resume} | fields))


def order(answer: Answer) -> Continuation:
    assert answer.continuation is not None
    return answer.continuation

"""Any action that could be stored."""

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.hook_strategies import secret_refs
from tests.unit.adapters.dynamo.plain_strategies import texts
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.aws_lambda import Invocation, LambdaAction
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.actions.kinds.ecs import Capacity, EcsAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.actions.kinds.webhook import Wait, WebhookAction
from timegate.domain.actions.kinds.worker import WorkerAction

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(
        WebhookAction,
        url=texts,
        method=st.sampled_from(["GET", "POST"]),
        headers=st.dictionaries(texts, texts, max_size=3),
        secret_headers=st.dictionaries(texts, secret_refs, max_size=3),
        signing_secret=st.none() | secret_refs,
        success_statuses=st.lists(st.integers(200, 599), max_size=3).map(tuple),
        wait=st.sampled_from(Wait),
        heartbeat_seconds=st.none() | st.integers(5, 86_400),
    ),
    st.builds(
        LambdaAction,
        function_arn=texts,
        invocation=st.sampled_from(Invocation),
        heartbeat_seconds=st.none() | st.integers(5, 86_400),
        tenant_isolation=st.booleans(),
    ),
    st.builds(SqsAction, queue_url=texts, message_group_id=st.none() | texts),
    st.builds(
        SnsAction,
        topic_arn=texts,
        subject=st.none() | texts,
        message_group_id=st.none() | texts,
    ),
    st.builds(EventBridgeAction, bus_arn=texts, source=texts, detail_type=texts),
    st.builds(StepFunctionsAction, state_machine_arn=texts, mode=st.sampled_from(ExecutionMode)),
    st.builds(
        EcsAction,
        cluster_arn=texts,
        task_definition=texts,
        container=texts,
        subnets=st.lists(texts, max_size=3).map(tuple),
        command=st.lists(texts, max_size=3).map(tuple),
        security_groups=st.lists(texts, max_size=3).map(tuple),
        public_ip=st.booleans(),
        capacity=st.sampled_from(Capacity),
        platform_version=st.none() | texts,
    ),
    st.builds(WorkerAction, pool=texts, handler=texts),
    st.builds(DagAction, dag_id=texts),
)

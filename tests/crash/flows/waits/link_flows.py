"""Approvals that people decide by signed links: twice by one, at its end, and two at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tests.crash.flows.pipelines import Pipeline, begin, dag_run_id_of, states_of, status_of
from tests.crash.flows.waits.wait_flows import gate_of, waiting
from tests.crash.judges.dag_judge import mark_of, task_rows, tasks_of
from tests.crash.story import Flow, Story
from timegate.domain.actions.target_names import name_form
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId

_MOST = 8
_OPENED_AFTER_SECONDS = 30
#: The request that decides: before it the DAG is made and started, and the link.
_DECIDES = 4
#: Codes of a decision that came too late, or while another change of the DAG run was written.
_LATE = {"link_expired", "approval_expired", "task_put_back"}
_BUSY = {"dag_run_busy", "conflict", "task_not_started"}


@dataclass(frozen=True, kw_only=True)
class _Approver:
    """A person who gets a link, and presses its buttons in this order."""

    name: str
    decisions: Sequence[str]

    def comes(self, story: Story) -> None:
        """Open a link as soon as the task waits; a page that does not load is loaded again."""
        if tasks_of(story.runs).get("gate", (0, "pending"))[1] == "pending":
            story.cloud.at(5, partial(self.comes, story))
            return
        path = f"/v1/dag-runs/{dag_run_id_of(story)}/tasks/gate/approval-link"
        made = story.cloud.request(story.tenant, "POST", path, {"receiver": self.name})
        if made.status < 400:
            self._decide(story, made.body["path"], self.decisions)
        elif made.code not in _LATE | {"task_ended"}:
            assert made.code in _BUSY, made.body
            story.cloud.at(5, partial(self.comes, story))

    def _decide(self, story: Story, link: str, decisions: Sequence[str]) -> None:
        if not decisions:
            return
        answered = story.cloud.request(story.tenant, "POST", link, {"decision": decisions[0]})
        if answered.status == 200:
            self._decide(story, link, decisions[1:])
        elif answered.code not in _LATE:
            assert answered.code in _BUSY, answered.body
            story.cloud.at(5, partial(self._decide, story, link, decisions))


def _begin(
    seconds: int, on_expiry: Expiry, approvers: Sequence[_Approver], story: Story
) -> Pipeline:
    secret = f"/timegate-target/{name_form(TenantId(story.tenant))}/links"
    gate = WaitTask(
        kind=WaitKind.APPROVAL,
        seconds=seconds,
        on_expiry=on_expiry,
        link_secret=SecretRef(ssm_parameter=secret),
    )
    for each in approvers:
        story.cloud.at(_OPENED_AFTER_SECONDS, partial(each.comes, story))
    return begin(waiting(gate), story)


def _is_decided_by(decision: str, by: str, story: Story, pipeline: Pipeline) -> None:
    """Assert that the first decision held; later uses of the link changed nothing."""
    del pipeline
    went_on = decision == "approve"
    assert gate_of(story) == ("approved" if went_on else "rejected", decision)
    assert _who(story) == by
    _went_on_as_decided(story, went_on=went_on)


def _is_decided_once(story: Story, pipeline: Pipeline) -> None:
    """By one of those who came in time, or by none; the task behind it heard of the same."""
    del pipeline
    reason, kind = gate_of(story)
    assert (reason, kind) in {
        ("approved", "approve"),
        ("rejected", "reject"),
        ("expired", None),
    }
    if kind is not None:
        assert _who(story) == {"approve": "link/ann", "reject": "link/bob"}[kind]
    _went_on_as_decided(story, went_on=kind == "approve")


def _went_on_as_decided(story: Story, *, went_on: bool) -> None:
    assert status_of(story)[0] == ("succeeded" if went_on else "failed")
    assert (states_of(story)["b"] == "succeeded") == went_on
    assert {mark_of(row)[1] for row in task_rows(story.runs)} == ({"a", "b"} if went_on else {"a"})
    story.assert_called()


def _who(story: Story) -> str:
    """The name that the record has."""
    (gate,) = (item for item in story.runs if "intervention" in item)
    return str(gate["intervention"]["M"]["by"]["S"])


_ANN = _Approver(name="ann", decisions=("approve", "reject"))
_ANN_WHO_REFUSES = _Approver(name="ann", decisions=("reject", "approve", "reject"))
_BOB = _Approver(name="bob", decisions=("reject",))

LINKS = (
    Flow(
        "approval link, used twice",
        partial(_begin, 3600, Expiry.FAIL, (_ANN,)),
        partial(_is_decided_by, "approve", "link/ann"),
        most=_MOST,
        request=_DECIDES,
    ),
    Flow(
        "approval link, refused",
        partial(_begin, 3600, Expiry.FAIL, (_ANN_WHO_REFUSES,)),
        partial(_is_decided_by, "reject", "link/ann"),
        most=_MOST,
        request=_DECIDES,
    ),
    Flow(
        "approval links at the end",
        partial(_begin, 30, Expiry.FAIL, (_ANN, _BOB)),
        _is_decided_once,
        most=_MOST,
    ),
)

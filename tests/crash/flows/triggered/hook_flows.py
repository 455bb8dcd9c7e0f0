"""A sender who signs messages to a web hook, and sends each until it is received."""

import json
from functools import partial

from tests.crash.story import Flow, Story
from tests.support.event_triggers.triggering import signed
from timegate.domain.actions.target_names import name_form
from timegate.domain.values.tenant import TenantId

_MESSAGE = {"type": "order.paid", "data": {"order": 7}}
#: The request that sends: before it the job and its trigger are made.
_SENDS = 3


def _begin(story: Story) -> str:
    """Send a message twice, as senders do that lost an answer, and one that does not match."""
    job_id = story.create(schedule={"kind": "delay", "delay_seconds": 31_536_000})
    body = {
        "pattern": {"data": {"type": ["order.paid"]}},
        "starts": {"type": "job", "job_id": job_id, "payload": {"$ref": "event.data.data"}},
        "hook": {"secret": {"ssm_parameter": f"/timegate-target/{_name(story)}/hook"}},
    }
    path = story.send("PUT", "/v1/event-triggers/paid", body).body["hook"]["path"]
    _send(story, path, _MESSAGE, "msg_1")
    _send(story, path, {**_MESSAGE, "type": "order.lost"}, "msg_2")
    story.cloud.at(400, partial(_send, story, path, _MESSAGE, "msg_1"))
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _name(story: Story) -> str:
    return name_form(TenantId(story.tenant))


def _send(story: Story, path: str, message: object, message_id: str) -> None:
    text = json.dumps(message)
    headers = signed(text, message_id=message_id, at=story.cloud.now)
    story.send("POST", path, message, **headers)


def _is_one_run_of_the_message(story: Story, job_id: str) -> None:
    """Assert that repeated messages made one run, which succeeded at last."""
    *failed, last = story.ends(job_id)
    assert last == ("succeeded", None)
    assert set(failed) <= {("failed", "retried"), ("timed_out", "retried")}
    assert len({(row.key[0], row.run) for row in story.rows}) == 1
    assert all(effect.payload == {"order": 7} for effect in story.effects)
    story.assert_called()


HOOKS = (Flow("inbound web hook", _begin, _is_one_run_of_the_message, request=_SENDS, most=8),)

"""Follow-ups: targets are told whose end triggered their run."""

import json

from tests.support.factories import attempt_id, job_id
from tests.unit.adapters.targets.calls import call_factory
from tests.unit.adapters.targets.web_hooks.http_target import local_target
from tests.unit.adapters.targets.web_hooks.web_senders import sender
from timegate.adapters.targets.run_context import attributes, envelope
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Resume
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.parent import Parent

PARENT = Parent(
    attempt=attempt_id(job=job_id("billing")),
    occasion=Occasion.TIMED_OUT,
    depth=1,
    document='{"state":"timed_out","result":"ü"}',
)
RUN = str(PARENT.attempt.run)


def test_a_web_hook_is_told_in_headers() -> None:
    """The headers name the triggering run and its end; a run without a trigger has none of them."""
    with local_target() as target, sender("127.0.0.1") as webhook:
        action = WebhookAction(url=target.url())
        webhook.invoke(call_factory(parent=PARENT), action)
        webhook.invoke(call_factory(), action)
        first, second = [dict(request.headers) for request in target.requests]

    told = {"Timegate-Triggered-By": RUN, "Timegate-Triggered-By-State": "timed_out"}
    assert told.items() <= first.items()
    assert not told.keys() & second.keys()


def test_an_envelope_has_the_whole_document() -> None:
    """Beside the run's own context, and that of its slice."""
    resume = Resume(slice=2, sequence=1, checkpoint='{"row":1}')
    context = json.loads(envelope(call_factory(parent=PARENT, resume=resume)))["timegate"]

    assert context["parent"] == {"state": "timed_out", "result": "ü"}
    assert (context["triggered_by"], context["triggered_by_state"]) == (RUN, "timed_out")
    assert context["checkpoint"] == {"row": 1}
    assert "parent" not in json.loads(envelope(call_factory()))["timegate"]


def test_a_message_has_attributes() -> None:
    """An SQS message carries at most ten attributes."""
    told = attributes(call_factory(parent=PARENT))

    assert told["triggered_by"] == {"DataType": "String", "StringValue": RUN}
    assert len(told) <= 10
    assert "triggered_by" not in attributes(call_factory())

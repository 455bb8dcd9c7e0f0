"""Messages about approvals: the link is put in when they are sent, and taken out of answers."""

from dataclasses import replace

import pytest

from tests.support.event_triggers.triggering import KEY
from tests.support.factories import TENANT, after
from tests.unit.adapters.targets.calls import call_factory
from timegate.adapters.targets.action_target import ActionTarget
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.linked_calls import LinkedCalls
from timegate.domain.approvals.link import ApprovalLink, LinkTerms, read_link
from timegate.domain.channels.notice import LINK_PLACE as PLACE
from timegate.domain.execution.call import Answer, Call
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed

LINK = ApprovalLink(
    tenant=TENANT,
    dag_run_id=DagRunId("a" * 26),
    task=TaskKey("gate"),
    round=1,
    until=after(600),
    receiver="slack-abcdefgh",
)
TERMS = LinkTerms(link=LINK, secret=SecretRef(ssm_parameter="/links"))
API = "https://api.example.com/"
ADDRESS = f"https://api.example.com/v1/approval?link={LINK.signed(KEY)}"


class Echo(ActionTarget):
    """Answers with what it was sent, or fails with it."""

    def __init__(self, *, fails: bool = False) -> None:
        self.sent: list[Call] = []
        self._fails = fails

    def invoke(self, call: Call, action: object) -> Answer:
        """Repeat the payload."""
        del action
        self.sent.append(call)
        if self._fails:
            raise permanent("http_400", "Refused", f"bad: {call.payload}")
        return Answer(text=f"got {call.payload}", whole=f"whole {call.payload}")


class Secrets:
    """One secret."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self, tenant: TenantId, ref: SecretRef) -> str:
        """Return it to the tenant of the link."""
        assert (tenant, ref) == (TENANT, TERMS.secret)
        return self.text


def calls(secret: str = KEY) -> LinkedCalls:
    """Calls below one address, signed with the keys of a secret."""
    made = LinkedCalls.__new__(LinkedCalls)
    object.__setattr__(made, "_api_url", API)
    object.__setattr__(made, "_secrets", Secrets(secret))
    return made


def message() -> Call:
    """A message with two places for the link."""
    return replace(call_factory(), payload=f'{{"a":"{PLACE}","b":"<{PLACE}|Decide>"}}', link=TERMS)


def test_a_message_is_sent_with_its_link() -> None:
    """In each place; the address opens the page below the API."""
    target = Echo()
    calls().invoke(message(), TERMS, target)
    (sent,) = target.sent

    assert sent.payload == f'{{"a":"{ADDRESS}","b":"<{ADDRESS}|Decide>"}}'
    shown = read_link(ADDRESS.partition("=")[2])
    assert shown is not None
    assert shown.holds(KEY)
    assert shown.link == LINK


def test_an_echo_of_the_link_is_not_kept() -> None:
    """Neither of an answer nor of a failure: results are read by those who may not decide."""
    answer = calls().invoke(message(), TERMS, Echo())
    with pytest.raises(TargetFailed) as failed:
        calls().invoke(message(), TERMS, Echo(fails=True))
    signed = LINK.signed(KEY).rpartition(".")[2]

    assert signed not in f"{answer.text} {answer.whole} {failed.value.failure.message}"
    assert "got" in answer.text


def test_a_target_knows_what_it_may_not_keep_before_it_cuts_an_answer() -> None:
    """The claims of a link are known to its readers: the signature alone makes it whole."""
    target = Echo()
    calls().invoke(message(), TERMS, target)
    signed = LINK.signed(KEY)

    assert target.sent[0].hidden == (signed, signed.rpartition(".")[2])
    assert signed not in repr(replace(target.sent[0], payload=None))


def test_a_secret_without_a_key_fails_the_message_for_good() -> None:
    """Nothing is sent, and the key is not told."""
    target = Echo()
    with pytest.raises(TargetFailed) as failed:
        calls("plain text").invoke(message(), TERMS, target)

    assert failed.value.failure.code == "secret_unusable"
    assert "plain text" not in failed.value.failure.message
    assert target.sent == []

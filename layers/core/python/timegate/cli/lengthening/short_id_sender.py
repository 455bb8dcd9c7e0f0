"""A sender that takes a name, or the beginning of an id, for the id, where there is only one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field
from http import HTTPStatus
from typing import Self

from timegate.cli.lengthening.names import id_of_name, may_be_name, no_such, says_unknown
from timegate.cli.lengthening.references import Reference, divided_names, exchanged, references
from timegate.cli.lengthening.searching import NotAllSearched, may_be_short, whole_id
from timegate.client.calling import Answer, ApiCall
from timegate.client.errors import ProblemError, with_detail
from timegate.client.sending import Sender
from timegate.value_classes import dataclass

#: The API has looked, or has seen that a word is no id.
_REFUSALS = {HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}


@dataclass(frozen=True, kw_only=True, slots=True)
class ShortIdSender(Sender):
    """Sends calls as they are; one that the API knows nothing of, again with whole ids.

    A call with whole ids and keys costs no further request.
    """

    #: Message while an answer is long in coming.
    slow: Callable[[], AbstractContextManager[None]] = nullcontext
    known: dict[Reference, str] = field(default_factory=dict)

    @classmethod
    def on(cls, sender: Sender, slow: Callable[[], AbstractContextManager[None]]) -> Self:
        """Return one that sends by the same connection."""
        return cls(
            http=sender.http,
            api_url=sender.api_url,
            retries=sender.retries,
            sleep=sender.sleep,
            clock=sender.clock,
            traceparent=sender.traceparent,
            slow=slow,
        )

    def send(self, call: ApiCall[Answer]) -> Answer:
        """Send the call and return its answer; raises ``ClientError``."""
        with self.slow():
            self._learn_divided(call)
            return self._send_whole(exchanged(call, self._known))

    def _send_whole(self, call: ApiCall[Answer]) -> Answer:
        try:
            return Sender.send(self, call)
        except ProblemError as error:
            if error.status not in _REFUSALS:
                raise
            if not self._learns(call, error):
                raise
        return Sender.send(self, exchanged(call, self._known))

    def _learn_divided(self, call: ApiCall[Answer]) -> None:
        """Look for a name that no path can hold; raises ``NotFound`` if nothing is called so."""
        for each in divided_names(call):
            if each not in self.known and may_be_name(each):
                refusal = no_such(each)
                with _end_said(refusal):
                    found = id_of_name(each, lambda read: Sender.send(self, read))
                if found is None:
                    raise refusal
                self.known[each] = found

    def _known(self, reference: Reference) -> str:
        return self.known.get(reference, reference.text)

    def _learns(self, call: ApiCall[Answer], error: ProblemError) -> bool:
        """Look for what the call's words stand for; tells if something was found."""
        with _end_said(error):
            return self._learn_name(call, error) or self._learn(call)

    def _learn_name(self, call: ApiCall[Answer], error: ProblemError) -> bool:
        """Look for what is called as the call's only word; tells if something was found.

        The refusal does not say which of several words is unknown.
        """
        words = {each for each in references(call) if each not in self.known}
        named = [each for each in words if may_be_name(each)]
        if not says_unknown(error) or len(words) > 1 or not named:
            return False
        found = id_of_name(named[0], lambda read: Sender.send(self, read))
        if found is not None:
            self.known[named[0]] = found
        return found is not None

    def _learn(self, call: ApiCall[Answer]) -> bool:
        """Look for what the call's short words stand for; tells if something was found."""
        short = [each for each in references(call) if may_be_short(each)]
        for reference in short:
            found = whole_id(reference, lambda read: Sender.send(self, read))
            if found is not None:
                self.known[reference] = found
        return any(reference in self.known for reference in short)


@contextmanager
def _end_said(refusal: ProblemError) -> Iterator[None]:
    """Raise a refusal that says where a search within did not reach the end of its listing."""
    try:
        yield
    except NotAllSearched as ended:
        raise with_detail(refusal, f"{refusal.detail} {ended.detail}") from ended

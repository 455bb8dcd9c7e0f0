"""The bus of the stage, on EventBridge."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from timegate.ports.dispatch.cloud_events import Document
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_events.type_defs import PutEventsRequestEntryTypeDef

#: EventBridge's limit for one call. Ten events are far below its limit of bytes: a test bounds one.
MAX_ENTRIES = 10
#: Refusals of a whole call for one of its entries, or for the size of all.
_ENTRY_CODES = frozenset({"ValidationException", "ValidationError", "RequestEntityTooLarge"})


class EventBridgeBus:
    """Puts events on one bus, ten a call."""

    def __init__(self, client: "EventBridgeClient", bus_name: str, telemetry: Telemetry) -> None:
        self._client = client
        self._bus_name = bus_name
        self._telemetry = telemetry

    def put_all(self, documents: Sequence[Document]) -> list[bool]:
        """Send events; ``False`` where the bus did not take one."""
        taken: list[bool] = []
        for start in range(0, len(documents), MAX_ENTRIES):
            taken += self._put(documents[start : start + MAX_ENTRIES])
        return taken

    def _put(self, documents: Sequence[Document]) -> list[bool]:
        try:
            answer = self._client.put_events(Entries=[self._entry(each) for each in documents])
        except (BotoCoreError, ClientError) as error:
            if len(documents) > 1 and _is_of_an_entry(error):
                # One of them is no event, and may not keep the others from the bus.
                return [taken for each in documents for taken in self._put([each])]
            self._refused(type(error).__name__, str(error), len(documents))
            return [False] * len(documents)
        # The call succeeds although entries may have failed; answers are in their order.
        for each in answer["Entries"]:
            if "ErrorCode" in each:
                self._refused(each["ErrorCode"], each.get("ErrorMessage", ""), 1)
        return ["ErrorCode" not in each for each in answer["Entries"]]

    def _refused(self, code: str, message: str, count: int) -> None:
        self._telemetry.event(
            run_events.CLOUD_EVENTS_REFUSED, code=code, detail=message, count=count
        )

    def _entry(self, document: Document) -> "PutEventsRequestEntryTypeDef":
        return {
            "EventBusName": self._bus_name,
            "Source": document["source"],
            "DetailType": document["type"],
            "Time": document["time"],
            "Detail": json.dumps(document, separators=(",", ":")),
        }


def _is_of_an_entry(error: BotoCoreError | ClientError) -> bool:
    """Tell if a call was refused for what one of its entries says."""
    if isinstance(error, ClientError):
        return error.response["Error"]["Code"] in _ENTRY_CODES
    return isinstance(error, ParamValidationError)

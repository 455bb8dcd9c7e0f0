"""What every operation of the client does: name a path, send, and check what comes back."""

from collections.abc import Mapping
from urllib.parse import quote

from timegate.client.errors import NotUnderstood
from timegate.client.sending import Call, JsonObject, Sender

#: Query parameters: text, several texts, or ``None`` for leaving it out.
Filter = str | int | list[str] | None


class Calling:
    """Calls to one API."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def page(self, path: str, filters: Mapping[str, Filter]) -> JsonObject:
        """A page of a listing; raises ``ClientError``."""
        page = self.send("GET", path, query=filters)
        if not (isinstance(page.get("items"), list) and "next_cursor" in page):
            raise NotUnderstood(f"{path} gave no page")
        return page

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Filter] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> JsonObject:
        """The JSON of an answer; raises ``ClientError``."""
        call = Call(
            method=method, path=path, query=_given(query or {}), body=body, headers=headers or {}
        )
        return self._sender.send(call)


def segment(text: str) -> str:
    """One segment of a path, whatever the text."""
    # Nothing but dots would be read as another path; "-" is no id either, and stays one segment.
    return quote(text, safe="") if text.strip(".") else "-"


def _given(filters: Mapping[str, Filter]) -> dict[str, str | list[str]]:
    return {
        name: value if isinstance(value, list) else str(value)
        for name, value in filters.items()
        if value is not None
    }

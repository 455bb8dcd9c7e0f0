"""The client's operations on calendars and freezes."""

from collections.abc import Mapping

from timegate.client.calling import Calling, Filter, segment
from timegate.client.sending import JsonObject


class RestrictionCalls(Calling):
    """What keeps a tenant's jobs from running."""

    def list_calendars(self) -> JsonObject:
        """Every calendar of the tenant, without its entries."""
        return self.page("/v1/calendars", {})

    def get_calendar(self, name: str) -> JsonObject:
        """A calendar with its entries."""
        return self.send("GET", _calendar(name))

    def put_calendar(
        self, name: str, calendar: Mapping[str, object], *, version: int | None = None
    ) -> JsonObject:
        """Create a calendar or replace it; ``version``: only that one, 0: only if there is none."""
        return self.send("PUT", _calendar(name), body=calendar, headers=_condition(version))

    def delete_calendar(self, name: str, *, version: int | None = None) -> JsonObject:
        """Forget a calendar; jobs that name it run as if they did not."""
        return self.send("DELETE", _calendar(name), headers=_condition(version))

    def import_calendar(
        self,
        name: str,
        ical: str,
        *,
        timezone: str | None = None,
        horizon_days: int | None = None,
        version: int | None = None,
    ) -> JsonObject:
        """Replace a calendar's days and periods by those of an iCal file's events."""
        return self.send(
            "POST",
            f"{_calendar(name)}/import",
            query={"timezone": timezone, "horizon_days": horizon_days},
            body={"ical": ical},
            headers=_condition(version),
        )

    def check_calendar(self, name: str, *, at: str | None = None) -> JsonObject:
        """Whether a calendar covers an instant (RFC 3339; now without), and until when."""
        return self.send("GET", f"{_calendar(name)}/check", query={"at": at})

    def create_freeze(self, freeze: Mapping[str, object]) -> JsonObject:
        """Let nothing of its scope start until it ends."""
        return self.send("POST", "/v1/freezes", body=freeze)

    def list_freezes(self, *, unended: bool = False, **filters: Filter) -> JsonObject:
        """A page of freezes, the last to start first; or all that have not ended.

        Filters are ``limit cursor``.
        """
        return self.page("/v1/freezes", {"unended": "true" if unended else None, **filters})

    def get_freeze(self, freeze_id: str) -> JsonObject:
        """A freeze, whether or not it has ended."""
        return self.send("GET", f"/v1/freezes/{segment(freeze_id)}")

    def lift_freeze(self, freeze_id: str) -> JsonObject:
        """End it now."""
        return self.send("DELETE", f"/v1/freezes/{segment(freeze_id)}")


def _calendar(name: str) -> str:
    return f"/v1/calendars/{segment(name)}"


def _condition(version: int | None) -> dict[str, str]:
    if version is None:
        return {}
    return {"If-Match": f'"{version}"'} if version else {"If-None-Match": "*"}

"""The client's operations on calendars and freezes."""

from timegate.client.calling import ApiCall, PageCall, ask, change, get, keyed, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    Calendar,
    CalendarBody,
    CalendarImport,
    CalendarList,
    CalendarRow,
    CalendarValidation,
    CheckedInstant,
    Freeze,
    FreezePage,
    NewFreeze,
    NewStageFreeze,
    StageFreeze,
    StageFreezePage,
)
from timegate.client.sending import Calls


class RestrictionCalls(Calls):
    """Operations on calendars and freezes."""

    @listing
    def list_calendars(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[CalendarList, CalendarRow]:
        """A page of the tenant's calendars, by name, without their entries."""
        return page("/v1/calendars", {"limit": limit, "cursor": cursor})

    @operation
    def get_calendar(self, calendar: str) -> ApiCall[Calendar]:
        """A calendar with its entries, by its name."""
        return get(_calendar(calendar))

    @operation
    def put_calendar(
        self, calendar: str, body: CalendarBody, *, version: int | None = None
    ) -> ApiCall[Calendar]:
        """Create a calendar or replace it; ``version``: only that one, 0: only if there is none."""
        return change("PUT", _calendar(calendar), body=body, version=version, creates=True)

    @operation
    def validate_calendar(self, calendar: str, body: CalendarBody) -> ApiCall[CalendarValidation]:
        """Say what putting a calendar would: what is wrong with it, and its defaults."""
        return ask(f"{_calendar(calendar)}/validate", body)

    @operation
    def delete_calendar(self, calendar: str, *, version: int | None = None) -> ApiCall[Calendar]:
        """Forget a calendar; jobs that name it run as if they did not."""
        return change("DELETE", _calendar(calendar), version=version)

    @operation
    def import_calendar(
        self,
        calendar: str,
        ical: str,
        *,
        timezone: str | None = None,
        horizon_days: int | None = None,
        version: int | None = None,
    ) -> ApiCall[CalendarImport]:
        """Replace a calendar's days and periods by those of an iCal file's events."""
        return change(
            "POST",
            f"{_calendar(calendar)}/import",
            query={"timezone": timezone, "horizon_days": horizon_days},
            body={"ical": ical},
            version=version,
            creates=True,
        )

    @operation
    def check_calendar(self, calendar: str, *, at: str | None = None) -> ApiCall[CheckedInstant]:
        """Check if a calendar covers an instant (RFC 3339; now without), and until when."""
        return get(f"{_calendar(calendar)}/check", {"at": at})

    @operation
    def create_freeze(
        self, freeze: NewFreeze, *, idempotency_key: str | None = None
    ) -> ApiCall[Freeze]:
        """Let nothing of its scope start until it ends."""
        return keyed("/v1/freezes", freeze, idempotency_key)

    @listing
    def list_freezes(
        self, *, unended: bool = False, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[FreezePage, Freeze]:
        """A page of freezes, the last to start first; or all that have not ended."""
        only = "true" if unended else None
        return page("/v1/freezes", {"unended": only, "limit": limit, "cursor": cursor})

    @operation
    def get_freeze(self, freeze_id: str) -> ApiCall[Freeze]:
        """A freeze, whether or not it has ended."""
        return get(f"/v1/freezes/{segment(freeze_id)}")

    @operation
    def lift_freeze(self, freeze_id: str) -> ApiCall[Freeze]:
        """End it now."""
        return change("DELETE", f"/v1/freezes/{segment(freeze_id)}")

    @operation
    def create_stage_freeze(
        self, freeze: NewStageFreeze, *, idempotency_key: str | None = None
    ) -> ApiCall[StageFreeze]:
        """Let nothing of any tenant start until it ends; for the administration."""
        return keyed("/v1/stage/freezes", freeze, idempotency_key)

    @listing
    def list_stage_freezes(
        self, *, unended: bool = False, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[StageFreezePage, StageFreeze]:
        """A page of freezes of all tenants, the last to start first; for the administration."""
        only = "true" if unended else None
        return page("/v1/stage/freezes", {"unended": only, "limit": limit, "cursor": cursor})

    @operation
    def get_stage_freeze(self, freeze_id: str) -> ApiCall[StageFreeze]:
        """A freeze of all tenants, whether or not it has ended; for the administration."""
        return get(f"/v1/stage/freezes/{segment(freeze_id)}")

    @operation
    def lift_stage_freeze(self, freeze_id: str) -> ApiCall[StageFreeze]:
        """End a freeze of all tenants now; for the administration."""
        return change("DELETE", f"/v1/stage/freezes/{segment(freeze_id)}")


def _calendar(name: str) -> str:
    return f"/v1/calendars/{segment(name)}"

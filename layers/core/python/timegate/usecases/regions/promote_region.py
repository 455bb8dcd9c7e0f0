"""Promotion: the passive region takes over, when the other one's time has certainly ended."""

from datetime import datetime

from timegate.domain.regions.region_errors import PromotionRefused
from timegate.domain.regions.region_record import RegionRecord
from timegate.ports.dispatch.regions import RegionStore


def fence_region(store: RegionStore, region: str, *, now: datetime) -> RegionRecord:
    """End the time of the active region, in its own record; raises ``PromotionRefused``.

    ``region``: whose record it is. That of the passive one holds its promise, which stays. Its
    functions begin nothing more when they have read the record again, within ten seconds.
    """
    while True:
        stored = store.read()
        if stored is None:
            raise PromotionRefused("The region has no record: it has never been active.")
        if stored.active != region:
            raise PromotionRefused(f"{stored.active} is the active region: fence that one.")
        if stored.fenced:
            return stored
        fenced = stored.fence(now=now)
        if store.replace(stored, fenced):
            return fenced


def promote_region(
    region: str,
    own: RegionStore,
    *,
    fenced: RegionRecord | None,
    is_off: bool = False,
    now: datetime,
) -> RegionRecord:
    """Let a region take over; returns its record, and again when it is repeated.

    ``fenced``: the other region's record, with which its time was ended. Without it this region
    waits for the end of its promise. ``is_off``: an operator answers for it that nothing of the
    other region works any more, where no promise has an end. Raises ``PromotionRefused``.
    """
    stored = own.read()
    if stored is None:
        raise PromotionRefused("The region has no record: the other one never asked for a promise.")
    if stored.active == region:
        if stored.fenced:
            raise PromotionRefused("The region is active, and fenced: let it go on by alone.")
        return stored
    if fenced is not None and fenced.epoch != stored.epoch:
        detail = f"epoch {fenced.epoch} there and {stored.epoch} here"
        raise PromotionRefused(f"The records of both regions differ: {detail}.")
    after = stored.promoted(region, ended=_ended(stored, fenced, is_off, now), now=now)
    if not own.replace(stored, after):
        raise PromotionRefused("The record changed meanwhile; look at it and repeat the command.")
    return after


def _ended(
    stored: RegionRecord, fenced: RegionRecord | None, is_off: bool, now: datetime
) -> datetime:
    """The end of the other region's time."""
    if fenced is not None and fenced.acts_until is not None:
        return fenced.acts_until
    if stored.acts_until is not None:
        return stored.acts_until
    if is_off:
        return now
    raise PromotionRefused("The other region acts without an end: fence it, or answer for its end.")


def act_alone(region: str, own: RegionStore, *, peer: RegionStore | None) -> RegionRecord:
    """Let the active region go on without promises, until the other one can be asked again.

    ``peer``: its record says so too; without it an operator answers for it that it is not promoted.
    Raises ``PromotionRefused``.
    """
    stored = own.read()
    if stored is None or stored.active != region:
        raise PromotionRefused("The region is not the active one.")
    alone = stored.alone()
    if peer is not None:
        other = peer.read()
        if other is not None and other.epoch > stored.epoch:
            raise PromotionRefused("The other region was promoted.")
        if not peer.replace(other, alone):
            raise PromotionRefused("The record changed meanwhile; repeat the command.")
    if not own.replace(stored, alone):
        raise PromotionRefused("The record changed meanwhile; repeat the command.")
    return alone


def look_again(own: RegionStore) -> RegionRecord:
    """Owe another look at old buckets, for what arrived late from the other region."""
    while True:
        stored = own.read()
        if stored is None:
            raise PromotionRefused("The region has no record.")
        after = stored.owing_a_look()
        if own.replace(stored, after):
            return after

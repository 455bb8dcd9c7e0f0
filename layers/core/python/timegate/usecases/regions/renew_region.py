"""The active region's time: the other one promises to stay passive, and then it goes on."""

from datetime import datetime, timedelta
from enum import StrEnum

from timegate.domain.regions.region_errors import RegionUnreached
from timegate.domain.regions.region_record import RegionRecord
from timegate.ports.dispatch.regions import RegionStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass


class Renewal(StrEnum):
    """Ends of one try to renew the region's time."""

    RENEWED = "renewed"
    #: This region is not the active one.
    PASSIVE = "passive"
    #: An operator ended its time.
    FENCED = "fenced"
    #: The other region was promoted, and is the active one from now on.
    SUCCEEDED = "succeeded"
    #: The other region's record is out of reach.
    UNREACHED = "unreached"
    #: A record changed in between, or an answer was lost: the next tick tries again.
    CHANGED = "changed"


@dataclass(frozen=True, kw_only=True, slots=True)
class RegionPair:
    """A region, the other one of its pair, and their records."""

    region: str
    #: The one that is active before any record says so.
    home: str
    own: RegionStore
    peer: RegionStore
    #: How long the active region acts without a new promise of the other one.
    length: timedelta
    telemetry: Telemetry


def renew_region(pair: RegionPair, *, now: datetime) -> Renewal:
    """Ask the other region for its promise, and go on by it; a planner's tick does, each minute.

    The promise is written first: a process that dies in between leaves a region whose time ends
    early.
    """
    renewal = _renew(pair, now)
    if renewal not in {Renewal.RENEWED, Renewal.PASSIVE}:
        pair.telemetry.count(service_metrics.REGION_RENEWALS_FAILED)
        pair.telemetry.event(service_events.REGION_NOT_RENEWED, region=pair.region, why=renewal)
    return renewal


def _renew(pair: RegionPair, now: datetime) -> Renewal:
    stored = pair.own.read()
    if stored is None and pair.region != pair.home:
        return Renewal.PASSIVE
    own = stored or RegionRecord.first(pair.region, now=now)
    if own.active != pair.region:
        return Renewal.PASSIVE
    if own.fenced:
        return Renewal.FENCED
    try:
        return _promised(pair, stored, own, now)
    except RegionUnreached:
        return Renewal.UNREACHED


def _promised(
    pair: RegionPair, stored: RegionRecord | None, own: RegionRecord, now: datetime
) -> Renewal:
    """Go on by the other region's promise, or leave it the stage; raises ``RegionUnreached``."""
    peer = pair.peer.read()
    if peer is not None and (peer.epoch, peer.active) > (own.epoch, own.active):
        return Renewal.SUCCEEDED if pair.own.replace(stored, peer) else Renewal.CHANGED
    promise = own.promised(now=now, length=pair.length)
    # Records that the other region stored while it was out of reach arrive from now on.
    after = own.renewed(promise, rejoined=own.acts_until is None)
    done = pair.peer.replace(peer, promise) and pair.own.replace(stored, after)
    return Renewal.RENEWED if done else Renewal.CHANGED

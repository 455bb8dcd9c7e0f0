"""Two regions: which pair a stage is deployed in, and which of them this deployment is."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from infra.stage.given.lists import listed

_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")
_STREAM = re.compile(r"arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):\d{12}:table/[\w.-]{3,255}/stream/\S+")
#: Renewals come each minute: of so many seconds two may be lost.
LEAST_SECONDS = 180
MOST_SECONDS = 3_600
USUAL_SECONDS = 300


class RegionError(ValueError):
    """The context says of regions what no stage can be deployed as."""


@dataclass(frozen=True, kw_only=True)
class RegionChoice:
    """A stage in two regions, as one of them is deployed."""

    #: The region that is active first, and has the tables; then the other one, with replicas.
    home: str
    other: str
    #: The one that is deployed.
    here: str
    #: So long the active region acts without a word of the other one.
    seconds: int = USUAL_SECONDS
    #: Streams of the replicas of jobs and runs, in the other region alone.
    streams: tuple[str, ...] = ()

    @property
    def is_home(self) -> bool:
        """The tables are made here."""
        return self.here == self.home

    @property
    def peer(self) -> str:
        """Return the region that is not deployed here."""
        return self.other if self.is_home else self.home


def region_choice(context: Callable[[str], object]) -> RegionChoice | None:
    """Read ``regionPair``, ``region``, ``regionSeconds`` and ``replicaStreams``.

    ``None``: the stage has one region. Raises ``RegionError``.
    """
    pair = listed(context("regionPair"))
    if not pair:
        return None
    if len(set(pair)) != len(pair) or len(pair) != len(("home", "other")):
        raise RegionError("regionPair: name two regions, the first active one first")
    for each in pair:
        if not _REGION.fullmatch(each):
            raise RegionError(f"regionPair: {each!r} is no name of a region")
    here = str(context("region") or "")
    if here not in pair:
        raise RegionError(f"region: {here!r} is none of {', '.join(pair)}: name the one to deploy")
    _refuse_keys(context)
    home, other = pair
    return RegionChoice(
        home=home,
        other=other,
        here=here,
        seconds=_seconds(context("regionSeconds")),
        streams=_streams(context("replicaStreams"), other) if here == other else (),
    )


def _refuse_keys(context: Callable[[str], object]) -> None:
    if context("kmsKey"):
        raise RegionError("kmsKey: replicas of tables need a key of their own; leave it out")


def _seconds(value: object) -> int:
    text = str(value or USUAL_SECONDS)
    if not text.isdecimal() or not LEAST_SECONDS <= int(text) <= MOST_SECONDS:
        bounds = f"{LEAST_SECONDS} to {MOST_SECONDS}"
        raise RegionError(f"regionSeconds: {text!r} is no number of seconds from {bounds}")
    return int(text)


def _streams(value: object, region: str) -> tuple[str, ...]:
    streams = listed(value)
    found = [_STREAM.fullmatch(each) for each in streams]
    right = [each is not None and each.group(1) == region for each in found]
    if len(streams) != len(("jobs", "runs")) or not all(right):
        raise RegionError(
            f"replicaStreams: name the streams of jobs and runs in {region}, as"
            " `timegate admin region streams` tells them"
        )
    return streams

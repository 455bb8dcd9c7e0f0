"""The order of tasks and lines within the layers of a picture: few lines cross."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from timegate.domain.values.identity import TaskKey

#: Sweeps over all layers; more of them change little.
SWEEPS = 10
#: A task, or an edge that passes a layer.
Slot: TypeAlias = "TaskKey | tuple[int, int]"


def order_layers(layers: list[list[Slot]], links: Mapping[Slot, Sequence[Slot]]) -> None:
    """Order each layer by the middle of what its slots are joined to, from left, then from right.

    Keep the order with the fewest crossings.
    """
    best, fewest = [list(layer) for layer in layers], _crossings(layers, links)
    for sweep in range(SWEEPS):
        ways = range(1, len(layers)) if sweep % 2 == 0 else range(len(layers) - 2, -1, -1)
        for number in ways:
            beside = layers[number - 1 if sweep % 2 == 0 else number + 1]
            places = {slot: place for place, slot in enumerate(beside)}
            own = {slot: place for place, slot in enumerate(layers[number])}
            layers[number].sort(key=lambda slot: _middle(slot, links, places, own))
        crossings = _crossings(layers, links)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    for layer, kept in zip(layers, best, strict=True):
        layer[:] = kept


def _middle(
    slot: Slot,
    links: Mapping[Slot, Sequence[Slot]],
    places: Mapping[Slot, int],
    own: Mapping[Slot, int],
) -> float:
    joined = [places[each] for each in links.get(slot, ()) if each in places]
    return sum(joined) / len(joined) if joined else float(own[slot])


def _crossings(layers: Sequence[Sequence[Slot]], links: Mapping[Slot, Sequence[Slot]]) -> int:
    count = 0
    for left, right in pairwise(layers):
        places = {slot: place for place, slot in enumerate(right)}
        ends: list[int] = []
        for slot in left:
            ends += sorted(places[each] for each in links.get(slot, ()) if each in places)
        count += _inversions(ends, len(right))
    return count


def _inversions(ends: Sequence[int], places: int) -> int:
    """Count pairs in the wrong order, by sums over powers of two."""
    sums, count = [0] * (places + 1), 0
    for seen, end in enumerate(ends):
        at, not_above = end + 1, 0
        while at:
            not_above += sums[at]
            at &= at - 1
        count += seen - not_above
        at = end + 1
        while at <= places:
            sums[at] += 1
            at += at & -at
    return count

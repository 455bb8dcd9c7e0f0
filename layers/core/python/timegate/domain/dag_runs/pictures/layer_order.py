"""The order of tasks and lines within the layers of a picture: few lines cross."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass

#: Slots of a picture that gets more effort, and is tried from several beginnings.
SMALL = 400
#: A task, or an edge that passes a layer.
Slot: TypeAlias = "TaskKey | tuple[int, int]"
Links: TypeAlias = Mapping[Slot, Sequence[Slot]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Effort:
    """Bounds of the work on one beginning."""

    #: Sweeps over all layers, and how many of them in a row may make nothing better.
    sweeps: int = 24
    in_vain: int = 6
    #: Rounds in which neighbours of a layer change places, after each sweep.
    rounds: int = 12


_FOR_LARGE = Effort(sweeps=12, in_vain=3, rounds=3)


def order_layers(layers: list[list[Slot]], links: Links) -> None:
    """Order each layer so that few lines cross; the same layers get the same order.

    Small pictures are tried from several beginnings, and the best order stays.
    """
    small = sum(map(len, layers)) <= SMALL
    effort = Effort() if small else _FOR_LARGE
    beginnings = [[list(layer) for layer in layers]]
    if small:
        beginnings += [[layer[::-1] for layer in layers], _by_depth_first(layers, links)]
    found = (_ordered(each, links, effort) for each in beginnings)
    _, best = min(found, key=lambda ordered: ordered[0])
    for layer, kept in zip(layers, best, strict=True):
        layer[:] = kept


def _by_depth_first(layers: Sequence[Sequence[Slot]], links: Links) -> list[list[Slot]]:
    """Return slots in the order in which a walk along the lines meets them."""
    layer_of = {slot: number for number, layer in enumerate(layers) for slot in layer}
    found: list[list[Slot]] = [[] for _ in layers]
    known: set[Slot] = set()
    ahead = [slot for layer in reversed(layers) for slot in reversed(layer)]
    while ahead:
        slot = ahead.pop()
        if slot not in known:
            known.add(slot)
            found[layer_of[slot]].append(slot)
            ahead += reversed(links.get(slot, ()))
    return found


def _ordered(
    layers: list[list[Slot]], links: Links, effort: Effort
) -> tuple[int, list[list[Slot]]]:
    """Return the fewest crossings found, and their order.

    Each layer is ordered by the middle of what its slots are joined to, from left, then from right.
    Two neighbours then change places where fewer lines cross so.
    """
    best, fewest, in_vain = [list(layer) for layer in layers], _crossings(layers, links), 0
    for sweep in range(effort.sweeps):
        if not fewest or in_vain == effort.in_vain:
            break
        _sweep(layers, links, sweep)
        _transpose(layers, links, effort.rounds)
        crossings, in_vain = _crossings(layers, links), in_vain + 1
        if crossings < fewest:
            best, fewest, in_vain = [list(layer) for layer in layers], crossings, 0
    return fewest, best


def _sweep(layers: list[list[Slot]], links: Links, sweep: int) -> None:
    """Sort each layer but the first by the places of the slots in the layer before it."""
    forth = sweep % 2 == 0
    for number in range(1, len(layers)) if forth else range(len(layers) - 2, -1, -1):
        beside = layers[number - 1 if forth else number + 1]
        places = {slot: place for place, slot in enumerate(beside)}
        own = {slot: place for place, slot in enumerate(layers[number])}
        # Slots with one middle change sides every other time: their order is no accident then.
        side = -1 if sweep % 4 > 1 else 1
        layers[number].sort(key=lambda s: (_middle(s, links, places, own), side * own[s]))


def _middle(slot: Slot, links: Links, places: Mapping[Slot, int], own: Mapping[Slot, int]) -> float:
    joined = [places[each] for each in links.get(slot, ()) if each in places]
    return sum(joined) / len(joined) if joined else float(own[slot])


def _transpose(layers: list[list[Slot]], links: Links, rounds: int) -> None:
    """Let neighbours change places wherever fewer lines cross so, until that ends."""
    changed = set(range(len(layers)))
    for _ in range(rounds):
        if not changed:
            return
        looked, changed = sorted(changed), set()
        for number in looked:
            if _exchange(layers, number, links):
                changed |= {number - 1, number, number + 1} & set(range(len(layers)))


def _exchange(layers: list[list[Slot]], number: int, links: Links) -> bool:
    layer, did = layers[number], False
    beside = [layers[each] for each in (number - 1, number + 1) if 0 <= each < len(layers)]
    ends = [_ends(layer, one, links) for one in beside]
    for at in range(len(layer) - 1):
        one, other = layer[at], layer[at + 1]
        gain = sum(_inverted(e[one], e[other]) - _inverted(e[other], e[one]) for e in ends)
        if gain > 0:
            layer[at], layer[at + 1], did = other, one, True
    return did


def _ends(layer: Sequence[Slot], beside: Sequence[Slot], links: Links) -> dict[Slot, list[int]]:
    """Return the places, in the layer beside it, of what each slot is joined to."""
    places = {slot: place for place, slot in enumerate(beside)}
    return {s: sorted(places[each] for each in links.get(s, ()) if each in places) for s in layer}


def _inverted(above: Sequence[int], below: Sequence[int]) -> int:
    """Count crossings of the lines of two slots; their ends are in order."""
    count = at = 0
    for end in above:
        while at < len(below) and below[at] < end:
            at += 1
        count += at
    return count


def _crossings(layers: Sequence[Sequence[Slot]], links: Links) -> int:
    return sum(_inversions(ends, size) for ends, size in _between(layers, links))


def _between(layers: Sequence[Sequence[Slot]], links: Links) -> Iterator[tuple[Sequence[int], int]]:
    for left, right in pairwise(layers):
        ends = _ends(left, right, links)
        yield [end for slot in left for end in ends[slot]], len(right)


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

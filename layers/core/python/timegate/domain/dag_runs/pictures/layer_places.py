"""Heights at which tasks and lines of a picture stand within their layers."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from timegate.domain.dag_runs.pictures.layer_order import Slot

#: Between two slots of a layer, and around all of them, in pixels.
BETWEEN, MARGIN = 18, 16
#: Sweeps over all layers; more of them change little.
_SWEEPS = 12
#: A bend in the middle of a long line is seen more than one at a task.
_OF_PASSAGES, _AT_TASKS = 4.0, 1.0


def tops_of(
    layers: Sequence[Sequence[Slot]],
    links: Mapping[Slot, Sequence[Slot]],
    heights: Sequence[Mapping[Slot, float]],
) -> dict[Slot, float]:
    """Return the top of each slot: near the middle of what it is joined to, and none overlap."""
    tops: dict[Slot, float] = {}
    size = {slot: height for layer in heights for slot, height in layer.items()}
    for layer in layers:
        at = 0.0
        for slot in layer:
            tops[slot], at = at, at + size[slot] + BETWEEN
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [_wanted(slot, links, tops, size) for slot in layer]
            tops.update(zip(layer, _apart(layer, wanted, size), strict=True))
    return _closed(tops, size)


def _closed(tops: Mapping[Slot, float], size: Mapping[Slot, float]) -> dict[Slot, float]:
    """Return tops without the bands in which nothing stands; the first is at the margin."""
    closed: dict[Slot, float] = {}
    less, end = 0.0, None
    for slot in sorted(tops, key=lambda each: tops[each]):
        top = tops[slot]
        if end is None:
            less, end = top - MARGIN, top
        less += max(0.0, top - end - BETWEEN)
        end = max(end, top + size[slot])
        closed[slot] = top - less
    return closed


def _wanted(
    slot: Slot,
    links: Mapping[Slot, Sequence[Slot]],
    tops: Mapping[Slot, float],
    size: Mapping[Slot, float],
) -> float:
    joined = links.get(slot, ())
    if not joined:
        return tops[slot]
    weights = [_weight(slot, each) for each in joined]
    middles = (
        weight * (tops[each] + size[each] / 2) for weight, each in zip(weights, joined, strict=True)
    )
    # Python 3.12 and later add by ``sum`` in another way than 3.11: a picture is the same in all.
    return fsum(middles) / fsum(weights) - size[slot] / 2


def _weight(one: Slot, other: Slot) -> float:
    return _OF_PASSAGES if isinstance(one, tuple) and isinstance(other, tuple) else _AT_TASKS


def _apart(
    layer: Sequence[Slot], wanted: Sequence[float], size: Mapping[Slot, float]
) -> Iterable[float]:
    """Return tops in order, each as near to what is wanted as those before and behind allow.

    Slots that would overlap are a block, which stands at the mean of what its slots want.
    """
    blocks: list[list[float]] = []  # Sum of wishes, count, and extent of each block.
    for slot, wish in zip(layer, wanted, strict=True):
        extent = size[slot] + BETWEEN
        blocks.append([wish, 1.0, extent])
        while len(blocks) > 1 and _end(blocks[-2]) > blocks[-1][0] / blocks[-1][1]:
            behind = blocks.pop()
            before = blocks[-1]
            before[0] += behind[0] - behind[1] * before[2]
            before[1] += behind[1]
            before[2] += behind[2]
    slots = iter(layer)
    for wish, count, _ in blocks:
        at = wish / count
        for _ in range(int(count)):
            slot = next(slots)
            yield at
            at += size[slot] + BETWEEN


def _end(block: Sequence[float]) -> float:
    return block[0] / block[1] + block[2]

"""The legend of a picture: what its colours and lines stand for."""

from collections import Counter
from collections.abc import Iterable, Sequence

from timegate.domain.dag_runs.pictures.svg import svg_text
from timegate.value_classes import dataclass

#: Sizes, in pixels.
HEIGHT, _LEFT, _SWATCH, _BETWEEN, _CHARACTER = 22, 16, 18, 14, 7.8


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A swatch, and what it stands for."""

    #: SVG of the swatch, with ``x`` of its left and ``y`` of its middle to be filled in.
    swatch: str
    text: str

    @property
    def width(self) -> float:
        """Return the pixels that it takes."""
        return _SWATCH + 6 + len(self.text) * _CHARACTER + _BETWEEN


def state_entries(states: Iterable[str | None], known: Sequence[str]) -> list[Entry]:
    """Count the states that a picture shows, in the order in which they are known."""
    counts = Counter(state for state in states if state)
    swatch = (
        '<g class="task {state}"><rect x="{{x}}" y="{{top}}" rx="3" width="18" height="12"/></g>'
    )
    return [
        Entry(swatch=swatch.format(state=state), text=f"{state.replace('_', ' ')} {counts[state]}")
        for state in known
        if counts[state]
    ]


def bar_entries(shown: Iterable[str], known: Sequence[str]) -> list[Entry]:
    """Name what the bars of a chart stand for."""
    looks = set(shown)
    swatch = '<rect class="{look}" x="{{x}}" y="{{top}}" rx="2" width="18" height="12"/>'
    return [
        Entry(swatch=swatch.format(look=look), text=look.replace("_", " "))
        for look in known
        if look in looks
    ]


def line_entries(kinds: Iterable[str], known: Sequence[str]) -> list[Entry]:
    """Name the kinds of lines that a picture shows, where there is more than one."""
    shown = set(kinds)
    swatch = '<path class="line {kind}" d="M{{x}} {{y}}h18"/>'
    return [
        Entry(swatch=swatch.format(kind=kind), text=kind.replace("_", " "))
        for kind in known
        if kind in shown and len(shown) > 1
    ]


def legend(entries: Sequence[Entry], *, top: float, width: float) -> tuple[str, float]:
    """Return the legend as SVG, and its height; it goes on in a further row where it must."""
    drawn: list[str] = []
    x, y = float(_LEFT), top
    for entry in entries:
        if x > _LEFT and x + entry.width > width:
            x, y = float(_LEFT), y + HEIGHT
        middle = y + HEIGHT / 2
        drawn.append(entry.swatch.format(x=f"{x:.0f}", y=f"{middle:.0f}", top=f"{middle - 6:.0f}"))
        drawn.append(
            f'<text x="{x + _SWATCH + 6:.0f}" y="{middle + 4:.0f}" class="said">'
            f"{svg_text(entry.text)}</text>"
        )
        x += entry.width
    return "".join(drawn), (y + HEIGHT - top if entries else 0.0)

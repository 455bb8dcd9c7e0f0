"""A Gantt chart as a picture: SVG that needs nothing else, in light and dark."""

from collections.abc import Iterable
from datetime import UTC, tzinfo

from timegate.domain.dag_runs.pictures.gantt import BarSpan, Gantt, Row, SpanKind
from timegate.domain.dag_runs.pictures.gantt_text import said_of
from timegate.domain.dag_runs.pictures.legend import bar_entries, legend
from timegate.domain.dag_runs.pictures.local_times import lasting, shown_at, zone_name
from timegate.domain.dag_runs.pictures.svg import Look, PictureScheme, Sheet, svg_text
from timegate.domain.dag_runs.pictures.time_axis import ticks_of
from timegate.domain.dag_runs.pictures.words import cut
from timegate.domain.dag_runs.progress import TaskState

_LEFT, _BARS, _RIGHT = 236, 704, 20
_TOP, _ROW, _BAR = 72, 26, 16
_WIDTH = _LEFT + _BARS + _RIGHT
#: Columns of a task's name.
_COLUMNS = 30
LOOK = Look(
    always="text{font:12px sans-serif}.name{font-weight:bold}.now{stroke-dasharray:4 3}"
    ".middle{text-anchor:middle}.end{text-anchor:end}",
    light="text{fill:#1b1f24}.sheet{fill:#fff}.queued{fill:#afb8c1}.running{fill:#c79a00}"
    ".succeeded{fill:#0072b2}.failed,.timed_out,.dead_lettered{fill:#b23c00}"
    ".cancelled,.skipped{fill:#6e7781}.now{stroke:#cf222e}.line{stroke:#d0d7de}.said{fill:#57606a}",
    dark="text{fill:#e6edf3}.sheet{fill:#0d1117}.queued{fill:#484f58}.running{fill:#f0e442}"
    ".succeeded{fill:#56b4e9}.failed,.timed_out,.dead_lettered{fill:#ff8a5c}"
    ".cancelled,.skipped{fill:#8b949e}.now{stroke:#f85149}.line{stroke:#30363d}.said{fill:#9aa4af}",
)
#: In the order in which a legend names them.
_LOOKS = ("queued", *(state.value for state in TaskState if state is not TaskState.PENDING))


def gantt_svg(gantt: Gantt, scheme: PictureScheme = PictureScheme.AUTO, zone: tzinfo = UTC) -> str:
    """Bars by time, grey while they wait; what a bar stands for is said in its title.

    ``zone``: the clock of its axis and its titles.
    """
    looks = {_look(row, span) for row in gantt.rows for span in row.spans}
    keys, more = legend(bar_entries(looks, _LOOKS), top=44, width=_WIDTH)
    top = _TOP + round(more)
    height = top + _ROW * len(gantt.rows) + 16
    said = f"{gantt.run.dag_run_id}, {gantt.run.status}, {lasting(gantt, zone)}"
    rows = "".join(
        _row(gantt, row, top + _ROW * place, zone) for place, row in enumerate(gantt.rows)
    )
    content = (
        f'<text x="12" y="20" class="name">{svg_text(gantt.name)}</text>'
        f'<text x="12" y="38" class="said">{svg_text(said)}</text>{keys}'
        f"{_axis(gantt, top, height, zone)}{rows}{_now(gantt, top, height)}"
    )
    described = f"{said}. {_described(gantt)}"
    sheet = Sheet(
        title=gantt.name, description=described, width=_WIDTH, height=height, content=content
    )
    return sheet.svg(LOOK.sheet(scheme))


def _axis(gantt: Gantt, top: int, height: int, zone: tzinfo) -> str:
    """Lines at instants that people name; the zone stands before them."""
    parts = [f'<text x="12" y="{top - 6}" class="said">{svg_text(zone_name(zone))}</text>']
    for tick in ticks_of(gantt.begins_at, gantt.ends_at, zone):
        x = f"{_LEFT + gantt.share(tick.at) * _BARS:.1f}"
        parts.append(
            f'<line class="line" x1="{x}" x2="{x}" y1="{top - 2}" y2="{height - 8}"/>'
            f'<text x="{x}" y="{top - 6}" class="said middle">{tick.label}</text>'
        )
    return "".join(parts)


def _row(gantt: Gantt, row: Row, top: int, zone: tzinfo) -> str:
    middle = top + _ROW // 2 + 4
    about = "; ".join(text for text in (row.title, row.state, said_of(row)) if text)
    name = svg_text(cut(row.title, _COLUMNS))
    bars = "".join(_bars(gantt, row, top + (_ROW - _BAR) // 2, zone))
    said = "" if row.spans else f'<text x="{_LEFT}" y="{middle}" class="said">{row.state}</text>'
    return (
        f'<g><title>{svg_text(about)}</title><line class="line" x1="12" x2="{_WIDTH - 12}"'
        f' y1="{top}" y2="{top}"/><text x="12" y="{middle}">{name}</text>'
        f"{bars}{said}</g>"
    )


def _bars(gantt: Gantt, row: Row, top: int, zone: tzinfo) -> Iterable[str]:
    for span in row.spans:
        left = _LEFT + gantt.share(span.begins_at) * _BARS
        right = _LEFT + gantt.share(span.ends_at or gantt.ends_at) * _BARS
        width = max(right - left, 1.0 if span.kind is SpanKind.RUNNING else 0.0)
        if width:
            yield (
                f'<rect class="{_look(row, span)}" x="{left:.1f}" y="{top}" width="{width:.1f}"'
                f' height="{_BAR}" rx="2"><title>{svg_text(_about(span, zone))}</title></rect>'
            )


def _look(row: Row, span: BarSpan) -> str:
    if span.kind is SpanKind.QUEUED:
        return "queued"
    if span.ends_at is None:
        return "running"
    # The bar of a fan-out stands for what became of the task.
    return span.state or row.state


def _about(span: BarSpan, zone: tzinfo) -> str:
    until = shown_at(span.ends_at, zone) if span.ends_at is not None else "now"
    what = f"{span.runs} runs" if span.runs > 1 else f"attempt {span.attempt}"
    came = f", {span.state}" if span.state is not None else ""
    begun = shown_at(span.begins_at, zone)
    return f"{span.kind}, round {span.round}, {what}: {begun} to {until}{came}"


def _now(gantt: Gantt, top: int, height: int) -> str:
    if not gantt.goes_on:
        return ""
    x = _LEFT + _BARS
    return (
        f'<line class="now" x1="{x}" x2="{x}" y1="{top - 8}" y2="{height - 8}"/>'
        f'<text x="{x}" y="{top - 20}" class="said end">now</text>'
    )


def _described(gantt: Gantt) -> str:
    return "; ".join(f"{row.title}: {row.state}" for row in gantt.rows)

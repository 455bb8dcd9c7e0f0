"""A Gantt chart as a picture: SVG that needs nothing else, in light and dark."""

from collections.abc import Iterable
from html import escape

from timegate.domain.dag_runs.pictures.gantt import BarSpan, Gantt, Row, SpanKind
from timegate.domain.dag_runs.pictures.gantt_text import said_of
from timegate.domain.dag_runs.pictures.time_axis import ticks_of
from timegate.domain.values.instants import rfc3339

_LEFT, _BARS, _RIGHT = 220, 720, 20
_TOP, _ROW, _BAR = 72, 26, 16
_WIDTH = _LEFT + _BARS + _RIGHT
_STYLE = (
    "text{font:12px sans-serif;fill:#1b1f24}.sheet{fill:#fff}.queued{fill:#afb8c1}"
    ".running{fill:#c79a00}.succeeded{fill:#0072b2}.failed,.timed_out,.dead_lettered{fill:#b23c00}"
    ".cancelled,.skipped{fill:#6e7781}.now{stroke:#cf222e;stroke-dasharray:4 3}"
    ".line{stroke:#d0d7de}.said{fill:#57606a}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.sheet{fill:#0d1117}"
    ".queued{fill:#484f58}.running{fill:#f0e442}.succeeded{fill:#56b4e9}"
    ".failed,.timed_out,.dead_lettered{fill:#ff8a5c}.cancelled,.skipped{fill:#8b949e}"
    ".now{stroke:#f85149}.line{stroke:#30363d}.said{fill:#8b949e}}"
)


def gantt_svg(gantt: Gantt) -> str:
    """Bars by time, grey while they wait; what a bar stands for is said in its title."""
    height = _TOP + _ROW * len(gantt.rows) + 16
    run = gantt.run
    seconds = (gantt.ends_at - gantt.begins_at).total_seconds()
    said = f"{run.dag_run_id}, {run.status}, {seconds:.1f} s from {rfc3339(gantt.begins_at)}"
    rows = "".join(_row(gantt, row, _TOP + _ROW * place) for place, row in enumerate(gantt.rows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
        f' width="{_WIDTH}" height="{height}" role="img" aria-labelledby="title desc">'
        f'<title id="title">{svg_text(gantt.name)}</title>'
        f'<desc id="desc">{svg_text(f"{said}. {_described(gantt)}")}</desc><style>{_STYLE}</style>'
        f'<rect class="sheet" width="{_WIDTH}" height="{height}"/>'
        f'<text x="12" y="20" font-weight="bold">{svg_text(gantt.name)}</text>'
        f'<text x="12" y="38" class="said">{svg_text(said)}</text>'
        f"{_axis(gantt, height)}{rows}{_now(gantt, height)}</svg>\n"
    )


def _axis(gantt: Gantt, height: int) -> str:
    """Lines at instants that people name; the zone stands before them."""
    parts = [f'<text x="{_LEFT - 44}" y="{_TOP - 6}" class="said">UTC</text>']
    for tick in ticks_of(gantt.begins_at, gantt.ends_at):
        x = f"{_LEFT + gantt.share(tick.at) * _BARS:.1f}"
        parts.append(
            f'<line class="line" x1="{x}" x2="{x}" y1="{_TOP - 2}" y2="{height - 8}"/>'
            f'<text x="{x}" y="{_TOP - 6}" class="said" text-anchor="middle">{tick.label}</text>'
        )
    return "".join(parts)


def _row(gantt: Gantt, row: Row, top: int) -> str:
    middle = top + _ROW // 2 + 4
    about = "; ".join(text for text in (row.title, row.state, said_of(row)) if text)
    bars = "".join(_bars(gantt, row, top + (_ROW - _BAR) // 2))
    said = "" if row.spans else f'<text x="{_LEFT}" y="{middle}" class="said">{row.state}</text>'
    return (
        f'<g><title>{svg_text(about)}</title><line class="line" x1="12" x2="{_WIDTH - 12}"'
        f' y1="{top}" y2="{top}"/><text x="12" y="{middle}">{svg_text(_short(row.title))}</text>'
        f"{bars}{said}</g>"
    )


def _bars(gantt: Gantt, row: Row, top: int) -> Iterable[str]:
    for span in row.spans:
        left = _LEFT + gantt.share(span.begins_at) * _BARS
        right = _LEFT + gantt.share(span.ends_at or gantt.ends_at) * _BARS
        width = max(right - left, 1.0 if span.kind is SpanKind.RUNNING else 0.0)
        if width:
            yield (
                f'<rect class="{_look(row, span)}" x="{left:.1f}" y="{top}" width="{width:.1f}"'
                f' height="{_BAR}" rx="2"><title>{svg_text(_about(span))}</title></rect>'
            )


def _look(row: Row, span: BarSpan) -> str:
    if span.kind is SpanKind.QUEUED:
        return "queued"
    if span.ends_at is None:
        return "running"
    # The bar of a fan-out stands for what became of the task.
    return span.state or row.state


def _about(span: BarSpan) -> str:
    until = rfc3339(span.ends_at) if span.ends_at is not None else "now"
    what = f"{span.runs} runs" if span.runs > 1 else f"attempt {span.attempt}"
    came = f", {span.state}" if span.state is not None else ""
    return f"{span.kind}, round {span.round}, {what}: {rfc3339(span.begins_at)} to {until}{came}"


def _now(gantt: Gantt, height: int) -> str:
    if not gantt.goes_on:
        return ""
    x = _LEFT + _BARS
    return (
        f'<line class="now" x1="{x}" x2="{x}" y1="{_TOP - 8}" y2="{height - 8}"/>'
        f'<text x="{x}" y="{_TOP - 20}" text-anchor="end" class="said">now</text>'
    )


def _described(gantt: Gantt) -> str:
    return "; ".join(f"{row.title}: {row.state}" for row in gantt.rows)


def _short(title: str, most: int = 30) -> str:
    return title if len(title) <= most else f"{title[: most - 1]}…"


def svg_text(text: str) -> str:
    """Escape text for XML, without the characters that XML cannot have."""
    kept = (c for c in text if c in "\t\n" or c >= " ")
    return escape(
        "".join(c for c in kept if (not "\ud800" <= c <= "\udfff" and c < "\ufffe") or c > "\uffff")
    )

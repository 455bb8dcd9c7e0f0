"""Tables of a terminal: they show the columns that its width has room for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from timegate.cli.showing.presentation import presentation
from timegate.cli.showing.short_ids import shortened
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

_Cell = str | Text
#: From a row to a cell.
Column = Callable[[JsonObject], _Cell]
#: Text that is longer folds before a column is left out; and a span of two instants.
_FOLDED_CHARACTERS = 16
_SPAN_CHARACTERS = len("2026-11-21 07:00:00 to")
_INSTANT_CHARACTERS = len("2026-11-21 07:00:00.000+0100")
_PADDING = 2
_ID = "_id"
#: Headings of instants end so, and say the zone that is shown.
_ZONED = "(UTC)"


def listing(
    page: JsonObject, columns: Mapping[str, Column], nothing: str, *, spare: Sequence[str] = ()
) -> RenderableType:
    """A page of a listing, and where it goes on; ``nothing`` when there is none."""
    rows = table(page["items"], columns, spare=spare) if page["items"] else nothing
    told, cursor = [], page["next_cursor"]
    if names := page.get("damaged", {}).get("names"):
        told.append(f"Left out, as operators must repair them: {plain(', '.join(names))}")
    if cursor is not None:
        told.append(f"More with --all or --cursor {plain(cursor)}")
    return Group(rows, *told) if told else rows


def table(
    rows: Iterable[JsonObject], columns: Mapping[str, Column], *, spare: Sequence[str] = ()
) -> RenderableType:
    """Rows, one a line; ids are short, and spare columns go first where room is scarce."""
    cells = {
        name: [cell(row) for row in rows] for rows in [list(rows)] for name, cell in columns.items()
    }
    return Grid(cells, spare)


def details(facts: Mapping[str, Any]) -> Table:
    """Facts by their names, numbers as text; what is absent is left out."""
    grid = Table.grid(padding=(0, _PADDING, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, fact in facts.items():
        if str(fact) not in {"", plain(None)}:
            grid.add_row(name, str(fact) if isinstance(fact, int | float) else fact)
    return grid


class Grid:
    """Columns of a table, chosen when the width is known."""

    def __init__(
        self,
        columns: Mapping[str, Sequence[_Cell]],
        spare: Sequence[str] = (),
        *,
        folds: bool = True,
    ) -> None:
        self._folds = folds
        shown = presentation()
        self._is_wide = shown.is_wide
        label = f"({shown.zone_label})"
        self._spare = [name.replace(_ZONED, label) for name in spare]
        self._columns = {
            name.replace(_ZONED, label): self._short(name, cells) for name, cells in columns.items()
        }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the columns that fit, and name those that do not."""
        left_out = [] if self._is_wide else self._left_out(options.max_width)
        grid = Table(box=None, padding=(0, _PADDING, 0, 0), header_style="bold")
        kept = {name: cells for name, cells in self._columns.items() if name not in left_out}
        fits = self._is_wide or self._least_width(left_out) <= options.max_width
        for name, cells in kept.items():
            # Fold where no column can give way: a cut instant says less.
            whole = self._is_whole(name, cells) and (fits or name.endswith(_ID))
            grid.add_column(name, no_wrap=whole, overflow="fold")
        for row in zip(*kept.values(), strict=True):
            grid.add_row(*row)
        yield grid
        if named := [name for name in left_out if name]:
            yield Text(f"--wide also shows: {', '.join(named)}.", style="dim")

    def _short(self, name: str, cells: Sequence[_Cell]) -> Sequence[_Cell]:
        if self._is_wide or not name.endswith(_ID):
            return cells
        short = shortened({str(cell) for cell in cells})
        return [short[str(cell)] for cell in cells]

    def _left_out(self, width: int) -> list[str]:
        """Names of the columns that have no room; the first with a heading and ids always have.

        A column in front of that one numbers or marks the rows: it goes last.
        """
        columns = self._columns
        first = next(filter(None, columns), None)
        empty = [
            name for name, cells in columns.items() if {str(c) for c in cells} == {plain(None)}
        ]
        order = dict.fromkeys([*empty, *self._spare, *reversed(columns)])
        going = [
            name for name in order if name in columns and name != first and not name.endswith(_ID)
        ]
        left_out: list[str] = []
        while going and self._least_width(left_out) > width:
            left_out.append(going.pop(0))
        return [name for name in columns if name in left_out]

    def _least_width(self, left_out: Sequence[str]) -> int:
        return sum(
            _PADDING + self._least(name, cells)
            for name, cells in self._columns.items()
            if name not in left_out
        )

    def _is_whole(self, name: str, cells: Sequence[_Cell]) -> bool:
        """Tell if a column does not fold: ids are copied, and instants compared."""
        width = _width(name, cells)
        is_instant = name.endswith(")") and width <= _INSTANT_CHARACTERS
        return not self._folds or is_instant or name.endswith(_ID) or width <= _FOLDED_CHARACTERS

    def _least(self, name: str, cells: Sequence[_Cell]) -> int:
        width = _width(name, cells)
        if self._is_whole(name, cells):
            return width
        return min(width, _SPAN_CHARACTERS if name.endswith(")") else _FOLDED_CHARACTERS)


def _width(name: str, cells: Sequence[_Cell]) -> int:
    return max(cell_len(line) for cell in [name, *cells] for line in str(cell).split("\n"))

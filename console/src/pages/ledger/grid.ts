import { type LedgerEntry, type Mark, markOf } from "./marks";

/** The grid's two scales: days by hours, and the hours of one day by minutes. */
export type Scale = "days" | "day";

export interface Cell {
  /** Beginning of the cell, in milliseconds since 1970. */
  from: number;
  entries: LedgerEntry[];
  /** The gravest of its records; null: the schedule names no instant in it. */
  mark: Mark | null;
  /** Instants: those of a gap that covers several cells are counted where it begins. */
  count: number;
}

export interface Row {
  label: string;
  cells: Cell[];
}

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Returns the beginning of a local day, so many days later. */
export function dayBegins(at: number, days = 0): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

/** Writes the day of an instant in the reader's zone. */
export function dayOf(at: number): string {
  const day = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Lays records out: a row for each local day and a cell for each of its hours. */
export function daysByHours(entries: readonly LedgerEntry[], from: number, days: number): Row[] {
  return Array.from({ length: days }, (_, index) => {
    const begins = dayBegins(from, index);
    // A day of a clock change has 23 or 25 hours.
    const hours = Math.round((dayBegins(from, index + 1) - begins) / HOUR_MS);
    return { label: dayOf(begins), cells: cellsOf(entries, begins, hours, HOUR_MS) };
  }).reverse();
}

/** Lays records of one day out: a row for each hour and a cell for each of its minutes. */
export function hoursByMinutes(entries: readonly LedgerEntry[], from: number): Row[] {
  const hours = Math.round((dayBegins(from, 1) - from) / HOUR_MS);
  return Array.from({ length: hours }, (_, hour) => {
    const begins = from + hour * HOUR_MS;
    const label = `${String(new Date(begins).getHours()).padStart(2, "0")}:00`;
    return { label, cells: cellsOf(entries, begins, 60, MINUTE_MS) };
  });
}

function cellsOf(
  entries: readonly LedgerEntry[],
  begins: number,
  count: number,
  width: number,
): Cell[] {
  const cells: Cell[] = Array.from({ length: count }, (_, index) => ({
    from: begins + index * width,
    entries: [],
    mark: null,
    count: 0,
  }));
  for (const entry of entries) {
    const [first, last] = spanOf(entry);
    const from = Math.max(0, Math.floor((first - begins) / width));
    const to = Math.min(count - 1, Math.floor((last - begins) / width));
    for (let index = from; index <= to; index += 1) {
      const cell = cells[index];
      if (cell !== undefined) place(cell, entry, first >= cell.from);
    }
  }
  return cells;
}

function place(cell: Cell, entry: LedgerEntry, isItsFirst: boolean): void {
  const mark = markOf(entry);
  cell.entries.push(entry);
  if (isItsFirst) cell.count += entry.kind === "gap" ? entry.count : 1;
  if (cell.mark === null || mark.weight > cell.mark.weight) cell.mark = mark;
}

/** Returns the first and the last instant of a record. */
export function spanOf(entry: LedgerEntry): [number, number] {
  switch (entry.kind) {
    case "run": {
      const at = Date.parse(entry.instant);
      return [at, at];
    }
    case "gap":
      return [Date.parse(entry.first), Date.parse(entry.last)];
    case "damaged":
      return [Date.parse(entry.first ?? entry.last), Date.parse(entry.last)];
    default:
      // A record of a later API has no cell here.
      return [Number.NaN, Number.NaN];
  }
}

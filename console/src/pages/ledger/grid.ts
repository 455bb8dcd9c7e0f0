import { type LedgerEntry, type Mark, markOf } from "./marks";

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
  /** In milliseconds since 1970: a clock that is set back has two rows of one label. */
  begins: number;
  cells: Cell[];
}

const MINUTE_MS = 60_000;

/** Returns the beginning of a local day, so many days later. */
export function dayBegins(at: number, days = 0): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Writes the day of an instant in the reader's zone. */
export function dayOf(at: number): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const HOURS = 24;
const MINUTES = 60;

/**
 * Lays records out: a row for each local day and a cell for each hour of its clock, so that a column is one hour of every
 * day. Where clocks are set back an hour is twice as long; where they are set forward one has no time.
 */
export function daysByHours(entries: readonly LedgerEntry[], from: number, days: number): Row[] {
  return Array.from({ length: days }, (_, index) => {
    const begins = dayBegins(from, index);
    const hours = Array.from({ length: HOURS + 1 }, (_unused, hour) => hourBegins(begins, hour));
    return { label: dayOf(begins), begins, cells: cellsOf(entries, hours) };
  }).reverse();
}

/**
 * Lays records of one day out: a row for each hour of its clock and a cell for each minute, so that a column is one minute
 * of every hour. An hour that the clock shows twice has two rows; one of which it skips a part has no time in that part.
 */
export function hoursByMinutes(entries: readonly LedgerEntry[], from: number): Row[] {
  return hoursOf(from).map(({ begins, minutes, isAgain }) => {
    const at = new Date(begins);
    const first = at.getMinutes();
    const label = `${two(at.getHours())}:${two(first)}${isAgain ? " again" : ""}`;
    const bounds = Array.from(
      { length: MINUTES + 1 },
      (_, minute) => begins + Math.min(Math.max(minute - first, 0), minutes) * MINUTE_MS,
    );
    return { label, begins, cells: cellsOf(entries, bounds) };
  });
}

interface Hour {
  begins: number;
  /** So many of its minutes there are. */
  minutes: number;
  /** The clock showed it before, and was set back since. */
  isAgain: boolean;
}

/** Returns the hours of a day's clock; a clock that is set may have a part of one, or a part of one twice. */
function hoursOf(day: number): Hour[] {
  const hours: Hour[] = [];
  const seen = new Set<number>();
  let last = "";
  for (let begins = day; begins < dayBegins(day, 1); begins += MINUTE_MS) {
    const at = new Date(begins);
    const shown = `${at.getHours()} ${at.getTimezoneOffset()}`;
    if (shown !== last) hours.push({ begins, minutes: 0, isAgain: seen.has(at.getHours()) });
    last = shown;
    seen.add(at.getHours());
    const hour = hours.at(-1);
    if (hour !== undefined) hour.minutes += 1;
  }
  return hours;
}

/** Returns when an hour of a day's clock begins: the first time, where there are two. */
function hourBegins(day: number, hour: number): number {
  const at = new Date(day);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate(), hour).getTime();
}

/** Places records in cells: each begins at one of the bounds, and ends before the next. */
function cellsOf(entries: readonly LedgerEntry[], bounds: readonly number[]): Cell[] {
  const cells: Cell[] = bounds.slice(0, -1).map((from) => ({ from, entries: [], mark: null, count: 0 }));
  const [begins = 0, ends = 0] = [bounds[0], bounds.at(-1)];
  for (const entry of entries) {
    const [first, last] = spanOf(entry);
    if (!(last >= begins && first < ends)) continue;
    cells.forEach((cell, index) => {
      const next = bounds[index + 1] ?? ends;
      if (first < next && last >= cell.from && cell.from < next) place(cell, entry, first >= cell.from);
    });
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
function spanOf(entry: LedgerEntry): [number, number] {
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

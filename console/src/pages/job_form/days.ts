import { isZone } from "../../kit";

/** A day of a month's view, in the zone of a schedule. */
export interface Day {
  /** 2026-11-21 */
  date: string;
  fires: number;
  leftOut: number;
  /** How far its clock is set: `+1h`, `−30m`; empty: it is not. */
  clock: string;
}

export interface Month {
  /** November 2026 */
  title: string;
  /** Weeks from Monday; days of other months are null. */
  weeks: (Day | null)[][];
}

const DAYS_OF_WEEK = 7;
const MINUTE_MS = 60_000;

interface Instant {
  at: string;
  outcome: string;
  runs_at: string | null;
}

interface ClockChange {
  at: string;
  kind: string;
  /** Local times between which the clock has a gap, or which it shows twice. */
  local_from: string;
  local_to: string;
}

/** Returns the date of an instant on the calendar of a zone. */
export function dateIn(at: string, timezone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(new Date(at));
}

/** Returns the zone that a schedule's days are of: its own, or the reader's. */
export function zoneOf(schedule: unknown): string {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { timezone, kind } = (schedule ?? {}) as { timezone?: string; kind?: string };
  const zone = timezone ?? (kind === "cron" || kind === "rrule" ? "UTC" : here);
  return isZone(zone) ? zone : here;
}

/** Lays the instants of a preview out on the months in which they fall, at most `most`. */
export function monthsOf(
  instants: readonly Instant[],
  clockChanges: readonly ClockChange[],
  timezone: string,
  most = 2,
): Month[] {
  const fires = new Map<string, { fires: number; leftOut: number }>();
  for (const { at, outcome, runs_at } of instants) {
    const date = dateIn(runs_at ?? at, timezone);
    const day = fires.get(date) ?? { fires: 0, leftOut: 0 };
    if (outcome === "excluded") day.leftOut += 1;
    else if (outcome !== "joined") day.fires += 1;
    fires.set(date, day);
  }
  const changes = new Map(clockChanges.map((change) => [dateIn(change.at, timezone), shiftOf(change)]));
  const months = [...new Set([...fires.keys()].map((date) => date.slice(0, 7)))].sort().slice(0, most);
  return months.map((month) => monthOf(month, fires, changes));
}

/** Writes how far a clock is set: most are set by an hour, that of Lord Howe by half of one, that of Troll by two. */
function shiftOf({ kind, local_from: from, local_to: to }: ClockChange): string {
  const minutes = (Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / MINUTE_MS;
  const length = minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
  return `${kind === "gap" ? "+" : "−"}${length}`;
}

function monthOf(
  month: string,
  fires: ReadonlyMap<string, { fires: number; leftOut: number }>,
  changes: ReadonlyMap<string, string>,
): Month {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const first = new Date(Date.UTC(year, number - 1, 1));
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (first.getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  const days: (Day | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= length; day += 1) {
    const date = `${month}-${String(day).padStart(2, "0")}`;
    days.push({ date, ...(fires.get(date) ?? { fires: 0, leftOut: 0 }), clock: changes.get(date) ?? "" });
  }
  while (days.length % DAYS_OF_WEEK !== 0) days.push(null);
  const weeks = Array.from({ length: days.length / DAYS_OF_WEEK }, (_, week) =>
    days.slice(week * DAYS_OF_WEEK, (week + 1) * DAYS_OF_WEEK),
  );
  const title = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(first);
  return { title, weeks };
}

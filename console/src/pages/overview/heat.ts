import type { Schemas } from "../../kit";

type Forecast = Schemas["LoadForecast"];

/** An hour of the week ahead, and how many runs fall due in it. */
export interface Hour {
  /** Milliseconds since 1970 of its first minute that is counted. */
  at: number;
  runs: number;
  /** The most runs of one of its minutes. */
  busiest: number;
}

export interface DayOfHours {
  /** Sat 21 */
  title: string;
  /** By local hour, 0 to 23; null: not in the forecast, or not on this day's clock. */
  hours: (Hour | null)[];
}

const MINUTE_MS = 60_000;
const HOURS = 24;
const STEPS = 5;
const TITLE = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric" });

/** Adds the queues of a forecast up, by the hours of the reader's days. */
export function hoursOf({ from, queues }: Pick<Forecast, "from" | "queues">): DayOfHours[] {
  const begins = Date.parse(from);
  const length = Math.max(0, ...queues.map(({ minutes }) => minutes.length));
  const days = new Map<string, DayOfHours>();
  for (let minute = 0; minute < length; minute += 1) {
    const at = begins + minute * MINUTE_MS;
    const runs = queues.reduce((sum, queue) => sum + (queue.minutes[minute] ?? 0), 0);
    count(days, at, runs);
  }
  return [...days.values()];
}

function count(days: Map<string, DayOfHours>, at: number, runs: number): void {
  const date = new Date(at);
  // Ten thousand minutes: a title is written once for each day.
  const key = `${date.getMonth()}-${date.getDate()}`;
  const day = days.get(key) ?? { title: TITLE.format(date), hours: Array.from({ length: HOURS }, () => null) };
  days.set(key, day);
  const hour = day.hours[date.getHours()] ?? { at, runs: 0, busiest: 0 };
  day.hours[date.getHours()] = { at: hour.at, runs: hour.runs + runs, busiest: Math.max(hour.busiest, runs) };
}

/** Returns the shade of an hour: 0 for none, 1 to 5 by its share of the fullest, each twice the last. */
export function shadeOf(runs: number, most: number): number {
  if (runs === 0 || most === 0) return 0;
  return Math.max(1, STEPS + Math.floor(Math.log2(runs / most)));
}

/** Writes a count in at most four characters: 950, 1.2k, 34k, 2M. */
export function shortCount(runs: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(runs).toLowerCase();
}

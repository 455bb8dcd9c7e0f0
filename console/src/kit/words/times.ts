const DAY_MS = 86_400_000;
const ON_CLOCK = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "longOffset",
} as const;

/** Writes an instant in the reader's zone: 2026-11-21 09:16:00. */
export function localTime(at: string, precise: boolean): string {
  return isInstant(at) ? written(new Date(at), precise) : at;
}

/** Writes an instant in UTC, and says so. */
export function utcTime(at: string, precise: boolean): string {
  if (!isInstant(at)) return at;
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, precise ? 23 : 19)} UTC`;
}

/** Writes an instant in the reader's zone and in UTC: once where that is the reader's. */
export function bothTimes(at: string, precise: boolean): string {
  const [local, utc] = [localTime(at, precise), utcTime(at, precise)];
  return utc === local || utc === `${local} UTC` ? utc : `${local} · ${utc}`;
}

const KNOWN = new Map<string, boolean>();

/** Tells if the browser knows a zone: the API's list of zones may be a later one. */
export function isZone(timezone: string): boolean {
  const known = KNOWN.get(timezone) ?? isTaken(timezone);
  KNOWN.set(timezone, known);
  return known;
}

function isTaken(timezone: string): boolean {
  try {
    Intl.DateTimeFormat("en", { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}

/** Writes an instant on the clock of a zone, with its offset there: 2026-11-21 09:16:00 +01:00. */
export function zonedTime(at: string, timezone: string): string {
  if (!isInstant(at)) return at;
  const format = new Intl.DateTimeFormat("en-CA", { ...ON_CLOCK, timeZone: timezone });
  const parts = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  const { year = "", month = "", day = "", hour = "", minute = "", second = "", timeZoneName = "" } = parts;
  const offset = timeZoneName.replace("GMT", "");
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${offset === "" ? "+00:00" : offset}`;
}

/** Writes month, day and minute in the reader's zone, or the time of day to the millisecond. */
export function shortTime(at: string, clock: boolean): string {
  if (!isInstant(at)) return at;
  const text = written(new Date(at), true);
  return clock ? text.slice(11) : text.slice(5, 16);
}

/** Writes how far an instant is from now: "3 min ago", "in 2 h". */
export function ago(at: string, nowMs: number): string {
  if (!isInstant(at)) return at;
  const distance = Date.parse(at) - nowMs;
  const text = duration(Math.abs(distance));
  if (text === "0 s") return "now";
  return distance < 0 ? `${text} ago` : `in ${text}`;
}

/** Units, and how many of each the next one takes over. */
const UNITS = [
  ["s", 1_000, 60],
  ["min", 60_000, 60],
  ["h", 3_600_000, 48],
] as const;

/** Writes a duration in the first unit of which there are few enough, once they are rounded: 1 min, and not 60 s. */
export function duration(ms: number): string {
  for (const [unit, length, most] of UNITS) {
    const count = Math.round(ms / length);
    if (count < most) return `${count} ${unit}`;
  }
  return `${Math.round(ms / DAY_MS)} d`;
}

/** Tells if a browser reads an instant; another one is shown as it is. */
const isInstant = (at: string): boolean => !Number.isNaN(Date.parse(at));

function written(date: Date, precise: boolean): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return precise ? `${day} ${time}.${String(date.getMilliseconds()).padStart(3, "0")}` : `${day} ${time}`;
}

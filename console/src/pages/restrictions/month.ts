/** Lays out a month of a calendar: which of its days are covered, and by which entries. */
import { isZone } from "../../kit";

export interface CalendarEntries {
  timezone: string;
  days: { first: string; last: string }[];
  weekdays: string[];
  windows: { weekdays: string[]; opens: string; closes: string }[];
  periods: { start: string; end: string }[];
  weekend: string[];
}

export interface DayOfMonth {
  /** `2026-11-25`, on the calendar's clock. */
  date: string;
  day: number;
  inMonth: boolean;
  coverage: "whole" | "part" | "none";
  isBusinessDay: boolean;
  /** Entries that cover it, for people. */
  entries: string[];
}

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const DAY_MS = 86_400_000;

/** Returns the name of a date's weekday. */
export function weekdayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return WEEKDAYS[(day + 6) % 7] ?? "mon";
}

/** Returns the date so many days later. */
function dayAfter(date: string, days = 1): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the month so many months later: `2026-11`. */
export function monthAfter(month: string, months: number): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** Writes an instant's date and time on a zone's clock; on that of UTC where the browser does not know the zone. */
export function localParts(instant: string, timezone: string): { date: string; time: string } {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-CA", {
      timeZone: isZone(timezone) ? timezone : "UTC",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  ) as Record<string, string>;
  return {
    date: `${parts.year ?? ""}-${parts.month ?? ""}-${parts.day ?? ""}`,
    time: `${parts.hour ?? ""}:${parts.minute ?? ""}`,
  };
}

/** Lays out the whole weeks, Monday first, that a month (`2026-11`) touches. */
export function monthOf(calendar: CalendarEntries, month: string): DayOfMonth[][] {
  const first = `${month}-01`;
  const last = dayAfter(`${monthAfter(month, 1)}-01`, -1);
  const start = dayAfter(first, -WEEKDAYS.indexOf(weekdayOf(first) as "mon"));
  const periods = calendar.periods.map((period) => localPeriod(period, calendar.timezone));
  const weeks: DayOfMonth[][] = [];
  for (let monday = start; monday <= last; monday = dayAfter(monday, 7)) {
    weeks.push(
      WEEKDAYS.map((_, offset) => {
        const date = dayAfter(monday, offset);
        return dayOf(calendar, periods, date, date.startsWith(month));
      }),
    );
  }
  return weeks;
}

interface LocalPeriod {
  first: string;
  firstTime: string;
  /** The last day that it covers any of. */
  last: string;
  endsOn: string;
  endTime: string;
}

function localPeriod(period: { start: string; end: string }, timezone: string): LocalPeriod {
  const start = localParts(period.start, timezone);
  const end = localParts(period.end, timezone);
  const covered = new Date(Date.parse(period.end) - 1).toISOString();
  return {
    first: start.date,
    firstTime: start.time,
    last: localParts(covered, timezone).date,
    endsOn: end.date,
    endTime: end.time,
  };
}

function dayOf(
  calendar: CalendarEntries,
  periods: readonly LocalPeriod[],
  date: string,
  inMonth: boolean,
): DayOfMonth {
  const weekday = weekdayOf(date);
  const listed = calendar.days.filter((range) => range.first <= date && date <= range.last);
  const everyWeek = calendar.weekdays.includes(weekday);
  const parts = [
    ...windowsOn(calendar, date),
    ...periods.filter((each) => touches(each, date)).map((each) => periodOn(each, date)),
  ];
  const whole = listed.length > 0 || everyWeek || parts.includes(WHOLE_DAY);
  const entries = [
    ...listed.map(({ first, last }) => (first === last ? first : `${first} to ${last}`)),
    ...(everyWeek ? [`every ${weekday}`] : []),
    ...parts,
  ];
  return {
    date,
    day: Number(date.slice(8)),
    inMonth,
    coverage: whole ? "whole" : parts.length > 0 ? "part" : "none",
    isBusinessDay: listed.length === 0 && !everyWeek && !calendar.weekend.includes(weekday),
    entries,
  };
}

const WHOLE_DAY = "00:00 to 24:00";

/** Hours of a day's windows; one that closes earlier than it opens goes on until the next day. */
function windowsOn(calendar: CalendarEntries, date: string): string[] {
  const today = weekdayOf(date);
  const yesterday = weekdayOf(dayAfter(date, -1));
  return calendar.windows.flatMap(({ weekdays, opens, closes }) => {
    const overnight = closes <= opens;
    const hours: string[] = [];
    if (overnight && closes !== "00:00" && weekdays.includes(yesterday)) {
      hours.push(`00:00 to ${closes}`);
    }
    if (weekdays.includes(today)) {
      hours.push(`${opens} to ${overnight ? "24:00" : closes}`);
    }
    return hours;
  });
}

function touches(period: LocalPeriod, date: string): boolean {
  return period.first <= date && date <= period.last;
}

function periodOn(period: LocalPeriod, date: string): string {
  const from = period.first === date ? period.firstTime : "00:00";
  const to = period.endsOn === date ? period.endTime : "24:00";
  return `${from} to ${to}`;
}

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { daysByHours, hoursByMinutes } from "../../src/pages/ledger/grid";
import { type LedgerEntry, MARKS, markOf } from "../../src/pages/ledger/marks";

const DAY = new Date(2026, 10, 21).getTime();

const run = (instant: Date, fields: Record<string, unknown> = {}): LedgerEntry =>
  ({
    kind: "run",
    instant: instant.toISOString(),
    state: "succeeded",
    reason: null,
    attempt: 1,
    run_id: "r",
    finish_by: null,
    explanation: "",
    ...fields,
  });
const gap = (first: Date, last: Date, count: number, reason: string): LedgerEntry =>
  ({
    kind: "gap",
    first: first.toISOString(),
    last: last.toISOString(),
    count,
    reason,
    rolled_to: null,
    explanation: "",
  }) as LedgerEntry;

describe("the grid of days", () => {
  it("has a row for each day, the latest first, and a cell for each hour", () => {
    const rows = daysByHours([], DAY, 3);

    expect(rows.map(({ label }) => label)).toEqual(["2026-11-23", "2026-11-22", "2026-11-21"]);
    expect(rows.map(({ cells }) => cells.length)).toEqual([24, 24, 24]);
  });

  it("places an instant in the hour that begins with it", () => {
    const [day] = daysByHours([run(new Date(2026, 10, 21, 9)), run(new Date(2026, 10, 21, 9, 59, 59, 999))], DAY, 1);

    expect(day?.cells[9]?.count).toBe(2);
    expect(day?.cells[10]?.mark).toBeNull();
  });

  it("shows the gravest record of a cell", () => {
    const at = new Date(2026, 10, 21, 9);
    const [day] = daysByHours([run(at), run(at, { state: "failed" }), run(at, { attempt: 2 })], DAY, 1);

    expect(day?.cells[9]?.mark).toBe(MARKS.failed);
  });

  it("shows a gap in each hour that it covers, and counts it once", () => {
    const frozen = gap(new Date(2026, 10, 21, 22), new Date(2026, 10, 22, 1, 30), 211, "frozen");
    const [second, first] = daysByHours([frozen], DAY, 2);
    const counts = [...(first?.cells ?? []), ...(second?.cells ?? [])].map(({ count }) => count);

    expect(first?.cells.map(({ mark }) => mark?.letter ?? " ").join("")).toBe(" ".repeat(22) + "ZZ");
    expect(second?.cells.slice(0, 3).map(({ mark }) => mark?.letter ?? " ").join("")).toBe("ZZ ");
    expect(counts.filter((count) => count > 0)).toEqual([211]);
  });
});

describe("the days on which clocks change", () => {
  beforeEach(() => {
    vi.stubEnv("TZ", "Europe/Berlin");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    ["forward", "2026-03-29", "2026-03-29T07:00:00Z"],
    ["back", "2026-10-25", "2026-10-25T08:00:00Z"],
  ])("show an instant at nine below 09 where clocks are set %s", (_, day, instant) => {
    const begins = new Date(`${day}T00:00:00`).getTime();
    const [row] = daysByHours([run(new Date(instant))], begins, 1);

    expect(row?.cells).toHaveLength(24);
    expect(row?.cells.findIndex(({ count }) => count === 1)).toBe(9);
  });

  it("have both of two hours in one cell, and nothing in the hour that there is not", () => {
    const twice = [run(new Date("2026-10-25T00:30:00Z")), run(new Date("2026-10-25T01:30:00Z"))];
    const [back] = daysByHours(twice, new Date("2026-10-25T00:00:00").getTime(), 1);
    const before = gap(new Date("2026-03-29T00:30:00Z"), new Date("2026-03-29T01:30:00Z"), 61, "frozen");
    const [forward] = daysByHours([before], new Date("2026-03-29T00:00:00").getTime(), 1);

    expect(back?.cells[2]?.count).toBe(2);
    expect(forward?.cells.map(({ mark }) => mark?.letter ?? " ").join("").trimEnd()).toBe(" Z Z");
  });

  it("tell the second of two hours from the first", () => {
    const rows = hoursByMinutes([], new Date("2026-10-25T00:00:00").getTime());

    expect(rows.map(({ label }) => label).slice(1, 5)).toEqual(["01:00", "02:00", "02:00 again", "03:00"]);
    expect(new Set(rows.map(({ begins }) => begins)).size).toBe(25);
  });
});

describe("the hours of a day on which clocks change by half an hour, or by two", () => {
  beforeEach(() => {
    vi.stubEnv("TZ", "Australia/Lord_Howe");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  const day = (date: string) => new Date(`${date}T00:00:00`).getTime();

  it("have the half hour that is there twice in a row of its own, and whole hours after it", () => {
    const rows = hoursByMinutes([run(new Date("2026-04-04T15:07:00Z")), run(new Date("2026-04-04T22:45:00Z"))], day("2026-04-05"));
    const at = (label: string) => rows.find((row) => row.label === label)?.cells.findIndex(({ count }) => count === 1);

    expect(rows.map(({ label }) => label).slice(0, 5)).toEqual(["00:00", "01:00", "01:30 again", "02:00", "03:00"]);
    expect(rows).toHaveLength(25);
    expect([at("01:30 again"), at("09:00")]).toEqual([37, 15]);
  });

  it("have the half hour that is skipped without time, and end with the day", () => {
    const rows = hoursByMinutes([run(new Date("2026-10-03T15:30:00Z")), run(new Date("2026-10-04T12:59:00Z"))], day("2026-10-04"));
    const marked = rows.map(({ label, cells }) => [label, cells.findIndex(({ count }) => count === 1)]);

    expect(rows.map(({ label }) => label).slice(0, 4)).toEqual(["00:00", "01:00", "02:30", "03:00"]);
    expect(marked.filter(([, minute]) => minute !== -1)).toEqual([["02:30", 30], ["23:00", 59]]);
    expect(rows.every(({ cells }) => cells.length === 60)).toBe(true);
  });

  it("are told apart where two hours are there twice", () => {
    vi.stubEnv("TZ", "Antarctica/Troll");
    const rows = hoursByMinutes([], day("2026-10-25"));

    expect(rows.map(({ label }) => label).slice(1, 6)).toEqual(["01:00", "02:00", "01:00 again", "02:00 again", "03:00"]);
  });
});

it("places the minutes of a day", () => {
  const rows = hoursByMinutes([run(new Date(2026, 10, 21, 9, 7, 30))], DAY);

  expect(rows[9]?.label).toBe("09:00");
  expect(rows[9]?.cells[7]?.count).toBe(1);
});

it.each([
  [run(new Date(DAY)), "✓"],
  [run(new Date(DAY), { attempt: 2 }), "R"],
  [run(new Date(DAY), { state: "queued" }), "…"],
  [run(new Date(DAY), { state: "running" }), "▸"],
  [run(new Date(DAY), { state: "skipped", reason: "overlap" }), "S"],
  [run(new Date(DAY), { state: "skipped", reason: "paused" }), "P"],
  [run(new Date(DAY), { state: "dead_lettered" }), "D"],
  [gap(new Date(DAY), new Date(DAY), 1, "missed_window"), "M"],
  [gap(new Date(DAY), new Date(DAY), 1, "max_runs"), "S"],
])("marks a record with a letter of its own", (entry, letter) => {
  expect(markOf(entry).letter).toBe(letter);
});

it("tells marks apart by letters, and weighs each otherwise than its like", () => {
  const letters = Object.values(MARKS).map(({ letter }) => letter);

  expect(new Set(letters).size).toBe(letters.length);
});

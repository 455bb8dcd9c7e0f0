import { describe, expect, test } from "vitest";

import { monthAfter, monthOf, weekdayOf } from "../../../src/pages/restrictions/month";
import { CALENDAR } from "../../support/answers";

function day(month: string, date: string, changes: Partial<typeof CALENDAR> = {}) {
  const found = monthOf({ ...CALENDAR, ...changes }, month)
    .flat()
    .find((each) => each.date === date);
  if (found === undefined) throw new Error(`${date} is not shown`);
  return found;
}

describe("a month of a calendar", () => {
  test("is whole weeks from Monday on, with the days around it", () => {
    const weeks = monthOf(CALENDAR, "2026-12");

    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
    expect([weeks[0]?.[0]?.date, weeks.at(-1)?.[6]?.date]).toEqual(["2026-11-30", "2027-01-03"]);
    expect(weeks.flat().filter(({ inMonth }) => inMonth)).toHaveLength(31);
  });

  test("covers both ends of a range of days, and not the days beside it", () => {
    expect(
      ["2026-12-23", "2026-12-24", "2026-12-26", "2026-12-28"].map(
        (date) => day("2026-12", date).coverage,
      ),
    ).toEqual(["none", "whole", "whole", "none"]);
  });

  test("knows business days: no weekend, no covered day", () => {
    expect(
      ["2026-12-04", "2026-12-05", "2026-12-06", "2026-12-24"].map(
        (date) => day("2026-12", date).isBusinessDay,
      ),
    ).toEqual([true, false, false, false]);
  });

  test("carries a window that closes on the next day over midnight, and not one that ends there", () => {
    const windows = [{ weekdays: ["fri" as const], opens: "22:00", closes: "06:00" }];

    expect(day("2026-12", "2026-12-04", { windows }).entries).toEqual(["22:00 to 24:00"]);
    expect(day("2026-12", "2026-12-05", { windows }).entries).toEqual(["00:00 to 06:00"]);
    expect(day("2026-12", "2026-12-04").entries).toEqual(["18:00 to 24:00"]);
    expect(day("2026-12", "2026-12-05").entries).toEqual([]);
  });

  test("reads periods on the calendar's clock", () => {
    expect(day("2026-12", "2026-12-30").coverage).toBe("none");
    expect(day("2026-12", "2026-12-31")).toMatchObject({
      coverage: "part",
      entries: ["00:00 to 12:00"],
    });
  });

  test("covers a day wholly by a period from midnight to midnight", () => {
    const periods = [{ start: "2026-12-06T23:00:00.000Z", end: "2026-12-08T23:00:00.000Z" }];

    expect(
      ["2026-12-07", "2026-12-08", "2026-12-09"].map(
        (date) => day("2026-12", date, { periods }).coverage,
      ),
    ).toEqual(["whole", "whole", "none"]);
  });
});

test("months follow one another over the year", () => {
  expect([monthAfter("2026-12", 1), monthAfter("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  expect(weekdayOf("2026-11-25")).toBe("wed");
});

import { expect, it } from "vitest";

import { hoursOf, shadeOf, shortCount } from "../../../src/pages/overview/heat";

type Queues = Parameters<typeof hoursOf>[0]["queues"];
const queue = (minutes: number[]) => ({ queue: "normal-short", minutes }) as unknown as Queues[number];
/** The local hour of an instant, whatever zone the test runs in. */
const at = (day: number, hour: number, minute: number): string => new Date(2026, 10, day, hour, minute).toISOString();

it("adds the minutes of an hour up, over all queues, and keeps the busiest", () => {
  const [day] = hoursOf({ from: at(21, 9, 58), queues: [queue([1, 2, 4]), queue([0, 3, 0])] });

  expect(day?.title).toBe("Sat 21");
  expect(day?.hours[9]).toEqual({ at: Date.parse(at(21, 9, 58)), runs: 6, busiest: 5 });
  expect(day?.hours[10]).toEqual({ at: Date.parse(at(21, 10, 0)), runs: 4, busiest: 4 });
  expect(day?.hours[8]).toBeNull();
});

it("begins another row at midnight of the reader's zone", () => {
  const days = hoursOf({ from: at(21, 23, 59), queues: [queue([1, 2])] });

  expect(days.map(({ title, hours }) => [title, hours[23]?.runs, hours[0]?.runs])).toEqual([
    ["Sat 21", 1, undefined],
    ["Sun 22", undefined, 2],
  ]);
});

it("loses no run of a week: the hours hold the sum of the minutes", () => {
  const minutes = Array.from({ length: 7 * 1_440 }, (_, index) => index % 7);
  const days = hoursOf({ from: at(21, 7, 30), queues: [queue(minutes)] });
  const sum = days.flatMap(({ hours }) => hours).reduce((total, hour) => total + (hour?.runs ?? 0), 0);

  expect(sum).toBe(minutes.reduce((total, runs) => total + runs, 0));
});

it("halves a shade with each halving, down to the lightest that is not none", () => {
  expect([0, 1, 25, 26, 50, 51, 100].map((runs) => shadeOf(runs, 100))).toEqual([0, 1, 3, 3, 4, 4, 5]);
});

it("writes counts that fit into an hour", () => {
  expect([0, 950, 1_234, 34_000, 2_000_000].map(shortCount)).toEqual(["0", "950", "1.2k", "34k", "2m"]);
});

import { expect, it } from "vitest";

import { instantRefusal, rescheduleCommand, rescheduleOf } from "../../../src/pages/runs/acts/anotherInstant";
import { runQueryOf } from "../../../src/pages/run_lists/runQuery";

const after = (minutes: string) => ({ by: "delay", minutes, at: "" }) as const;

it.each(["1e3", "0x10", "+5", "Infinity", "-1", "", "5,5", "527041"])("refuses %s minutes, as the command line does", (minutes) => {
  expect(instantRefusal(after(minutes))).not.toBeNull();
});

it.each([["0", 0], ["60", 3_600], ["1.1", 66], [" 90 ", 5_400], ["527040", 31_622_400]])("moves a run by %s minutes", (minutes, seconds) => {
  expect(instantRefusal(after(minutes))).toBeNull();
  expect(rescheduleOf(after(minutes))).toEqual({ delay_seconds: seconds });
  expect(rescheduleCommand("r", after(minutes))).toBe(`timegate runs reschedule r --delay ${minutes.trim()}m`);
});

it("asks for runs by seconds that are plain digits", () => {
  expect(runQueryOf(new URLSearchParams("late_seconds=1e3"), null).late_seconds).toBeNaN();
});

import { expect, it } from "vitest";

import { readTriggers } from "../../../src/pages/jobs/triggerLines";

it("names each trigger by its line, whatever lines are empty", () => {
  expect(readTriggers('\n{"payload": 1}\n\n  \n{}\n')).toEqual({ triggers: [{ payload: 1 }, {}], lines: [2, 5], error: null });
});

it.each([
  [1_000, null],
  [1_001, "1,001 lines: send 1,000 at a time."],
])("takes %i triggers: %s", (count, error) => {
  expect(readTriggers("{}\n".repeat(count)).error).toBe(error);
});

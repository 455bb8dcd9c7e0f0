import { describe, expect, test } from "vitest";

import { waterfallOf } from "../../../src/pages/runs/waterfall/waterfall";
import { attempt } from "../../support/answers";

const DUE = Date.parse("2026-11-21T07:01:00.000Z");

describe("the waterfall of an attempt", () => {
  test("begins at the due time, whatever was done ahead of it", () => {
    const { begins, ends, stretches } = waterfallOf(attempt(), DUE);

    expect([begins, ends]).toEqual([DUE, DUE + 5_000]);
    expect(stretches.map(({ to, lengthMs }) => [to, lengthMs])).toEqual([
      ["published", 0],
      ["received", 4_000],
      ["claimed", 100],
      ["started", 100],
      ["ended", 800],
    ]);
  });

  test("names the stretch that took the most of the lateness, and never the work", () => {
    expect(waterfallOf(attempt(), DUE).slowest?.to).toBe("received");
  });

  test("draws an attempt that waits up to now, as open", () => {
    const waiting = attempt({
      timeline: {
        planned_at: "2026-11-21T06:58:00.000Z",
        published_at: "2026-11-21T06:59:00.000Z",
        received_at: null,
        claimed_at: null,
        started_at: null,
        ended_at: null,
      },
    });
    const last = waterfallOf(waiting, DUE + 30_000).stretches.at(-1);

    expect(last).toMatchObject({ to: "received", lengthMs: 30_000, isOpen: true });
  });

  test("never draws a stretch backwards when clocks differ", () => {
    const skewed = attempt();
    skewed.timeline.claimed_at = "2026-11-21T07:01:03.990Z";

    for (const { begins, ends } of waterfallOf(skewed, DUE).stretches) {
      expect(ends).toBeGreaterThanOrEqual(begins);
    }
  });

  test("says of a run in a pool, which has no message, how long its claim took", () => {
    const pooled = attempt();
    pooled.timeline.published_at = null;
    pooled.timeline.received_at = null;

    expect(waterfallOf(pooled, DUE).stretches[0]).toMatchObject({ to: "claimed", lengthMs: 4_100 });
  });
});

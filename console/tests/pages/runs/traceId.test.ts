import { expect, test } from "vitest";

import { traceIdOf } from "../../../src/pages/runs/useTraceId";

test("a run's trace id is the one that its targets receive", async () => {
  // The same as domain/execution/trace_context.py computes for this tenant and run.
  expect(await traceIdOf("acme", "f45yzns2tqd44elwkoh3t4kpiq.s20261121T070100000Z")).toBe(
    "40bd3363ec41f2d5d13ed9db38e491d5",
  );
});

import { expect, test } from "vitest";

import { likelyCause } from "../../../src/pages/runs/causes";
import { cancelRefusal, redriveRefusal } from "../../../src/pages/runs/acts/runActions";

test.each([
  ["http_503", null, /target failed/],
  ["http_404", "permanent", /knows no such address/],
  ["http_429", null, /fewer calls/],
  ["http_400", "permanent", /refused the request/],
  ["sqs_unavailable", null, /throttled/],
  ["lambda_refused", "permanent", /AWS refused/],
  ["timeout", "retries_exhausted", /within the job's timeout/],
  [null, "kills_workers", /killed its workers/],
  ["ValueError", "kills_workers", /killed its workers/],
])("the likely cause of %s (%s) is known", (code, reason, said) => {
  expect(likelyCause(code, reason)?.cause).toMatch(said);
});

test("a code of a tenant's own, or of an object's prototype, has no likely cause", () => {
  expect(likelyCause("constructor", null)).toBeNull();
  expect(likelyCause("ValueError", "permanent")).toBeNull();
});

const ENDED = { started_at: "2026-11-21T07:00:00Z", cancel_requested: false, origin: "schedule" };

test.each(["failed", "timed_out", "cancelled", "dead_lettered"])(
  "a run that %s can be redriven, and not cancelled",
  (state) => {
    expect(redriveRefusal({ ...ENDED, state })).toBeNull();
    expect(cancelRefusal({ ...ENDED, state })).not.toBeNull();
  },
);

test.each(["waiting", "queued", "running"])("a run that is %s can be cancelled once", (state) => {
  expect(cancelRefusal({ ...ENDED, state })).toBeNull();
  expect(cancelRefusal({ ...ENDED, state, cancel_requested: true })).not.toBeNull();
  expect(redriveRefusal({ ...ENDED, state })).not.toBeNull();
});

test("a run that never began, succeeded, or is a task's is not redriven", () => {
  expect(redriveRefusal({ ...ENDED, state: "cancelled", started_at: null })).not.toBeNull();
  expect(redriveRefusal({ ...ENDED, state: "succeeded" })).not.toBeNull();
  expect(redriveRefusal({ ...ENDED, state: "failed", origin: "task" })).not.toBeNull();
});

import { expect, test } from "vitest";

import { bodyOf, cliOf, NEW_FREEZE, problemsOf } from "../../../src/pages/restrictions/freezeDraft";
import { heldOfForecast } from "../../../src/pages/restrictions/heldBack";

const NOW = Date.parse("2026-11-21T08:00:00.000Z");

test("a freeze without a start begins now, and lasts as long as it says", () => {
  const draft = { ...NEW_FREEZE, tag: "team=billing", duration: "4h", thaw: "latest" as const };

  expect(bodyOf(draft, NOW)).toEqual({
    scope: { kind: "tag", key: "team", value: "billing" },
    starts_at: null,
    ends_at: "2026-11-21T12:00:00.000Z",
    thaw: "latest",
    reason: "",
  });
  expect(cliOf(draft)).toBe(
    "timegate freezes create --tag team=billing --for 4h --thaw latest",
  );
});

test("a freeze with a start counts its duration from there", () => {
  const draft = { ...NEW_FREEZE, scope: "tenant" as const, startsAt: "2026-12-24T01:00:00+01:00" };

  expect(bodyOf({ ...draft, duration: "1d" }, NOW)).toMatchObject({
    scope: { kind: "tenant" },
    starts_at: "2026-12-24T00:00:00.000Z",
    ends_at: "2026-12-25T00:00:00.000Z",
  });
});

test("a tag without a value means whatever its value, and a value may hold an equals sign", () => {
  expect(bodyOf({ ...NEW_FREEZE, tag: "team" }, NOW).scope).toMatchObject({ value: null });
  expect(bodyOf({ ...NEW_FREEZE, tag: "q=a=b" }, NOW).scope).toMatchObject({ value: "a=b" });
});

test.each([
  [{ tag: "" }, "tag"],
  [{ tag: "=x" }, "tag"],
  [{ scope: "job", jobId: "short" }, "jobId"],
  [{ scope: "job", jobId: "key:" }, "jobId"],
  [{ scope: "job", jobId: "key:Nightly" }, "jobId"],
  [{ tag: "a", startsAt: "tomorrow" }, "startsAt"],
  [{ tag: "a", startsAt: "2026-12-24T00:00:00" }, "startsAt"],
  [{ tag: "a", duration: "until", endsAt: "2026-11-21T08:00:00Z" }, "endsAt"],
  [{ tag: "a", duration: "until", endsAt: "2027-11-22T08:00:01Z" }, "endsAt"],
] as const)("a freeze of %o is refused by its field %s", (fields, field) => {
  expect(Object.keys(problemsOf({ ...NEW_FREEZE, ...fields }, NOW))).toEqual([field]);
});

test.each(["bwjvcytzr72gxmnvxjbslykqdc", "key:nightly", "dag:bwjvcytzr72gxmnvxjbslykqdc"])(
  "a freeze takes the job %s",
  (jobId) => {
    const draft = { ...NEW_FREEZE, scope: "job" as const, jobId: ` ${jobId} ` };

    expect(problemsOf(draft, NOW)).toEqual({});
    expect(bodyOf(draft, NOW).scope).toEqual({ kind: "job", job_id: jobId });
  },
);

test("a freeze of 366 days is the longest", () => {
  const draft = { ...NEW_FREEZE, tag: "a", duration: "until", endsAt: "2027-11-22T08:00:00Z" };

  expect(problemsOf(draft, NOW)).toEqual({});
});

test("a forecast's minutes within the freeze are counted, and no other", () => {
  const forecast = {
    from: "2026-11-21T08:00:00.000Z",
    queues: [{ minutes: [1, 2, 4, 8] }, { minutes: [16, 32, 64, 128] }],
  };

  expect(heldOfForecast(forecast, NOW + 60_000, NOW + 180_000)).toBe(2 + 4 + 32 + 64);
});

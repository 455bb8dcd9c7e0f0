import { describe, expect, it } from "vitest";

import { shapeOf } from "../../../src/pages/form/contract";
import { changesOf, type Draft, withoutDefaults, withValue } from "../../../src/pages/form/draft";
import { GROUPS } from "../../../src/pages/job_form/groups";
import { NEW_JOB } from "../../../src/pages/job_form/newJob";
import { manifestOf } from "../../../src/pages/form/manifest";
import { readValue } from "../../../src/pages/form/fields/SimpleControl";
import { fullJob } from "./samples";

describe("a draft", () => {
  it("reads as its owner wrote it: defaults and facts of the API are left out", () => {
    expect(withoutDefaults(fullJob(), NEW_JOB)).toEqual({
      name: "nightly report",
      schedule: { kind: "cron", cron: "30 2 * * *", timezone: "Europe/Berlin" },
      action: { type: "webhook", url: "https://hooks.example.com/report" },
      payload: { report: "sales" },
      priority: "high",
      retry: { max_attempts: 5 },
      tags: { team: "ops" },
    });
  });

  it("keeps what is turned off although its default is on", () => {
    const job = fullJob();
    const retry = { ...(job.retry as Draft), breaker: null };

    expect(withoutDefaults({ ...job, retry }, NEW_JOB).retry).toEqual({ max_attempts: 5, breaker: null });
  });

  it.each([
    ["as many attempts as its delays make", { max_attempts: 6, delays_seconds: [1, 2, 3, 4, 5] }, { delays_seconds: [1, 2, 3, 4, 5] }],
    ["more attempts than delays", { max_attempts: 3, delays_seconds: [60] }, { max_attempts: 3, delays_seconds: [60] }],
    ["no delays", { max_attempts: 3, delays_seconds: [] }, {}],
  ])("of a job with %s is the same job", (_, retry, written) => {
    const shown = { ...(fullJob().retry as Draft), ...retry };

    expect(withoutDefaults({ ...fullJob(), retry: shown }, NEW_JOB).retry ?? {}).toEqual(written);
  });

  it("changes one value, and leaves the others as they were", () => {
    const before = { schedule: { kind: "union", any_of: [{ cron: "a" }, { cron: "b" }] } };
    const after = withValue(before, ["schedule", "any_of", 1, "cron"], "c");

    expect(after).toEqual({ schedule: { kind: "union", any_of: [{ cron: "a" }, { cron: "c" }] } });
    expect(before.schedule.any_of[1]).toEqual({ cron: "b" });
  });

  it("takes a field out", () => {
    expect(withValue({ retry: { max_attempts: 5, jitter: false } }, ["retry", "jitter"], undefined)).toEqual({
      retry: { max_attempts: 5 },
    });
  });
});

describe("the changes of an edit", () => {
  const before = withoutDefaults(fullJob(), NEW_JOB);

  it("are none where the fields stand in another order", () => {
    const schedule = { timezone: "Europe/Berlin", cron: "30 2 * * *", kind: "cron" };

    expect(changesOf(before, { ...before, schedule }, NEW_JOB)).toEqual({});
  });

  it("give a field that is taken out its default", () => {
    const { name, schedule, action } = before;

    expect(changesOf(before, { name, schedule, action }, NEW_JOB)).toEqual({ priority: "normal", payload: null, retry: {}, tags: {} });
  });
});

it("reads numbers as numbers, and leaves what is none to the API", () => {
  expect(["5", "1.5", "PT5M", ""].map((text) => readValue({ kind: "duration" }, text))).toEqual([5, 1.5, "PT5M", undefined]);
  expect(readValue({ kind: "text", isLong: false }, "5")).toBe("5");
});

it("shows each field of the contract once", () => {
  const shown = GROUPS.flatMap(({ names }) => names);

  expect([...shown].sort()).toEqual(Object.keys(NEW_JOB.properties ?? {}).sort());
});

it("knows what each field of the contract asks for; payloads and schemas alone are any JSON", () => {
  const free = Object.entries(NEW_JOB.properties ?? {}).filter(([, node]) => shapeOf(node).kind === "json");

  expect(free.map(([name]) => name)).toEqual(["payload", "payload_schema"]);
});

it("writes a job as a document for timegate apply", () => {
  const text = manifestOf("Job", { name: "a: b", schedule: { kind: "manual" }, action: { type: "worker" } });

  expect(text).toBe('kind: Job\nname: "a: b"\nspec:\n  schedule:\n    kind: manual\n  action:\n    type: worker\n');
});

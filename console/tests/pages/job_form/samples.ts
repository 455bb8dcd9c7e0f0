import { readFileSync } from "node:fs";

import type { Draft } from "../../../src/pages/form/draft";

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { content: { "application/json": { example: unknown } } }> }>>;
}

const description = JSON.parse(readFileSync("../docs/reference/openapi.json", "utf8")) as Described;

/** Returns the answer that the API's description shows for an operation. */
export function example(method: string, path: string, status = "200"): Draft {
  return description.paths[path]?.[method]?.responses[status]?.content["application/json"].example as Draft;
}

/** A job with every field, as the API shows it. */
export function fullJob(): Draft {
  const { definition } = example("post", "/v1/jobs/validate") as { definition: Draft };
  return {
    ...definition,
    job_id: "bwjvcytzr72gxmnvxjbslykqdc",
    version: 3,
    status: "active",
    created_at: "2026-11-20T07:00:00.000Z",
    updated_at: "2026-11-20T07:00:00.000Z",
    next_run_at: "2026-11-23T08:00:00.000Z",
    next_unplanned_at: "2026-11-23T08:00:00.000Z",
    auto_pause: null,
    pause_reason: null,
    payload_size_bytes: 20,
    advice: [],
  };
}

import type { Schemas } from "../../src/kit";

/** A job as the API shows it. */
export function job(fields: Record<string, unknown> = {}): Schemas["Job"] {
  return {
    name: "send the report",
    description: "",
    schedule: { kind: "cron", cron: "0 9 * * mon-fri", timezone: "Europe/Berlin" },
    action: { type: "webhook", url: "https://hooks.example.com/report" },
    payload: null,
    overlap: { policy: "allow", max_concurrent: 1, concurrency_key: null, key_from: null },
    priority: "normal",
    resource_class: "short",
    precision: "second",
    tags: { team: "ops" },
    metadata: {},
    job_id: "bwjvcytzr72gxmnvxjbslykqdc",
    version: 1,
    status: "active",
    created_at: "2026-11-20T07:00:00.000Z",
    updated_at: "2026-11-20T07:00:00.000Z",
    next_run_at: "2026-11-23T08:00:00.000Z",
    next_unplanned_at: "2026-11-23T08:00:00.000Z",
    auto_pause: null,
    pause_reason: null,
    payload_size_bytes: 0,
    payload_schema: null,
    advice: [],
    calendars: [],
    notifications: [],
    then: [],
    ...fields,
  } as unknown as Schemas["Job"];
}

/** A text that would run, were it not shown as text. */
export const HOSTILE = `<img src=x onerror="window.struck = true">`;

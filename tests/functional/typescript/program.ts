import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const timegate = createClient<paths>({ baseUrl: "https://api.example.com" });
type Run = components["schemas"]["Run"];

/** Create a job, trigger it with data, and tell how its run stands. */
export async function report(token: string, regions: string[]): Promise<Run["state"]> {
  const headers = { Authorization: `Bearer ${token}` };
  const { data: job, error } = await timegate.POST("/v1/jobs", {
    headers,
    body: {
      name: "report",
      schedule: { kind: "cron", cron: "0 9 * * 1-5", timezone: "Europe/Berlin" },
      action: { type: "worker", pool: "reports", handler: "sales" },
      retry: { max_attempts: 5 },
    },
  });
  // The gateway refuses in its own words, before Timegate is asked.
  if (error) throw new Error("code" in error ? `${error.code}: ${error.detail}` : error.message);
  const { data: run } = await timegate.POST("/v1/jobs/{job_id}/trigger", {
    headers,
    params: { path: { job_id: job.job_id } },
    body: { payload: { regions } },
  });
  const page = await timegate.GET("/v1/jobs/{job_id}/runs", {
    headers,
    params: { path: { job_id: job.job_id }, query: { state: "failed", limit: 10 } },
  });
  const failed: string[] = page.data?.items.map((row) => row.run_id) ?? [];
  return run?.state ?? (failed.length > 0 ? "failed" : "queued");
}

import { readAll, type Schemas, useApi } from "../../kit";
import { type Listing, useListing } from "../shared/listing/useListing";

export type JobRun = Schemas["RunPage"]["items"][number];

const PAGE_SIZE = 50;
/** 120 requests an hour while the page is in sight. */
const PERIOD_MS = 30_000;

/** Reads the runs of a job, the latest first; list and charts share one reading. */
export function useJobRuns(jobId: string): Listing<JobRun> {
  const api = useApi();
  const path = { job_id: jobId };
  return useListing<JobRun>(
    ["runs", jobId],
    (cursor) =>
      readAll(
        api.GET("/v1/jobs/{job_id}/runs", {
          params: { path, query: { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
}

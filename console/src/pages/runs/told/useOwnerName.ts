import { readAll, useApi, useLive } from "../../../kit";
import type { Owner } from "./owner";

/** Returns the name of the job that owns a run that is read, once it is read itself; else the id of the owner. */
export function useOwnerName({ kind, id }: Owner, isRunRead = true): string | null {
  const api = useApi();
  const jobId = kind === "job" && isRunRead ? id : null;
  const live = useLive({
    key: ["job", jobId],
    read: () => readAll(api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: jobId ?? "" } } })),
    everyMs: () => null,
    isEnabled: jobId !== null,
  });
  return live.data?.name ?? id;
}

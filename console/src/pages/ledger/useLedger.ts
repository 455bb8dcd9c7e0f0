import { readAll, useApi, useLive, type LiveQuery } from "../../kit";
import type { LedgerEntry } from "./marks";

/** Records that are read for one grid. */
const MOST_PAGES = 6;
const PAGE_SIZE = 500;
/** 30 requests an hour, times the pages, while the page is in sight. */
const PERIOD_MS = 120_000;

export interface Ledger {
  entries: LedgerEntry[];
  /** The instant up to which records were read, where there were more; else null. */
  readUntil: string | null;
}

/** Reads the ledger of a job between two instants, in milliseconds since 1970. */
export function useLedger(jobId: string, from: number, to: number): LiveQuery<Ledger> {
  const api = useApi();
  return useLive({
    key: ["ledger", jobId, from, to],
    everyMs: () => PERIOD_MS,
    read: async () => {
      const entries: LedgerEntry[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query: { from: string; to: string; limit: number; cursor?: string } = {
          from: new Date(from).toISOString(),
          to: new Date(to - 1).toISOString(),
          limit: PAGE_SIZE,
          ...(cursor === null ? {} : { cursor }),
        };
        const read: { items: LedgerEntry[]; next_cursor: string | null } = await readAll(
          api.GET("/v1/jobs/{job_id}/ledger", { params: { path: { job_id: jobId }, query } }),
        );
        entries.push(...read.items);
        cursor = read.next_cursor;
        if (cursor === null) return { entries, readUntil: null };
      }
      const last = entries.at(-1);
      return { entries, readUntil: last === undefined ? new Date(from).toISOString() : lastOf(last) };
    },
  });
}

function lastOf(entry: LedgerEntry): string {
  return entry.kind === "run" ? entry.instant : entry.last;
}

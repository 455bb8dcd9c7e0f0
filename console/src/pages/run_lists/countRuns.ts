import { type Api, readAll, type Schemas } from "../../kit";
import type { RunQuery } from "./runQuery";

/** Findings of a dry run. */
export interface Found {
  count: number;
  /** There are more, or may be. */
  isPartial: boolean;
  first: Schemas["NamedRun"][];
}

/** A dry run reads up to a thousand runs. */
const PAGES = 10;
const SHOWN = 5;

interface Asked extends RunQuery {
  which: Schemas["RunListing"];
}

/** Counts the runs of a listing that are meant, and keeps the first. */
export async function countRuns(
  api: Api,
  query: Asked,
  isMeant: (run: Schemas["NamedRun"]) => boolean,
): Promise<Found> {
  const first: Schemas["NamedRun"][] = [];
  let count = 0;
  let cursor: string | null = null;
  let isComplete = true;
  for (let page = 0; page < PAGES; page += 1) {
    const answer: Schemas["TenantRunPage"] = await readAll(
      api.GET("/v1/runs", { params: { query: { ...query, limit: 100, ...(cursor === null ? {} : { cursor }) } } }),
    );
    const meant = answer.items.filter(isMeant);
    count += meant.length;
    first.push(...meant.slice(0, SHOWN - first.length));
    isComplete = answer.complete;
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { count, isPartial: cursor !== null || !isComplete, first };
}

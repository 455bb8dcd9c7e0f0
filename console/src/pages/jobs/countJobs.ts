import { type Api, readAll, type Schemas } from "../../kit";
import { unreadableOf } from "../shared/listing/unreadable";

/** Jobs that an operation would find now. */
export interface FoundJobs {
  count: number;
  /** There are more. */
  isPartial: boolean;
  first: Schemas["Job"][];
  /** Ids of those that cannot be read, whether or not they match: an operation counts each as failed. */
  unreadable: string[];
}

/** A preview reads up to a thousand jobs. */
const PAGES = 10;
const SHOWN = 5;

export type BulkKind = "pause" | "resume" | "cancel";

/** Jobs that an operation leaves alone. A cancel ends completed jobs as well: none of them is opened again. */
const LEFT: Record<BulkKind, readonly Schemas["JobStatus"][]> = {
  pause: ["completed", "cancelled"],
  resume: ["completed", "cancelled"],
  cancel: ["cancelled"],
};

/** Counts the jobs of a selection that an operation changes, and keeps the first. */
export async function countJobs(
  api: Api,
  kind: BulkKind,
  { tags, ...selection }: Schemas["JobSelection"],
): Promise<FoundJobs> {
  const tag = Object.entries(tags ?? {}).map(([key, value]) => `${key}:${value}`);
  const first: Schemas["Job"][] = [];
  const unreadable: string[] = [];
  let count = 0;
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const query = { ...selection, tag, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const answer: Schemas["JobPage"] = await readAll(api.GET("/v1/jobs", { params: { query: query as never } }));
    const meant = answer.items.filter(({ status }) => !LEFT[kind].includes(status));
    count += meant.length;
    unreadable.push(...unreadableOf(answer));
    first.push(...meant.slice(0, SHOWN - first.length));
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { count, isPartial: cursor !== null, first, unreadable };
}

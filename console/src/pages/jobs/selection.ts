import type { Schemas } from "../../kit";
import { tagsOf } from "../shared/tagFilter";

/** Selects the jobs of a filter as operations do. */
export function selectionOf(query: Record<string, string | string[]>): Schemas["JobSelection"] {
  const tags = tagsOf([query.tag ?? []].flat());
  return {
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    ...("status" in query ? { status: query.status } : {}),
    ...("name" in query ? { name: String(query.name) } : {}),
    ...("kind" in query ? { kind: query.kind } : {}),
    ...("priority" in query ? { priority: query.priority } : {}),
  } as Schemas["JobSelection"];
}

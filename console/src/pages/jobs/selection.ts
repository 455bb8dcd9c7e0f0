import type { Schemas } from "../../kit";

/** Selects the jobs of a filter as operations do. */
export function selectionOf(query: Record<string, string | string[]>): Schemas["JobSelection"] {
  const tags = [query.tag ?? []].flat().map((each) => {
    const cut = each.indexOf(":");
    return cut < 0 ? [each, ""] : [each.slice(0, cut), each.slice(cut + 1)];
  });
  return {
    ...(tags.length === 0 ? {} : { tags: Object.fromEntries(tags) as Record<string, string> }),
    ...("status" in query ? { status: query.status } : {}),
    ...("name" in query ? { name: String(query.name) } : {}),
    ...("kind" in query ? { kind: query.kind } : {}),
    ...("priority" in query ? { priority: query.priority } : {}),
  } as Schemas["JobSelection"];
}

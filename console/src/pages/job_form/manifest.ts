import { stringify } from "yaml";

import type { Draft } from "./draft";

/** Writes a job as a document for `timegate apply`. */
export function manifestOf(draft: Draft): string {
  const { name, ...spec } = draft;
  return stringify({ kind: "Job", name: name ?? "", spec }, { lineWidth: 0 });
}

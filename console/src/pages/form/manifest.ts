import { stringify } from "yaml";

import { plainNumbers } from "../../kit";
import type { Draft } from "./draft";

/** Writes a thing as a document for `timegate apply`. */
export function manifestOf(kind: string, draft: Draft): string {
  const { name, ...spec } = draft;
  return plainNumbers(stringify({ kind, name: name ?? "", spec }, { lineWidth: 0 }));
}

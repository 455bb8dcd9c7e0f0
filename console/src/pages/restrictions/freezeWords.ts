import type { Schemas } from "../../kit";
import { knownWords } from "../shared/stateWords";

type Freeze = Schemas["Freeze"];

/** Says what runs, at the end of a freeze, of what it held back. */
export const THAW_WORDS: Record<Freeze["thaw"], string> = {
  skip: "Nothing runs",
  latest: "The last instant of each job runs",
  all: "All of it runs",
  job: "It runs as each job's catch-up policy says",
};

/** Writes the scope of a freeze. */
export function scopeWords(scope: Freeze["scope"]): string {
  switch (scope.kind) {
    case "tenant":
      return "everything";
    case "tag":
      return scope.value == null ? `tag ${scope.key}` : `tag ${scope.key}=${scope.value}`;
    case "job":
      return `job ${scope.job_id}`;
    default:
      return knownWords({}, (scope as { kind: string }).kind);
  }
}

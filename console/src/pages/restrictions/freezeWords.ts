import { isolated, type Schemas } from "../../kit";
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
      return tagWords(scope);
    case "job":
      return `job ${scope.job_id}`;
    case "stage":
      return scope.spared_tag == null
        ? "every tenant"
        : `every tenant but ${tagWords(scope.spared_tag)}`;
    default:
      return knownWords({}, (scope as { kind: string }).kind);
  }
}

/** Says why a tenant cannot lift a freeze that the stage made. */
export function ofStageWords(freeze: Freeze): string {
  return freeze.scope.kind === "stage"
    ? "The stage froze every tenant: its administration alone ends that."
    : "The stage suspended the tenant: it alone ends that.";
}

function tagWords(tag: { key: string; value?: string | null | undefined }): string {
  return tag.value == null ? `tag ${isolated(tag.key)}` : `tag ${isolated(`${tag.key}=${tag.value}`)}`;
}

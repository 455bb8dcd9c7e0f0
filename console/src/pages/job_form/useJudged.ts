import { ApiProblem, readAll, type Schemas, useApi, useLive } from "../../kit";
import type { Draft } from "../form/draft";

type Problem = Schemas["FieldProblem"];

export interface Judged {
  /** The draft that was judged: another may have been typed since. */
  of: Draft;
  errors: readonly Problem[];
  advice: readonly Schemas["AdviceAnswer"][];
}

/** Has the API judge a draft as it would judge a new job; nothing is stored. A job's own key is free for it. */
export function useJudged(draft: Draft, ownKey: unknown): Judged | null {
  const api = useApi();
  const judged = draft.key === ownKey ? { ...draft, key: null } : draft;
  const body = judged as unknown as Schemas["NewJob"];
  const { data } = useLive<Judged>({
    key: ["job-judged", draft],
    read: async () => {
      try {
        const { errors, advice } = await readAll(api.POST("/v1/jobs/validate", { body }));
        return { of: draft, errors, advice };
      } catch (error) {
        // A body that is no job at all is refused as a whole: with its fields, or with none.
        if (error instanceof ApiProblem) return { of: draft, errors: error.problem.errors, advice: [] };
        throw error;
      }
    },
    everyMs: () => null,
    keepsLast: true,
  });
  return data ?? null;
}

import type { Schemas } from "../../../kit";
import { type Draft, valueAt } from "../draft";

type Problem = Schemas["FieldProblem"];

/** Returns refusals by field; fields that are still empty are told of once saving was tried. */
export function refusalsOf(errors: readonly Problem[], draft: Draft, showAll: boolean): Record<string, string> {
  const shown = errors.filter(({ field }) => {
    const value = valueAt(draft, field.split("."));
    return showAll || (value !== undefined && value !== "");
  });
  return Object.fromEntries(shown.map(({ field, detail }) => [field, detail]));
}

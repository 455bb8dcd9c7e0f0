import { createContext, useContext } from "react";

import { type Draft, type Path, valueAt } from "./draft";

/** Context that the fields of a form share. */
export interface Form {
  draft: Draft;
  change: (path: Path, value: unknown) => void;
  /** Refusals by field: `schedule.cron`. */
  refusals: Readonly<Record<string, string>>;
  /** Keeps a field's text that could not be read, by its error; `null`: the draft has what is written. */
  markUnread: (field: string, error: string | null) => void;
}

export const FormContext = createContext<Form>({
  draft: {},
  change: () => undefined,
  refusals: {},
  markUnread: () => undefined,
});

/** Returns a field's value, a function that changes it, and why it is refused. */
export function useField(path: Path) {
  const { draft, change, refusals } = useContext(FormContext);
  return {
    value: valueAt(draft, path),
    /** The object that has the field. */
    beside: valueAt(draft, path.slice(0, -1)),
    change: (value: unknown) => {
      change(path, value);
    },
    refusal: refusals[path.join(".")] ?? "",
  };
}

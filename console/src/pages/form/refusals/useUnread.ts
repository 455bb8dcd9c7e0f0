import { useCallback, useContext, useEffect, useState } from "react";

import type { Path } from "../draft";
import { type Form, FormContext } from "../formContext";
import type { Refusal } from "./Refused";

/** Collects fields whose text could not be read: the draft has an older value of each, and is not stored so. */
export function useUnread(): { unread: Refusal[]; markUnread: Form["markUnread"] } {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const markUnread = useCallback((field: string, error: string | null): void => {
    setErrors((was) => {
      const others = Object.entries(was).filter(([name]) => name !== field);
      return Object.fromEntries(error === null ? others : [...others, [field, error]]);
    });
  }, []);
  const unread = Object.entries(errors).map(([field, detail]) => ({ field, code: "unreadable", detail }));
  return { unread, markUnread };
}

/** Tells the form that a field's text cannot be read, while the field is shown. */
export function useMarkUnread(path: Path, error: string | null): void {
  const { markUnread } = useContext(FormContext);
  const field = path.join(".");
  useEffect(() => {
    if (error === null) return undefined;
    markUnread(field, error);
    return () => {
      markUnread(field, null);
    };
  }, [markUnread, field, error]);
}

import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

import { holdDraft, takeDraft } from "../../../auth/drafts";
import { usePerson } from "../../../kit";

/**
 * Holds what a person types in a form. It survives a sign-in that the end of the session asks for: the same person finds
 * it again on the same page. `form` names the form among those of the page.
 */
export function useDraft<T>(form: string, first: T): [T, Dispatch<SetStateAction<T>>] {
  const { tenant, caller } = usePerson();
  const place = JSON.stringify([tenant, caller, location.pathname, location.search, form]);
  const [draft, setDraft] = useState(() => (takeDraft(place) as T | undefined) ?? first);
  useEffect(() => holdDraft(place, draft), [place, draft]);
  return [draft, setDraft];
}

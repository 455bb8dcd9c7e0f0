import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from "react";

import { holdDraft, takeDraft } from "../../../auth/drafts";
import { usePlace } from "../../../kit";

const differs = (draft: unknown, first: unknown): boolean => JSON.stringify(draft) !== JSON.stringify(first);

/**
 * Holds what a person types in a form. It survives a sign-in that the end of the session asks for: the same person finds
 * it again on the same page. A person who leaves the page is asked first once `isChanged` says that something is typed.
 * `form` names the form among those of the page.
 */
export function useDraft<T>(
  form: string,
  first: T,
  isChanged: (draft: T, first: T) => boolean = differs,
): [T, Dispatch<SetStateAction<T>>] {
  const place = usePlace(form);
  const [begun] = useState(first);
  const [draft, setDraft] = useState(() => (takeDraft(place) as T | undefined) ?? first);
  const isTyped = useMemo(() => isChanged(draft, begun), [isChanged, draft, begun]);
  useEffect(() => holdDraft(place, draft, { isChanged: isTyped }), [place, draft, isTyped]);
  return [draft, setDraft];
}

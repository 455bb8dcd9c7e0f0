import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { useLocation } from "react-router";

import { holdDraft, takeDraft } from "../../auth/drafts";
import { usePerson } from "../session";

type State<T> = [T, Dispatch<SetStateAction<T>>];

/** Names the place of something typed: a person, a page, and its name there. */
export function usePlace(name: string): string {
  const { tenant, caller } = usePerson();
  // The window has the next page's address before that page is drawn: this part is never of that page.
  const { pathname, search } = useLocation();
  return JSON.stringify([tenant, caller, pathname, search, name]);
}

function useHeld<T>(name: string, first: T | (() => T), isText: boolean): State<T> {
  const place = usePlace(name);
  const [begun] = useState(first);
  const [taken] = useState(() => takeDraft(place) as T | undefined);
  const [value, setValue] = useState<T>(() => taken ?? begun);
  const isChanged = JSON.stringify(value) !== JSON.stringify(begun);
  const isTaken = isText && taken !== undefined;
  useEffect(
    () => (isChanged ? holdDraft(place, value, { isChanged: false, isTaken }) : undefined),
    [place, value, isChanged, isTaken],
  );
  return [value, setValue];
}

/**
 * Holds a part of a page: which question is open, a text beside a form. It survives a sign-in that the end of the session
 * asks for: the same person finds it again on the same page. `name` names it among those of the page.
 */
export function useKept<T>(name: string, first: T | (() => T)): State<T> {
  return useHeld(name, first, false);
}

/** Holds what a person writes in a dialog, which asks before it loses what was found again after a sign-in. */
export function useKeptText<T>(name: string, first: T | (() => T)): State<T> {
  return useHeld(name, first, true);
}

import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from "react";
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

interface Way<T> {
  /** A person writes it in a dialog, which asks before it loses what was found again. */
  isText?: boolean;
  /** It is held also where it is as it began: the next beginning is another one. */
  isAlways?: boolean;
  /** Tells if leaving the page loses it: no draft of a form has it. */
  isLost?: (value: T) => boolean;
}

function useHeld<T>(name: string, first: T | (() => T), { isText, isAlways, isLost }: Way<T>): State<T> {
  const place = usePlace(name);
  const [begun] = useState(first);
  const [taken] = useState(() => takeDraft(place) as T | undefined);
  const [value, setValue] = useState<T>(() => taken ?? begun);
  const isHeld = useMemo(() => isAlways === true || JSON.stringify(value) !== JSON.stringify(begun), [isAlways, value, begun]);
  const isTaken = isText === true && taken !== undefined;
  const isChanged = isLost?.(value) === true;
  useEffect(
    () => (isHeld ? holdDraft(place, value, { isChanged, isTaken }) : undefined),
    [place, value, isHeld, isChanged, isTaken],
  );
  return [value, setValue];
}

/**
 * Holds a part of a page: which question is open, a text beside a form. It survives a sign-in that the end of the session
 * asks for: the same person finds it again on the same page. `name` names it among those of the page.
 */
export function useKept<T>(name: string, first: T | (() => T)): State<T> {
  return useHeld(name, first, {});
}

/** Holds what a person writes in a dialog, which asks before it loses what was found again after a sign-in. */
export function useKeptText<T>(name: string, first: T | (() => T)): State<T> {
  return useHeld(name, first, { isText: true });
}

/** Holds what a field of a form shows beside its draft: text that cannot be read yet is in no draft, and lost with the page. */
export function useKeptField<T>(name: string, first: T | (() => T), isLost: (value: T) => boolean): State<T> {
  return useHeld(name, first, { isLost });
}

/** Holds an instant or a filter of which a request is made: one that is repeated after a sign-in has the same contents. */
export function useRepeated<T>(name: string, first: T | (() => T)): State<T> {
  return useHeld(name, first, { isAlways: true });
}

/** Returns the key of a question's request: one whose answer was lost, also in a sign-in, is repeated and no other request. */
export function useRequestKey(name: string): State<string> {
  return useRepeated<string>(`key ${name}`, () => crypto.randomUUID());
}

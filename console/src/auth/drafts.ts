import { markNumbers, plainNumbers } from "../api/numbers";

/** Holds drafts of forms while the issuer's page is open; never a token. */
const KEPT = "timegate.drafts";

/** Drafts of the forms that are open, by the place of each: a person, a page and a form. */
const open = new Map<string, unknown>();
/** Drafts from before a sign-in that no form has taken yet; null: nothing was looked for. */
let kept: Map<string, unknown> | null = null;

/** Holds what is typed at a place; returns a function that forgets it. */
export function holdDraft(place: string, draft: unknown): () => void {
  open.set(place, draft);
  return () => {
    open.delete(place);
  };
}

/** Keeps what is typed until the person has signed in again; where the browser has no room for it, it is lost. */
export function keepDrafts(): void {
  if (open.size === 0) return;
  try {
    sessionStorage.setItem(KEPT, plainNumbers(JSON.stringify([...open])));
  } catch {
    // The sign-in goes on all the same.
  }
}

/** Returns what was typed at a place before the sign-in, once; undefined: nothing. */
export function takeDraft(place: string): unknown {
  kept ??= readKept();
  const draft = kept.get(place);
  kept.delete(place);
  return draft;
}

/** Forgets what was read: a window reads it once. */
export function forgetDrafts(): void {
  kept = null;
}

function readKept(): Map<string, unknown> {
  const text = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  if (text === null) return new Map();
  return new Map(JSON.parse(markNumbers(text)) as [string, unknown][]);
}

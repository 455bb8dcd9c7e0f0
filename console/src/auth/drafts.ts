import { markNumbers, plainNumbers } from "../api/numbers";

/** Holds drafts of forms while the issuer's page is open; never a token. */
const KEPT = "timegate.drafts";

interface Held {
  draft: unknown;
  /** It differs from what the form began with. */
  isChanged: boolean;
}

/** Drafts of the forms that are open, by the place of each: a person, a page and a form. */
const open = new Map<string, Held>();
/** The browser's storage has them: no departure loses them. */
let areKept = false;
/** Drafts from before a sign-in that no form has taken yet; null: nothing was looked for. */
let kept: Map<string, unknown> | null = null;

/** Holds what is typed at a place; returns a function that forgets it. */
export function holdDraft(place: string, draft: unknown, isChanged = true): () => void {
  open.set(place, { draft, isChanged });
  areKept = false;
  return () => {
    open.delete(place);
  };
}

/** Keeps what is typed until the person has signed in again; where the browser has no room for it, it is lost. */
export function keepDrafts(): void {
  if (open.size === 0) return;
  try {
    sessionStorage.setItem(KEPT, plainNumbers(JSON.stringify([...open].map(([place, { draft }]) => [place, draft]))));
    areKept = true;
  } catch {
    // The sign-in goes on all the same.
  }
}

/** Tells if leaving the page would lose what is typed in a form of it. */
export function isUnsaved(): boolean {
  return !areKept && [...open.values()].some(({ isChanged }) => isChanged);
}

/** Opens what follows an action that is done: what was typed is stored, also until the next page is drawn. */
export function follow(go: () => void): void {
  for (const [place, held] of open) open.set(place, { ...held, isChanged: false });
  go();
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

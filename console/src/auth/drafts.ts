import { markNumbers, plainNumbers } from "../api/numbers";

/** Holds drafts of forms while the issuer's page is open; never a token. */
const KEPT = "timegate.drafts";

interface Held {
  draft: unknown;
  /** It differs from what the form began with. */
  isChanged: boolean;
  /** It was typed in a dialog before a sign-in, and found again. */
  isTaken: boolean;
}

/** Drafts of the forms that are open, by the place of each: a person, a page and a form. */
const open = new Map<string, Held>();
/** Parts of the page outside of forms: each says what leaving the page would lose of it; null: nothing. */
const guards = new Set<() => string | null>();
/** What follows an action opens: its text was sent. */
let isFollowing = false;
/** The browser's storage has the drafts, and the person signs in: no departure is asked about. */
let areKept = false;
/** Drafts from before a sign-in that no form has taken yet; null: nothing was looked for. */
let kept: Map<string, unknown> | null = null;

/** Holds what is typed at a place; returns a function that forgets it. */
export function holdDraft(
  place: string,
  draft: unknown,
  { isChanged = true, isTaken = false }: Partial<Omit<Held, "draft">> = {},
): () => void {
  open.set(place, { draft, isChanged, isTaken });
  areKept = false;
  return () => {
    open.delete(place);
  };
}

/** Keeps what is typed until the person has signed in again; where the browser has no room for it, it is lost. */
export function keepDrafts(): void {
  try {
    if (open.size > 0) sessionStorage.setItem(KEPT, plainNumbers(JSON.stringify([...open].map(([place, { draft }]) => [place, draft]))));
    areKept = true;
  } catch {
    // The sign-in goes on all the same.
  }
}

/** Asks a part of the page what leaving would lose of it, before the page is left; returns a function that ends that. */
export function guard(lost: () => string | null): () => void {
  guards.add(lost);
  areKept = false;
  return () => {
    guards.delete(lost);
  };
}

const OF_FORM = "What is typed in this form is not stored, and is lost once you leave.";

/** Says what leaving the page would lose: what is typed in a form or a dialog, or shown once; null: nothing. */
export function lostByLeaving(): string | null {
  if (areKept || isFollowing) return null;
  if ([...open.values()].some(({ isChanged }) => isChanged)) return OF_FORM;
  return [...guards].map((lost) => lost()).find((said) => said !== null) ?? null;
}

/** Opens what follows an action that is done: what was typed is stored, also until the next page is drawn. */
export function follow(go: () => void): void {
  for (const [place, held] of open) open.set(place, { ...held, isChanged: false });
  isFollowing = true;
  try {
    go();
  } finally {
    isFollowing = false;
  }
}

/** Returns what was typed at a place before the sign-in, once; undefined: nothing. */
export function takeDraft(place: string): unknown {
  kept ??= readKept();
  const draft = kept.get(place);
  kept.delete(place);
  return draft;
}

/** Tells if a dialog shows what was typed in it before a sign-in. */
export const holdsTaken = (): boolean => [...open.values()].some(({ isTaken }) => isTaken);

/** Forgets what was read: a window reads it once. */
export function forgetDrafts(): void {
  kept = null;
}

function readKept(): Map<string, unknown> {
  try {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return new Map(text === null ? [] : (JSON.parse(markNumbers(text)) as [string, unknown][]));
  } catch {
    // The browser forbids its storage, or another program wrote there: pages open without what was typed.
    return new Map();
  }
}

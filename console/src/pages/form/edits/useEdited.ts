import type { SetStateAction } from "react";

import { changedNames, type Draft, rebased } from "../draft";
import { useDraft } from "./useDraft";

interface Edit {
  /** The thing as it was read last: changes are those from it. */
  before: Draft;
  version: number;
  draft: Draft;
  /** Fields that other callers changed while the form was open. */
  meanwhile: readonly string[];
}

/** An edit under way, and a function that changes its draft. */
export interface Edited extends Edit {
  setDraft: (action: SetStateAction<Draft>) => void;
}

const isTyped = ({ before, draft }: Edit): boolean => changedNames(before, draft).length > 0;

/** Names what others changed: what was saved from the form itself is as it was typed. */
function meanwhileOf({ before, draft }: Edit, read: Draft): string[] {
  const others = new Set(changedNames(draft, read));
  return changedNames(before, read).filter((name) => others.has(name));
}

/**
 * Edits a thing of a version; one that has yet to be made has the version 0. Once it is read again in another version, the
 * draft takes over what others changed, and keeps what was typed: a field that both changed stays as it was typed.
 */
export function useEdited(read: Draft, version: number): Edited {
  const [edit, setEdit] = useDraft<Edit>("edit", { before: read, version, draft: read, meanwhile: [] }, isTyped);
  if (version !== edit.version) {
    setEdit({
      before: read,
      version,
      draft: rebased(edit.before, edit.draft, read),
      meanwhile: meanwhileOf(edit, read),
    });
  }
  const setDraft = (action: SetStateAction<Draft>): void => {
    setEdit((was) => ({ ...was, draft: typeof action === "function" ? action(was.draft) : action }));
  };
  return { ...edit, setDraft };
}
